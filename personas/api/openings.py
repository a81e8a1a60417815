"""How the first chat with a persona begins. Only its owner reads and writes it; others get 404, also for a shared persona."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from personas.api.serializers import OpeningBody, OpeningRevisionSerializer, OpeningSerializer
from personas.authored import openings
from personas.models import OpeningRevision
from personas.rest.views import OwnPersonaView, get_user


class OpeningBaseView(OwnPersonaView):
    def get_queryset(self) -> QuerySet[OpeningRevision]:
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


class OpeningRevisionsView(OpeningBaseView, ListAPIView[OpeningRevision]):
    serializer_class = OpeningRevisionSerializer
    ordering = ("-n",)

    def delete(self, request: Request, **_: Any) -> Response:
        """Erases all earlier openings at once."""
        self.get_queryset().delete()
        return Response(status=204)


class RestoreOpeningView(OpeningBaseView):
    serializer_class = OpeningSerializer

    def post(self, request: Request, **_: Any) -> Response:
        """Restores an earlier opening."""
        revision = get_object_or_404(self.get_queryset(), n=self.kwargs["n"])
        restored = openings.restore(revision=revision, user=get_user(request), now=timezone.now())
        return Response(OpeningSerializer(restored).data)
