from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from chat.models import Restoration, Turn
from chat.turns.receiving import CLIENT_ID_CHARACTERS, MESSAGE_CHARACTERS
from memory.serializers.messages import MessageSerializer
from memory.serializers.nodes import NodeSerializer
from personas.api.serializers import PersonaSerializer
from personas.models import Bond
from personas.rest.serializer_fields import (
    PageQuery,
    ReadOnlySerializer,
    StrictSerializer,
    StrictTextField,
    UTCDateTimeField,
)


class EpisodicStateSerializer(serializers.Serializer[Any]):
    mood = serializers.CharField()
    energy = serializers.IntegerField()
    last_user_signal = serializers.ChoiceField(choices=Bond.Signal.choices, allow_null=True)
    updated_at = UTCDateTimeField(allow_null=True)


class CountsSerializer(serializers.Serializer[Any]):
    messages = serializers.IntegerField(source="messages_count")
    sessions = serializers.IntegerField(source="sessions_count")
    events = serializers.IntegerField(source="events_count")
    facts = serializers.IntegerField(source="facts_count")
    thoughts = serializers.IntegerField(source="thoughts_count")
    intentions = serializers.IntegerField(source="intentions_count")
    expectations = serializers.IntegerField(source="expectations_count")
    entities = serializers.IntegerField(source="entities_count")


class BondSerializer(ReadOnlySerializer[Bond]):
    """A bond from `bond_counts.annotate`. The context holds the user who asks and the time."""

    persona = PersonaSerializer()
    episodic_state = serializers.SerializerMethodField()
    counts = CountsSerializer(source="*")
    running_turn = serializers.UUIDField(allow_null=True)
    last_message_at = UTCDateTimeField(allow_null=True)

    class Meta:
        model = Bond
        fields = ("id", "persona", "episodic_state", "counts", "running_turn", "last_message_at", "created_at")

    @extend_schema_field(EpisodicStateSerializer)
    def get_episodic_state(self, bond: Bond) -> Any:
        return EpisodicStateSerializer(bond.episodic_state(self.context["now"])).data


class RestoredSerializer(BondSerializer):
    """The first restored bond of an export; `restored` holds the ids of all."""

    restored = serializers.ListField(source="restored_ids", child=serializers.IntegerField())

    class Meta:
        model = Bond
        fields = (*BondSerializer.Meta.fields, "restored")


class RestorationErrorSerializer(serializers.Serializer[Restoration]):
    code = serializers.CharField(source="failure_code")
    detail = serializers.CharField(source="failure_detail")


class RestorationSerializer(ReadOnlySerializer[Restoration]):
    """A large export that is being restored: `done` of `total` rows. Once done, `restored` holds the ids of the bonds."""

    error = serializers.SerializerMethodField()
    restored = serializers.ListField(child=serializers.IntegerField())

    class Meta:
        model = Restoration
        fields = ("id", "name", "state", "done", "total", "restored", "error", "created_at")

    @extend_schema_field(RestorationErrorSerializer(allow_null=True))
    def get_error(self, kept: Restoration) -> Any:
        return RestorationErrorSerializer(kept).data if kept.failure_code else None


class BondBody(StrictSerializer):
    persona = serializers.IntegerField(help_text="The id of a persona of yours, or of a shared one.")


class BondErasureBody(StrictSerializer):
    confirm = serializers.CharField(trim_whitespace=False, help_text="The persona's name.")


class AccountErasureBody(StrictSerializer):
    password = serializers.CharField(max_length=4096, trim_whitespace=False, style={"input_type": "password"})


class OnboardedSerializer(serializers.Serializer[Any]):
    persona = PersonaSerializer()
    bond = BondSerializer()


class MessageBody(StrictSerializer):
    content = StrictTextField(most=MESSAGE_CHARACTERS)
    client_id = StrictTextField(
        most=CLIENT_ID_CHARACTERS, required=False, help_text="A message sent again is stored once."
    )
    debounce = serializers.BooleanField(default=True, help_text="Whether to wait for more messages before replying.")
    session = serializers.IntegerField(required=False, help_text="A closed session to continue.")
    about = serializers.IntegerField(required=False, help_text="The fact that the message asks to change.")
    greeting = StrictTextField(
        most=CLIENT_ID_CHARACTERS, required=False, help_text="The greeting that the first message of a bond answers."
    )


class MessageChangeBody(StrictSerializer):
    left_out = serializers.BooleanField(help_text="Whether it is in no recap, story or new memory.")


class ChangedMessageSerializer(MessageSerializer):
    """A message, and the memories that come of nothing that is in memory: offered to be forgotten where it was left out."""

    offered = NodeSerializer(many=True)

    class Meta(MessageSerializer.Meta):
        fields = (*MessageSerializer.Meta.fields, "offered")


class GreetingSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    content = serializers.CharField()


class OfferedOpeningSerializer(serializers.Serializer[Any]):
    greetings = GreetingSerializer(many=True)
    starters = serializers.ListField(child=serializers.CharField())


class EditBody(StrictSerializer):
    content = StrictTextField(most=MESSAGE_CHARACTERS)
    client_id = StrictTextField(
        most=CLIENT_ID_CHARACTERS, required=False, help_text="An edit sent again changes nothing."
    )


class RestOfChatSerializer(serializers.Serializer[Any]):
    messages = serializers.ListField(
        child=serializers.IntegerField(), help_text="The message and all later ones of its chat, with all variants."
    )
    memories = NodeSerializer(source="nodes", many=True, help_text="What was learned from these messages alone.")


class ReceivedSerializer(serializers.Serializer[Any]):
    message = serializers.IntegerField(source="message.pk")
    turn = serializers.UUIDField(source="turn_id")


class TurnErrorSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    detail = serializers.CharField()
    retryable = serializers.BooleanField()


class TimingsSerializer(serializers.Serializer[Any]):
    recall_ms = serializers.IntegerField(allow_null=True)
    embed_ms = serializers.IntegerField(allow_null=True)
    prompt_ms = serializers.IntegerField(allow_null=True)
    first_token_ms = serializers.IntegerField(allow_null=True)
    total_ms = serializers.IntegerField(allow_null=True)


class TurnUsageSerializer(serializers.Serializer[Turn]):
    tokens_in = serializers.IntegerField(allow_null=True)
    tokens_out = serializers.IntegerField(allow_null=True)
    tokens_cached = serializers.IntegerField(allow_null=True)


class TurnSerializer(ReadOnlySerializer[Turn]):
    """A turn. The context holds `reply`, the id of its chosen reply."""

    message = serializers.SerializerMethodField()
    error = TurnErrorSerializer(allow_null=True)
    timings = serializers.SerializerMethodField()
    usage = TurnUsageSerializer(source="*")
    trace = serializers.SerializerMethodField()

    class Meta:
        model = Turn
        fields = ("id", "status", "message", "error", "started_at", "finished_at", "timings", "usage", "trace")

    def get_message(self, turn: Turn) -> int | None:
        reply: int | None = self.context["reply"]
        return reply

    @extend_schema_field(TimingsSerializer)
    def get_timings(self, turn: Turn) -> dict[str, int | None]:
        return {name: turn.timings.get(name) for name in Turn.TIMINGS}

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_trace(self, turn: Turn) -> dict[str, Any] | None:
        return turn.trace or None


class UsageRowSerializer(serializers.Serializer[Any]):
    feature = serializers.CharField()
    model = serializers.CharField()
    calls = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    tokens_cached = serializers.IntegerField()
    cost = serializers.FloatField(
        allow_null=True, help_text="US dollars at the prices of the time of each call; null if a price is unknown."
    )


class UsageSerializer(serializers.Serializer[Any]):
    range = serializers.CharField()
    rows = UsageRowSerializer(many=True)


class UsageQuery(StrictSerializer):
    range = serializers.ChoiceField(choices=["today", "7d", "30d"], default="today")


class MessagesQuery(PageQuery):
    before = serializers.IntegerField(required=False, help_text="Messages below this id.")
    session = serializers.IntegerField(required=False, help_text="Messages of this session.")


class StreamQuery(StrictSerializer):
    after = serializers.IntegerField(required=False, min_value=0, help_text="The number of the last event you have.")
