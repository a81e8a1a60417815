"""People and things with the events they occur in, as a graph small enough to be drawn and read."""

from dataclasses import dataclass

from django.db.models import Count, F, QuerySet, Window
from django.db.models.functions import Abs, RowNumber

from memory.models import ConceptNode, Entity, Mention

ENTITIES_MOST = 40
# Of few entities each shows more of its events than of many.
EVENTS_MOST = 240


@dataclass(frozen=True)
class Graph:
    # The most mentioned first.
    entities: list[Entity]
    # The newest first.
    events: list[ConceptNode]
    # Of an entity and an event.
    links: list[tuple[int, int]]
    # In how many of the events each entity occurs, also in those that are left out.
    counts: dict[int, int]
    entities_count: int
    # How many events each entity may bring.
    each: int

    @property
    def has_all_entities(self) -> bool:
        return len(self.entities) == self.entities_count

    @property
    def has_all_events(self) -> bool:
        return len(self.links) == sum(self.counts.values())


def build(*, entities: QuerySet[Entity], events: QuerySet[ConceptNode]) -> Graph:
    """The most mentioned of these entities, each with the weightiest of these events, and all links between the two."""
    mentions = Mention.objects.filter(entity__in=entities.values("pk"), node__in=events.values("pk"))
    ranked = mentions.values("entity").annotate(count=Count("pk")).order_by("-count", "-entity")
    counts = dict(ranked.values_list("entity", "count")[:ENTITIES_MOST])
    each = EVENTS_MOST // max(1, len(counts))
    by_weight = [Abs("node__emotional_impact").desc(), F("node__created_at").desc(), F("node").desc()]
    place = Window(RowNumber(), partition_by=F("entity"), order_by=by_weight)
    weighty = mentions.filter(entity__in=counts).annotate(place=place).filter(place__lte=each)
    drawn = list(events.filter(pk__in=set(weighty.values_list("node", flat=True))).order_by("-created_at", "-id"))
    links = Mention.objects.filter(entity__in=counts, node__in=[event.pk for event in drawn]).order_by("entity", "node")
    return Graph(
        entities=sorted(entities.filter(pk__in=counts), key=lambda one: list(counts).index(one.pk)),
        events=drawn,
        links=list(links.values_list("entity", "node")),
        counts=counts,
        entities_count=mentions.aggregate(count=Count("entity", distinct=True))["count"],
        each=each,
    )
