"""What was forgotten in the last 30 days: brought back, or erased at once."""

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.facts.shared import presses
from memory.forgetting import purging, trash
from memory.models import Forgotten
from memory.serializers.trash import ForgottenSerializer
from personas.rest.views import BondView


class TrashView(BondView, ListAPIView[Forgotten]):
    """Newest first, each with what was forgotten with it."""

    serializer_class = ForgottenSerializer
    ordering = ("-created_at", "-id")

    def get_queryset(self) -> QuerySet[Forgotten]:
        return Forgotten.objects.for_bond(self.bond)

    def paginate_queryset(self, queryset: Any) -> list[Any] | None:
        page = super().paginate_queryset(queryset)
        return None if page is None else trash.attach_texts(page)


class ForgottenBaseView(BondView):
    serializer_class: Any = ForgottenSerializer

    def act(self) -> Forgotten:
        return trash.find(bond=self.bond, kind=self.kwargs["kind"], object_id=self.kwargs["object_id"])


class RestoreView(ForgottenBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Restores it with all that was forgotten with it. Answers with what was in the trash."""
        act = self.act()
        [entry] = trash.attach_texts([act])
        presses.restore(act=act, now=timezone.now())
        return Response(ForgottenSerializer(entry).data)


class EraseView(ForgottenBaseView):
    @extend_schema(responses={204: None})
    def post(self, request: Request, **_: Any) -> Response:
        """Erases it with all that was forgotten with it and all that came from it."""
        purging.erase(act=self.act())
        return Response(status=204)
