"""Finding what bears on this moment. It reads only: being remembered makes no memory stronger."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Case, F, FloatField, IntegerField, Q, QuerySet, Value, When, Window
from django.db.models.expressions import RawSQL
from django.db.models.functions import RowNumber
from pgvector.django import CosineDistance

from echovessel import embedding
from memory import entities, scoring, text
from memory.models import ConceptNode, Entity
from memory.models.nodes import ConceptNodeQuerySet
from personas.models import Bond

NEAREST = 40
ANCHORED_MOST = 100
LOOKED_FOR_MOST = 48
THOUGHTS_READ = 200
OWN_THOUGHTS = 5
USER_THOUGHTS = 5
RECALLED_TYPES = (ConceptNode.Type.EVENT, ConceptNode.Type.THOUGHT)


@dataclass(frozen=True)
class Item:
    """A candidate with every term of its score; `reason` says why one was cut."""

    node: ConceptNode
    terms: scoring.Terms
    score: float
    # Ids of the entities that brought it in.
    anchored_by: tuple[int, ...] = ()
    kept: bool = True
    reason: str | None = None


@dataclass(frozen=True)
class Recalled:
    """What a turn recalls: items best first, the cut ones behind; the entities that were named."""

    items: tuple[Item, ...]
    named: tuple[Entity, ...]

    @property
    def kept(self) -> list[Item]:
        return [item for item in self.items if item.kept]


def search(*, bond: Bond, query: str, vector: Sequence[float] | None, now: datetime, k: int | None = None) -> Recalled:
    """Recall for the text of a burst, whose vector (None where unusable) was made outside any transaction.

    `k` is how many are kept at most (RETRIEVE_K).
    """
    named = entities.named_in(bond=bond, said=query)
    asked = text.terms(query)
    found = candidates(bond=bond, asked=asked, vector=vector, entity_ids=[entity.pk for entity, _ in named])
    items = [scored(node, asked=asked, anchored_by=tuple(sorted(by)), now=now) for node, by in found]
    ranked = sorted(items, key=best_first)
    return Recalled(
        items=cut(ranked, most=settings.RETRIEVE_K if k is None else k), named=tuple(entity for entity, _ in named)
    )


def candidates(
    *, bond: Bond, asked: Sequence[str], vector: Sequence[float] | None, entity_ids: list[int]
) -> list[tuple[ConceptNode, list[int]]]:
    """Nodes near in meaning, sharing terms, or linked to an entity that was named (with the ids of those entities)."""
    nodes = ConceptNode.objects.of(bond).live().filter(type__in=RECALLED_TYPES).defer("embedding")
    near = with_cosine(nodes, vector)
    found: dict[int, ConceptNode] = {}
    ways = [*nearest(nodes, vector), *sharing(nodes, asked)]
    if ways:
        # Ids first, by a statement of their own: cosines and rows are then read for a few nodes, not for all that match, and no
        # plan can come to look for them anew at each row.
        ids = ways[0].union(*ways[1:]).values_list("pk", flat=True)
        found = {node.pk: node for node in near.filter(pk__in=list(ids))}
    anchored: dict[int, list[int]] = {}
    if entity_ids:
        nearest_first = (F("cosine").desc(nulls_last=True), F("pk").desc())
        place = Window(RowNumber(), partition_by=F("mentions__entity"), order_by=nearest_first)
        linked = near.filter(mentions__entity__in=entity_ids).annotate(entity_id=F("mentions__entity"), place=place)
        for node in linked.filter(place__lte=ANCHORED_MOST).order_by("id"):
            found[node.pk] = node
            anchored.setdefault(node.pk, []).append(node.entity_id)
    return [(node, anchored.get(pk, [])) for pk, node in found.items()]


def nearest(nodes: ConceptNodeQuerySet, vector: Sequence[float] | None) -> list[QuerySet[Any]]:
    """The ids of the nodes next in meaning, if the burst has a vector."""
    if vector is None:
        return []
    readable = nodes.filter(embedding_model=embedding.model_name(), embedding__isnull=False)
    return [readable.order_by(CosineDistance("embedding", list(vector)), "-id").values("pk")[:NEAREST]]


def sharing(nodes: ConceptNodeQuerySet, asked: Sequence[str]) -> list[QuerySet[Any]]:
    """The ids of the nodes with most terms of the burst, if it has any."""
    if not asked:
        return []
    looked_for = rarest(asked)
    return [
        nodes.filter(terms__overlap=looked_for).order_by(shared_count(looked_for).desc(), "-id").values("pk")[:NEAREST]
    ]


def rarest(asked: Sequence[str]) -> list[str]:
    """The terms to look for in a long burst: the longest ones, which are the rarest."""
    return sorted(set(asked), key=lambda term: (-len(term), term))[:LOOKED_FOR_MOST]


def shared_count(looked_for: Sequence[str]) -> RawSQL:
    """How many of the terms a node has; a sum of containments is several times faster than an intersection."""
    each = " + ".join(["(memory_conceptnode.terms @> ARRAY[%s]::varchar[])::int"] * len(looked_for))
    return RawSQL(each, list(looked_for), output_field=IntegerField())


def with_cosine(nodes: ConceptNodeQuerySet, vector: Sequence[float] | None) -> QuerySet[Any]:
    """Annotate `cosine` to the query's vector; null where either text's vector is unusable or of another model."""
    if vector is None:
        return nodes.annotate(cosine=Value(None, output_field=FloatField()))
    same_model = Q(embedding_model=embedding.model_name(), embedding__isnull=False)
    return nodes.annotate(
        cosine=Case(When(same_model, then=1 - CosineDistance("embedding", list(vector))), output_field=FloatField())
    )


def scored(node: Any, *, asked: Sequence[str], anchored_by: tuple[int, ...], now: datetime) -> Item:
    terms = scoring.Terms(
        recency=scoring.recency(node.created_at, now),
        relevance=relevance(cosine=node.cosine, asked=asked, held=node.terms),
        impact=abs(node.emotional_impact) / 10,
        relational=scoring.RELATIONAL_TERM if node.relational_tags else 0.0,
        anchor=1.0 if anchored_by else 0.0,
        graph=0.0,
    )
    return Item(
        node=node,
        terms=terms,
        score=terms.score(relational_weight=settings.RELATIONAL_BONUS_WEIGHT),
        anchored_by=anchored_by,
    )


def best_first(item: Item) -> tuple[float, int, int]:
    """By score; ties by the strength of the impact, then the newest."""
    return -item.score, -abs(item.node.emotional_impact), -item.node.pk


def relevance(*, cosine: float | None, asked: Sequence[str], held: Sequence[str]) -> float:
    """Of the vectors where both are usable, helped by shared terms; else of the terms alone."""
    lexical = scoring.lexical_relevance(asked, held)
    if cosine is None:
        return lexical
    dense = scoring.vector_relevance(cosine, baseline=embedding.cosine_baseline())
    return max(dense, (dense + lexical) / 2)


def cut(ranked: Sequence[Item], *, most: int) -> tuple[Item, ...]:
    """Keep the best `most`, none under the floor unless anchored, at most three of one session; the rest get their reason."""
    kept: list[Item] = []
    dropped: list[Item] = []
    of_session: Counter[int] = Counter()
    for item in ranked:
        session = item.node.session_id
        if item.terms.relevance < scoring.RELEVANCE_FLOOR and not item.anchored_by:
            reason = "floor"
        elif len(kept) >= most:
            reason = "beyond_k"
        elif session is not None and of_session[session] >= scoring.SAME_SESSION_MOST:
            reason = "session_limit"
        else:
            kept.append(item)
            if session is not None:
                of_session[session] += 1
            continue
        dropped.append(replace(item, kept=False, reason=reason))
    return (*kept, *dropped)


@dataclass(frozen=True)
class AlwaysLoaded:
    own_thoughts: list[ConceptNode]
    user_thoughts: list[ConceptNode]
    intentions: list[ConceptNode]
    expectations: list[ConceptNode]


def always(*, bond: Bond, now: datetime) -> AlwaysLoaded:
    """What is in every prompt: thoughts of oneself and about the user, open promises, pending expectations."""
    nodes = ConceptNode.objects.of(bond).live().defer("embedding", "terms").order_by("-created_at", "-id")
    thoughts = list(nodes.thoughts()[:THOUGHTS_READ])
    # However old: a promise is open until it is kept, broken or taken back.
    promised = list(nodes.filter(type__in=(ConceptNode.Type.INTENTION, ConceptNode.Type.EXPECTATION)))
    about_user = [node for node in thoughts if node.subject != ConceptNode.Subject.PERSONA]
    about_user.sort(key=lambda node: -scoring.recency(node.created_at, now) * abs(node.emotional_impact))
    return AlwaysLoaded(
        own_thoughts=[node for node in thoughts if node.subject == ConceptNode.Subject.PERSONA][:OWN_THOUGHTS],
        user_thoughts=about_user[:USER_THOUGHTS],
        intentions=[node for node in promised if node.type == ConceptNode.Type.INTENTION],
        expectations=[node for node in promised if node.type == ConceptNode.Type.EXPECTATION],
    )
