from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from echovessel.postgres.rows import build_model, fetch_all
from memory.messages.tombstones import HIDDEN, PROMPTED
from memory.models import Message, Session
from memory.models.messages import MessageQuerySet
from personas.models import Bond


class RecentMessage(Protocol):
    """What a turn reads of a message before its burst: of a row, or of what is loaded with the story, which makes no rows of
    hundreds of messages.
    """

    @property
    def pk(self) -> int: ...
    @property
    def session_id(self) -> int: ...
    @property
    def role(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...


# How much of its own chat a prompt holds at least, also of one that is gone on with after others.
OWN_LEAST = 10


def filter_messages(bond: Bond) -> MessageQuerySet:
    return Message.objects.for_bond(bond).visible().in_prompts(bond).exclude(role=Message.Role.SYSTEM)


def load_last(messages: MessageQuerySet, most: int) -> list[Message]:
    """Load the last of some messages, oldest first, each as prompts hold it."""
    found = list(reversed(messages.order_by("-id").only(*_FIELDS, "remainder")[:most]))
    for line in found:
        line.content = line.remainder or line.content
    return found


def load_newest_ids(*, bond: Bond, most: int) -> set[int]:
    """Load the ids of the messages that the window would hold if a turn began now."""
    return set(filter_messages(bond).order_by("-id").values_list("pk", flat=True)[:most])


# Raw SQL, as in the rest of the hot path: the ORM built it in three times the time PostgreSQL took to answer.
_FIELDS = (
    "id", "bond_id", "session_id", "role", "content", "turn_id", "chosen", "cut_off", "token_count", "created_at",
)  # fmt: skip
_RECENT = f"""
SELECT {", ".join(f"line.{name}" for name in _FIELDS).replace("line.content", PROMPTED)}
FROM memory_message line JOIN memory_session session ON session.id = line.session_id
WHERE line.bond_id = %(bond)s AND line.deleted_at IS NULL AND line.chosen AND line.role <> 'system' AND session.deleted_at IS NULL
    AND (line.id NOT IN ({HIDDEN} %(bond)s) OR line.remainder <> '') AND line.turn_id IS DISTINCT FROM %(turn)s AND NOT EXISTS (
        SELECT FROM memory_message later WHERE later.bond_id = %(bond)s AND later.turn_id = line.turn_id
            AND later.role = 'user' AND later.id > %(up_to)s
    )
ORDER BY line.id DESC LIMIT %(most)s
"""


def load_recent(*, bond: Bond, most: int, turn_id: UUID, up_to: int) -> list[Message]:
    """Load the bond's newest messages over all sessions and channels, oldest first, without the turn's own.

    Turns whose user messages have ids above `up_to` are later ones: their messages are left out, too.
    """
    found = fetch_all(_RECENT, {"bond": bond.pk, "turn": turn_id, "up_to": up_to, "most": most})
    return sort_by_turn([build_model(Message, _FIELDS, row) for row in reversed(found)])


def sort_by_turn(lines: Sequence[Message]) -> list[Message]:
    """Put each reply behind what it answers, also where more was said while it was streaming."""
    began: dict[UUID | int, int] = {}
    for line in lines:
        began.setdefault(line.turn_id or line.pk, line.pk)
    return sorted(lines, key=lambda line: (began[line.turn_id or line.pk], line.pk))


def add_reopened(held: Sequence[RecentMessage], *, bond: Bond, session: Session, said: int) -> Sequence[RecentMessage]:
    """Put the last messages before the window of an older chat that is gone on with behind those of other chats.

    They are the same from turn to turn, so that what stands before in the prompt does not change. `said` is how many messages
    the burst has. It asks the database only where the chat may have more messages than the window holds.
    """
    pk = session.pk
    own = [line for line in held if line.session_id == pk]
    if not held or held[0].session_id == pk or session.message_count <= len(own) + said:
        return held
    messages = filter_messages(bond).filter(session=session, pk__lt=min(line.pk for line in held))
    earlier = load_last(messages, OWN_LEAST)
    others = [line for line in held if line.session_id != pk]
    return [*others, *earlier, *own] if earlier else held


def add_own(recent: Sequence[RecentMessage], *, bond: Bond, session: Session, before: int) -> Sequence[RecentMessage]:
    """Put the last messages of an older chat that is gone on with into the window, in place of the oldest of other chats.

    They stand behind those of other chats: what is said now goes on from them. `before` is the id of the burst's first message. It asks
    the database only where the window lacks them.
    """
    own = {line.pk for line in recent if line.session_id == session.pk}
    missing = min(OWN_LEAST, len(recent)) - len(own)
    if missing <= 0 or session.message_count <= len(own) + 1:
        return recent
    messages = filter_messages(bond).filter(session=session, pk__lt=before).exclude(pk__in=own)
    earlier = load_last(messages, missing)
    others = [line for line in recent if line.pk not in own]
    return [*others[len(earlier) :], *earlier, *(line for line in recent if line.pk in own)]


def build_row(message: RecentMessage, *, bond: Bond) -> Message:
    """Build a row of what is known of a message, for others to refer to; it is not for saving."""
    known = {"session_id": message.session_id, "role": message.role, "content": message.content}
    return Message(pk=message.pk, bond=bond, created_at=message.created_at, **known)
