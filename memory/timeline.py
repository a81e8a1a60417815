"""Everything that was learned in a bond, newest first, with the types and keys of the events that told of it live.

It is read from the rows themselves: the event log forgets after a day, and what was forgotten must not come back.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypedDict

from django.db.models import F, Max, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from memory.models import ConceptNode, ConsolidationStep, Entity, EntityMerge, MoodChange, Session
from memory.serializers.memories import EntitySerializer, FailureSerializer, NodeSerializer
from personas.models import Bond
from personas.rest.serializer_fields import Moment

PAGE = 50


class Entry(TypedDict):
    id: str
    type: str
    at: datetime
    payload: dict[str, Any]


@dataclass(frozen=True)
class Position:
    """Where an entry stands; of things learned at one moment the later kind is the newer."""

    at: datetime
    kind: str
    pk: int

    @property
    def id(self) -> str:
        return f"{self.kind}-{self.pk}"


def entries(
    *, bond: Bond, since: datetime | None = None, before: Position | None = None, most: int = PAGE
) -> list[Entry]:
    """Up to `most` entries that are no older than `since` and stand behind `before`."""
    return told(bond, positions(bond=bond, since=since, before=before, most=most))


def positions(*, bond: Bond, since: datetime | None, before: Position | None, most: int) -> list[Position]:
    """In one query: each kind gives its newest, and the newest of these are taken."""
    keys = []
    for rank, kind in enumerate(KINDS):
        rows = KINDS[kind].rows(bond)
        if since is not None:
            rows = rows.filter(at__gte=since)
        if before is not None:
            rows = rows.filter(behind(before, rank))
        newest = rows.order_by("-at", "-id")[:most]
        keys.append(newest.annotate(rank=Value(rank)).values_list("at", "rank", "id"))
    newest_of_all = keys[0].union(*keys[1:], all=True).order_by("-at", "-rank", "-id")[:most]
    kinds = tuple(KINDS)
    return [Position(at, kinds[rank], pk) for at, rank, pk in newest_of_all]


def behind(before: Position, rank: int) -> Q:
    """What stands behind a position, among rows of one kind."""
    cut = tuple(KINDS).index(before.kind)
    if rank == cut:
        return Q(at__lt=before.at) | Q(at=before.at, id__lt=before.pk)
    return Q(at__lte=before.at) if rank < cut else Q(at__lt=before.at)


def told(bond: Bond, places: Iterable[Position]) -> list[Entry]:
    places = list(places)
    payloads: dict[str, tuple[str, dict[str, Any]]] = {}
    for name, kind in KINDS.items():
        ids = [place.pk for place in places if place.kind == name]
        if ids:
            payloads |= {f"{name}-{row.pk}": kind.tell(row) for row in kind.shown(bond).filter(pk__in=ids)}
    return [
        Entry(id=place.id, type=payloads[place.id][0], at=place.at, payload=payloads[place.id][1])
        for place in places
        if place.id in payloads
    ]


@dataclass(frozen=True)
class Kind:
    """How one kind is found (annotated `at`), read to be shown, and told (type and payload)."""

    rows: Callable[[Bond], QuerySet[Any]]
    shown: Callable[[Bond], QuerySet[Any]]
    tell: Callable[[Any], tuple[str, dict[str, Any]]]


def nodes(bond: Bond) -> QuerySet[ConceptNode]:
    return ConceptNode.objects.of(bond).filter(deleted_at=None).annotate(at=F("created_at"))


def entities(bond: Bond) -> QuerySet[Entity]:
    confirmed = Entity.objects.of(bond).live().filter(merge_status=Entity.MergeStatus.CONFIRMED)
    return confirmed.annotate(at=Coalesce(F("confirmed_at"), F("created_at")))


def descriptions(bond: Bond) -> QuerySet[Entity]:
    described = Entity.objects.of(bond).live().exclude(description="").filter(described_at__isnull=False)
    return described.annotate(at=F("described_at"))


def moods(bond: Bond) -> QuerySet[MoodChange]:
    changes = MoodChange.objects.left_in(bond)
    return changes.annotate(at=F("created_at"))


def sessions(bond: Bond) -> QuerySet[Session]:
    """Sessions whose consolidation ended one way or the other, by the moment it did."""
    steps = ConsolidationStep.objects.filter(session=OuterRef("pk")).order_by().values("session")
    ended = Subquery(steps.annotate(last=Max("created_at")).values("last"))
    over = Session.objects.of(bond).listed().filter(status__in=[Session.Status.CLOSED, Session.Status.FAILED])
    return over.annotate(at=Coalesce(ended, F("closed_at"), F("last_message_at")))


# Each makes its fields when it is first used, which takes longer than a row.
as_node = NodeSerializer().to_representation
as_entity = EntitySerializer().to_representation


def tell_node(node: ConceptNode) -> tuple[str, dict[str, Any]]:
    is_event = node.type == ConceptNode.Type.EVENT
    return "memory.event.created" if is_event else "memory.thought.created", {"node": as_node(node)}


def tell_entity(entity: Entity) -> tuple[str, dict[str, Any]]:
    return "memory.entity.confirmed", {"entity": as_entity(entity)}


def tell_description(entity: Entity) -> tuple[str, dict[str, Any]]:
    return "memory.entity.description_updated", {"entity": as_entity(entity)}


def merges(bond: Bond) -> QuerySet[EntityMerge]:
    """Merges that stand, of entities that are there."""
    stand = EntityMerge.objects.filter(bond=bond, undone_at=None, kept__deleted_at=None, kept__merged_into=None)
    return stand.annotate(at=F("created_at"))


def shown_merges(bond: Bond) -> QuerySet[EntityMerge]:
    kept = Prefetch("kept", queryset=Entity.objects.shown())
    return merges(bond).select_related("merged").prefetch_related(kept)


def tell_merge(merge: EntityMerge) -> tuple[str, dict[str, Any]]:
    return "memory.entity.merged", {
        "entity": dict(EntitySerializer(merge.kept).data),
        "merge": merge.pk,
        "merged_name": merge.merged.canonical_name,
    }


def tell_mood(change: MoodChange) -> tuple[str, dict[str, Any]]:
    state = {
        "mood": change.mood,
        "energy": change.energy,
        "last_user_signal": change.last_user_signal,
        "updated_at": Moment().to_representation(change.created_at),
    }
    return "chat.mood.update", {"episodic_state": state}


def tell_session(session: Any) -> tuple[str, dict[str, Any]]:
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
    "node": Kind(rows=nodes, shown=lambda bond: nodes(bond).shown(), tell=tell_node),  # type: ignore[attr-defined]  # annotate() hides it
    "entity": Kind(rows=entities, shown=lambda bond: entities(bond).shown(), tell=tell_entity),  # type: ignore[attr-defined]  # as above
    "description": Kind(
        rows=descriptions,
        shown=lambda bond: descriptions(bond).shown(),  # type: ignore[attr-defined]  # as above
        tell=tell_description,
    ),
    "merge": Kind(rows=merges, shown=shown_merges, tell=tell_merge),
    "mood": Kind(rows=moods, shown=moods, tell=tell_mood),
    "session": Kind(rows=sessions, shown=lambda bond: sessions(bond).shown(), tell=tell_session),  # type: ignore[attr-defined]  # as above
}
