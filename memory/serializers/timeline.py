"""The timeline: everything learned in a bond, newest first, with the types and keys of the live events.

It reads the rows: the event log lasts a day, and forgotten rows must not come back.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from operator import methodcaller
from typing import Any, TypedDict

from django.db.models import F, Max, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Greatest

from memory.models import ConceptNode, ConsolidationStep, Entity, EntityMerge, MoodChange, Session
from memory.nodes import creation
from memory.serializers.memories import EntitySerializer, FailureSerializer
from memory.serializers.nodes import NodeSerializer
from personas.models import Bond
from personas.rest.serializer_fields import UTCDateTimeField

PAGE = 50


class TimelineEntry(TypedDict):
    id: str
    type: str
    at: datetime
    payload: dict[str, Any]


@dataclass(frozen=True)
class TimelinePosition:
    """The position of an entry; at equal times the later kind is newer."""

    at: datetime
    kind: str
    pk: int

    @property
    def id(self) -> str:
        return f"{self.kind}-{self.pk}"


def load_entries(
    *, bond: Bond, since: datetime | None = None, before: TimelinePosition | None = None, most: int = PAGE
) -> list[TimelineEntry]:
    """Load up to `most` entries behind `before` that are not older than `since`."""
    return build_entries(bond, find_positions(bond=bond, since=since, before=before, most=most))


def find_positions(
    *, bond: Bond, since: datetime | None, before: TimelinePosition | None, most: int
) -> list[TimelinePosition]:
    """Find the newest positions of all kinds in one query."""
    keys = []
    for rank, kind in enumerate(KINDS):
        rows = KINDS[kind].rows(bond)
        if since is not None:
            rows = rows.filter(at__gte=since)
        if before is not None:
            rows = rows.filter(filter_behind(before, rank))
        newest = rows.order_by("-at", "-id")[:most]
        keys.append(newest.annotate(rank=Value(rank)).values_list("at", "rank", "id"))
    newest_of_all = keys[0].union(*keys[1:], all=True).order_by("-at", "-rank", "-id")[:most]
    kinds = tuple(KINDS)
    return [TimelinePosition(at, kinds[rank], pk) for at, rank, pk in newest_of_all]


def filter_behind(before: TimelinePosition, rank: int) -> Q:
    """Filter the rows of one kind that are behind a position."""
    cut = tuple(KINDS).index(before.kind)
    if rank == cut:
        return Q(at__lt=before.at) | Q(at=before.at, id__lt=before.pk)
    return Q(at__lte=before.at) if rank < cut else Q(at__lt=before.at)


def build_entries(bond: Bond, places: Iterable[TimelinePosition]) -> list[TimelineEntry]:
    places = list(places)
    payloads: dict[str, tuple[str, dict[str, Any]]] = {}
    for name, kind in KINDS.items():
        ids = [place.pk for place in places if place.kind == name]
        if ids:
            payloads |= {f"{name}-{row.pk}": kind.tell(row) for row in kind.load(kind.rows(bond)).filter(pk__in=ids)}
    return [
        TimelineEntry(id=place.id, type=payloads[place.id][0], at=place.at, payload=payloads[place.id][1])
        for place in places
        if place.id in payloads
    ]


@dataclass(frozen=True)
class TimelineKind:
    """How entries of one kind are found (annotated `at`), announced (type and payload), and loaded for that."""

    rows: Callable[[Bond], QuerySet[Any]]
    tell: Callable[[Any], tuple[str, dict[str, Any]]]
    load: Callable[[Any], QuerySet[Any]] = methodcaller("for_serializer")


def filter_nodes(bond: Bond) -> QuerySet[ConceptNode]:
    return ConceptNode.objects.for_bond(bond).not_deleted().annotate(at=F("created_at"))


def filter_entities(bond: Bond) -> QuerySet[Entity]:
    confirmed = Entity.objects.for_bond(bond).not_deleted_or_merged().filter(merge_status=Entity.MergeStatus.CONFIRMED)
    return confirmed.annotate(at=Coalesce(F("confirmed_at"), F("created_at")))


def filter_described(bond: Bond) -> QuerySet[Entity]:
    described = (
        Entity.objects.for_bond(bond).not_deleted_or_merged().exclude(description="").filter(described_at__isnull=False)
    )
    return described.annotate(at=F("described_at"))


def filter_moods(bond: Bond) -> QuerySet[MoodChange]:
    changes = MoodChange.objects.for_bond(bond)
    return changes.annotate(at=F("created_at"))


def filter_sessions(bond: Bond) -> QuerySet[Session]:
    """Filter sessions whose consolidation ended, with the time it did.

    A restored session has no steps: it ended with the last memory or mood that its consolidation wrote.
    """
    ended = find_newest(ConsolidationStep.objects.all())
    learned = find_newest(
        ConceptNode.objects.filter(origin__in=[ConceptNode.Origin.EXTRACTION, ConceptNode.Origin.REFLECTION])
    )
    felt = find_newest(MoodChange.objects.all())
    over = Session.objects.for_bond(bond).not_empty().filter(status__in=[Session.Status.CLOSED, Session.Status.FAILED])
    closed = Coalesce(F("closed_at"), F("last_message_at"))
    return over.annotate(at=Coalesce(ended, Greatest(closed, learned, felt)))


def find_newest(rows: QuerySet[Any]) -> Subquery:
    """Find when the newest of the rows of a session was written."""
    rows = rows.filter(session=OuterRef("pk")).order_by().values("session")
    return Subquery(rows.annotate(last=Max("created_at")).values("last"))


# Cached: a serializer builds its fields on first use, which takes longer than a row.
as_node = NodeSerializer().to_representation
as_entity = EntitySerializer().to_representation


def serialize_node(node: ConceptNode) -> tuple[str, dict[str, Any]]:
    return creation.name_creation(node), {"node": as_node(node)}


def serialize_entity(entity: Entity) -> tuple[str, dict[str, Any]]:
    return "memory.entity.confirmed", {"entity": as_entity(entity)}


def serialize_description(entity: Entity) -> tuple[str, dict[str, Any]]:
    return "memory.entity.description_updated", {"entity": as_entity(entity)}


def filter_merges(bond: Bond) -> QuerySet[EntityMerge]:
    """Filter merges that were not undone, of existing entities."""
    stand = EntityMerge.objects.filter(bond=bond, undone_at=None, kept__deleted_at=None, kept__merged_into=None)
    return stand.annotate(at=F("created_at"))


def load_both(merges: QuerySet[EntityMerge]) -> QuerySet[EntityMerge]:
    kept = Prefetch("kept", queryset=Entity.objects.for_serializer())
    return merges.select_related("merged").prefetch_related(kept)


def serialize_merge(merge: EntityMerge) -> tuple[str, dict[str, Any]]:
    return "memory.entity.merged", {
        "entity": dict(EntitySerializer(merge.kept).data),
        "merge": merge.pk,
        "merged_name": merge.merged.canonical_name,
    }


def serialize_mood(change: MoodChange) -> tuple[str, dict[str, Any]]:
    state = {
        "mood": change.mood,
        "energy": change.energy,
        "last_user_signal": change.last_user_signal,
        "updated_at": UTCDateTimeField().to_representation(change.created_at),
    }
    return "chat.mood.update", {"episodic_state": state}


def serialize_session(session: Any) -> tuple[str, dict[str, Any]]:
    if session.status == Session.Status.FAILED:
        return "chat.session.failed", {"session": session.pk, **FailureSerializer(session).data}
    return "chat.session.boundary", {
        "closed_session": session.pk,
        "new_session": None,
        "events_count": session.events_count,
        "thoughts_count": session.thoughts_count,
        "title": session.shown_title or None,
    }


KINDS = {
    "node": TimelineKind(filter_nodes, serialize_node),
    "entity": TimelineKind(filter_entities, serialize_entity),
    "description": TimelineKind(filter_described, serialize_description),
    "merge": TimelineKind(filter_merges, serialize_merge, load=load_both),
    "mood": TimelineKind(filter_moods, serialize_mood, load=QuerySet.all),
    "session": TimelineKind(filter_sessions, serialize_session),
}
