"""Offer open doubts to an extraction, and settle those of which the user said what holds."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from echovessel.llm.inputs import NumberedDoubt
from echovessel.prompts import escape
from memory.answers.coercion import one_line
from memory.answers.fact_schemas import CLARIFIED_MOST, Clarified
from memory.answers.schemas import parse_parts
from memory.consolidation.parse_answer import ParsedExtraction
from memory.doubts import settling
from memory.facts.drafts import FactError
from memory.facts.writers import Writer
from memory.models import ConceptNode, Doubt, Entity, FactWrite, Message, Session

DOUBTS_MOST = 5


def find_doubts(session: Session) -> list[Doubt]:
    """Find at most five open doubts: those asked about in this session first, then the most severe. Of a thought of the persona nobody
    else can say whether it holds.
    """
    # There are few doubts or none: a join of five wide tables would cost more than it finds.
    doubts = session.bond.doubts.open().prefetch_related("a_node", "b_node", "a_entity", "b_entity")
    return sorted(
        (doubt for doubt in doubts if can_be_told(doubt)),
        key=lambda doubt: (session.pk not in doubt.asked_in, -doubt.severity, doubt.opened_at, doubt.pk),
    )[:DOUBTS_MOST]


def can_be_told(doubt: Doubt) -> bool:
    this = doubt.a_node or doubt.a_entity
    is_thought = doubt.a_node is not None and doubt.a_node.type == ConceptNode.Type.THOUGHT
    return not is_thought and (this is None or this.deleted_at is None)


def number_doubts(doubts: Sequence[Doubt]) -> tuple[NumberedDoubt, ...]:
    return tuple(
        NumberedDoubt(
            number=at,
            kind=doubt.kind,
            this=name_side(doubt.a_node, doubt.a_entity),
            that=name_side(doubt.b_node, doubt.b_entity),
            this_value=doubt.a_node.value if doubt.a_node else "",
            that_value=doubt.b_node.value if doubt.b_node else "",
            outcomes=tuple(settling.list_outcomes(doubt)),
        )
        for at, doubt in enumerate(doubts, start=1)
    )


def name_side(node: ConceptNode | None, entity: Entity | None) -> str:
    """Return the text of a memory or the name of an entity, on one line; "" where there is no such side."""
    if node is not None:
        return one_line(node.description)
    return one_line(entity.canonical_name) if entity is not None else ""


def format_doubts(doubts: Iterable[NumberedDoubt]) -> str:
    """Format doubts as `[1] this: … / that: … (this, that, both or neither)`."""
    return "\n".join(
        f"[{doubt.number}] this: {escape(doubt.this)}"
        + (f" / that: {escape(doubt.that)}" if doubt.that else "")
        + f" ({', '.join(doubt.outcomes[:-1])} or {doubt.outcomes[-1]})"
        for doubt in doubts
    )


def settle(answer: dict[str, Any], *, session: Session, understood: ParsedExtraction, now: datetime) -> list[str]:
    """Settle the doubts that an answer clears up by lines of the user, in its transaction. Returns notes on the others."""
    parts, notes = parse_parts(answer.get("clarified"), Clarified, what="clarified", most=CLARIFIED_MOST)
    offered = understood.offered.doubts
    for part in parts:
        lines = [
            message
            for message in understood.chunk.find_messages(part.source_lines)
            if message.role == Message.Role.USER
        ]
        if not 1 <= part.doubt <= len(offered) or not lines:
            notes.append(f"doubt {str(part.doubt)[:12]} was not sent, or no line of the user clears it up")
            continue
        writer = Writer(by=FactWrite.By.CLOSE, tier=ConceptNode.Tier.STATED, now=now, session=session, messages=lines)
        try:
            settling.settle_locked(doubt=offered[part.doubt - 1], outcome=part.holds, writer=writer)
        except FactError as error:
            notes.append(f"doubt {part.doubt} stays: {error.detail}")
    return notes
