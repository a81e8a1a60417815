"""Lines and turns."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.serializers import LineBody, LinesQuery, ReceivedSerializer, TurnSerializer
from chat.live import sse
from chat.models import Turn
from chat.turns import actions, lifecycle, runner
from chat.turns.lifecycle import TurnError
from echovessel import events
from echovessel.texts import TextError
from memory.models import Message
from memory.serializers.memories import MessageSerializer
from memory.serializers.trash import OfferedSerializer
from memory.sessions import SessionError
from personas.rest.api_errors import Refused, refusing
from personas.rest.views import BondView, channel_of


def wants_stream(request: Request) -> bool:
    return "text/event-stream" in request.headers.get("Accept", "")


@extend_schema_view(get=extend_schema(parameters=[LinesQuery]))
class MessagesView(BondView, ListAPIView[Message]):
    """The bond's lines over all sessions, newest first, with replies that were not chosen."""

    rate_of = {"POST": "messages"}
    has_filters = True
    serializer_class = MessageSerializer
    queryset = Message.objects.none()

    def get_queryset(self) -> QuerySet[Message]:
        query = LinesQuery(data=self.request.query_params.dict())
        query.is_valid(raise_exception=True)
        lines = Message.objects.of(self.bond).filter(deleted_at=None, session__deleted_at=None)
        if "before" in query.validated_data:
            lines = lines.filter(pk__lt=query.validated_data["before"])
        if "session" in query.validated_data:
            lines = lines.filter(session=query.validated_data["session"])
        return lines.defer("embedding", "search", "sketch")

    @extend_schema(
        request=LineBody,
        responses={202: ReceivedSerializer, (200, "text/event-stream"): OpenApiTypes.STR},
    )
    def post(self, request: Request, **_: Any) -> HttpResponseBase:
        """Says a line. With `Accept: text/event-stream` the answer is the events of its turn, until `done` or `error`."""
        body = LineBody(data=request.data)
        body.is_valid(raise_exception=True)
        asked = body.validated_data
        # Read first, so that the stream misses nothing of what follows.
        seq = events.last_seq(self.bond.pk)
        with refusing(TextError, SessionError):
            received = lifecycle.receive(
                bond=self.bond,
                content=asked["content"],
                channel=channel_of(request),
                now=timezone.now(),
                client_id=asked.get("client_id"),
                session_id=asked.get("session"),
                debounce=asked["debounce"],
            )
        runner.notify(self.bond.pk)
        if wants_stream(request):
            return sse.of_turn(self.bond.pk, turn_id=received.turn_id, after=seq)
        return Response(ReceivedSerializer(received).data, status=202)


class OneMessage(BondView):
    serializer_class: Any = MessageSerializer
    queryset = Message.objects.none()

    def message(self) -> Message:
        lines = Message.objects.of(self.bond).filter(deleted_at=None, session__deleted_at=None)
        return get_object_or_404(lines.select_related("session"), pk=self.kwargs["message_id"])


class MessageView(OneMessage):
    serializer_class = OfferedSerializer

    @extend_schema(request=None, responses={200: OfferedSerializer})
    def delete(self, request: Request, **_: Any) -> Response:
        """Forgets a line. Answers with the memories that rest on no other, to be forgotten too."""
        with refusing(TurnError):
            offered = actions.forget_line(message=self.message(), now=timezone.now())
        return Response(OfferedSerializer({"offered": offered}).data)


class ChooseView(OneMessage):
    @extend_schema(request=None)
    def post(self, request: Request, **_: Any) -> Response:
        """Lets this variant of the newest reply count."""
        with refusing(TurnError):
            chosen = actions.choose(message=self.message(), now=timezone.now())
        return Response(MessageSerializer(chosen).data)


class OneTurn(BondView):
    serializer_class = TurnSerializer
    queryset = Turn.objects.none()

    def turn(self) -> Turn:
        turn = lifecycle.find(bond=self.bond, turn_id=self.kwargs["turn_id"])
        if turn is None:
            raise Refused("not_found", "There is no such turn.")
        return turn

    def stored_turn(self) -> Turn:
        turn = self.turn()
        if turn._state.adding:
            raise Refused("conflict", "This turn waits for another one to end.")
        return turn

    def shown(self, turn: Turn, *, status: int = 200) -> Response:
        replies = Message.objects.of(self.bond).live().filter(turn_id=turn.pk, role=Message.Role.PERSONA)
        context = {"reply": replies.values_list("pk", flat=True).first()}
        return Response(TurnSerializer(turn, context=context).data, status=status)


class TurnView(OneTurn):
    def get(self, request: Request, **_: Any) -> Response:
        return self.shown(self.turn())


class StopTurnView(OneTurn):
    @extend_schema(request=None, responses={202: TurnSerializer})
    def post(self, request: Request, turn_id: UUID, **_: Any) -> Response:
        """Stops a running turn; its text so far is kept."""
        self.turn()
        stopping = actions.request_stop(bond=self.bond, turn_id=turn_id, now=timezone.now())
        if stopping is None:
            raise Refused("conflict", "This turn is not running.")
        runner.notify_stop(self.bond.pk)
        return self.shown(stopping, status=202)


class RetryTurnView(OneTurn):
    @extend_schema(request=None, responses={202: TurnSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Tries a failed or interrupted turn again, with the same lines."""
        with refusing(TurnError):
            turn = actions.retry(turn=self.stored_turn(), now=timezone.now())
        runner.notify(self.bond.pk)
        return self.shown(turn, status=202)


class RegenerateTurnView(OneTurn):
    @extend_schema(request=None, responses={202: TurnSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Makes another reply for the newest turn; those before are kept."""
        with refusing(TurnError):
            turn = actions.regenerate(turn=self.stored_turn(), now=timezone.now())
        runner.notify(self.bond.pk)
        return self.shown(turn, status=202)
