"""Hears that a message asks to undo what was noted or forgotten in this chat ("wait, undo that", 撤销), and undoes it as its button does."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q

from chat.models import Turn
from echovessel import lazy_re as re
from echovessel.llm.inputs import NotedFact, UnmetWish
from memory.facts.drafts import FactError
from memory.facts.shared import presses
from memory.facts.shared.telling import IN_TALK
from memory.models import ConceptNode, FactWrite, Message

NOTHING_TO_UNDO = "nothing_to_undo"
_LEAD = r"^\W*(?:(?:no|nope|wait|oh|oops|sorry|hang on|hold on|ah|actually|ok|okay|please|pls|hey|can you|could you|would you|will you|just)\b[\s,.!…-]*)*"
_LEAD_CHINESE = r"^\W*(?:不对|不是|等等|等一下|哎呀?|啊|呃|算了|好吧|请|麻烦|帮我|给我|你|快|把|刚才的?|刚刚的?|那[条个]|上一[条步个]|[，,。！!\s])*"
_END, _END_CHINESE = (
    r"(?: (?:please|now|again|for me|after all|just now))*(?=\s*(?:$|[,.;!?:–—-]))",
    r"(?:吧|好吗|啊|呀|哈|了)?(?=$|[，,。！!？?；;\s])",
)
_ASKS = re.compile(
    rf"{_LEAD}(?:undo|revert|reverse)(?: (?:that|it|this|(?:the|your) last (?:one|thing|note|change)|what you (?:just )?(?:did|noted|saved|wrote|forgot|changed)))?{_END}"
    rf"|{_LEAD_CHINESE}(?:撤[销消回])(?:一下|掉)?(?:(?:刚才|刚刚|上面|上一[条步次个]|那[条个]|这[条个])?的?(?:记的|记录|操作|改的|改动|话)?)?{_END_CHINESE}",
    re.IGNORECASE,
)
# These may be about something else, so they count only right behind what was written.
_TAKES_BACK = re.compile(
    rf"{_LEAD}(?:i )?(?:take (?:that|it|this) back|(?:put|bring|get) (?:that|it|this|him|her|them) back){_END}"
    rf"|{_LEAD_CHINESE}我?(?:收回(?:刚才的?话|那句话|那话)?|恢复|还原|找回来|[加记]回来){_END_CHINESE}",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    rf"{_LEAD}(?:(?:please )?(?:don'?t|do not) (?:forget|delete|erase|remove)(?: (?:that|it|this|him|her|them))?|i (?:didn'?t mean to|didn'?t want you to|don'?t want you to) (?:forget|delete|erase)(?: (?:that|it|this|him|her|them))?|remember (?:that|it|this|him|her|them)){_END}"
    rf"|{_LEAD_CHINESE}(?:还是)?(?:别|不要|先别|不用)[忘删](?:了|掉|除)?(?:[它他她]|这个|那个)?{_END_CHINESE}",
    re.IGNORECASE,
)


class UndoWish(NamedTuple):
    """What a message asks to undo: the writes, newest first, and what else it says."""

    writes: list[FactWrite]
    rest: str


def find(turn: Turn, *, said: str) -> UndoWish | None:
    """Find what a message asks to undo of its chat: all that the newest message wrote there; none where nothing stands. None where it asks for
    nothing.
    """
    match = _ASKS.search(said) or _TAKES_BACK.search(said) or _KEEPS.search(said)
    if match is None:
        return None
    writes = list_writes(turn)
    if match.re.pattern != _ASKS.pattern and not (writes and is_right_behind(turn, writes[0])):
        return None
    if match.re.pattern == _KEEPS.pattern and writes[0].op != FactWrite.Op.FORGOTTEN:
        return None
    return UndoWish(writes, said[match.end() :].lstrip(" ,.;!?:–—-，。！？；"))


def is_right_behind(turn: Turn, write: FactWrite) -> bool:
    """Whether the user said nothing between what wrote this and the turn; a forgetting may hide the message that asked for it."""
    said = Message.objects.filter(session=turn.session_id, role=Message.Role.USER).exclude(turn_id=turn.pk)
    return said.order_by("-id").values_list("turn_id", flat=True).first() == write.turn_id


def list_writes(turn: Turn) -> list[FactWrite]:
    """List what the newest message with a write wrote in the turn's chat, newest first. What this turn has undone in an earlier try counts."""
    of_chat = FactWrite.objects.for_bond(turn.bond).filter(session=turn.session, by__in=IN_TALK, turn_id__isnull=False)
    standing = of_chat.filter(Q(undone_at=None) | Q(undone_at__gte=turn.created_at)).exclude(turn_id=turn.pk)
    newest = standing.order_by("-id").first()
    rows = standing.filter(turn_id=newest.turn_id) if newest else standing.none()
    return list(rows.select_related("bond", "node").order_by("-id"))


def undo(write: FactWrite, *, now: datetime) -> NotedFact | UnmetWish:
    """Undo a write as its button does, in every bond that shares the fact, where its result stands."""
    try:
        presses.undo(write=write, now=now)
    except FactError:
        return UnmetWish(NOTHING_TO_UNDO)
    node = write.node
    node.refresh_from_db()
    old = ConceptNode.objects.for_bond(write.bond).not_deleted().filter(pk__in=write.old[:1]).first()
    text = "" if node.deleted_at else node.description
    was = old.description if old else ""
    return NotedFact(op=write.op, text=text, old=was, facet=node.facet, is_undone=True, is_new=True)


def leave_out(before: Sequence[NotedFact], undone: Sequence[NotedFact | UnmetWish]) -> list[NotedFact]:
    """Leave out of what was noted before the newest acts that are undone now."""
    left = list(before)
    for one in undone:
        same = [
            at
            for at, other in enumerate(left)
            if isinstance(one, NotedFact) and not other.is_undone and other.op == one.op
        ]
        if same:
            del left[same[-1]]
    return left
