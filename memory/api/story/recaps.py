"""The recaps of a scene."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.story.bodies import RecapBody
from memory.api.story.scenes import SceneBaseView, convert_gone
from memory.models import SceneRecap
from memory.serializers.story import RecapSerializer, StepSerializer
from memory.story.recaps import editing, versions
from memory.storytelling.work import user_requests


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
        with convert_gone():
            recap = editing.edit_recap(scene=scene, content=asked["content"], now=now)
        user_requests.go_on(self.bond, now=now)
        return Response(RecapSerializer(recap).data, status=201)


class ChooseRecapView(SceneBaseView):
    serializer_class = RecapSerializer

    def post(self, request: Request, n: int, **_: Any) -> Response:
        """Lets it be the one that is told; a story that tells another is told anew."""
        recap = get_object_or_404(SceneRecap.objects.filter(scene=self.get_scene()).select_related("scene__bond"), n=n)
        now = timezone.now()
        with convert_gone():
            recap.scene = versions.choose_recap(recap=recap, now=now)
        user_requests.go_on(self.bond, now=now)
        return Response(RecapSerializer(recap).data)
