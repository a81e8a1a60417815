from typing import Any

from rest_framework import serializers

from memory.models import Forgotten
from memory.serializers.memories import NodeSerializer
from personas.rest.serializer_fields import UTCDateTimeField


class ForgottenSerializer(serializers.Serializer[Any]):
    """What was forgotten; `nodes`, `messages` and `entities` are the ids of all rows that are in the trash by it."""

    kind = serializers.ChoiceField(choices=Forgotten.Kind.choices)
    id = serializers.IntegerField(source="object_id")
    text = serializers.CharField(
        help_text="Of a message its content, of a session its title or first line, of an entity its name."
    )
    nodes = serializers.ListField(source="node_ids", child=serializers.IntegerField())
    messages = serializers.ListField(source="line_ids", child=serializers.IntegerField())
    entities = serializers.ListField(source="entity_ids", child=serializers.IntegerField())
    forgotten_at = UTCDateTimeField(source="created_at")
    purged_at = UTCDateTimeField(help_text="From then on the nightly purge erases it.")


class OfferedSerializer(serializers.Serializer[Any]):
    """The memories that rest on no line any more: whether they go too is the person's choice."""

    offered = NodeSerializer(many=True)
