"""The moments that a person keeps."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.bodies import KeepBody
from memory.messages import kept
from memory.models import Message
from memory.serializers.messages import MessageSerializer
from memory.story import keeping
from personas.rest.views import BondView


class KeptView(BondView, ListAPIView[Message]):
    """The messages that are kept, the last one first."""

    serializer_class = MessageSerializer
    ordering = ("-kept_at", "-id")

    def get_queryset(self) -> QuerySet[Message]:
        return kept.filter_kept(self.bond).without_heavy_columns()


class KeepView(BondView):
    serializer_class = MessageSerializer

    def get_message(self) -> Message:
        messages = kept.filter_keepable(self.bond).without_heavy_columns()
        return get_object_or_404(messages, pk=self.kwargs["message_id"])

    @extend_schema(request=KeepBody)
    def put(self, request: Request, **_: Any) -> Response:
        """Keeps a message of either side, with a note of your own. Without `note` the one that it has stays; an empty one takes it away."""
        message = self.get_message()
        asked = KeepBody.parse(request.data)
        note = (asked["note"] or "") if "note" in asked else None
        keeping.keep(message=message, note=note, now=timezone.now())
        return Response(MessageSerializer(message).data)

    @extend_schema(responses={200: MessageSerializer})
    def delete(self, request: Request, **_: Any) -> Response:
        """No longer keeps it; the message stays, its note goes."""
        message = self.get_message()
        keeping.let_go(message=message, now=timezone.now())
        return Response(MessageSerializer(message).data)
