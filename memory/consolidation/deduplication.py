"""Decide whether an event repeats one that is remembered.

Embedding models place texts that differ in one name or number as near as true repetitions. So nearness selects
candidates, and the names, numbers and words of both texts decide. In doubt both stay: one row too many loses nothing,
one too few loses a fact.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet
from pgvector.django import CosineDistance

from echovessel import events
from echovessel.embeddings import embedding, vectors
from memory import text
from memory.answers.schemas import EntityAnswer, EventAnswer
from memory.consolidation.parse_answer import ExtractedEvent
from memory.entities import kinship_terms, lookup
from memory.models import ConceptNode, EntityAlias, Message, NodeSource
from personas.models import Bond

SAME_FROM = 0.85
LOOKS_BACK = timedelta(days=30)
NEAREST = 10
# Vectors are stored in half precision.
_TOLERANCE = 2e-4

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million first second third fourth fifth "
    "sixth seventh eighth ninth tenth half once twice both last next"
)
_NUMBER = re.compile(
    rf"\d+(?:[.,:]\d+)*|[零〇一二两三四五六七八九十百千万亿半]+|\b(?:{'|'.join(_NUMBER_WORDS.split())})\b"
)
_CHINESE_DIGITS = {character: str(digit) for digit, character in enumerate("零一二三四五六七八九十")} | {
    "两": "2",
    "〇": "0",
}
_DIGITS = {word: str(digit) for digit, word in enumerate(_NUMBER_WORDS.split()[:13])} | _CHINESE_DIGITS
_NEGATION = re.compile(r"\b(?:no|not|never|none|nobody|nothing|without|cannot|no longer)\b|n't\b|[不没未别无]")


@dataclass(frozen=True)
class ComparableFacts:
    """The facts of a text that a repetition must share, in the same order."""

    who: tuple[str, ...]
    kin: tuple[str, ...]
    numbers: tuple[str, ...]
    is_negated: bool
    words: tuple[str, ...] = field(compare=False)
    # The capitalised words that are in no known name.
    capitalised: frozenset[str] = field(compare=False)

    def is_same_as(self, other: "ComparableFacts") -> bool:
        named = self.capitalised | other.capitalised
        both = self.capitalised & other.capitalised
        return (
            self == other
            and named <= {*self.words} & {*other.words}
            and self.select_words(both) == other.select_words(both)
        )

    def select_words(self, words: frozenset[str]) -> list[str]:
        return list(dict.fromkeys(word for word in self.words if word in words))


def find_duplicate(
    *, bond: Bond, found: ExtractedEvent, vector: Sequence[float] | None, now: datetime
) -> ConceptNode | None:
    """Find the node of the same type that an event repeats."""
    event = found.event
    if vector is None or found.supersedes or "correction" in event.relational_tags:
        return None
    candidates = [
        node
        for node in find_similar_nodes(bond=bond, type=found.type, vector=vector, now=now)
        if is_compatible(node, event)
    ]
    if not candidates:
        return None
    names = map_names(bond=bond, named=found.named)
    facts = extract_facts(event.description, bond=bond, names=names)
    return next(
        (
            node
            for node in candidates
            if facts.is_same_as(extract_facts(node.description, bond=bond, names=names))
            and not is_either_replaced(node.description, event.description)
        ),
        None,
    )


def find_similar_nodes(*, bond: Bond, type: str, vector: Sequence[float], now: datetime) -> list[ConceptNode]:
    """Find nodes of the last 30 days that are near enough to be repetitions, nearest first."""
    nodes = ConceptNode.objects.for_bond(bond).current().filter(type=type, created_at__gte=now - LOOKS_BACK)
    readable = nodes.filter(embedding_model=embedding.get_model_name(), embedding__isnull=False).without_heavy_columns()
    with_distance: QuerySet[Any] = readable.annotate(distance=CosineDistance("embedding", list(vector)))
    nearest = with_distance.order_by("distance", "-id")
    baseline = embedding.get_cosine_baseline()
    return [
        node
        for node in nearest[:NEAREST]
        if vectors.relevance(vectors.rescale(1 - node.distance, baseline=baseline)) >= SAME_FROM - _TOLERANCE
    ]


def is_compatible(node: ConceptNode, event: EventAnswer) -> bool:
    days = event.event_time
    return (
        (node.subject, get_sign(node.emotional_impact)) == (event.subject, get_sign(event.emotional_impact))
        and node.event_time_start == (days.start if days else None)
        and node.event_time_end == (days.end if days else None)
    )


def get_sign(impact: int) -> int:
    return (impact > 0) - (impact < 0)


def map_names(*, bond: Bond, named: Sequence[EntityAnswer]) -> dict[str, str]:
    """Map each folded name of an answer to an entity of the bond, or to one that the answer introduces."""
    names: dict[str, str] = {}
    for entity in named:
        folded = [text.fold(name) for name in (entity.canonical_name, *entity.aliases)]
        aliases = EntityAlias.objects.of_existing_entities().filter(bond=bond, folded__in=folded)
        known = aliases.order_by("entity_id").values_list("entity_id", flat=True).first()
        names |= dict.fromkeys(folded, f"entity {known}" if known else folded[0])
    return names


def extract_facts(description: str, *, bond: Bond, names: Mapping[str, str]) -> ComparableFacts:
    folded = text.fold(description).replace("’", "'")
    by_answer = {name: whom for name, whom in names.items() if text.contains_name(folded, name)}
    by_bond = {text.fold(name): f"entity {one.pk}" for one, name in lookup.find_named(bond=bond, said=description)}
    themselves = (bond.user.username, bond.user.shown_name, bond.persona.name)
    known_words = {word for name in (*by_answer, *by_bond, *map(text.fold, themselves)) for word in name.split()}
    words = split_words(description)
    return ComparableFacts(
        who=sort_by_place({whom: folded.find(name) for name, whom in {**by_answer, **by_bond}.items()}),
        kin=sort_by_place(kinship_terms.find_kin(folded)),
        numbers=tuple(_DIGITS.get(found, found) for found in _NUMBER.findall(folded)),
        is_negated=_NEGATION.search(folded) is not None,
        words=tuple(word for word, _ in words),
        capitalised=frozenset(word for word, is_name in words if is_name and word not in known_words),
    )


def sort_by_place(places: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(sorted(places, key=lambda key: (places[key], key)))


def split_words(description: str) -> list[tuple[str, bool]]:
    """Split a text into folded words. Flag each that is a name: its capital is not explained by a sentence's start."""
    words = _WORD.findall(unicodedata.normalize("NFKC", description).replace("’", "'"))
    folded = [(word.casefold().removesuffix("'s"), word[0].isupper()) for word in words]
    return [(word, has_capital and word not in text.STOP_WORDS | {"user"}) for word, has_capital in folded]


def is_either_replaced(one: str, other: str) -> bool:
    """Whether each of two Chinese texts holds characters of meaning that the other lacks: one name may replace another.

    Chinese names cannot be told from other words, so no replacement is allowed.
    """
    a, b = (set(filter(text.has_cjk, text.extract_terms(description))) for description in (one, other))
    return bool({term for term in a - b if len(term) == 1} and {term for term in b - a if len(term) == 1})


def count_repetition(node: ConceptNode, *, sources: Sequence[Message], now: datetime) -> None:
    """Count a repetition of a node and link these messages to it."""
    ConceptNode.objects.filter(pk=node.pk).update(mention_count=F("mention_count") + 1)
    NodeSource.objects.bulk_create(
        [NodeSource(bond=node.bond, node=node, message=message) for message in sources], ignore_conflicts=True
    )
    refs = {"node": node.pk, "changed": ["mention_count", "source_messages"]}
    events.record(bond_id=node.bond_id, type="memory.node.updated", refs=refs, now=now)
