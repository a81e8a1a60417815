"""Create a memory: its row, its vectors and its event."""

from collections.abc import Sequence
from datetime import datetime

from echovessel import events, text
from echovessel.embeddings import embedding
from memory.entities import mentions
from memory.models import ConceptNode
from memory.nodes import evidence

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
    """Create a thought with its evidence and links to the entities it names."""
    create(node, vector=vector, now=now)
    evidence.cite(node, filling, now=now)
    mentions.link_named(node)
    return node
