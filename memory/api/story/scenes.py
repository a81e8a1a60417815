"""The scenes of a bond, and their recaps."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.story.bodies import RecapBody, SceneBody, SceneChangeBody
from memory.facts import firm_tokens
from memory.models import Scene, SceneRecap
from memory.serializers.story import RecapSerializer, ScenePageSerializer, SceneSerializer, StepSerializer
from memory.story.inclusion import included, loading
from memory.story.inclusion.included import Inclusion
from memory.story.recaps import editing, versions
from memory.story.scenes import breaks, titles
from memory.story.scenes.listing import list_scenes
from memory.storytelling.work import user_requests
from personas.models import Bond
from personas.rest.drf_policies import build_page
from personas.rest.serializer_fields import PageQuery
from personas.rest.views import BondView


def load_inclusion(bond: Bond) -> Inclusion:
    """Load what a prompt would hold if a turn began now."""
    return included.load_inclusion(bond, firm_tokens=firm_tokens.load(bond))


def build_context(bond: Bond) -> dict[str, int]:
    """Say where the window begins: merged scenes before it are folded."""
    window = load_inclusion(bond).window
    return {"window_begins_at": min((message.id for message in window), default=loading.ENDLESS)}


class ScenesView(BondView):
    serializer_class = SceneSerializer

    @extend_schema(operation_id="bonds_scenes_list", parameters=[PageQuery], responses=ScenePageSerializer)
    def get(self, request: Request, **_: Any) -> Response:
        """The scenes, newest first; the open one has no id. A folded one is told by the story alone."""
        asked = PageQuery.parse(request.query_params.dict())
        scenes = list_scenes(bond=self.bond)[::-1]
        cursor = asked.get("cursor")
        if cursor is not None:
            try:
                before = int(cursor)
            except ValueError as error:
                raise NotFound(gettext("Invalid cursor")) from error
            scenes = [scene for scene in scenes if scene.number < before]
        page = build_page(request, scenes, find_cursor=lambda page: page[-1].number)
        return Response(ScenePageSerializer(page, context=build_context(self.bond)).data)

    @extend_schema(request=SceneBody, responses={201: SceneSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Ends a scene behind a message, which is the last of its turn; a closed scene is divided there."""
        asked = SceneBody.parse(request.data)
        now = timezone.now()
        scene = breaks.add_break(
            bond=self.bond, last_message_id=asked["last_message"], closed_by=Scene.ClosedBy.PERSON, now=now
        )
        if asked.get("title"):
            scene = titles.set_title(scene=scene, title=asked["title"], now=now)
        user_requests.go_on(self.bond, now=now)
        return Response(serialize_scene(scene), status=201)


def serialize_scene(scene: Scene) -> Any:
    listed = next((one for one in list_scenes(bond=scene.bond) if one.scene == scene), None)
    if listed is None:
        raise NotFound
    return SceneSerializer(listed, context=build_context(scene.bond)).data


class SceneBaseView(BondView):
    serializer_class: Any = SceneSerializer

    def get_scene(self) -> Scene:
        scenes = Scene.objects.for_bond(self.bond).select_related("bond__user", "bond__persona", "recap")
        return get_object_or_404(scenes, pk=self.kwargs["scene_id"])


class SceneView(SceneBaseView):
    def get(self, request: Request, **_: Any) -> Response:
        """What it holds, and whether its recap is of other messages than now."""
        return Response(serialize_scene(self.get_scene()))

    @extend_schema(request=SceneChangeBody)
    def patch(self, request: Request, **_: Any) -> Response:
        """Renames it, or moves its end between its neighbours; what was told of the scenes this changes is told anew."""
        scene = self.get_scene()
        asked = SceneChangeBody.parse(request.data)
        now = timezone.now()
        if "last_message" in asked:
            scene = breaks.move_break(scene=scene, last_message_id=asked["last_message"], now=now)
        if "title" in asked:
            scene = titles.set_title(scene=scene, title=asked["title"], now=now)
        if "last_message" in asked:
            user_requests.go_on(self.bond, now=now)
        return Response(serialize_scene(scene))

    def delete(self, request: Request, **_: Any) -> Response:
        """Removes its end: its messages are the next scene's, or the open one's."""
        now = timezone.now()
        breaks.remove_break(scene=self.get_scene(), now=now)
        user_requests.go_on(self.bond, now=now)
        return Response(status=204)


class RecapsView(SceneBaseView, ListAPIView[SceneRecap]):
    """The versions of a scene's recap, newest first; the chosen one is told."""

    rate_of = {"POST": "costly"}
    serializer_class = RecapSerializer
    ordering = ("-n",)

    def get_queryset(self) -> QuerySet[SceneRecap]:
        return SceneRecap.objects.filter(scene=self.get_scene()).select_related("scene")

    @extend_schema(request=RecapBody, responses={201: RecapSerializer, 202: StepSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """With `content` yours is added and chosen, and no job replaces it. Without, the scene is recapped anew: 202 with the step."""
        scene = self.get_scene()
        asked = RecapBody.parse(request.data)
        now = timezone.now()
        if "content" not in asked:
            return Response(StepSerializer(user_requests.tell_scene(scene=scene, now=now)).data, status=202)
        recap = editing.edit_recap(scene=scene, content=asked["content"], now=now)
        user_requests.go_on(self.bond, now=now)
        return Response(RecapSerializer(recap).data, status=201)


class ChooseRecapView(SceneBaseView):
    serializer_class = RecapSerializer

    def post(self, request: Request, n: int, **_: Any) -> Response:
        """Lets it be the one that is told; a story that tells another is told anew."""
        recap = get_object_or_404(SceneRecap.objects.filter(scene=self.get_scene()).select_related("scene__bond"), n=n)
        now = timezone.now()
        recap.scene = versions.choose_recap(recap=recap, now=now)
        user_requests.go_on(self.bond, now=now)
        return Response(RecapSerializer(recap).data)
