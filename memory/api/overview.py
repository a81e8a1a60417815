"""What a bond holds beside its sessions, nodes and entities: moods, slow ticks, the timeline, and what a turn would recall."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.bodies import RecallBody, TimelineQuery
from memory.messages import window
from memory.models import ConceptNode, MoodChange, Session, SlowTickRun
from memory.recall import lines, memories, query_vectors
from memory.serializers import messages, timeline
from memory.serializers.memories import (
    MoodChangeSerializer,
    RecallSerializer,
    SlowTickSerializer,
    TimelinePageSerializer,
)
from personas.models import Bond
from personas.rest.drf_policies import PAGE, NewestFirstPagination, build_page
from personas.rest.views import BondView, get_channel


class MoodView(BondView, ListAPIView[MoodChange]):
    """The persona's moods, newest first."""

    serializer_class = MoodChangeSerializer

    def get_queryset(self) -> QuerySet[MoodChange]:
        return MoodChange.objects.for_bond(self.bond)


class SlowTicksView(BondView, ListAPIView[SlowTickRun]):
    """The slow ticks of the last 14 days, newest first, with input, answer and what was left out."""

    serializer_class = SlowTickSerializer

    def get_queryset(self) -> QuerySet[SlowTickRun]:
        return SlowTickRun.objects.filter(bond=self.bond).select_related("bond__persona")


class RecallView(BondView):
    rate_of = {"POST": "reads"}
    serializer_class = RecallSerializer

    @extend_schema(request=RecallBody)
    def post(self, request: Request, **_: Any) -> Response:
        """What a turn would recall for this text, with all terms of the scores, and what was cut, with the reason."""
        wanted = RecallBody.parse(request.data)
        [vector] = query_vectors.embed(self.bond, [wanted["query"]])
        asked = {"bond": self.bond, "query": wanted["query"], "vector": vector}
        now = timezone.now()
        found = memories.search(**asked, now=now, k=wanted.get("k"))
        today = self.bond.user.get_day(now)
        left_out = build_exclusions(bond=self.bond, channel=get_channel(request))
        quoted = lines.search(**asked, **left_out, today=today, recalled=found)
        messages.attach([quote.message for quote in quoted])
        return Response(RecallSerializer({"items": load_serializable_items(found.items), "words": quoted}).data)


def build_exclusions(*, bond: Bond, channel: str) -> dict[str, Any]:
    """What a turn that began now would not quote: the recent window, and the talk that is going on."""
    going_on = Session.objects.for_bond(bond).filter(status=Session.Status.OPEN, channel=channel).first()
    return {
        "besides": window.load_newest_ids(bond=bond, most=settings.RECENT_WINDOW_SIZE),
        "not_session": going_on.pk if going_on else None,
    }


def load_serializable_items(items: Sequence[memories.ScoredNode]) -> list[memories.ScoredNode]:
    """The same items with their nodes as they are shown."""
    nodes = ConceptNode.objects.for_serializer().in_bulk([item.node.pk for item in items])
    return [item._replace(node=nodes[item.node.pk]) for item in items]


@extend_schema_view(get=extend_schema(parameters=[TimelineQuery]))
class TimelineView(BondView):
    serializer_class = TimelinePageSerializer

    def get(self, request: Request, **_: Any) -> Response:
        """Everything that was learned, newest first, with the types and keys of its events."""
        asked = TimelineQuery.parse(request.query_params.dict())
        cursor = asked.get("cursor")
        before = decode_cursor(cursor) if cursor else None
        since = asked.get("since")
        entries = timeline.load_entries(bond=self.bond, since=since, before=before, most=PAGE + 1)
        page = build_page(request, entries, find_cursor=lambda page: encode_cursor(page[-1]))
        return Response(TimelinePageSerializer(page).data)


def encode_cursor(entry: timeline.TimelineEntry) -> str:
    return urlsafe_b64encode(f"{entry['at'].isoformat()} {entry['id']}".encode()).decode()


def decode_cursor(cursor: str) -> timeline.TimelinePosition:
    try:
        at, _, name = urlsafe_b64decode(cursor).decode().partition(" ")
        kind, _, pk = name.partition("-")
        place = timeline.TimelinePosition(at=datetime.fromisoformat(at), kind=kind, pk=int(pk))
    except ValueError as error:
        raise NotFound(NewestFirstPagination.invalid_cursor_message) from error
    if kind not in timeline.KINDS or place.at.tzinfo is None:
        raise NotFound(NewestFirstPagination.invalid_cursor_message)
    return place
