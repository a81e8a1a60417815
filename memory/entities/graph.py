"""Build a graph of entities with their events and facts, small enough to draw and read."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet, Window
from django.db.models.functions import Abs, RowNumber

from memory.models import ConceptNode, Entity, Mention, NodeLink

ENTITIES_MOST = 40
# The fewer the entities, the more events each shows.
EVENTS_MOST = 240
# Facts of each entity, and of the user alone.
FACTS_EACH = 3
FACTS_OF_USER = 12


@dataclass(frozen=True)
class FactGraph:
    """The facts around the entities that are drawn."""

    # Newest first.
    facts: list[ConceptNode]
    # Pairs of an entity's and a fact's id; None stands for the user, of whom a fact speaks that names nobody drawn.
    links: list[tuple[int | None, int]]
    # Ids of two facts, and what the one is to the other.
    relations: list[tuple[int, int, str]]


@dataclass(frozen=True)
class Graph:
    # Those of most events first.
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
    facts: FactGraph

    @property
    def has_all_entities(self) -> bool:
        return len(self.entities) == self.entities_count

    @property
    def has_all_events(self) -> bool:
        return len(self.links) == sum(self.counts.values())


def build(*, entities: QuerySet[Entity], events: QuerySet[ConceptNode], facts: QuerySet[ConceptNode]) -> Graph:
    """Build a graph of the entities that these events and facts mention most, the weightiest events of each, their newest facts, and all links."""
    mentions = Mention.objects.filter(entity__in=entities.values("pk"))
    in_events = Q(node__in=events.values("pk"))
    named = mentions.filter(in_events | Q(node__in=facts.values("pk")))
    ranked = named.values("entity").annotate(count=Count("pk", filter=in_events), named_count=Count("pk"))
    ranked = ranked.order_by("-count", "-named_count", "-entity")
    counts = dict(ranked.values_list("entity", "count")[:ENTITIES_MOST])
    each = EVENTS_MOST // max(1, len(counts))
    by_weight = [Abs("node__emotional_impact").desc(), F("node__created_at").desc(), F("node").desc()]
    place = Window(RowNumber(), partition_by=F("entity"), order_by=by_weight)
    weighty = mentions.filter(in_events, entity__in=counts).annotate(place=place).filter(place__lte=each)
    drawn = list(events.filter(pk__in=set(weighty.values_list("node", flat=True))).order_by("-created_at", "-id"))
    known = sorted(entities.filter(pk__in=counts), key=lambda one: list(counts).index(one.pk))
    links = Mention.objects.filter(entity__in=counts, node__in=[event.pk for event in drawn]).order_by("entity", "node")
    return Graph(
        entities=known,
        events=drawn,
        links=list(links.values_list("entity", "node")),
        counts=counts,
        entities_count=named.aggregate(count=Count("entity", distinct=True))["count"],
        each=each,
        facts=build_facts(facts=facts, entities=known),
    )


def build_facts(*, facts: QuerySet[ConceptNode], entities: list[Entity]) -> FactGraph:
    """Build what is known for sure: the newest facts that name each of these entities, and the newest that name none."""
    named = Mention.objects.filter(entity__in=entities, node__in=facts.values("pk"))
    place = Window(RowNumber(), partition_by=F("entity"), order_by=F("node").desc())
    newest = named.annotate(place=place).filter(place__lte=FACTS_EACH).order_by("entity", "-node")
    links: list[tuple[int | None, int]] = list(newest.values_list("entity", "node"))
    alone = facts.exclude(pk__in=named.values("node")).order_by("-id").values_list("pk", flat=True)
    links += [(None, pk) for pk in alone[:FACTS_OF_USER]]
    drawn = [pk for _entity, pk in links]
    relations = NodeLink.objects.filter(a__in=drawn, b__in=drawn).order_by("id")
    return FactGraph(
        facts=list(facts.filter(pk__in=drawn).order_by("-id")),
        links=links,
        relations=list(relations.values_list("a", "b", "relation")),
    )
