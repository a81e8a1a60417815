from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from memory.doubts import settling
from memory.models import ConceptNode, Doubt, Entity
from memory.serializers.memories import EntitySerializer
from memory.serializers.nodes import NodeSerializer
from personas.rest.serializer_fields import NullableChoiceField, ReadOnlySerializer

SIDE = PolymorphicProxySerializer(
    component_name="DoubtSide",
    serializers=[NodeSerializer, EntitySerializer],
    resource_type_field_name=None,
    allow_null=True,
)


@extend_schema_field(SIDE)
class SideField(serializers.Field[Any, Any, Any, Any]):
    """A memory or an entity, as the other endpoints show it; null where there is none or it is forgotten."""

    def to_representation(self, side: ConceptNode | Entity) -> Any:
        return EntitySerializer(side).data if isinstance(side, Entity) else NodeSerializer(side).data


class DoubtSerializer(ReadOnlySerializer[Doubt]):
    """A doubt from `load_sides`: `a` (*this*) is the newer, `b` (*that*) what it stands against; `asked` counts sessions."""

    a = SideField(source="shown_this")
    b = SideField(source="shown_that")
    outcome = NullableChoiceField(Doubt.Outcome.choices)
    outcomes = serializers.SerializerMethodField()
    asked = serializers.SerializerMethodField()

    class Meta:
        model = Doubt
        fields = (
            "id", "kind", "a", "b", "reason", "severity", "state", "asked", "outcome", "outcomes", "opened_at",
            "settled_at",
        )  # fmt: skip

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_outcomes(self, doubt: Doubt) -> Any:
        return settling.list_outcomes(doubt) if doubt.state != Doubt.State.SETTLED else []

    def get_asked(self, doubt: Doubt) -> int:
        return len(doubt.asked_in)
