from typing import Any

from rest_framework import serializers

from memory.models import Forgotten
from memory.serializers.nodes import NodeSerializer
from personas.rest.serializer_fields import UTCDateTimeField


class ForgottenSerializer(serializers.Serializer[Any]):
    """What was forgotten; `nodes`, `messages` and `entities` are the ids of all rows that are in the trash by it."""

    kind = serializers.ChoiceField(choices=Forgotten.Kind.choices)
    id = serializers.IntegerField(source="object_id")
    text = serializers.CharField(
        help_text="The content of a message, the title or first message of a session, the name of an entity."
    )
    nodes = serializers.ListField(source="node_ids", child=serializers.IntegerField())
    messages = serializers.ListField(source="line_ids", child=serializers.IntegerField())
    entities = serializers.ListField(source="entity_ids", child=serializers.IntegerField())
    forgotten_at = UTCDateTimeField(source="created_at")
    purged_at = UTCDateTimeField(help_text="When the nightly purge may erase it.")


class OfferedSerializer(serializers.Serializer[Any]):
    """The memories that are based on no message any more; the user chooses whether to forget them."""

    offered = NodeSerializer(many=True)
