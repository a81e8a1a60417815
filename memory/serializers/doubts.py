from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.doubts import settling
from memory.models import Doubt
from memory.serializers.nodes import NodeSerializer
from personas.rest.serializer_fields import ReadOnlySerializer, UTCDateTimeField


class DoubtSerializer(ReadOnlySerializer[Doubt]):
    """A doubt from `load_sides`: `a` (*this*) is the newer, `b` (*that*) what it stands against; `asked` counts sessions."""

    a = NodeSerializer(source="shown_this", allow_null=True)
    b = NodeSerializer(source="shown_that", allow_null=True)
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

    @extend_schema_field(serializers.ChoiceField(choices=Doubt.Outcome.choices, allow_null=True))
    def get_outcome(self, doubt: Doubt) -> str | None:
        return doubt.outcome or None

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_outcomes(self, doubt: Doubt) -> Any:
        return settling.list_outcomes(doubt) if doubt.state != Doubt.State.SETTLED else []

    def get_asked(self, doubt: Doubt) -> int:
        return len(doubt.asked_in)
