from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from memory.doubts import settling
from memory.models import ConceptNode, Doubt, Entity
from memory.serializers.memories import EntitySerializer
from memory.serializers.nodes import NodeSerializer
from personas.rest.serializer_fields import ReadOnlySerializer, UTCDateTimeField

SIDE = PolymorphicProxySerializer(
    component_name="DoubtSide",
    serializers=[NodeSerializer, EntitySerializer],
    resource_type_field_name=None,
    allow_null=True,
)


def serialize_side(side: ConceptNode | Entity | None) -> Any:
    """Serialize a memory or an entity, as the other endpoints do; None where there is none or it is forgotten."""
    if side is None:
        return None
    return EntitySerializer(side).data if isinstance(side, Entity) else NodeSerializer(side).data


class DoubtSerializer(ReadOnlySerializer[Doubt]):
    """A doubt from `load_sides`: `a` (*this*) is the newer, `b` (*that*) what it stands against; `asked` counts sessions."""

    a = serializers.SerializerMethodField()
    b = serializers.SerializerMethodField()
    outcome = serializers.SerializerMethodField()
    outcomes = serializers.SerializerMethodField()
    asked = serializers.SerializerMethodField()
    opened_at = UTCDateTimeField()
    settled_at = UTCDateTimeField(allow_null=True)

    class Meta:
        model = Doubt
        fields = (
            "id",
            "kind",
            "a",
            "b",
            "reason",
            "severity",
            "state",
            "asked",
            "outcome",
            "outcomes",
            "opened_at",
            "settled_at",
        )

    @extend_schema_field(SIDE)
    def get_a(self, doubt: Any) -> Any:
        return serialize_side(doubt.shown_this)

    @extend_schema_field(SIDE)
    def get_b(self, doubt: Any) -> Any:
        return serialize_side(doubt.shown_that)

    @extend_schema_field(serializers.ChoiceField(choices=Doubt.Outcome.choices, allow_null=True))
    def get_outcome(self, doubt: Doubt) -> str | None:
        return doubt.outcome or None

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_outcomes(self, doubt: Doubt) -> Any:
        return settling.list_outcomes(doubt) if doubt.state != Doubt.State.SETTLED else []

    def get_asked(self, doubt: Doubt) -> int:
        return len(doubt.asked_in)
