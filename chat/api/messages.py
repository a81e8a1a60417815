"""Messages and turns."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.serializers import (
    ChangedMessageSerializer,
    EditBody,
    MessageBody,
    MessageChangeBody,
    MessagesQuery,
    OfferedOpeningSerializer,
    ReceivedSerializer,
    RestOfChatSerializer,
    TurnSerializer,
)
from chat.live import sse
from chat.models import Turn
from chat.turns import actions, editing, greetings, receiving, runner
from chat.turns.editing import Edit
from echovessel import events
from memory.forgetting import acts
from memory.models import Message
from memory.serializers.messages import MessageSerializer
from memory.serializers.trash import OfferedSerializer
from memory.story import leaving_out
from personas.rest.api_errors import APIError
from personas.rest.views import BondView, get_channel


@extend_schema_view(get=extend_schema(parameters=[MessagesQuery]))
class MessagesView(BondView, ListAPIView[Message]):
    """The bond's messages over all sessions, newest first, including replies that are not chosen."""

    rate_of = {"POST": "messages"}
    has_filters = True
    serializer_class = MessageSerializer

    def get_queryset(self) -> QuerySet[Message]:
        asked = MessagesQuery.parse(self.request.query_params.dict())
        messages = Message.objects.for_bond(self.bond).not_deleted().without_deleted_sessions()
        if "before" in asked:
            messages = messages.filter(pk__lt=asked["before"])
        if "session" in asked:
            messages = messages.filter(session=asked["session"])
        return messages.without_heavy_columns()

    @extend_schema(
        request=MessageBody, responses={202: ReceivedSerializer, (200, "text/event-stream"): OpenApiTypes.STR}
    )
    def post(self, request: Request, **_: Any) -> HttpResponseBase:
        """Sends a message. With `Accept: text/event-stream` the answer is the events of its turn, until `done` or `error`."""
        asked = MessageBody.parse(request.data)
        is_streamed = "text/event-stream" in request.headers.get("Accept", "")
        if is_streamed:
            sse.require_room(self.bond.pk)
        # Read before the message is stored, so that the stream misses no event.
        seq = events.get_last_seq(self.bond.pk)
        received = receiving.receive(
            bond=self.bond,
            content=asked["content"],
            channel=get_channel(request),
            now=timezone.now(),
            client_id=asked.get("client_id"),
            session_id=asked.get("session"),
            about=asked.get("about"),
            greeting=asked.get("greeting"),
            debounce=asked["debounce"],
        )
        runner.notify(self.bond.pk)
        if is_streamed:
            return sse.stream_turn(self.bond.pk, turn_id=received.turn_id, after=seq)
        return Response(ReceivedSerializer(received).data, status=202)


class GreetingsView(BondView):
    serializer_class = OfferedOpeningSerializer

    def get(self, request: Request, **_: Any) -> Response:
        """The greetings of a bond in which nothing was said yet, and what its user may say first. The first message names the greeting that it answers."""
        return Response(OfferedOpeningSerializer(greetings.offer(self.bond)).data)


class MessageBaseView(BondView):
    serializer_class: Any = MessageSerializer

    def get_message(self) -> Message:
        messages = Message.objects.for_bond(self.bond).not_deleted().without_deleted_sessions()
        return get_object_or_404(messages.select_related("session"), pk=self.kwargs["message_id"])


class MessageView(MessageBaseView):
    serializer_class = OfferedSerializer

    @extend_schema(request=MessageChangeBody, responses={200: ChangedMessageSerializer})
    def patch(self, request: Request, **_: Any) -> Response:
        """Leaves a message out of memory, or takes it in again: left out, it is in no recap, story or new memory."""
        message: Any = self.get_message()
        left_out = MessageChangeBody.parse(request.data)["left_out"]
        leaving_out.set_left_out(message=message, left_out=left_out, now=timezone.now())
        message.offered = acts.find_left_out_nodes(message) if left_out else []
        return Response(ChangedMessageSerializer(message).data)

    @extend_schema(responses={200: OfferedSerializer})
    def delete(self, request: Request, **_: Any) -> Response:
        """Forgets a message. Returns the memories that have no message left, which can be forgotten too."""
        offered = actions.forget_message(message=self.get_message(), now=timezone.now())
        return Response(OfferedSerializer({"offered": offered}).data)


class ChooseReplyView(MessageBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Chooses this variant of the newest reply."""
        chosen = actions.choose_reply(message=self.get_message(), now=timezone.now())
        return Response(MessageSerializer(chosen).data)


class TurnBaseView(BondView):
    serializer_class = TurnSerializer

    def get_turn(self) -> Turn:
        turn = receiving.find_turn(bond=self.bond, turn_id=self.kwargs["turn_id"])
        if turn is None:
            raise APIError("not_found", gettext("Turn not found."))
        return turn

    def make_reply(self, act: Callable[..., Turn]) -> Response:
        """Answer with the turn that an act made pending."""
        turn = self.get_turn()
        if turn._state.adding:
            raise APIError("conflict", gettext("This turn waits for another turn."))
        turn = act(turn=turn, now=timezone.now())
        runner.notify(self.bond.pk)
        return self.respond(turn, status=202)

    def respond(self, turn: Turn, *, status: int = 200) -> Response:
        context = {"reply": turn.replies().visible().values_list("pk", flat=True).first()}
        return Response(TurnSerializer(turn, context=context).data, status=status)


class TurnView(TurnBaseView):
    def get(self, request: Request, **_: Any) -> Response:
        return self.respond(self.get_turn())


class StopTurnView(TurnBaseView):
    @extend_schema(responses={202: TurnSerializer})
    def post(self, request: Request, turn_id: UUID, **_: Any) -> Response:
        """Stops a running turn and keeps its text so far."""
        self.get_turn()
        stopping = actions.request_stop(bond=self.bond, turn_id=turn_id, now=timezone.now())
        if stopping is None:
            raise APIError("conflict", gettext("This turn is not running."))
        runner.notify_stop(self.bond.pk)
        return self.respond(stopping, status=202)


class RetryTurnView(TurnBaseView):
    @extend_schema(responses={202: TurnSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Tries a failed or interrupted turn again, with the same messages."""
        return self.make_reply(actions.retry)


class ContinueTurnView(TurnBaseView):
    @extend_schema(responses={202: TurnSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Goes on with the newest reply, which was stopped or cut off: the whole text becomes another variant."""
        return self.make_reply(actions.continue_reply)


class RegenerateTurnView(TurnBaseView):
    @extend_schema(responses={202: TurnSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Makes another reply for the newest turn and keeps the earlier ones."""
        return self.make_reply(actions.regenerate)


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
