"""Select what the prompt offers of memory: events and names near to the session's messages."""

from collections.abc import Iterable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import F, FloatField, QuerySet, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast

from echovessel import text
from echovessel.embeddings import embedding, vectors
from echovessel.llm.inputs import KnownEntity, NumberedEvent
from echovessel.postgres.rows import fetch_all
from echovessel.prompts import escape
from memory.answers.coercion import one_line
from memory.consolidation import transcript
from memory.consolidation.transcript import NumberedMessage
from memory.models import ConceptNode, Entity, EntityAlias, Mention, Message, lexemes
from memory.models.nodes import ConceptNodeQuerySet
from memory.recall import memories, scoring
from personas.models import Bond

EVENTS_MOST = 12
OTHER_NAMES_MOST = 12
# A long session as a whole is near to nothing, so each stretch of it is searched by itself.
STRETCH_CHARACTERS = 300
# How many events with shared terms are compared; those with the rarest terms come first.
MAX_SHARING_EVENTS = 100
# A session contradicts an event often in other words ("I quit today"), so this is just above unrelated texts.
MIN_NEARNESS = 0.31
# How many core facts about the user are offered at any distance: they may change without being named.
CORE_MOST = 4
PROMISES_MOST = 4
# Added to the cosine of an event that is linked to an entity of the session.
ANCHOR_BONUS = 0.2
# Count the events of each term, up to a limit.
_HOLDING = """
    SELECT term, count(*) FROM unnest(%s::text[], %s::text[]) AS asked(term, lexeme), LATERAL (
        SELECT FROM memory_conceptnode WHERE search @@ lexeme::tsquery
            AND deleted_at IS NULL AND NOT stale AND state = 'live' AND type = 'event' LIMIT %s
    ) AS holding GROUP BY term
"""


def find_events(*, bond: Bond, lines: Sequence[NumberedMessage], known: Sequence[Entity]) -> list[ConceptNode]:
    """Find events near to these messages or linked to the entities they name: a new event may supersede them.

    Returns at most twelve, nearest first, a few core facts about the user among them, then what the companion promised. Raises EmbeddingError.
    """
    asked = split_into_stretches(lines)
    if not asked:
        return []
    said = [one for one in map(vectors.as_text, embedding.embed(list(asked))) if one is not None]
    # The condition of the partial indexes.
    live = ConceptNode.objects.for_bond(bond).current().events().filter(state=ConceptNode.State.LIVE)
    # One query an index: a combined condition would scan every event of the bond.
    named = set(Mention.objects.filter(bond=bond, entity__in=known).values_list("node", flat=True))
    rare = pick_rare_terms(bond=bond, asked=asked.values())
    sharing = live.sharing(bond.pk, rare).values_list("pk", flat=True) if rare else []
    ids = {*named, *sharing, *find_nearest_ids(live, said)}
    bags = [scoring.build_term_bag(terms) for terms in asked.values()]
    rows = annotate_cosine(live.filter(pk__in=ids).without_heavy_columns(), said)
    weighed = (
        (score_nearness(node, bags) + (ANCHOR_BONUS if node.pk in named else 0.0), node.pk, node) for node in rows
    )
    near = [node for relevance, pk, node in sorted(weighed, reverse=True) if pk in named or relevance >= MIN_NEARNESS]
    core = (
        live.filter(relational_tags__contains=["identity-bearing"])
        .without_heavy_columns()
        .order_by("-created_at", "-id")
    )
    also = core.exclude(pk__in=[node.pk for node in near])[:CORE_MOST]
    return [*[*near, *also][:EVENTS_MOST], *find_promises(bond)]


def find_promises(bond: Bond) -> list[ConceptNode]:
    """Find what the companion means to do soonest: an appointment that moves takes its promise along."""
    current = ConceptNode.objects.for_bond(bond).current().filter(type=ConceptNode.Type.INTENTION)
    return list(
        current.without_heavy_columns().order_by(F("event_time_end").asc(nulls_last=True), "-id")[:PROMISES_MOST]
    )


def find_nearest_ids(live: ConceptNodeQuerySet, said: Sequence[str]) -> QuerySet[Any, int]:
    """Return the ids of the events nearest to any of the vectors, which are given as texts."""
    readable = live.filter(embedding_model=embedding.get_model_name(), embedding__isnull=False)
    return annotate_cosine(readable, said).order_by("-cosine", "-id").values_list("pk", flat=True)[:EVENTS_MOST]


def annotate_cosine(nodes: ConceptNodeQuerySet, said: Sequence[str]) -> QuerySet[Any]:
    """Annotate `cosine` to the nearest of the vectors; null where a node has no vector of this model."""
    if not said:
        # PostgreSQL orders by no bare constant.
        return nodes.annotate(cosine=Cast(Value(None), output_field=FloatField()))
    nearest = RawSQL(
        "CASE WHEN memory_conceptnode.embedding_model = %s THEN (SELECT max(1 - (memory_conceptnode.embedding <=> stretch)) "
        "FROM unnest(%s::text[]::halfvec[]) stretch) END",
        [embedding.get_model_name(), list(said)],
        output_field=FloatField(),
    )
    return nodes.annotate(cosine=nearest)


def pick_rare_terms(*, bond: Bond, asked: Iterable[Sequence[str]]) -> list[str]:
    """Pick the session's terms that the fewest events hold, so that the search stays bounded."""
    terms = sorted({term for terms in asked for term in terms})
    asked_for = [lexemes.format_lexeme(bond.pk, term) for term in terms]
    counts = sorted((count, term) for term, count in fetch_all(_HOLDING, [terms, asked_for, MAX_SHARING_EVENTS + 1]))
    looked_for: list[str] = []
    looked_at = 0
    for count, term in counts:
        looked_at += count
        if looked_for and looked_at > MAX_SHARING_EVENTS:
            break
        looked_for.append(term)
    return looked_for


def score_nearness(node: Any, asked: Sequence[scoring.TermBag]) -> float:
    held = scoring.build_term_bag(node.terms)
    lexical = max(scoring.compute_lexical_relevance(bag, held) for bag in asked)
    return memories.compute_relevance(cosine=node.cosine, lexical=lexical)


def split_into_stretches(lines: Sequence[NumberedMessage]) -> dict[str, list[str]]:
    """Return the user's messages, long ones cut, each with its terms; skip those without a term."""
    said = [numbered.text for numbered in lines if numbered.message.role == Message.Role.USER]
    cut = dict.fromkeys(part.strip() for one in said for part in transcript.split(one, most=STRETCH_CHARACTERS))
    with_terms = {part: text.extract_terms(part) for part in cut}
    return {part: terms for part, terms in with_terms.items() if terms}


def number_events(nodes: Sequence[ConceptNode], *, zone: ZoneInfo) -> tuple[NumberedEvent, ...]:
    """Return the events in the order of their numbers, each with the day it was first told."""
    told = ConceptNode.objects.filter(pk__in=[node.pk for node in nodes]).load_told_at()
    return tuple(
        NumberedEvent(number=at, told_on=told[node.pk].astimezone(zone).date(), text=one_line(node.description))
        for at, node in enumerate(nodes, start=1)
    )


def list_names(known: Sequence[Entity]) -> tuple[KnownEntity, ...]:
    """Return the entities with their other names."""
    others: dict[int, list[str]] = {entity.pk: [] for entity in known}
    aliases = EntityAlias.objects.not_deleted().filter(entity__in=known).order_by("id")
    for entity_id, name in aliases.values_list("entity", "name"):
        others[entity_id].append(one_line(name))
    return tuple(name_with_others(entity, others[entity.pk]) for entity in known)


def name_with_others(entity: Entity, names: Sequence[str]) -> KnownEntity:
    name = one_line(entity.canonical_name)
    others = [other for other in names if other != name][:OTHER_NAMES_MOST]
    return KnownEntity(name=name, kind=entity.kind, aliases=tuple(others))


def name_pair(uncertain: Entity | None) -> tuple[str, str] | None:
    if uncertain is None or uncertain.merge_target is None:
        return None
    return one_line(uncertain.canonical_name), one_line(uncertain.merge_target.canonical_name)


def format_events(events: Iterable[NumberedEvent]) -> str:
    """Format events as `[1] (2026-03-02) text`."""
    return "\n".join(f"[{event.number}] ({event.told_on}) {escape(event.text)}" for event in events)


def format_entities(known: Iterable[KnownEntity]) -> str:
    """Format entities as `- Yiyang (person), also: Scott, 黄逸扬`."""
    return "\n".join(
        f"- {escape(entity.name)} ({entity.kind})"
        + (f", also: {', '.join(map(escape, entity.aliases))}" if entity.aliases else "")
        for entity in known
    )


def format_pair(pair: tuple[str, str] | None) -> str:
    return " / ".join(map(escape, pair or ()))
