"""A bond's story: what it says, its settings, and telling it anew."""

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.story import versions
from memory.api.story.bodies import StoryBody, StoryTextBody, TellBody
from memory.api.story.scenes import load_inclusion
from memory.facts import firm_tokens
from memory.models import Scene, StoryStep
from memory.serializers.story import StepSerializer, StorySerializer, TellEstimateSerializer, VersionSerializer
from memory.story import settings
from memory.story.scenes.listing import list_scenes
from memory.story.versions import writing
from memory.storytelling.work import estimating, tidying, user_requests
from personas.models import Bond
from personas.rest.api_errors import APIError
from personas.rest.views import BondView


class StoryView(BondView):
    serializer_class = StorySerializer

    def get(self, request: Request, **_: Any) -> Response:
        """The version that is told (null: none yet), how much work waits, how many messages no prompt tells, and the settings."""
        return Response(serialize_story(self.bond))

    @extend_schema(request=StoryBody)
    def patch(self, request: Request, **_: Any) -> Response:
        """Changes the settings that are named. Switched off, prompts hold no story; paused, nothing is made until it goes on."""
        changes = StoryBody.parse(request.data)["settings"]
        if changes:
            settings.change_settings(bond=self.bond, changes=changes, now=timezone.now())
            user_requests.go_on(self.bond, now=timezone.now())
        return Response(serialize_story(self.bond))


def serialize_story(bond: Bond) -> Any:
    story = settings.get_story(bond)
    version = versions.filter_shown(bond).filter(pk=story.current_id or 0).first()
    return StorySerializer(
        {
            "version": version,
            "waiting": tidying.load(bond=bond, now=timezone.now()).count,
            "uncovered": load_inclusion(bond).uncovered,
            "settings": story,
        }
    ).data


class StoryTextView(BondView):
    serializer_class = VersionSerializer

    @extend_schema(request=StoryTextBody, responses={200: VersionSerializer, 201: VersionSerializer})
    def put(self, request: Request, **_: Any) -> Response:
        """Writes the story as you want it. Lines that stay keep what they are; others are yours, and no job changes them.

        Without a change it answers 200 with the current version.
        """
        asked = StoryTextBody.parse(request.data)
        version = writing.edit_text(
            bond=self.bond,
            content=asked["content"],
            base=asked["base"],
            firm_tokens=firm_tokens.load(self.bond),
            now=timezone.now(),
        )
        if version is None:
            raise APIError("invalid", gettext("There is no story yet, and this says nothing."))
        return Response(versions.serialize_version(version), status=200 if version.number == asked["base"] else 201)


class TellView(BondView):
    serializer_class = StepSerializer
    rate_of = {"POST": "costly"}
    # All steps are answered at once, as they are described.
    pagination_class = None

    @extend_schema(request=TellBody, responses={200: TellEstimateSerializer, 202: StepSerializer(many=True)})
    def post(self, request: Request, **_: Any) -> Response:
        """Tells the story anew from its recaps, `all` scenes and then the story, or one `scene`. Answers with the steps;
        with `estimate` nothing is done, and it answers 200 with what it would take.
        """
        asked = TellBody.parse(request.data)
        if asked["all"] and "scene" in asked:
            raise APIError("invalid", gettext("Name `all` or one `scene`, not both."))
        scene = None
        if "scene" in asked:
            scene = get_object_or_404(Scene.objects.for_bond(self.bond).select_related("bond"), pk=asked["scene"])
        if asked["estimate"]:
            return Response(TellEstimateSerializer(self.estimate(scene, tells_all=asked["all"])).data)
        return Response(StepSerializer(self.request_steps(scene, tells_all=asked["all"]), many=True).data, status=202)

    def request_steps(self, scene: Scene | None, *, tells_all: bool) -> list[StoryStep]:
        now = timezone.now()
        if scene is not None:
            return [user_requests.tell_scene(scene=scene, now=now)]
        if tells_all:
            return user_requests.tell_all(bond=self.bond, now=now)
        return [user_requests.rebuild(bond=self.bond, now=now)]

    def estimate(self, scene: Scene | None, *, tells_all: bool) -> estimating.Estimate:
        if tells_all:
            return estimating.estimate_all(bond=self.bond, now=timezone.now())
        closed = [one for one in list_scenes(bond=self.bond) if one.scene is not None]
        if scene is not None:
            return estimating.estimate([one for one in closed if one.scene == scene], count=1, merged_count=1)
        return estimating.estimate([], count=0, merged_count=len(closed))
