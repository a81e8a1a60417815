"""Edit a message: what an edit takes back, the edit, and its undo."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.messages import MessageBaseView
from chat.api.serializers import EditBody, ReceivedSerializer, RestOfChatSerializer
from chat.turns import editing, receiving, runner
from chat.turns.editing import Edit
from memory.models import Message
from personas.rest.views import BondView, get_channel


class EditMessageView(MessageBaseView):
    rate_of = {"POST": "messages"}
    serializer_class = RestOfChatSerializer

    def get(self, request: Request, **_: Any) -> Response:
        """Lists what an edit takes back: messages, and the memories that were learned from them alone."""
        going = editing.find_going(self.get_message())
        return Response(RestOfChatSerializer(going).data)

    @extend_schema(request=EditBody, responses={202: ReceivedSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Sends another text in place of one's own message; it and all that came after it in its chat go to the trash."""
        messages = Message.objects.for_bond(self.bond).without_deleted_sessions().select_related("session")
        message = get_object_or_404(messages, pk=self.kwargs["message_id"])
        asked = EditBody.parse(request.data)
        # Where it was edited under this client id before, it is in the trash by now.
        if message.deleted_at is not None and not receiving.find_received(self.bond, asked.get("client_id")):
            raise Http404
        wanted = Edit(message=message, content=asked["content"], client_id=asked.get("client_id"))
        received = editing.edit(bond=self.bond, wanted=wanted, channel=get_channel(request), now=timezone.now())
        runner.notify(self.bond.pk)
        return Response(ReceivedSerializer(received).data, status=202)


class UndoEditView(BondView):
    @extend_schema(responses={204: None})
    def post(self, request: Request, message_id: int, **_: Any) -> Response:
        """Restores what the edit of this message took back, and deletes what was sent in its place."""
        message = get_object_or_404(Message.objects.for_bond(self.bond).select_related("bond__user"), pk=message_id)
        editing.undo(message=message, now=timezone.now())
        return Response(status=204)
