from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.parsers import FormParser
from rest_framework.request import Request
from rest_framework.response import Response

from memory import sessions
from memory.api.bodies import NewSessionBody, SessionBody
from memory.forgetting import removal, trash
from memory.models import Forgotten, Session
from memory.serializers.memories import SessionSerializer
from memory.serializers.trash import OfferedSerializer
from memory.sessions import leaving
from personas.models import Bond
from personas.rest.api_errors import APIError
from personas.rest.drf_policies import SafeJSONParser
from personas.rest.views import BondView, get_channel


class SessionsView(BondView, ListAPIView[Session]):
    """The bond's sessions that have messages."""

    serializer_class = SessionSerializer
    ordering = ("-last_message_at", "-id")

    def get_queryset(self) -> QuerySet[Session]:
        return Session.objects.for_bond(self.bond).not_empty().for_serializer()

    @extend_schema(request=NewSessionBody, responses={201: SessionSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Closes the channel's open session and starts another; an empty one is reused. One off the record is erased when it closes."""
        asked = NewSessionBody.parse(request.data)
        fresh = sessions.start_new(bond=self.bond, channel=get_channel(request), now=timezone.now(), **asked)
        return Response(serialize_session(self.bond, fresh.pk), status=201)


class SessionBaseView(BondView):
    serializer_class = SessionSerializer

    def session(self) -> Session:
        sessions_of_bond = Session.objects.for_bond(self.bond).select_related("bond")
        return get_object_or_404(sessions_of_bond, pk=self.kwargs["session_id"])


class SessionView(SessionBaseView):
    def get(self, request: Request, **_: Any) -> Response:
        return Response(serialize_session(self.bond, self.session().pk))

    @extend_schema(request=SessionBody(partial=True))
    def patch(self, request: Request, **_: Any) -> Response:
        """Renames it, archives or unarchives it, pins or unpins it."""
        session = self.session()
        body = SessionBody(data=request.data)
        body.is_valid(raise_exception=True)
        if session.off_record:
            raise APIError(
                "conflict",
                gettext("A session off the record cannot be renamed or archived; it is erased when it closes."),
            )
        now = timezone.now()
        sessions.update(session=session, columns=body.columns(now), now=now)
        return Response(serialize_session(self.bond, session.pk))

    @extend_schema(responses={200: OfferedSerializer})
    def delete(self, request: Request, **_: Any) -> Response:
        """Deletes it with its messages, summary, title and mood. Answers with the memories that are based on nothing else."""
        offered = removal.forget_session(session=self.session(), now=timezone.now())
        return Response(OfferedSerializer({"offered": offered}).data)


class RestoreSessionView(SessionBaseView):
    def post(self, request: Request, session_id: int, **_: Any) -> Response:
        """Restores a deleted session with its messages."""
        if get_object_or_404(Session.objects.filter(bond=self.bond), pk=session_id).deleted_at is None:
            raise APIError("conflict", gettext("This session was not deleted."))
        act = trash.find(bond=self.bond, kind=Forgotten.Kind.SESSION, object_id=session_id)
        trash.restore(act=act, now=timezone.now())
        return Response(serialize_session(self.bond, session_id))


class CloseSessionView(SessionBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Closes it: it is consolidated now, or erased if it was off the record. A closing or closed one is left as it is."""
        session = get_object_or_404(Session.objects.for_bond(self.bond).for_serializer(), pk=self.kwargs["session_id"])
        if session.status == Session.Status.OPEN and session.message_count == 0:
            raise APIError("conflict", gettext("This session has no messages yet."))
        closed = sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=timezone.now())
        # The row itself may be gone.
        session.status, session.close_reason, session.closed_at = closed.status, closed.close_reason, closed.closed_at
        return Response(SessionSerializer(session).data)


class LeaveSessionView(SessionBaseView):
    # A page that is being closed can only send a form, with its CSRF token in it.
    parser_classes = (SafeJSONParser, FormParser)

    @extend_schema(responses={204: None})
    def post(self, request: Request, **_: Any) -> Response:
        """Says that the last page of the chat was closed: it is closed two minutes later, unless a page opens again or a message comes."""
        leaving.leave(session=self.session(), now=timezone.now())
        return Response(status=204)


class ConsolidateSessionView(SessionBaseView):
    rate_of = {"POST": "costly"}

    @extend_schema(responses={202: SessionSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Retries a failed session."""
        session = self.session()
        if not sessions.retry(session=session, now=timezone.now()):
            raise APIError(
                "conflict",
                gettext("This session is %(status)s; only a failed session can be retried.")
                % {"status": session.status},
            )
        return Response(serialize_session(self.bond, session.pk), status=202)


def serialize_session(bond: Bond, session_id: int) -> Any:
    return SessionSerializer(Session.objects.for_bond(bond).for_serializer().get(pk=session_id)).data
