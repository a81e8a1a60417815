"""How the first chat with a persona begins. Only its owner reads and writes it; others get 404, also for a shared persona."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from personas.api.serializers import OpeningBody, OpeningRevisionSerializer, OpeningSerializer
from personas.authored import openings
from personas.models import Opening, OpeningRevision, Persona
from personas.rest.views import get_user


class OpeningBaseView(GenericAPIView[Any]):
    queryset = Opening.objects.none()
    persona: Persona

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.persona = get_object_or_404(Persona.objects.owned_by(get_user(request)), pk=kwargs["persona_id"])

    def get_revisions(self) -> QuerySet[OpeningRevision]:
        return OpeningRevision.objects.filter(opening=self.persona.pk)


class OpeningView(OpeningBaseView):
    serializer_class = OpeningSerializer

    def get(self, request: Request, **_: Any) -> Response:
        """An opening that was never written is empty and has version 0."""
        return Response(OpeningSerializer(openings.load(self.persona)).data)

    @extend_schema(request=OpeningBody)
    def put(self, request: Request, **_: Any) -> Response:
        """Replaces greetings and starters. The old ones become a revision."""
        wanted = OpeningBody.parse(request.data)
        asked = {"starters": [], **wanted}
        saved = openings.save(persona=self.persona, user=get_user(request), now=timezone.now(), **asked)
        return Response(OpeningSerializer(saved).data)


class OpeningRevisionsView(OpeningBaseView):
    serializer_class = OpeningRevisionSerializer
    ordering = ("-n",)

    @extend_schema(responses=OpeningRevisionSerializer(many=True))
    def get(self, request: Request, **_: Any) -> Response:
        page = self.paginate_queryset(self.get_revisions())
        return self.get_paginated_response(OpeningRevisionSerializer(page, many=True).data)


class RestoreOpeningView(OpeningBaseView):
    @extend_schema(request=None, responses=OpeningSerializer)
    def post(self, request: Request, **_: Any) -> Response:
        """Restores an earlier opening."""
        revision = get_object_or_404(self.get_revisions(), n=self.kwargs["n"])
        restored = openings.restore(revision=revision, user=get_user(request), now=timezone.now())
        return Response(OpeningSerializer(restored).data)
