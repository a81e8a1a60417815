"""What a turn asks about of what is in doubt, and when it had better not ask."""

from dataclasses import dataclass
from functools import partial

from chat.turns.prompting import fact_context
from chat.turns.prompting.base_context import BaseContext
from chat.turns.prompting.selection import section_selection
from chat.turns.prompting.selection.memory_search import FoundMemory
from chat.turns.prompting.selection.section_selection import Rule, Section
from echovessel.llm.inputs import DoubtQuestion
from memory.consolidation import gate
from memory.doubts import asking
from memory.recall.memories import ScoredNode
from memory.recall.open_doubts import OpenDoubt


@dataclass(frozen=True)
class DoubtChoice:
    """The doubt to ask about; `is_left_out` tells that one came up and the selection of sections leaves it out."""

    doubt: OpenDoubt | None = None
    is_left_out: bool = False


def choose_doubt(base: BaseContext, found: FoundMemory) -> DoubtChoice:
    """Choose a doubt of which a side came up in this burst; none where a question would be out of place.

    It would be off the record, beside strong emotion, and where the selection of sections says so: in a crisis, first
    after a long silence, where advice is asked for, and under a focus for what is not about its entities.
    """
    session, doubts = base.turn.session, base.base_memory.doubts
    if not doubts or session.off_record or gate.has_strong_emotion(base.query):
        return DoubtChoice()
    choose = partial(
        asking.choose,
        session_id=session.pk,
        said=base.query,
        nodes=[item.node.pk for item in found.recalled.items if came_up(item)],
        entities=[entity.pk for entity in found.recalled.named],
    )
    came = choose(doubts)
    rules = section_selection.find_soft(found.situation) | section_selection.find_hard(found.situation)
    if came is None or Section.DOUBTS not in rules:
        return DoubtChoice(came)
    if rules[Section.DOUBTS] is not Rule.FOCUS or found.talk is None:
        return DoubtChoice(is_left_out=True)
    own = frozenset(found.talk.step.topic.entity_ids)
    of_focus = choose([doubt for doubt in doubts if doubt.entities & own or session.pk in doubt.asked_in])
    return DoubtChoice(of_focus, is_left_out=of_focus is None)


def came_up(item: ScoredNode) -> bool:
    return bool(item.anchored_by) or item.terms.relevance >= fact_context.CHECKED_FROM


def build_question(doubt: OpenDoubt | None) -> DoubtQuestion | None:
    return None if doubt is None else DoubtQuestion(kind=doubt.kind, this=doubt.this, that=doubt.that)
