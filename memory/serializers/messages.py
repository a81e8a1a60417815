"""Messages as the API and the sockets show them."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.models import FactWrite, Message
from memory.serializers.facts import FactWriteSerializer, serialize_writes
from personas.rest.serializer_fields import NullableTextField, ReadOnlySerializer, UTCDateTimeField


class KeptSerializer(serializers.Serializer[Message]):
    """Since when a message is kept, and the person's note."""

    at = UTCDateTimeField(source="kept_at")
    note = NullableTextField(source="kept_note")


class MessageListSerializer(serializers.ListSerializer[Any]):
    """Messages with their writes, which one query loads for all."""

    def to_representation(self, data: Iterable[Message]) -> list[Any]:  # type: ignore[override]  # always messages
        messages = list(data)
        writes = load_message_writes(messages)
        for message in messages:
            message.shown_writes = writes.get(message.pk, [])  # type: ignore[attr-defined]  # as an annotation would
        return super().to_representation(messages)


def load_message_writes(messages: Sequence[Message]) -> dict[int, list[Any]]:
    """Load the writes on facts that are shown at each message, oldest first: at the reply, or, where a turn has none, at its
    last message of the user.
    """
    if not messages:
        return {}
    bond_id = messages[0].bond_id
    lines = {
        line.turn_id: line.pk for line in sorted(messages, key=lambda one: one.pk) if line.role == Message.Role.USER
    }
    of_lines = Q(turn_id__in=[turn for turn in lines if turn is not None], message=None)
    writes = FactWrite.objects.filter(Q(message__in=messages) | of_lines, bond=bond_id)
    found = list(writes.order_by("id"))
    at = {write.pk: write.message_id or lines[write.turn_id] for write in found}
    shown: dict[int, list[Any]] = {}
    for write in serialize_writes(bond_id=bond_id, writes=found, now=timezone.now()):
        shown.setdefault(at[write["id"]], []).append(write)
    return shown


class MessageSerializer(ReadOnlySerializer[Message]):
    session = serializers.IntegerField(source="session_id")
    turn = serializers.UUIDField(source="turn_id", allow_null=True)
    kept = serializers.SerializerMethodField()
    writes = serializers.SerializerMethodField()

    class Meta:
        model = Message
        list_serializer_class = MessageListSerializer
        fields = (
            "id",
            "session",
            "turn",
            "role",
            "content",
            "channel",
            "variant",
            "chosen",
            "cut_off",
            "kept",
            "writes",
            "created_at",
        )

    @extend_schema_field(KeptSerializer(allow_null=True))
    def get_kept(self, message: Message) -> Any:
        return None if message.kept_at is None else KeptSerializer(message).data

    @extend_schema_field(FactWriteSerializer(many=True))
    def get_writes(self, message: Message) -> Any:
        found = getattr(message, "shown_writes", None)
        return load_message_writes([message]).get(message.pk, []) if found is None else found
