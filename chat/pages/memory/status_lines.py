"""The lines that say at their place in a conversation what was noted, changed or forgotten there."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from chat.pages.display.second_person import address_reader
from chat.pages.memory.fact_items import describe_source
from chat.pages.requests import own_bond_page
from chat.turns import backstop
from memory.facts import undoing
from memory.facts.shared import telling
from memory.models import ConceptNode, FactWrite, Message, NodeSource, Session
from memory.serializers.facts import load_writes
from personas.models import Bond

Op = FactWrite.Op


@dataclass(frozen=True)
class StatusLine:
    """A write from `load_writes`. Of what is forgotten it shows no text."""

    write: Any
    now: datetime
    # Whether it changed a fact that other companions know as it was.
    is_untold: bool

    @property
    def word(self) -> str:
        return str(Op.ENDED.label if self.is_of_past else self.write.get_op_display())

    @property
    def is_of_past(self) -> bool:
        """Whether it noted what no longer was so when it was noted."""
        return self.write.op == Op.SAVED and "state" in self.write.before

    @property
    def is_undone(self) -> bool:
        return self.write.undone_at is not None

    @property
    def node(self) -> Any:
        """The fact that it is about; None while that is forgotten."""
        return self.write.shown_node

    @property
    def is_gone(self) -> bool:
        return self.node is None

    @property
    def old(self) -> list[Any]:
        return list(self.write.shown_old)

    @property
    def text(self) -> str:
        return address_reader(self.node) if self.node else ""

    @property
    def along(self) -> int:
        """How many memories were forgotten with it."""
        return len(self.write.old) if self.write.op == Op.FORGOTTEN else 0

    @property
    def before(self) -> str:
        if self.write.op in (Op.CHANGED, Op.MERGED, Op.SETTLED):
            return "\n".join(address_reader(node) for node in self.old)
        return self.text if self.write.op == Op.ENDED or self.is_of_past else ""

    @property
    def after(self) -> str:
        if self.write.op == Op.LINKED:
            return "\n".join(address_reader(node) for node in self.old)
        return "" if self.write.op == Op.ENDED or self.is_of_past else self.text

    @property
    def source(self) -> str:
        # A doubt may also be settled about an event or a thought, and only facts have a tier.
        return describe_source(self.node) if self.node and self.node.tier else ""

    @property
    def is_undo_offered(self) -> bool:
        return undoing.is_offered(self.write, now=self.now)


def load_lines(bond: Bond, writes: Iterable[FactWrite]) -> list[StatusLine]:
    now = timezone.now()
    loaded = load_writes(bond_id=bond.pk, writes=writes)
    untold = telling.find_untold(bond, loaded)
    return [StatusLine(write, now, write.pk in untold) for write in loaded]


def attach(bond: Bond, messages: Sequence[Message]) -> None:
    """Give messages their `status_lines`: the turn's reply has them, or, where there is none, its last message; and say
    of replies whether nothing was noted, though that was asked or is claimed: `is_unnoted`.
    """
    turns = {message.turn_id for message in messages} - {None}
    writes = FactWrite.objects.for_bond(bond).filter(turn_id__in=turns).order_by("id")
    lines: dict[Any, list[StatusLine]] = {}
    for line in load_lines(bond, writes):
        lines.setdefault(line.write.turn_id, []).append(line)
    # The reply of a turn comes after what it answers.
    holders = {message.turn_id: message for message in messages}
    for turn, own in lines.items():
        holders[turn].status_lines = own  # type: ignore[attr-defined]  # as an annotation would
    for message in find_unnoted(bond, messages, written=lines):
        message.is_unnoted = True  # type: ignore[attr-defined]  # as an annotation would


def find_unnoted(bond: Bond, messages: Sequence[Message], *, written: Collection[Any]) -> list[Message]:
    """Find the replies of the last day that claim to have noted something, or were asked to, where nothing was noted."""
    said: dict[Any, list[str]] = {}
    for message in messages:
        if message.role == Message.Role.USER:
            said.setdefault(message.turn_id, []).append(message.content)
    since = timezone.now() - undoing.OFFERED_FOR
    replies = [
        message
        for message in messages
        if message.role == Message.Role.PERSONA
        and message.turn_id not in (None, *written)
        and message.created_at > since
        and not (message.cut_off or message.greeting or message.session.off_record)
        and (backstop.is_claimed(message.content) or backstop.is_noting_asked(said.get(message.turn_id, [])))
    ]
    if not replies:
        return []
    # What was noted before counts with its new line.
    facts = NodeSource.objects.filter(bond=bond, node__type=ConceptNode.Type.FACT, node__deleted_at=None)
    of_turns = facts.filter(message__turn_id__in=[message.turn_id for message in replies])
    noted = set(of_turns.values_list("message__turn_id", flat=True))
    return [message for message in replies if message.turn_id not in noted]


def count_learned(bond: Bond, sessions: Sequence[Session]) -> None:
    """Give sessions their `learned_count`: how many changes of facts their close made that stand."""
    writes = FactWrite.objects.for_bond(bond).filter(session__in=sessions, by=FactWrite.By.CLOSE, undone_at=None)
    counts = Counter(writes.filter(node__deleted_at=None).values_list("session", flat=True)) if sessions else Counter()
    for session in sessions:
        session.learned_count = counts[session.pk]  # type: ignore[attr-defined]  # as an annotation would


@own_bond_page("GET")
def write_line(request: HttpRequest, bond: Bond, write_id: int) -> HttpResponse:
    """Render one line that comes to an open page, or has changed."""
    write = get_object_or_404(FactWrite.objects.for_bond(bond), pk=write_id)
    [line] = load_lines(bond, [write])
    return render(request, "chat/messages/_write.html", {"bond": bond, "line": line})
