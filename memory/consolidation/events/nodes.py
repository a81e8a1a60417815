"""Write an extracted event: a new node, a repetition of one, or the successor of one."""

from datetime import datetime

from memory.consolidation.events import deduplication
from memory.consolidation.parse_answer import ExtractedEvent
from memory.facts.checks import lapses
from memory.models import ConceptNode, Doubt, FactWrite, NodeSource, Session
from memory.nodes import creation, staleness

CONFIDENCE = 0.8


def create_or_count(
    *, session: Session, found: ExtractedEvent, vector: list[float] | None, by_rules: bool, now: datetime
) -> ConceptNode:
    known = deduplication.find_duplicate(bond=session.bond, found=found, vector=vector, now=now)
    if known is not None:
        deduplication.count_repetition(known, sources=found.sources, now=now)
        return known
    node = create(session=session, found=found, vector=vector, now=now)
    if node.type == ConceptNode.Type.EVENT:
        lapses.link_said_since(node, vector=vector, lines=found.user_lines, by_rules=by_rules, now=now)
    ended = [old.pk for old in found.supersedes if supersede(old.pk, by=node, now=now)]
    staleness.refresh(bond=session.bond, nodes=ended, now=now)
    return node


def create(*, session: Session, found: ExtractedEvent, vector: list[float] | None, now: datetime) -> ConceptNode:
    event = found.event
    node = ConceptNode(
        bond=session.bond,
        type=found.type,
        subject=event.subject,
        description=event.description,
        emotional_impact=event.emotional_impact,
        emotion_tags=event.emotion_tags,
        relational_tags=event.relational_tags,
        event_time_start=event.event_time.start if event.event_time else None,
        event_time_end=event.event_time.end if event.event_time else None,
        origin=ConceptNode.Origin.EXTRACTION,
        confidence=CONFIDENCE,
        session=session,
        answer_key=found.key,
    )
    creation.create(node, vector=vector, now=now)
    NodeSource.objects.add_to(node, (message.pk for message in found.sources))
    return node


def supersede(old_id: int, *, by: ConceptNode, now: datetime) -> bool:
    """Supersede an event by a new one of its bond. Returns whether it was.

    An event that a person stated or edited stays, and the new one conflicts with it.
    """
    old = ConceptNode.objects.for_bond(by.bond).select_related("superseded_by").get(pk=old_id)
    # It was edited while the model was asked: supersede the edited row.
    stands = old.superseded_by if old.state == ConceptNode.State.SUPERSEDED else old
    if stands is not None and stands.origin == ConceptNode.Origin.USER:
        by.conflicts_with = stands
        by.save(update_fields=["conflicts_with"])
        opened_by = FactWrite.By.CLOSE
        Doubt.objects.open_about_nodes(kind=Doubt.Kind.CONTRADICTION, this=by, that=stands, by=opened_by, now=now)
        return False
    if old.state == ConceptNode.State.SUPERSEDED:
        return False
    old.supersede(by=by, now=max(now, old.valid_from))
    old.announce_update("state", "superseded_by", now=now)
    return True
