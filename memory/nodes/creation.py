"""Create a memory: its row, its vectors and its event."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pgvector.django import CosineDistance

from echovessel import events, text
from echovessel.embeddings import embedding, vectors
from memory.entities import mentions
from memory.models import ConceptNode
from memory.nodes import evidence

# The cosine of two thoughts that say the same: of six pairs in other words three to five, of those of two lives none that differ.
SAME_THOUGHT_FROM = 0.75
FIRST_STATE = {
    ConceptNode.Type.EVENT: ConceptNode.State.LIVE,
    ConceptNode.Type.FACT: ConceptNode.State.LIVE,
    ConceptNode.Type.THOUGHT: ConceptNode.State.LIVE,
    ConceptNode.Type.EXPECTATION: ConceptNode.State.PENDING,
    ConceptNode.Type.INTENTION: ConceptNode.State.OPEN,
}


def complete(node: ConceptNode, *, vector: Sequence[float] | None, now: datetime) -> ConceptNode:
    """Set a new node's state, validity and search columns; do not save it.

    `vector` is the vector of the description, None where the embedding model cannot read it.
    """
    node.state = node.state or FIRST_STATE[ConceptNode.Type(node.type)]
    node.valid_from = node.created_at = now
    node.terms = sorted(set(text.extract_terms(node.description)))
    node.embedding, node.embedding_model = vector, embedding.get_model_name()
    return node


def create(node: ConceptNode, *, vector: Sequence[float] | None, now: datetime) -> ConceptNode:
    """Complete a new node, save it and announce it. The caller has locked the bond."""
    complete(node, vector=vector, now=now).save(force_insert=True)
    events.record(bond_id=node.bond_id, type=name_creation(node), refs={"node": node.pk}, now=now)
    return node


def name_creation(node: ConceptNode) -> str:
    """Name the event that announces a new node."""
    is_own = node.type in (ConceptNode.Type.EVENT, ConceptNode.Type.FACT)
    return f"memory.{node.type if is_own else 'thought'}.created"


def create_with_evidence(
    node: ConceptNode, *, filling: Sequence[int], vector: Sequence[float] | None, now: datetime
) -> ConceptNode:
    """Create a thought with its evidence and links to the entities it names. One that says again what an earlier thought does gives
    that one its evidence instead.
    """
    if node.type == ConceptNode.Type.THOUGHT and (same := find_same_thought(node, vector)) is not None:
        cited = set(same.filling_edges.values_list("child", flat=True))
        evidence.cite(same, [child for child in filling if child not in cited], now=now)
        return same
    create(node, vector=vector, now=now)
    evidence.cite(node, filling, now=now)
    mentions.link_named(node)
    return node


def find_same_thought(node: ConceptNode, vector: Sequence[float] | None) -> ConceptNode | None:
    """Find the earlier thought that says what a new one does, in its words or nearly, and feels no otherwise about it."""
    thoughts = ConceptNode.objects.for_bond(node.bond).current().thoughts().filter(subject=node.subject)
    same = thoughts.filter(description=node.description).first()
    if same is not None or vector is None:
        return same
    readable = thoughts.filter(embedding_model=embedding.get_model_name(), embedding__isnull=False)
    near: Any = readable.annotate(distance=CosineDistance("embedding", vector)).order_by("distance", "id").first()
    baseline = embedding.get_cosine_baseline()
    is_near = near is not None and vectors.rescale(1 - near.distance, baseline=baseline) >= SAME_THOUGHT_FROM
    return near if near is not None and is_near and near.emotional_impact * node.emotional_impact >= 0 else None
