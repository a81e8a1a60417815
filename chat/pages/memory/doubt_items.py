"""Doubts as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from chat.pages.display import second_person
from chat.pages.memory.fact_items import describe_source
from memory.doubts import settling
from memory.models import ConceptNode, Doubt, Entity

Kind, Outcome = Doubt.Kind, Doubt.Outcome
# What the buttons say of something that stands alone; what has two sides has the labels of the model.
ALONE: dict[str, dict[str, Promise]] = {
    Kind.CONTRADICTION: {Outcome.THIS: gettext_lazy("True"), Outcome.NEITHER: gettext_lazy("Not true")},
    Kind.UNVERIFIED: {Outcome.THIS: gettext_lazy("True"), Outcome.NEITHER: gettext_lazy("Not true")},
    Kind.STALE: {Outcome.THIS: gettext_lazy("Still true"), Outcome.NEITHER: gettext_lazy("No longer so")},
}
# The same of one of two sides, where the other is told beside it.
OF_THIS: dict[str, Promise] = {
    Outcome.THIS: gettext_lazy("True"),
    Outcome.THAT: gettext_lazy("Not true"),
}
# What became of memories, of which one stood alone or two stood against each other, and of two that may be the same.
RESULTS: dict[str, Promise] = {
    Outcome.THIS: gettext_lazy("Settled: the other memory is no longer current."),
    Outcome.THAT: gettext_lazy("Settled: the other memory is no longer current."),
    Outcome.BOTH: gettext_lazy("Settled: both memories stay."),
    Outcome.NEITHER: gettext_lazy("Settled: neither memory is current any more."),
    Outcome.SAME: gettext_lazy("Settled: the two are merged."),
    Outcome.DIFFERENT: gettext_lazy("Settled: the two stay separate."),
}
RESULTS_ALONE: dict[str, Promise] = {
    Outcome.THIS: gettext_lazy("Settled: the memory stays."),
    Outcome.NEITHER: gettext_lazy("Settled: the memory is no longer current."),
}
ORIGINS: dict[str, Promise] = {
    ConceptNode.Origin.IMPORT: gettext_lazy("read in a file"),
    ConceptNode.Origin.USER: gettext_lazy("you wrote it"),
    ConceptNode.Origin.REFLECTION: gettext_lazy("your companion's thought"),
    ConceptNode.Origin.SLOW_TICK: gettext_lazy("your companion's thought"),
}


@dataclass(frozen=True)
class DoubtItem:
    """A doubt from `load_sides`, with its labels."""

    row: Any
    can_undo: bool

    @property
    def word(self) -> str:
        return str(self.row.get_kind_display())

    @property
    def reason(self) -> str:
        """What opened it; empty of those that were opened before reasons were written."""
        return str(Doubt.Reason(self.row.reason).label) if self.row.reason else ""

    @property
    def sides(self) -> "list[DoubtSide]":
        return [DoubtSide(side) for side in (self.row.shown_this, self.row.shown_that) if side is not None]

    @property
    def outcomes(self) -> Sequence[tuple[str, str]]:
        return [(name, self.label(name)) for name in settling.list_outcomes(self.row)]

    @property
    def outcome(self) -> str:
        return self.label(self.row.outcome)

    @property
    def asked(self) -> int:
        return len(self.row.asked_in)

    @property
    def result(self) -> str:
        """What became of the sides of a doubt that is settled."""
        return str((RESULTS if self.is_two_sided else RESULTS_ALONE)[self.row.outcome])

    @property
    def is_two_sided(self) -> bool:
        return self.row.b_node_id is not None or self.row.b_entity_id is not None

    @property
    def against(self) -> "list[DoubtSide]":
        """What the first side stands against."""
        return self.sides[1:]

    @property
    def outcomes_of_this(self) -> Sequence[tuple[str, str]]:
        """What it can come to, said of the first side on its own page."""
        of_this = OF_THIS if self.is_two_sided else {}
        return [(name, str(of_this.get(name) or label)) for name, label in self.outcomes]

    def label(self, outcome: str) -> str:
        alone = {} if self.is_two_sided else ALONE[self.row.kind]
        return str(alone.get(outcome) or Outcome(outcome).label)


@dataclass(frozen=True)
class DoubtSide:
    row: Any

    @property
    def is_entity(self) -> bool:
        return isinstance(self.row, Entity)

    @property
    def is_past(self) -> bool:
        """Whether a memory no longer holds."""
        return bool(self.row.state == ConceptNode.State.SUPERSEDED)

    @property
    def text(self) -> str:
        """What a memory says, to the reader whom it is about: here they are asked whether it is so."""
        if self.row.type == ConceptNode.Type.FACT:
            return second_person.address_reader(self.row)
        return second_person.reword(self.row.description, facet=ConceptNode.Facet.ABOUT_YOU)

    @property
    def source(self) -> str:
        """How a memory came to be known."""
        if self.row.type == ConceptNode.Type.FACT and self.row.origin != ConceptNode.Origin.IMPORT:
            return describe_source(self.row)
        return str(ORIGINS.get(self.row.origin, gettext_lazy("picked up")))
