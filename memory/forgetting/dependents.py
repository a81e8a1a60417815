"""List what depends on a memory, to be shown before it is forgotten."""

from dataclasses import dataclass
from typing import Any

from echovessel import text
from memory.forgetting import echoes
from memory.models import ConceptNode, Entity, Session
from memory.nodes import evidence
from memory.recall import candidates, question, scoring
from memory.recall.candidates import CandidateQuery
from memory.recall.query_intent import QueryIntent
from memory.story import withdrawal
from personas.models import Bond

# From this relevance on two memories say nearly the same: a person may mean both.
SIMILAR_FROM = 0.7
ALIKE = (ConceptNode.Type.EVENT, ConceptNode.Type.FACT)
SIMILAR_MOST = 10


@dataclass(frozen=True)
class Dependent:
    node: ConceptNode
    depth: int


@dataclass(frozen=True)
class Dependents:
    """What depends on an event; all but `dependents` as ids. `messages` would go with `lines=forget`."""

    node: int
    dependents: list[Dependent]
    messages: list[int]
    mentions: list[int]
    summaries: list[int]
    descriptions: list[int]
    similar: list[int]
    # How many recaps and points of the story would be told anew.
    recaps: int
    points: int


def find(*, bond: Bond, event: Any) -> Dependents:
    """Find what depends on an event: citing nodes at any depth, messages, entities, summaries and similar memories.

    `event` comes from `for_serializer()`.
    """
    depths = evidence.find_citing_depths(event)
    nodes = ConceptNode.objects.for_bond(bond).filter(pk__in=depths).for_serializer().order_by("id")
    entities = Entity.objects.for_bond(bond).not_deleted_or_merged().filter(mentions__node=event).order_by("id")
    messages = sorted({*event.source_ids, *echoes.find_echoes(bond=bond, lines=event.source_ids, nodes=[event])})
    told_in = Session.objects.for_bond(bond).filter(messages__in=messages).exclude(summary="").distinct()
    story = withdrawal.preview(bond, lines=messages)
    return Dependents(
        node=event.pk,
        dependents=sorted((Dependent(node, depths[node.pk]) for node in nodes), key=lambda one: one.depth),
        messages=messages,
        mentions=[entity.pk for entity in entities],
        summaries=list(told_in.order_by("id").values_list("pk", flat=True)),
        descriptions=[entity.pk for entity in entities if entity.description],
        similar=find_similar_ids(bond=bond, event=event),
        recaps=story.recaps,
        points=story.points,
    )


def find_similar_ids(*, bond: Bond, event: ConceptNode) -> list[int]:
    """Find events and facts that say nearly the same, nearest first."""
    asked = CandidateQuery(
        terms=text.extract_terms(event.description), vector=event.embedding, entity_ids=[], periods=[]
    )
    found = candidates.find(bond=bond, asked=asked)
    evidence = question.build_evidence(found, question.build_bags(found), asked)
    relevances = scoring.compute_relevances(evidence, asks=QueryIntent.OPEN)
    near = [
        (relevance, candidate.node.pk)
        for relevance, candidate in zip(relevances, found, strict=True)
        if candidate.node.type in ALIKE and candidate.node.pk != event.pk and relevance >= SIMILAR_FROM
    ]
    return [pk for _, pk in sorted(near, reverse=True)[:SIMILAR_MOST]]
