"""What a turn searches by its burst: memories and exact words, how sure they make the companion, and a second, wider look."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from chat.turns.prompting import certainty
from chat.turns.prompting.base_context import BaseContext
from chat.turns.prompting.selection import section_selection, talk_state
from chat.turns.prompting.selection.section_selection import Situation
from chat.turns.prompting.selection.talk_state import TalkStep
from echovessel.postgres.threads import start_in_thread
from memory.knowing import confidence, signals
from memory.knowing.confidence import Knowing
from memory.knowing.signals import Signals
from memory.recall import lines as recall_lines
from memory.recall import memories
from memory.recall.lines import USUAL_MOST, WIDE_MOST
from memory.recall.memories import RecallResult
from memory.recall.quotes import QuotedMessage


@dataclass(frozen=True, kw_only=True)
class FoundMemory:
    recalled: RecallResult
    quotes: list[QuotedMessage]
    # What the burst and the talk are like, and where the subject moves; None off the record.
    situation: Situation
    talk: TalkStep | None
    knowing: Knowing

    @property
    def signals(self) -> Signals:
        return self.situation.signals


def search(base: BaseContext, vector: Sequence[float] | None) -> FoundMemory:
    """Search by the burst; where a question finds too little, look wider, with one more statement."""
    by_words = base.situation
    recalled, quotes = search_narrowly(base, vector, by_words)
    named = frozenset(entity.pk for entity in base.cards.named)
    heard = signals.read(base.query, today=base.today, names_someone=True) if named else by_words.signals
    talk = talk_state.take_step(base, heard=heard, named=named, vector=vector)
    assess = partial(certainty.assess, base, heard=heard, is_new_topic=talk is not None and talk.step.is_new)
    knowing = assess(recalled=recalled, quotes=quotes)
    if confidence.needs_widening(knowing):
        quotes = search_quotes(base, vector, None, before=quotes, is_wide=True)[:WIDE_MOST]
        recalled = memories.widen(recalled)
        knowing = assess(recalled=recalled, quotes=quotes, widened=True)
    situation = replace(
        by_words,
        signals=replace(heard, asks_past=knowing.state is not None),
        names_someone=bool(named),
        is_focused=talk is not None and talk.step.is_focused,
        streak=1 if talk is None else talk.step.topic.streak,
        warmth=knowing.warmth,
    )
    return FoundMemory(recalled=recalled, quotes=quotes, situation=situation, talk=talk, knowing=knowing)


def search_narrowly(
    base: BaseContext, vector: Sequence[float] | None, situation: Situation
) -> tuple[RecallResult, list[QuotedMessage]]:
    """Search memories and quotes, at the same time unless the quotes come from the memories.

    A burst that says too little and names nobody is not searched for.
    """
    bond, query, named = base.turn.bond, base.query, base.cards.named
    search = partial(memories.search, bond=bond, query=query, vector=vector, now=base.now, named=named)
    if section_selection.is_slight(situation):
        return (search(), search_quotes(base, vector, None)) if named else (RecallResult(items=(), named=()), [])
    if memories.quotes_sources(bond=bond, query=query):
        recalled = search()
        return recalled, search_quotes(base, vector, recalled)
    quotes = start_in_thread(search_quotes, base, vector, None)
    return search(), quotes()


def search_quotes(
    base: BaseContext,
    vector: Sequence[float] | None,
    recalled: RecallResult | None,
    *,
    before: Sequence[QuotedMessage] = (),
    is_wide: bool = False,
) -> list[QuotedMessage]:
    """Search quotes, besides those that were found before."""
    found = recall_lines.search(
        bond=base.turn.bond,
        query=base.query,
        vector=vector,
        besides={one.pk for one in (*base.recent_messages, *base.turn.burst, *(quote.message for quote in before))},
        # Its own chat is not quoted, unless the beginning of a long talk is told in short.
        not_session=base.turn.session_id if base.inclusion is None else None,
        today=base.today,
        recalled=recalled,
        most=WIDE_MOST if is_wide else USUAL_MOST,
        is_wide=is_wide,
    )
    # Nor are the turn's own replies, in the place of which another is made.
    return [*before, *(quote for quote in found if quote.message.turn_id != base.turn.pk)]
