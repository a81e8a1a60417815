"""A memory as pages show it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from chat.pages.display import labels
from chat.pages.display.formats import format_day, format_days
from memory.models import ConceptNode
from memory.nodes import outcomes as node_outcomes
from personas.models import Bond

Type = ConceptNode.Type
LAYERS: dict[str, Sequence[str]] = {
    "events": (Type.EVENT,),
    "facts": (Type.FACT,),
    "thoughts": (Type.THOUGHT,),
    "promises": (Type.INTENTION, Type.EXPECTATION),
}
LAYER_OF = {kind: layer for layer, kinds in LAYERS.items() for kind in kinds}


@dataclass(frozen=True)
class MemoryItem:
    row: Any

    @property
    def word(self) -> str:
        return str(self.row.get_type_display())

    @property
    def is_past(self) -> bool:
        return bool(self.row.state == ConceptNode.State.SUPERSEDED)

    @property
    def state(self) -> str:
        if self.row.stale:
            return _("based on something that changed later")
        return labels.translate_state(self.row.state)

    @property
    def tags(self) -> list[str]:
        return [labels.translate_tag(tag) for tag in self.row.relational_tags]

    @property
    def feelings(self) -> list[str]:
        return [labels.translate_tag(tag) for tag in self.row.emotion_tags]

    @property
    def days(self) -> str:
        """When it happened or is due, in words."""
        start, end = self.row.event_time_start, self.row.event_time_end
        first, last = start or end, end or start
        if first is None or last is None:
            return ""
        if self.row.type in (Type.INTENTION, Type.EXPECTATION):
            is_overdue = self.row.state == ConceptNode.State.OPEN and last < timezone.localdate()
            return (_("overdue, due %(day)s") if is_overdue else _("due %(day)s")) % {"day": format_day(last)}
        return format_days(first, last)

    @property
    def outcomes(self) -> Sequence[tuple[str, Any]]:
        # The clock alone lets a memory expire.
        given = [state for state in node_outcomes.list_possible(self.row) if state != ConceptNode.State.EXPIRED]
        return [(state, capfirst(state.label)) for state in given]


def build_items(nodes: Iterable[ConceptNode]) -> list[MemoryItem]:
    return [MemoryItem(node) for node in nodes]


def get_own_node(bond: Bond, node_id: int) -> Any:
    return get_object_or_404(ConceptNode.objects.for_bond(bond).not_deleted().for_serializer(), pk=node_id)
