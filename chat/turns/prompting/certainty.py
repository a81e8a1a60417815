"""How sure a turn's memory is: gathers what `memory.knowing.confidence` computes it from."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from chat.turns.prompting import remembered
from chat.turns.prompting.base_context import BaseContext
from echovessel.llm.offline.text import cue_matching
from memory.facts.rules import reading
from memory.facts.rules.acts import Kind
from memory.knowing import bearing, confidence
from memory.knowing.bearing import Evidence, WeighedQuestion
from memory.knowing.confidence import Grounds, Knowing
from memory.knowing.signals import Signals
from memory.messages.window import RecentMessage
from memory.models import ConceptNode, Message
from memory.recall import memories, query_intent
from memory.recall.memories import RecallResult, ScoredNode
from memory.recall.quotes import QuotedMessage
from personas.models import CoreBlock

# The slots that the name in every prompt answers.
NAME_SLOTS = {"preferred_name", "full_name"}


def assess(
    base: BaseContext,
    *,
    recalled: RecallResult,
    quotes: Sequence[QuotedMessage],
    heard: Signals,
    is_new_topic: bool = False,
    widened: bool = False,
) -> Knowing:
    """Compute how sure the companion may be. What the burst asks is weighed only where it may ask for what was told; where only
    an answer shows that it does, it has a state if memory is sure of one.
    """
    may_ask = (heard.asks_past or heard.may_ask_past) and not only_asks_to_note(base.query)
    question = weigh_question(base, recalled, quotes) if may_ask else None
    grounds = Grounds(
        relevances=[item.plain_relevance for item in drop_told_twice(recalled.items)],
        bearings=[] if question is None else question.measure(list(list_evidence(base, recalled, quotes))),
        lines=count_since_return(base.recent_messages, now=base.now),
        is_due=is_anything_due(base),
        shown=len(remembered.list_extra(base, recalled)) + len(quotes),
        are_words_near=question is not None and are_words_near(base, question, recalled, quotes),
        is_new_topic=is_new_topic,
    )
    is_here = question is not None and is_answer_here(base, question, recalled)
    knowing = confidence.assess(grounds, asks_past=question is not None, is_here=is_here, widened=widened)
    is_of_kind = question is not None and any(one.kinds.kinds for one in question.questions)
    is_meant = (may_ask and heard.asks_past) or confidence.is_answered(knowing, is_of_kind=is_of_kind)
    return knowing if is_meant else replace(knowing, state=None)


def only_asks_to_note(query: str) -> bool:
    """Whether all that is asked is to remember or forget something: "Do remember that I'm allergic, would you?"."""
    acts = [reading.read_acts([asked], [], {}) for asked in bearing.list_questions(query)]
    return all(any(act.kind in (Kind.REMEMBER, Kind.FORGET) for act in of_one) for of_one in acts)


def weigh_question(base: BaseContext, recalled: RecallResult, quotes: Sequence[QuotedMessage]) -> WeighedQuestion:
    told = (*(quote.message.content for quote in quotes), *(message.content for message in list_said(base)))
    return bearing.weigh_question(
        base.query,
        besides=memories.extract_speaker_names(base.turn.bond),
        names={*base.cards.names, *(entity.canonical_name for entity in recalled.named)},
        texts=[*(item.node.terms for item in recalled.items), *(bearing.extract_bag(one) for one in told)],
    )


def drop_told_twice(items: Sequence[ScoredNode]) -> list[ScoredNode]:
    """Drop the less near of a fact and the event that it was told by."""
    nearest = {item.node.pk: item for item in items}
    for item in items:
        if item.node.type != ConceptNode.Type.FACT or item.node.pk not in nearest:
            continue
        events = [nearest[pk] for pk in item.cites if pk in nearest]
        for event in events:
            farther = min(item, event, key=lambda one: one.plain_relevance)
            nearest.pop(farther.node.pk, None)
    return [*nearest.values()]


def count_since_return(messages: Sequence[RecentMessage], *, now: datetime) -> int:
    """Count the newest messages of the window that no long silence parts, up to now."""
    later, count = now, 0
    for at in sorted((message.created_at for message in messages), reverse=True):
        if later - at >= confidence.RETURN_AFTER:
            break
        later, count = at, count + 1
    return count


def is_anything_due(base: BaseContext) -> bool:
    """Whether a promise or an expectation is due today or soon."""
    days = (node.event_time_end for node in (*base.base_memory.intentions, *base.base_memory.expectations))
    return any(day is not None and base.today <= day <= base.today + confidence.DUE_WITHIN for day in days)


def list_evidence(base: BaseContext, recalled: RecallResult, quotes: Sequence[QuotedMessage]) -> Iterator[Evidence]:
    """Yield what the prompt holds of what was found: memories, and the user's exact words."""
    names = [entity.canonical_name for entity in recalled.named]
    for item in remembered.list_extra(base, recalled):
        told = item.node.description
        is_of_named = bool(names) and (bool(item.entity_ids) or bearing.names_any(told, names))
        yield bearing.read_evidence(told, relevance=item.plain_relevance, is_of_named=is_of_named)
    for quote in quotes:
        if quote.message.role == Message.Role.USER:
            yield bearing.read_evidence(quote.message.content)


def are_words_near(
    base: BaseContext, question: WeighedQuestion, recalled: RecallResult, quotes: Sequence[QuotedMessage]
) -> bool:
    """Whether the exact words of the user or a recalled event bear on the question; of a whole day any words do, and of what
    happens then any memory of it.
    """
    words = [quote.message.content for quote in quotes if quote.message.role == Message.Role.USER]
    extra = remembered.list_extra(base, recalled)
    today = base.today
    said = memories.cut_to_ends(base.query)
    if words and query_intent.is_about_day(said, today=today):
        return True
    if any(item.periods for item in extra) and query_intent.asks_what_happens(said, today=today):
        return True
    events = (item.node.description for item in extra if item.node.type == ConceptNode.Type.EVENT)
    return any(map(question.is_half_held_by, (*words, *events)))


def is_answer_here(base: BaseContext, question: WeighedQuestion, recalled: RecallResult) -> bool:
    """Whether a user's message of the window, an authored text or a fact in the prompt bears on the question."""
    if reading.asks_what_is_known(base.query):
        return bool(base.loaded.text)
    slots = cue_matching.find_asked_slots(base.query)
    if any(slot in base.base_memory.slots or slot in NAME_SLOTS for slot in slots):
        return True
    said = (message.content for message in list_said(base))
    return any(map(question.is_half_held_by, (*said, *list_texts(base, recalled))))


def list_said(base: BaseContext) -> Iterator[RecentMessage]:
    """Yield the user's messages of the window."""
    return (message for message in base.recent_messages if message.role == Message.Role.USER)


def list_texts(base: BaseContext, recalled: RecallResult) -> Iterable[str]:
    """List what the prompt says of the user sentence by sentence: authored texts, facts, who is named.

    The companion's own text says something of the question only where that asks about the companion.
    """
    blocks = base.base_memory.blocks
    yield from bearing.split_sentences(blocks.get(CoreBlock.Label.USER, ""))
    if bearing.is_of_companion(base.query):
        yield from bearing.split_sentences(blocks.get(CoreBlock.Label.PERSONA, ""))
    yield from base.loaded.text.splitlines()
    yield from (noted.text for noted in base.noted if not noted.is_undone)
    yield from base.cards.list_texts()
    for item in remembered.list_extra(base, recalled):
        if item.node.type == ConceptNode.Type.FACT:
            yield item.node.description
    if base.inclusion is not None:
        yield from base.inclusion.list_texts()
