from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.models import ConceptNode
from personas.rest.serializer_fields import NullableTextField, ReadOnlySerializer


class NodeSerializer(ReadOnlySerializer[ConceptNode]):
    source_messages = serializers.ListField(source="source_ids", child=serializers.IntegerField())
    source_quote = NullableTextField()
    state_reason = NullableTextField()
    filling = serializers.ListField(source="filling_ids", child=serializers.IntegerField())
    # Only a fact has these.
    facet = NullableTextField()
    tier = NullableTextField()
    slot = NullableTextField()
    value = NullableTextField()
    detail = NullableTextField()
    grave = serializers.SerializerMethodField()
    shared = serializers.SerializerMethodField()
    loaded = serializers.BooleanField(source="is_loaded", allow_null=True)

    class Meta:
        model = ConceptNode
        fields = (
            "id", "type", "subject", "description", "emotional_impact", "emotion_tags", "relational_tags",
            "event_time_start", "event_time_end", "origin", "confidence", "state", "state_reason", "session",
            "source_messages", "source_quote", "filling", "superseded_by", "conflicts_with", "stale", "valid_from",
            "valid_until", "mention_count", "created_at", "facet", "tier", "slot", "value", "detail", "grave",
            "last_confirmed_at", "shared", "loaded",
        )  # fmt: skip

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_grave(self, node: ConceptNode) -> bool | None:
        return node.grave if node.type == ConceptNode.Type.FACT else None

    @extend_schema_field(serializers.BooleanField(allow_null=True))
    def get_shared(self, node: ConceptNode) -> bool | None:
        return node.is_shared if node.type == ConceptNode.Type.FACT else None
