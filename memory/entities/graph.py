"""Build a graph of entities and their events, small enough to draw and read."""

from dataclasses import dataclass

from django.db.models import Count, F, QuerySet, Window
from django.db.models.functions import Abs, RowNumber

from memory.models import ConceptNode, Entity, Mention

ENTITIES_MOST = 40
# The fewer the entities, the more events each shows.
EVENTS_MOST = 240


@dataclass(frozen=True)
class Graph:
    # Most mentioned first.
    entities: list[Entity]
    # Newest first.
    events: list[ConceptNode]
    # Pairs of an entity's and an event's id.
    links: list[tuple[int, int]]
    # The number of events of each entity, including those left out.
    counts: dict[int, int]
    entities_count: int
    # The events an entity may add.
    each: int

    @property
    def has_all_entities(self) -> bool:
        return len(self.entities) == self.entities_count

    @property
    def has_all_events(self) -> bool:
        return len(self.links) == sum(self.counts.values())


def build(*, entities: QuerySet[Entity], events: QuerySet[ConceptNode]) -> Graph:
    """Build a graph of the most mentioned of these entities, the weightiest events of each, and all links between them."""
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
