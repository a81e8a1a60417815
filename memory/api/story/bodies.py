"""What requests about the story may hold."""

from rest_framework import serializers

from memory.models import Story
from memory.models.story.scenes import SCENE_TITLE_CHARACTERS
from memory.serializers.story import RecapContentSerializer
from memory.story.recaps.content import LABEL_MOST, TEXT_MOST
from memory.story.settings import BOUNDS
from memory.story.versions.writing import CONTENT_MOST
from personas.rest.serializer_fields import PageQuery, StrictSerializer, StrictTextField


def bounded(name: str) -> serializers.IntegerField:
    low, high = BOUNDS[name]
    return serializers.IntegerField(min_value=low, max_value=high, required=False)


class StorySettingsBody(StrictSerializer):
    enabled = serializers.BooleanField(required=False)
    paused = serializers.BooleanField(required=False)
    keep_scenes = bounded("keep_scenes")
    exclude_latest = bounded("exclude_latest")
    recap_limit = bounded("recap_limit")
    recap_limit_kind = serializers.ChoiceField(choices=Story.LimitKind.choices, required=False)
    recap_user = serializers.BooleanField(required=False)
    recap_persona = serializers.BooleanField(required=False)
    recap_min_tokens = bounded("recap_min_tokens")


class StoryBody(StrictSerializer):
    settings = StorySettingsBody()


class StoryTextBody(StrictSerializer):
    content = StrictTextField(
        most=CONTENT_MOST,
        blank=True,
        help_text="A line each, below the headings of the parts, as in a version's `text`.",
    )
    base = serializers.IntegerField(
        allow_null=True, help_text="The number of the version that it was written from; null where there was none."
    )


class VersionBody(StrictSerializer):
    pinned = serializers.BooleanField()


class VersionQuery(PageQuery):
    deleted = serializers.BooleanField(required=False, help_text="Those that were deleted and can be restored.")


class DiffQuery(StrictSerializer):
    to = serializers.IntegerField(
        required=False, help_text="The number of the other version; the current one without it."
    )


class TellBody(StrictSerializer):
    all = serializers.BooleanField(default=False, help_text="Every scene, and then the whole story.")
    scene = serializers.IntegerField(required=False, help_text="One scene alone.")
    estimate = serializers.BooleanField(default=False, help_text="Nothing is done: what it would take is answered.")


class SceneBody(StrictSerializer):
    last_message = serializers.IntegerField(help_text="The id of the message with which it ends.")
    title = StrictTextField(most=SCENE_TITLE_CHARACTERS, blank=True, one_line=True, required=False)


class SceneChangeBody(StrictSerializer):
    last_message = serializers.IntegerField(required=False)
    title = StrictTextField(
        most=SCENE_TITLE_CHARACTERS,
        blank=True,
        one_line=True,
        required=False,
        help_text="Blank: its recap's title is shown.",
    )


class RemarkBody(StrictSerializer):
    label = StrictTextField(most=LABEL_MOST, blank=True, one_line=True, required=False, help_text="Such as `work`.")  # type: ignore[assignment]  # a field of this name
    text = StrictTextField(most=TEXT_MOST, one_line=True)


class RecapBody(StrictSerializer):
    content = RecapContentSerializer(required=False, help_text="Yours; without it the scene is recapped anew.")
