"""Correct a memory by hand: the person's text supersedes the old one, which stays as history."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models.expressions import RawSQL
from django.forms import model_to_dict

from echovessel.embeddings import embedding
from echovessel.errors import CodedError
from memory import sessions
from memory.entities import mentions
from memory.messages import secrets
from memory.models import ConceptNode, Filling, NodeSource
from memory.nodes import creation, links, staleness

CONFIDENCE = 1.0
# The columns that a correction copies; its text and impact are the person's.
COPIED_FIELDS = (
    "type", "subject", "emotion_tags", "relational_tags", "event_time_start", "event_time_end", "state", "state_reason", "source_quote",
    "source_deleted", "mention_count",
)  # fmt: skip

# The chain of successors of a memory, each once, also where they form a circle.
_LATER = """
    WITH RECURSIVE later (id) AS (
        SELECT superseded_by_id FROM memory_conceptnode WHERE id = %s
        UNION
        SELECT node.superseded_by_id FROM memory_conceptnode node JOIN later USING (id) WHERE node.state = 'superseded'
    )
    SELECT id FROM later
"""


class CorrectionError(CodedError):
    """A memory that cannot be corrected."""


def correct(
    *, node: ConceptNode, description: str | None = None, emotional_impact: int | None = None, now: datetime
) -> ConceptNode:
    """Supersede a node by one with this text and impact. Returns the new node, or the same one if nothing differs.

    The new node keeps messages, evidence, entities and tags of the old one, but no feelings where bad becomes good. What cited only the old one becomes stale.
    Raises CorrectionError, EmbeddingError.
    """
    if node.type == ConceptNode.Type.FACT:
        raise CorrectionError("invalid", "A fact is not corrected but changed, among the facts.")
    said = node.description if description is None else secrets.mask(description.strip())
    felt = node.emotional_impact if emotional_impact is None else emotional_impact
    if (said, felt) == (node.description, node.emotional_impact):
        return node
    [vector] = embedding.embed([said])
    with transaction.atomic():
        sessions.lock_bond(node.bond)
        node.refresh_from_db(fields=["state", "deleted_at"])
        if node.deleted_at is not None or node.state == ConceptNode.State.SUPERSEDED:
            raise CorrectionError("conflict", "This memory has been replaced or forgotten. Correct the newer one.")
        corrected = build_corrected(node, description=said, emotional_impact=felt)
        replace(old=node, new=corrected, vector=vector, now=now)
    return corrected


def replace(
    *, old: ConceptNode, new: ConceptNode, vector: Sequence[float] | None, reason: str = "", now: datetime
) -> None:
    """Create a node in place of another, with its messages, evidence, entities and links. The caller has locked the bond."""
    # Two live facts never hold one slot, not even for a moment.
    retire(old, reason=reason, now=now)
    creation.create(new, vector=vector, now=now)
    copy_links(old=old, new=new)
    links.move(bond=old.bond, old=old.pk, new=new.pk)
    old.superseded_by = new
    old.save(update_fields=["superseded_by"])
    old.announce_update("state", "superseded_by", now=now)
    staleness.refresh(bond=old.bond, nodes=[old.pk], now=now)


def retire(node: ConceptNode, *, reason: str = "", now: datetime) -> None:
    """Make a node history, without saying of what."""
    node.state, node.state_reason = ConceptNode.State.SUPERSEDED, reason or node.state_reason
    # The clock may have been set back since it was created.
    node.valid_until = max(now, node.valid_from)
    node.save(update_fields=["state", "state_reason", "valid_until"])


@transaction.atomic
def restore(*, node: ConceptNode, now: datetime) -> ConceptNode:
    """Restore a superseded node to the place and state of its successor, which becomes history.

    Staleness is computed anew for what cites either. Raises CorrectionError.
    """
    sessions.lock_bond(node.bond)
    node.refresh_from_db(fields=["state", "deleted_at", "superseded_by", "valid_until"])
    if node.deleted_at is not None or node.state != ConceptNode.State.SUPERSEDED:
        raise CorrectionError("conflict", "This memory was neither forgotten nor replaced.")
    newer = find_successor(node)
    require_free_slot(node, beside=newer)
    state = newer.state if newer else creation.FIRST_STATE[ConceptNode.Type(node.type)]
    if newer is not None:
        newer.supersede(by=node, now=now)
        links.move(bond=node.bond, old=newer.pk, new=node.pk)
    revive(node, state=state)
    changed = [one for one in (node, newer) if one is not None]
    for one in changed:
        one.announce_update("state", "superseded_by", now=now)
    staleness.refresh(bond=node.bond, nodes=[one.pk for one in changed], now=now)
    staleness.propagate(bond=node.bond, nodes=list(node.filling.values_list("pk", flat=True)), now=now)
    node.refresh_from_db(fields=["stale"])
    return node


def revive(node: ConceptNode, *, state: str) -> None:
    """Let a superseded node hold again, without what stood in its place."""
    node.state, node.superseded_by, node.valid_until = state, None, None
    changed = ["state", "superseded_by", "valid_until"]
    if node.type == ConceptNode.Type.FACT:
        node.state_reason = ""
        changed.append("state_reason")
    node.save(update_fields=changed)


def require_free_slot(node: ConceptNode, *, beside: ConceptNode | None = None) -> None:
    """Raise CorrectionError `changed` where a live fact other than this one holds the node's slot."""
    passed_over = [one.pk for one in (node, beside) if one is not None]
    live = ConceptNode.objects.for_bond(node.bond).live_facts().filter(slot=node.slot).exclude(pk__in=passed_over)
    if node.slot and live.exists():
        raise CorrectionError("changed", "Another fact stands in its place now. Change that one.")


def find_successor(node: ConceptNode) -> ConceptNode | None:
    """Find the last successor of a superseded node, unless it was forgotten."""
    later = ConceptNode.objects.not_deleted().filter(pk__in=RawSQL(_LATER, [node.pk]))
    return later.exclude(state=ConceptNode.State.SUPERSEDED).first()


def build_corrected(node: ConceptNode, *, description: str, emotional_impact: int) -> ConceptNode:
    corrected = ConceptNode(
        **model_to_dict(node, fields=COPIED_FIELDS),
        bond=node.bond,
        session_id=node.session_id,
        description=description,
        emotional_impact=emotional_impact,
        origin=ConceptNode.Origin.USER,
        confidence=CONFIDENCE,
    )
    if emotional_impact * node.emotional_impact < 0:
        # What was grief is none where the person says that it was good.
        corrected.emotion_tags = []
    return corrected


def copy_links(*, old: ConceptNode, new: ConceptNode) -> None:
    """Link the new node to the messages, evidence and entities of the old one."""
    bond = old.bond
    messages = NodeSource.objects.filter(node=old).order_by("id").values_list("message", flat=True)
    NodeSource.objects.add_to(new, messages)
    edges = Filling.objects.filter(parent=old).order_by("id").values_list("child", "orphaned")
    Filling.objects.bulk_create(
        Filling(bond=bond, parent=new, child_id=child, orphaned=orphaned) for child, orphaned in edges
    )
    # Entities that still occur, and those that the new text names.
    for entity in old.entities.order_by("id"):
        mentions.link(entity=entity, nodes=[new])
    mentions.link_named(new)
