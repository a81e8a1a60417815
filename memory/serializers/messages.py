"""Messages as the API and the sockets show them."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.facts import firm_tokens
from memory.models import FactWrite, Message
from memory.serializers.facts import FactWriteSerializer, serialize_writes
from memory.story.inclusion.message_states import STATES
from memory.story.inclusion.states import load_states
from personas.models import Bond
from personas.rest.serializer_fields import NullableTextField, ReadOnlySerializer, UTCDateTimeField


class KeptSerializer(serializers.Serializer[Message]):
    """Since when a message is kept, and the person's note."""

    at = UTCDateTimeField(source="kept_at")
    note = NullableTextField(source="kept_note")


class MessageListSerializer(serializers.ListSerializer[Any]):
    def to_representation(self, data: Iterable[Message]) -> list[Any]:  # type: ignore[override]  # always messages
        messages = list(data)
        attach([message for message in messages if not hasattr(message, "shown_writes")])
        return super().to_representation(messages)


def attach(messages: Sequence[Message]) -> None:
    """Attach to messages of one bond what a message shows besides its columns, loaded for all of them at once."""
    if not messages:
        return
    writes = load_message_writes(messages)
    bond = Bond(pk=messages[0].bond_id)
    states = load_states(bond, messages, firm_tokens=firm_tokens.load(bond)) if settings.STORY_ENABLED else {}
    for message in messages:
        message.shown_writes = writes.get(message.pk, [])  # type: ignore[attr-defined]  # as an annotation would
        message.shown_state = states.get(message.pk)  # type: ignore[attr-defined]  # as above


def load_message_writes(messages: Sequence[Message]) -> dict[int, list[Any]]:
    """Load the writes on facts that are shown at each message, oldest first: at the reply, or, where a turn has none, at its
    last message of the user.
    """
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
    turn = serializers.UUIDField(source="turn_id", allow_null=True)
    kept = serializers.SerializerMethodField()
    memory_state = serializers.SerializerMethodField(
        help_text="What becomes of it in the next prompt. Null for a reply that is not chosen, and where no story is told."
    )
    writes = serializers.SerializerMethodField()

    class Meta:
        model = Message
        list_serializer_class = MessageListSerializer
        fields: tuple[str, ...] = (
            "id", "session", "turn", "role", "content", "channel", "variant", "chosen", "cut_off", "kept",
            "left_out", "memory_state", "writes", "created_at",
        )  # fmt: skip

    @extend_schema_field(KeptSerializer(allow_null=True))
    def get_kept(self, message: Message) -> Any:
        return None if message.kept_at is None else KeptSerializer(message).data

    @extend_schema_field(serializers.ChoiceField(choices=STATES, allow_null=True))
    def get_memory_state(self, message: Any) -> Any:
        return message.shown_state

    @extend_schema_field(FactWriteSerializer(many=True))
    def get_writes(self, message: Any) -> Any:
        return message.shown_writes

    def to_representation(self, instance: Message) -> Any:
        if not hasattr(instance, "shown_writes"):
            attach([instance])
        return super().to_representation(instance)
