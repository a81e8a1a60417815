"""The lines that say at their place in a conversation what was noted, changed or forgotten there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET

from chat.pages.memory.fact_items import describe_source
from chat.pages.requests import get_own_bond, private_page
from memory.facts import telling, undoing
from memory.models import FactWrite, Message
from memory.serializers.facts import load_writes
from personas.models import Bond

Op = FactWrite.Op
WORDS = {
    Op.SAVED: gettext_lazy("Remembered"),
    Op.CHANGED: gettext_lazy("Changed"),
    Op.ENDED: gettext_lazy("No longer so"),
    Op.FORGOTTEN: gettext_lazy("Forgotten"),
    Op.CONFIRMED: gettext_lazy("Confirmed"),
    Op.LINKED: gettext_lazy("Linked"),
    Op.MERGED: gettext_lazy("Merged"),
    Op.SETTLED: gettext_lazy("Settled"),
}


@dataclass(frozen=True)
class StatusLine:
    """A write from `load_writes`. Of what is forgotten it shows no text."""

    write: Any
    now: datetime
    # Whether it changed a fact that other companions know as it was.
    is_untold: bool

    @property
    def word(self) -> str:
        return str(WORDS[Op(self.write.op)])

    @property
    def is_undone(self) -> bool:
        return self.write.undone_at is not None

    @property
    def node(self) -> Any:
        """The fact that it is about; None while that is forgotten."""
        shown = self.write.shown_node
        return shown if shown is not None and shown.deleted_at is None else None

    @property
    def is_gone(self) -> bool:
        return self.node is None

    @property
    def old(self) -> list[Any]:
        return [node for node in self.write.shown_old if node.deleted_at is None]

    @property
    def text(self) -> str:
        return self.node.description if self.node else ""

    @property
    def along(self) -> int:
        """How many memories were forgotten with it."""
        return len(self.write.old) if self.write.op == Op.FORGOTTEN else 0

    @property
    def before(self) -> str:
        if self.write.op in (Op.CHANGED, Op.MERGED, Op.SETTLED):
            return "\n".join(node.description for node in self.old)
        return self.text if self.write.op == Op.ENDED else ""

    @property
    def after(self) -> str:
        if self.write.op == Op.LINKED:
            return "\n".join(node.description for node in self.old)
        return "" if self.write.op == Op.ENDED else self.text

    @property
    def source(self) -> str:
        return describe_source(self.node) if self.node else ""

    @property
    def is_undo_offered(self) -> bool:
        return undoing.is_offered(self.write, now=self.now)


def load_lines(bond: Bond, writes: Iterable[FactWrite]) -> list[StatusLine]:
    now = timezone.now()
    loaded = load_writes(bond_id=bond.pk, writes=writes)
    untold = telling.find_untold(bond, loaded)
    return [StatusLine(write, now, write.pk in untold) for write in loaded]


def attach(bond: Bond, messages: Sequence[Message]) -> None:
    """Give messages their `status_lines`: the turn's reply has them, or, where there is none, its last message."""
    turns = {message.turn_id for message in messages} - {None}
    writes = FactWrite.objects.for_bond(bond).filter(turn_id__in=turns).order_by("id") if turns else []
    lines: dict[Any, list[StatusLine]] = {}
    for line in load_lines(bond, writes):
        lines.setdefault(line.write.turn_id, []).append(line)
    # The reply of a turn comes after what it answers.
    holders = {message.turn_id: message for message in messages}
    for turn, own in lines.items():
        holders[turn].status_lines = own  # type: ignore[attr-defined]  # as an annotation would


@private_page
@require_GET
def write_line(request: HttpRequest, bond_id: int, write_id: int) -> HttpResponse:
    """Render one line that comes to an open page, or has changed."""
    bond = get_own_bond(request, bond_id)
    write = get_object_or_404(FactWrite.objects.for_bond(bond), pk=write_id)
    [line] = load_lines(bond, [write])
    return render(request, "chat/messages/_write.html", {"bond": bond, "line": line})
