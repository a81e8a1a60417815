"""Facts as pages show them."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.pages.display.formats import format_day
from chat.pages.memory.items import MemoryItem
from memory.models import ConceptNode

Facet, Tier, State = ConceptNode.Facet, ConceptNode.Tier, ConceptNode.State
WRITTEN = gettext_lazy("you wrote it")
ENDINGS = {
    "ended": gettext_lazy("no longer true"),
    "wrong": gettext_lazy("was never true"),
    "merged": gettext_lazy("merged"),
    "replaced": gettext_lazy("replaced"),
    "settled": gettext_lazy("settled"),
}


def describe_ending(reason: str) -> str:
    """Say why a fact holds no longer."""
    return str(ENDINGS.get(reason, ""))


def describe_source(node: Any) -> str:
    """Say how a fact came to be known."""
    if node.tier == Tier.STATED and node.origin == ConceptNode.Origin.USER:
        return str(WRITTEN)
    return str(Tier(node.tier).label)


class FactItem(MemoryItem):
    @property
    def facet(self) -> str:
        return str(Facet(self.row.facet).label)

    @property
    def source(self) -> str:
        return describe_source(self.row)

    @property
    def slot(self) -> str:
        return self.row.get_slot_display() + _(": ") + self.row.value if self.row.slot else ""

    @property
    def ending(self) -> str:
        """Why it holds no longer."""
        return describe_ending(self.row.state_reason) if self.is_past else ""

    @property
    def is_live(self) -> bool:
        return bool(self.row.state == State.LIVE)

    @property
    def is_uncertain(self) -> bool:
        return bool(self.row.state == State.UNCERTAIN)

    @property
    def is_of_user(self) -> bool:
        return self.row.facet in (Facet.ABOUT_YOU, Facet.HOW_TO_TALK)

    @property
    def since(self) -> str:
        return _("since %(day)s") % {"day": format_day(self.row.event_time_start)} if self.row.event_time_start else ""

    @property
    def until(self) -> str:
        return _("until %(day)s") % {"day": format_day(self.row.event_time_end)} if self.row.event_time_end else ""
