"""The story, its versions, scenes, recaps and steps as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from memory.models import EntityRemark, SceneRecap, Story, StoryStep, StoryVersion
from memory.models.story.made_by import MadeBy
from memory.story.recaps.content import LABEL_MOST, TEXT_MOST
from memory.story.scenes.listing import State
from memory.story.settings import NAMES
from memory.story.versions import points
from memory.story.versions.points import PARTS
from memory.storytelling.work.tidying import Hold
from personas.rest.serializer_fields import NullableChoiceField, NullableTextField, ReadOnlySerializer, UTCDateTimeField


@extend_schema_serializer(component_name="StoryPoint")
class PointSerializer(serializers.Serializer[Any]):
    """One line of a story; `scenes` are the ids of those it tells."""

    id = serializers.CharField()
    part = serializers.ChoiceField(choices=PARTS)
    label = NullableTextField()  # type: ignore[assignment]  # a field of this name
    text = serializers.CharField()
    scenes = serializers.ListField(child=serializers.IntegerField())
    by = serializers.ChoiceField(choices=MadeBy.choices)


@extend_schema_serializer(component_name="StoryVersion")
class VersionSerializer(ReadOnlySerializer[StoryVersion]):
    """A version of a story by its number, which is its id; `text` is what `story/text/` takes."""

    id = serializers.IntegerField(source="number")
    points = PointSerializer(many=True)
    text = serializers.SerializerMethodField()
    base = serializers.IntegerField(source="base.number", default=None, allow_null=True)
    current = serializers.BooleanField(source="is_current")

    class Meta:
        model = StoryVersion
        fields = (
            "id", "number", "current", "points", "text", "token_count", "scene_count", "excluded_count",
            "from_scene", "to_scene", "untold", "base", "made_by", "pinned", "created_at", "deleted_at",
        )  # fmt: skip

    def get_text(self, version: StoryVersion) -> str:
        return points.render_text(points.load_points(version))


@extend_schema_serializer(component_name="StoryChange")
class DiffChangeSerializer(serializers.Serializer[Any]):
    before = PointSerializer()
    after = PointSerializer()


@extend_schema_serializer(component_name="StoryDiff")
class DiffSerializer(serializers.Serializer[Any]):
    """What became of the points of one version in another."""

    added = PointSerializer(many=True)
    changed = DiffChangeSerializer(many=True)
    dropped = PointSerializer(many=True)


class StorySettingsSerializer(ReadOnlySerializer[Story]):
    class Meta:
        model = Story
        fields = NAMES


class StorySerializer(serializers.Serializer[Any]):
    """A bond's story: the version that is told, how much work waits, and how many messages nothing tells."""

    version = VersionSerializer(allow_null=True)
    waiting = serializers.IntegerField()
    uncovered = serializers.IntegerField()
    settings = StorySettingsSerializer()


class RecapPartSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=TEXT_MOST)
    lines = serializers.ListField(child=serializers.IntegerField())


class RecapStateSerializer(RecapPartSerializer):
    label = serializers.CharField(max_length=LABEL_MOST)  # type: ignore[assignment]  # a field of this name


class RecapQuoteSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    text = serializers.CharField(max_length=TEXT_MOST)


class RecapRemarkSerializer(RecapQuoteSerializer):
    label = serializers.CharField(max_length=LABEL_MOST, allow_blank=True, required=False)  # type: ignore[assignment]  # as above


class RemarkSerializer(ReadOnlySerializer[EntityRemark]):
    """What a scene tells about a person or a thing; `line` is the id of the message that says so."""

    label = NullableTextField()  # type: ignore[assignment]  # a field of this name

    class Meta:
        model = EntityRemark
        fields = ("id", "scene", "label", "text", "line", "created_at")


class RecapEntitySerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    kind = serializers.CharField(required=False)
    aliases = serializers.ListField(child=serializers.CharField(), required=False)
    remarks = RecapRemarkSerializer(many=True, required=False)


class RecapContentSerializer(serializers.Serializer[Any]):
    """What a recap says; lines are ids of messages of the scene."""

    title = serializers.CharField(allow_blank=True, required=False)
    outcomes = RecapPartSerializer(many=True)
    open = RecapPartSerializer(many=True, required=False)
    state = RecapStateSerializer(many=True, required=False)
    quotes = RecapQuoteSerializer(many=True, required=False)
    entities = RecapEntitySerializer(many=True, required=False)


@extend_schema_serializer(component_name="SceneRecap")
class RecapSerializer(ReadOnlySerializer[SceneRecap]):
    """A version of a scene's recap; the chosen one is told."""

    content = RecapContentSerializer()
    model = NullableTextField()
    chosen = serializers.SerializerMethodField()

    class Meta:
        model = SceneRecap
        fields = ("id", "scene", "n", "content", "source_hash", "made_by", "model", "chosen", "created_at")

    def get_chosen(self, recap: SceneRecap) -> bool:
        return recap.scene.recap_id == recap.pk


@extend_schema_serializer(component_name="StoryScene")
class SceneSerializer(serializers.Serializer[Any]):
    """A scene as `list_scenes` describes it; the open one has no id, title or end."""

    id = serializers.IntegerField(source="scene.pk", default=None, allow_null=True)
    number = serializers.IntegerField()
    title = NullableTextField(source="scene.title", default=None, read_only=True)
    title_by = NullableChoiceField(MadeBy.choices, source="scene.title_by", default=None, read_only=True)
    state = serializers.ChoiceField(choices=[state.value for state in State])
    closed_by = serializers.CharField(source="scene.closed_by", default=None, allow_null=True)
    first_message = serializers.IntegerField(allow_null=True)
    last_message = serializers.IntegerField(allow_null=True)
    line_count = serializers.IntegerField()
    token_count = serializers.IntegerField()
    started_at = UTCDateTimeField(allow_null=True)
    ended_at = UTCDateTimeField(allow_null=True)
    recap = serializers.IntegerField(source="scene.recap_id", default=None, allow_null=True)
    outdated = serializers.BooleanField()
    folded = serializers.SerializerMethodField()

    def get_folded(self, listed: Any) -> bool:
        """Whether the story tells it in place of the window."""
        is_before = listed.scene is not None and listed.scene.last_message_id < self.context["window_begins_at"]
        return is_before and listed.state is State.MERGED


@extend_schema_serializer(component_name="StoryScenePage")
class ScenePageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
    results = SceneSerializer(many=True)


@extend_schema_serializer(component_name="StoryStep")
class StepSerializer(ReadOnlySerializer[StoryStep]):
    """A piece of work on a story; one that is only due has no id yet."""

    id = serializers.IntegerField(allow_null=True)
    source_hash = NullableTextField()
    error = NullableTextField()
    detail = NullableTextField()

    class Meta:
        model = StoryStep
        fields = (
            "id", "kind", "target", "source_hash", "generation", "state", "by", "attempts", "error", "detail",
            "tokens_in", "tokens_out", "next_try_at", "created_at", "ended_at",
        )  # fmt: skip


class TidyingSerializer(serializers.Serializer[Any]):
    """How the work on a story stands: counts, and the steps, what runs first, then what failed, then what waits."""

    waiting = serializers.IntegerField()
    running = serializers.IntegerField()
    failed = serializers.IntegerField()
    paused = serializers.BooleanField()
    hold = NullableChoiceField(
        Hold.choices, help_text="Why no model is asked now: somebody talks, or the day's tokens are used up."
    )
    steps = StepSerializer(many=True)


class TellEstimateSerializer(serializers.Serializer[Any]):
    """About what telling takes; the cost in dollars where the model's price is known."""

    scenes = serializers.IntegerField()
    calls = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True)
