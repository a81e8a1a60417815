"""Facts as pages show them."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.pages.display.formats import format_day
from chat.pages.memory.items import MemoryItem
from memory.models import ConceptNode

Facet, Tier, State = ConceptNode.Facet, ConceptNode.Tier, ConceptNode.State
FACETS = {
    Facet.ABOUT_YOU: gettext_lazy("About you"),
    Facet.HOW_TO_TALK: gettext_lazy("How to talk with you"),
    Facet.ABOUT_US: gettext_lazy("About the two of you"),
    Facet.PERSONA_CANON: gettext_lazy("What your companion said of themselves"),
}
SLOTS = {
    "preferred_name": gettext_lazy("what you are called"),
    "full_name": gettext_lazy("full name"),
    "pronouns": gettext_lazy("pronouns"),
    "birthday": gettext_lazy("birthday"),
    "home": gettext_lazy("home"),
    "work": gettext_lazy("work"),
    "partner": gettext_lazy("partner"),
    "diet": gettext_lazy("diet"),
    "language": gettext_lazy("language"),
}
WRITTEN = gettext_lazy("you wrote it")
SOURCES = {
    Tier.STATED: gettext_lazy("you said it"),
    Tier.EXTRACTED: gettext_lazy("picked up"),
    Tier.INFERRED: gettext_lazy("a guess"),
}
ENDINGS = {
    "ended": gettext_lazy("no longer so"),
    "wrong": gettext_lazy("was never so"),
    "merged": gettext_lazy("merged"),
    "replaced": gettext_lazy("replaced"),
    "settled": gettext_lazy("settled"),
}


def describe_source(node: Any) -> str:
    """Say how a fact came to be known."""
    if node.tier == Tier.STATED and node.origin == ConceptNode.Origin.USER:
        return str(WRITTEN)
    return str(SOURCES[Tier(node.tier)])


class FactItem(MemoryItem):
    """A fact with its labels."""

    @property
    def facet(self) -> str:
        return str(FACETS[Facet(self.row.facet)])

    @property
    def source(self) -> str:
        return describe_source(self.row)

    @property
    def slot(self) -> str:
        return f"{SLOTS[self.row.slot]}: {self.row.value}" if self.row.slot else ""

    @property
    def ending(self) -> str:
        """Why it holds no longer."""
        return str(ENDINGS.get(self.row.state_reason, "")) if self.is_past else ""

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
