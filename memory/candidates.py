"""The nodes that recall looks at: those near to what was said, and those linked to a name or a time in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    Avg,
    Case,
    Count,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.expressions import Combinable, RawSQL
from django.db.models.functions import Cast, Coalesce, RowNumber
from pgvector.django import CosineDistance

from echovessel import embedding
from echovessel.periods import Period
from memory import kin
from memory.models import ConceptNode, Entity, Filling, Mention
from memory.models.nodes import ConceptNodeQuerySet
from personas.models import Bond

NEAREST = 40
ANCHORED_MOST = 100
LOOKED_FOR_MOST = 48
# How many of the newest nodes say what is usual between a bond's memories and what was said, and how few say nothing.
USUAL_OF = 200
USUAL_LEAST = 10
SOMEONE = (Entity.Kind.PERSON, Entity.Kind.PET)
RECALLED_TYPES = (ConceptNode.Type.EVENT, ConceptNode.Type.THOUGHT)
NEAREST_FIRST = (F("cosine").desc(nulls_last=True), F("pk").desc())


@dataclass(frozen=True)
class Asked:
    """What was said, as nodes are looked for: its terms, its vector (None where unusable), whom and which times it names."""

    terms: Sequence[str]
    vector: Sequence[float] | None
    entity_ids: Sequence[int]
    periods: Sequence[Period]


@dataclass(frozen=True)
class Candidate:
    """A node; its cosine to what was said, if both vectors are usable; what anchors it; the ids of its evidence."""

    node: ConceptNode
    cosine: float | None
    # The mean cosine of the bond's nodes to what was said, where there are enough.
    usual: float | None
    entity_ids: tuple[int, ...]
    periods: tuple[Period, ...]
    cites: tuple[int, ...]
    # The people and animals it is about, named or not.
    about_ids: tuple[int, ...]


def find(*, bond: Bond, asked: Asked) -> list[Candidate]:
    """Live events and thoughts near in meaning, sharing terms, linked to an entity that was named, or of a time that was."""
    nodes = ConceptNode.objects.of(bond).live().filter(type__in=RECALLED_TYPES).defer("embedding")
    ways = [*nearest(nodes, asked), *sharing(nodes, asked), *linked(nodes, asked), *dated(nodes, asked)]
    if not ways:
        return []
    # Ids first, by a statement of their own: cosines and rows are then read for a few nodes, not for all that match, and no plan can
    # come to look for them anew at each row.
    ids = list(ways[0].union(*ways[1:]).values_list("pk", flat=True))
    mentions = Mention.objects.filter(node=OuterRef("pk"), entity__in=asked.entity_ids).order_by("entity")
    evidence = Filling.objects.filter(parent=OuterRef("pk"), orphaned=False).order_by("child")
    someone = Mention.objects.filter(node=OuterRef("pk"), entity__kind__in=SOMEONE, entity__deleted_at=None)
    rows = with_cosine(nodes, asked.vector).filter(pk__in=ids)
    return [
        Candidate(
            node=row,
            cosine=row.cosine,
            usual=row.usual,
            # Null, not empty, where no entity was asked for.
            entity_ids=tuple(row.named_ids or ()),
            periods=tuple(period for period in asked.periods if overlaps(row, period)),
            cites=tuple(row.evidence_ids),
            about_ids=tuple(row.someone_ids),
        )
        for row in rows.annotate(
            usual=usual(nodes, asked.vector),
            named_ids=ArraySubquery(mentions.values("entity")),
            evidence_ids=ArraySubquery(evidence.values("child")),
            someone_ids=ArraySubquery(someone.order_by("entity").values("entity")),
        )
    ]


def nearest(nodes: ConceptNodeQuerySet, asked: Asked) -> list[QuerySet[Any]]:
    """The ids of the nodes next in meaning, if there is a vector."""
    if asked.vector is None:
        return []
    return [readable(nodes).order_by(CosineDistance("embedding", list(asked.vector)), "-id").values("pk")[:NEAREST]]


def sharing(nodes: ConceptNodeQuerySet, asked: Asked) -> list[QuerySet[Any]]:
    """The ids of the nodes with most terms in common, if there are any."""
    if not asked.terms:
        return []
    looked_for = rarest(sorted(kin.alternatives(asked.terms)))
    return [
        nodes.filter(terms__overlap=looked_for).order_by(shared_count(looked_for).desc(), "-id").values("pk")[:NEAREST]
    ]


def linked(nodes: ConceptNodeQuerySet, asked: Asked) -> list[QuerySet[Any]]:
    """The ids of the nodes next in meaning of each entity, so that one whose name is everywhere crowds out no other."""
    if not asked.entity_ids:
        return []
    place = Window(RowNumber(), partition_by=F("mentions__entity"), order_by=NEAREST_FIRST)
    of_entities = with_cosine(nodes, asked.vector).filter(mentions__entity__in=asked.entity_ids).annotate(place=place)
    return [of_entities.filter(place__lte=ANCHORED_MOST).values("pk")]


def dated(nodes: ConceptNodeQuerySet, asked: Asked) -> list[QuerySet[Any]]:
    """The ids of the nodes next in meaning of those that happened, or are to happen, in each period."""
    known = with_cosine(nodes, asked.vector).annotate(
        first_day=Coalesce("event_time_start", "event_time_end"),
        last_day=Coalesce("event_time_end", "event_time_start"),
    )
    return [
        known.filter(first_day__lte=period.end, last_day__gte=period.start)
        .order_by(*NEAREST_FIRST)
        .values("pk")[:ANCHORED_MOST]
        for period in asked.periods
    ]


def overlaps(node: ConceptNode, period: Period) -> bool:
    first, last = node.event_time_start or node.event_time_end, node.event_time_end or node.event_time_start
    return first is not None and last is not None and first <= period.end and last >= period.start


def usual(nodes: ConceptNodeQuerySet, vector: Sequence[float] | None) -> Combinable:
    """How near the newest nodes are in the mean, read once for all rows; null where they are too few."""
    if vector is None:
        return Value(None, FloatField())
    newest = readable(nodes).order_by("-created_at", "-id").values("pk")[:USUAL_OF]
    whole = ConceptNode.objects.filter(pk__in=newest).order_by().values(whole=Value(1))
    means = whole.annotate(mean=Avg(1 - CosineDistance("embedding", list(vector))), many=Count("pk"))
    return Subquery(means.filter(many__gte=USUAL_LEAST).values("mean"), output_field=FloatField())


def readable(nodes: ConceptNodeQuerySet) -> ConceptNodeQuerySet:
    """Those with a vector of the model in use."""
    return nodes.filter(embedding_model=embedding.model_name(), embedding__isnull=False)


def rarest(terms: Sequence[str]) -> list[str]:
    """The terms to look for in a long text: the longest ones, which are the rarest."""
    return sorted(set(terms), key=lambda term: (-len(term), term))[:LOOKED_FOR_MOST]


def shared_count(looked_for: Sequence[str]) -> RawSQL:
    """How many of the terms a node has; a sum of containments is several times faster than an intersection."""
    each = " + ".join(["(memory_conceptnode.terms @> ARRAY[%s]::varchar[])::int"] * len(looked_for))
    return RawSQL(each, list(looked_for), output_field=IntegerField())


def with_cosine(nodes: ConceptNodeQuerySet, vector: Sequence[float] | None) -> QuerySet[Any]:
    """Annotate `cosine` to a vector; null where either vector is unusable or of another model."""
    if vector is None:
        # Cast, since PostgreSQL refuses to order by a bare NULL.
        return nodes.annotate(cosine=Cast(Value(None), FloatField()))
    same_model = Q(embedding_model=embedding.model_name(), embedding__isnull=False)
    return nodes.annotate(
        cosine=Case(When(same_model, then=1 - CosineDistance("embedding", list(vector))), output_field=FloatField())
    )
