"""The shapes of memory as the API and the sockets show them. Rows come from the querysets' `for_serializer()`."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.models import Entity, EntityMerge, MoodChange, Session, SlowTickRun
from memory.search.search import LAYERS
from memory.serializers.messages import MessageSerializer
from memory.serializers.nodes import NodeSerializer
from personas.rest.serializer_fields import NullableChoiceField, NullableTextField, ReadOnlySerializer, UTCDateTimeField


class EntitySerializer(ReadOnlySerializer[Entity]):
    aliases = serializers.ListField(source="names", child=serializers.CharField())
    description = NullableTextField()
    description_by = NullableChoiceField(Entity.Author.choices)
    linked_events_count = serializers.IntegerField()

    class Meta:
        model = Entity
        fields = (
            "id", "canonical_name", "kind", "aliases", "description", "description_by", "merge_status",
            "merge_target", "linked_events_count", "last_mentioned_at", "created_at",
        )  # fmt: skip


class MergedSerializer(serializers.Serializer[EntityMerge]):
    """The id of a merge, by which it is undone, and of the entity that was kept."""

    merge = serializers.IntegerField(source="pk")
    entity = serializers.IntegerField(source="kept_id")


class EntityMergeSerializer(ReadOnlySerializer[EntityMerge]):
    """A merge: `merged` is shown by no other path until it is undone, so both are named here."""

    kept_name = serializers.CharField(source="kept.canonical_name")
    merged_name = serializers.CharField(source="merged.canonical_name")

    class Meta:
        model = EntityMerge
        fields = ("id", "kept", "kept_name", "merged", "merged_name", "decided_by", "created_at", "undone_at")


class FailureSerializer(serializers.Serializer[Session]):
    code = serializers.CharField(source="failure_code")
    detail = serializers.CharField(source="failure_detail")
    next_try_at = UTCDateTimeField(source="failure_next_try_at", allow_null=True)


class SessionSerializer(ReadOnlySerializer[Session]):
    title = NullableTextField(source="shown_title")
    auto_title = NullableTextField()
    close_reason = NullableChoiceField(Session.CloseReason.choices)
    summary = NullableTextField()
    failure = serializers.SerializerMethodField()
    events_count = serializers.IntegerField()
    thoughts_count = serializers.IntegerField()

    class Meta:
        model = Session
        fields = (
            "id", "status", "title", "auto_title", "channel", "off_record", "started_at", "last_message_at",
            "closed_at", "close_reason", "archived_at", "pinned_at", "message_count", "token_count", "summary",
            "trivial", "failure", "events_count", "thoughts_count",
        )  # fmt: skip

    @extend_schema_field(FailureSerializer(allow_null=True))
    def get_failure(self, session: Session) -> Any:
        return FailureSerializer(session).data if session.status == Session.Status.FAILED else None


class MoodChangeSerializer(ReadOnlySerializer[MoodChange]):
    at = UTCDateTimeField(source="created_at")

    class Meta:
        model = MoodChange
        fields = ("mood", "energy", "last_user_signal", "at", "session")


class SlowTickSerializer(ReadOnlySerializer[SlowTickRun]):
    at = UTCDateTimeField(source="created_at")
    input = NullableTextField(source="shown_prompt")
    output = NullableTextField(source="answer")
    questions = serializers.ListField(child=serializers.CharField())
    notes = NullableTextField()
    error = NullableTextField()

    class Meta:
        model = SlowTickRun
        fields = (
            "id", "at", "session", "trigger", "outcome", "input", "output", "questions", "notes", "error",
            "tokens_in", "tokens_out",
        )  # fmt: skip


class EvidenceSerializer(serializers.Serializer[Any]):
    event = NodeSerializer()
    orphaned = serializers.BooleanField()
    messages = MessageSerializer(many=True)


class TraceSerializer(serializers.Serializer[Any]):
    node = serializers.IntegerField()
    filling = EvidenceSerializer(many=True)


class DependentSerializer(serializers.Serializer[Any]):
    node = NodeSerializer()
    depth = serializers.IntegerField()


class DependentsSerializer(serializers.Serializer[Any]):
    """What is based on an event; all but `dependents` are ids: of messages, entities, sessions, entities and nodes."""

    node = serializers.IntegerField()
    dependents = DependentSerializer(many=True)
    messages = serializers.ListField(child=serializers.IntegerField())
    mentions = serializers.ListField(child=serializers.IntegerField())
    summaries = serializers.ListField(child=serializers.IntegerField())
    descriptions = serializers.ListField(child=serializers.IntegerField())
    similar = serializers.ListField(child=serializers.IntegerField())
    recaps = serializers.IntegerField(help_text="How many recaps are told anew without it.")
    points = serializers.IntegerField(help_text="How many points of the story are told anew without it.")


class TermsSerializer(serializers.Serializer[Any]):
    recency = serializers.FloatField()
    relevance = serializers.FloatField()
    impact = serializers.FloatField()
    relational = serializers.FloatField()
    anchor = serializers.FloatField()
    graph = serializers.FloatField()
    fit = serializers.FloatField()


@extend_schema_field({"type": "array", "items": {"oneOf": [{"type": "integer"}, {"type": "string"}]}})
class AnchorsField(serializers.ListField):
    """Ids of entities, and periods as `2026-03-01/2026-03-31`."""


class RecallItemSerializer(serializers.Serializer[Any]):
    node = NodeSerializer()
    score = serializers.FloatField()
    terms = TermsSerializer()
    anchored_by = AnchorsField()
    kept = serializers.BooleanField()
    reason = serializers.CharField(allow_null=True)


class RecalledWordsSerializer(serializers.Serializer[Any]):
    message = MessageSerializer()
    score = serializers.FloatField()


class RecallSerializer(serializers.Serializer[Any]):
    items = RecallItemSerializer(many=True)
    words = RecalledWordsSerializer(many=True)


class TimelineEntrySerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    type = serializers.CharField()
    at = UTCDateTimeField()
    payload = serializers.DictField()


class TimelinePageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = TimelineEntrySerializer(many=True)


class SearchResultSerializer(serializers.Serializer[Any]):
    layer = serializers.ChoiceField(choices=LAYERS)
    id = serializers.IntegerField()
    type = serializers.CharField(help_text="`message`, the type of a memory, or the kind of an entity.")
    at = UTCDateTimeField()
    snippet = serializers.CharField(help_text="Plain text with the matches between `[[` and `]]`.")
    session = serializers.IntegerField(allow_null=True)


class SearchPageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = SearchResultSerializer(many=True)
