"""Gather the material of a slow tick and cut it to its token limit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Q, QuerySet

from echovessel import tokens
from echovessel.prompts import escape
from memory.models import ConceptNode, Entity, EntityRemark, Session, SlowTickRun
from memory.models.nodes import ConceptNodeQuerySet
from memory.nodes import evidence, outcomes
from memory.story import cards
from personas.models import Bond

MAX_PROMPT_TOKENS = 8_000
FIRST_LOOKS_BACK = timedelta(days=7)
# For so long after an expectation expired, an outcome may still be found.
EXPIRED_LOOKS_BACK = timedelta(days=7)
EVENTS_MOST = 600
TALKS_MOST = 5
THOUGHTS_MOST = 5
AWAITED_MOST = 20
ENTITIES_MOST = 5
EVENTS_OF_AN_ENTITY = 8
DESCRIBED_FROM = 3
# In the order of cutting: the kind, the end it is cut from (0: the first), and how many are left at least.
CUT_ORDER = (
    ("events", 0, 5),
    ("talks", 0, 0),
    ("entities", -1, 0),
    ("thoughts", 0, 0),
    ("intentions", -1, 0),
    ("expectations", -1, 0),
    ("questions", -1, 0),
    ("events", 0, 0),
)


@dataclass(frozen=True)
class MaterialItem:
    """One line of the prompt, with the nodes it shows."""

    text: str
    nodes: tuple[ConceptNode, ...] = ()
    entity: Entity | None = None
    talk: Session | None = None


@dataclass(frozen=True, kw_only=True)
class Material:
    """All material of a run, oldest or most urgent first."""

    events: tuple[MaterialItem, ...] = ()
    talks: tuple[MaterialItem, ...] = ()
    thoughts: tuple[MaterialItem, ...] = ()
    questions: tuple[MaterialItem, ...] = ()
    expectations: tuple[MaterialItem, ...] = ()
    intentions: tuple[MaterialItem, ...] = ()
    entities: tuple[MaterialItem, ...] = ()

    def collect_evidence(self) -> dict[int, ConceptNode]:
        """Return the events and facts that were shown, by id."""
        return {node.pk: node for told in (*self.events, *self.entities) for node in told.nodes}

    def collect_nodes(self, *names: str) -> dict[int, ConceptNode]:
        return {node.pk: node for name in names for told in getattr(self, name) for node in told.nodes}

    def collect_all_nodes(self) -> dict[int, ConceptNode]:
        return self.collect_evidence() | self.collect_nodes("thoughts", "expectations", "intentions")

    def collect_summaries(self) -> dict[int, str]:
        return {told.talk.pk: told.talk.summary for told in self.talks if told.talk is not None}

    def collect_entities(self) -> dict[int, Entity]:
        return {told.entity.pk: told.entity for told in self.entities if told.entity is not None}


def load_fresh_events(bond: Bond, *, last: SlowTickRun | None, now: datetime) -> ConceptNodeQuerySet:
    """Load the events since the last run; for the first run those of a week."""
    events = ConceptNode.objects.for_bond(bond).current().events()
    if last is None:
        return events.filter(created_at__gt=now - FIRST_LOOKS_BACK)
    return events.filter(pk__gt=last.last_event_id)


def find_undescribed(bond: Bond) -> QuerySet[Entity]:
    """Find entities without a description, or with one of a single session, that occur in three events or have three
    remarks, and those with more remarks than a card holds.

    Those whose owner wants no description are left out.
    """
    kind, state = ConceptNode.Type.EVENT, ConceptNode.State.LIVE
    live = Q(mentions__node__type=kind, mentions__node__state=state, mentions__node__deleted_at=None)
    bare = Q(description="") | Q(description_by=Entity.Author.EXTRACTION)
    entities = Entity.objects.for_bond(bond).not_deleted_or_merged().filter(merge_status=Entity.MergeStatus.CONFIRMED)
    wanting = entities.exclude(description_by=Entity.Author.OWNER).annotate(
        linked=Count("mentions", filter=live, distinct=True),
        remarked=Count("remarks", filter=Q(remarks__replaced_by=None, remarks__absorbed_at=None), distinct=True),
    )
    told = bare & (Q(linked__gte=DESCRIBED_FROM) | Q(remarked__gte=DESCRIBED_FROM))
    return wanting.filter(told | Q(remarked__gt=cards.REMARKS_MOST)).order_by("-last_mentioned_at", "-id")


def gather(*, bond: Bond, last: SlowTickRun | None, now: datetime) -> Material:
    """Gather the material of a run that begins now, uncut."""
    zone = bond.user.zone
    nodes = ConceptNode.objects.for_bond(bond).not_deleted().without_heavy_columns("terms")
    events = (
        load_fresh_events(bond, last=last, now=now)
        .without_heavy_columns("terms")
        .with_told_at()
        .order_by("-id")[:EVENTS_MOST]
    )
    fresh = [*reversed(events)]
    # Stale thoughts too: citing one anew revives it.
    thoughts = nodes.thoughts().filter(state=ConceptNode.State.LIVE).order_by("-created_at", "-id")[:THOUGHTS_MOST]
    intentions = nodes.filter(state=ConceptNode.State.OPEN).order_by("event_time_end", "id")[:AWAITED_MOST]
    return Material(
        events=tuple(
            MaterialItem(format_event(node, zone=zone), (node,)) for node in (*evidence.load_newest_facts(bond), *fresh)
        ),
        talks=load_talks(fresh, zone=zone),
        thoughts=tuple(MaterialItem(format_thought(node, zone=zone), (node,)) for node in reversed(thoughts)),
        questions=tuple(MaterialItem(f"- {one_line(question)}") for question in (last.questions if last else [])),
        expectations=tuple(MaterialItem(format_awaited(node), (node,)) for node in filter_awaited(nodes, now=now)),
        intentions=tuple(MaterialItem(format_awaited(node), (node,)) for node in intentions),
        entities=tuple(format_entity(entity, zone=zone) for entity in find_undescribed(bond)[:ENTITIES_MOST]),
    )


def load_talks(events: Sequence[ConceptNode], *, zone: ZoneInfo) -> tuple[MaterialItem, ...]:
    """Load what the talks of these events came to: no event tells what the companion did of what it meant to do."""
    talks = Session.objects.not_deleted().filter(pk__in={node.session_id for node in events}).exclude(summary="")
    return tuple(
        MaterialItem(
            f"talk {talk.pk} ({talk.last_message_at.astimezone(zone).date()}): {one_line(talk.summary)}", talk=talk
        )
        for talk in reversed(talks.order_by("-last_message_at", "-id")[:TALKS_MOST])
    )


def filter_awaited(nodes: QuerySet[ConceptNode], *, now: datetime) -> QuerySet[ConceptNode]:
    """Filter pending expectations, and those that expired in the last week; the next due first."""
    pending = Q(state=ConceptNode.State.PENDING)
    by_clock = Q(state_reason__in=[outcomes.DAY_IS_OVER, outcomes.AWAITED_LONG])
    given_up = Q(state=ConceptNode.State.EXPIRED, valid_until__gt=now - EXPIRED_LOOKS_BACK)
    return nodes.filter(pending | given_up & by_clock).order_by("event_time_end", "id")[:AWAITED_MOST]


def format_entity(entity: Entity, *, zone: ZoneInfo) -> MaterialItem:
    """Format an entity with all names, its description and remarks, and its newest events."""
    linked = ConceptNode.objects.for_bond(entity.bond).current().events().filter(mentions__entity=entity)
    nodes = tuple(reversed(linked.without_heavy_columns("terms").with_told_at().order_by("-id")[:EVENTS_OF_AN_ENTITY]))
    names = list(entity.aliases.not_deleted().order_by("id").values_list("name", flat=True))
    others = [one_line(name) for name in names if name != entity.canonical_name]
    also = f", also: {', '.join(others)}" if others else ""
    # No brackets: these mark the ids of events.
    head = f"entity {entity.pk}: {one_line(entity.canonical_name)} ({entity.kind}){also}"
    lines = [f"  {format_event(node, zone=zone)}" for node in nodes]
    told = [f"  known: {one_line(entity.description)}"] if entity.description else []
    remarks = EntityRemark.objects.live().filter(entity=entity).order_by("scene__last_message_id", "id")
    told += [f"  remark: {one_line(f'{one.label}: {one.text}' if one.label else one.text)}" for one in remarks]
    return MaterialItem("\n".join([head, *told, *lines]), nodes, entity)


def format_event(node: Any, *, zone: ZoneInfo) -> str:
    """Format `[12] (2026-11-19, about 2026-11-27) impact +4: text`, with a tag where the user corrected something; of a
    fact `a fact` for its impact.
    """
    corrected = ", a correction" if "correction" in node.relational_tags else ""
    days = format_days(node, zone=zone)
    return f"[{node.pk}] ({days}) {format_weight(node)}{corrected}: {one_line(node.description)}"


def format_weight(node: ConceptNode) -> str:
    return "a fact" if node.type == ConceptNode.Type.FACT else f"impact {node.emotional_impact:+d}"


def format_days(node: Any, *, zone: ZoneInfo) -> str:
    """Format the day on which a node was told (`told_at`), and the days it is about where these differ."""
    told = node.told_at.astimezone(zone).date()
    first, last = node.event_time_start or node.event_time_end, node.event_time_end or node.event_time_start
    if last is None or first == last == told:
        return str(told)
    return f"{told}, about {first}" if first == last else f"{told}, about {first} to {last}"


def format_thought(node: ConceptNode, *, zone: ZoneInfo) -> str:
    whom = "yourself" if node.subject == ConceptNode.Subject.PERSONA else "the user"
    stale = ", but what it rested on has changed" if node.stale else ""
    return f"[{node.pk}] ({node.created_at.astimezone(zone).date()}) about {whom}{stale}: {one_line(node.description)}"


def format_awaited(node: ConceptNode) -> str:
    day = f"by {node.event_time_end}" if node.event_time_end else "no day"
    given_up = ", given up" if node.state == ConceptNode.State.EXPIRED else ""
    return f"[{node.pk}] ({day}{given_up}) {one_line(node.description)}"


def one_line(text: str) -> str:
    return escape(" ".join(text.split()))


def cut_to_fit(material: Material, *, fixed_tokens: int, wall: int = MAX_PROMPT_TOKENS) -> tuple[Material, list[str]]:
    """Cut the material to the limit less the fixed text, with a note for each kind that was cut."""
    kept: dict[str, list[MaterialItem]] = {name: list(getattr(material, name)) for name, _, _ in CUT_ORDER}
    total = fixed_tokens + sum(estimate_tokens(told) for told in kept.values())
    cut: dict[str, int] = {}
    for name, end, least in CUT_ORDER:
        while total > wall and len(kept[name]) > least:
            total -= estimate_tokens([kept[name].pop(end)])
            cut[name] = cut.get(name, 0) + 1
    notes = [f"{count} of {name} left out, to read no more than {wall} tokens" for name, count in cut.items()]
    return replace(material, **{name: tuple(told) for name, told in kept.items()}), notes


def estimate_tokens(told: Sequence[MaterialItem]) -> int:
    """Estimate each item by itself, with its line break: the sum is never too low."""
    return sum(tokens.estimate(f"{one.text}\n") for one in told)
