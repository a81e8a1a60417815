"""What a turn reads of the six layers: first what is in every prompt, then what fits the burst."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.conf import settings

from chat.models import Turn
from chat.turns import fact_context, prompt
from chat.turns.fact_context import FactContext
from chat.turns.prompt import Prompt
from chat.turns.trace import CUT_NAMES, Trace, TracedMemory, TracedQuote
from echovessel.llm.inputs import ChangeRequest, NotedFact, ReplyInputs, SaidMessage, SessionSummary, UnmetWish
from echovessel.postgres.threads import start_in_thread
from memory import window
from memory.consolidation import gate
from memory.doubts import asking
from memory.entities import lookup
from memory.facts import loaded_set
from memory.facts.loaded_set import LoadedSet
from memory.models import ConceptNode, Doubt, Entity, Message
from memory.recall import lines as recall_lines
from memory.recall import memories, prompt_memory
from memory.recall.lines import QuotedMessage
from memory.recall.memories import RecallResult, ScoredNode
from memory.recall.prompt_memory import PromptMemory
from personas.models import Bond, CoreBlock, PersonaFacts

TRACED_MOST = 100
# The characters of a fact's detail that a prompt shows where the user wants to change it.
DETAIL_SHOWN = 2000


class EmptyBurst(Exception):
    """All messages of a turn were deleted before it was claimed."""


@dataclass(frozen=True, kw_only=True)
class PromptContext:
    """Everything a prompt is made from, and nothing about the channel."""

    bond: Bond
    facts: PersonaFacts | None
    burst: list[Message]
    recent_messages: list[Message]
    base_memory: PromptMemory
    recalled: RecallResult
    quotes: list[QuotedMessage]
    pair: Entity | None
    doubt: Doubt | None
    mood: dict[str, Any]
    loaded: LoadedSet
    fact_context: FactContext
    now: datetime
    noted: Sequence[NotedFact]
    unmet: Sequence[UnmetWish]
    off_record: bool

    def assemble_prompt(self, *, has_tools: bool = False) -> Prompt:
        inputs = replace(self.inputs(), has_tools=has_tools)
        return prompt.assemble(inputs, budget=settings.PROMPT_TOKEN_BUDGET, context=settings.CONTEXT_TOKENS)

    def inputs(self) -> ReplyInputs:
        """Return the same as plain values, for `prompt`."""
        base, blocks = self.base_memory, self.base_memory.blocks
        return ReplyInputs(
            persona_name=self.bond.persona.name,
            user_name=self.loaded.name or self.bond.user.shown_name,
            persona=blocks.get(CoreBlock.Label.PERSONA, ""),
            user=blocks.get(CoreBlock.Label.USER, ""),
            style=blocks.get(CoreBlock.Label.STYLE, ""),
            facts={} if self.facts is None else self.facts.as_dict(),
            loaded=self.loaded.text,
            checks=[node.description for node in self.fact_context.checks],
            wants_to_change=[
                ChangeRequest(node.description, node.detail[:DETAIL_SHOWN])
                for node in self.fact_context.wants_to_change
            ],
            all_known=[node.description for node in self.fact_context.all_known],
            sessions=[
                SessionSummary(session.summary, self._localize(session.last_message_at)) for session in base.sessions
            ],
            own_thoughts=[node.description for node in base.own_thoughts],
            user_thoughts=[node.description for node in base.user_thoughts],
            about=[(entity.canonical_name, entity.description) for entity in self.recalled.named if entity.description],
            pair=self._get_pair_names(),
            doubt=self._get_doubt(),
            recalled=[
                prompt.format_memory_time(
                    item.node, told_at=self._localize(item.told_at), until=self._find_end(item.node)
                )
                for item in self._list_extra_memories()
            ],
            quotes=[self._convert_message(quote.message) for quote in self.quotes],
            moments=[self._convert_message(message) for message in base.moments],
            promises=[prompt.format_due(node) for node in base.intentions],
            expectations=[prompt.format_due(node) for node in base.expectations],
            mood=self.mood,
            recent_messages=[self._convert_message(message) for message in self.recent_messages],
            burst=[message.content for message in self.burst],
            now=self._localize(self.now),
            last_message_at=self._localize(self.recent_messages[-1].created_at) if self.recent_messages else None,
            off_record=self.off_record,
            slots={slot: fact.content for slot, fact in base.slots.items()},
            noted=list(self.noted),
            unmet=list(self.unmet),
        )

    def build_trace(self, made: Prompt, *, without_vector: bool) -> Trace:
        """Return what was recalled and why, and what of it the prompt holds."""
        over_budget = [item.node.pk for item in self._list_extra_memories()[made.recalled_count :]]
        reasons = self._find_facts_not_repeated() | dict.fromkeys(over_budget, "budget")
        shown = {item.node.pk for item in self.recalled.kept} - {*reasons}
        return Trace(
            items=[
                TracedMemory(
                    node=item.node.pk,
                    score=round(item.score, 4),
                    terms={name: round(value, 4) for name, value in vars(item.terms).items()},
                    anchored_by=[*item.anchored_by],
                    kept=item.node.pk in shown,
                    reason=reasons.get(item.node.pk, item.reason),
                )
                for item in self.recalled.items[:TRACED_MOST]
            ],
            words=[TracedQuote(message=quote.message.pk, score=round(quote.score, 4)) for quote in self.quotes],
            cut={CUT_NAMES.get(name, name): count for name, count in made.cut.items()},
            prompt_tokens=made.token_count,
            without_vector=without_vector,
        )

    def note_questions(self, *, session_id: int) -> None:
        """Store what the persona was told to ask about, so that it is not told again."""
        if self.doubt is not None:
            asking.mark_asked(doubt_id=self.doubt.pk, session_id=session_id)
        elif self.pair is not None:
            lookup.mark_asked(entity_id=self.pair.pk, session_id=session_id)
        if self.fact_context.checks:
            checked = [node.pk for node in self.fact_context.checks]
            loaded_set.mark_checked(session_id=session_id, facts=checked)

    def _list_extra_memories(self) -> list[ScoredNode]:
        """Return recalled memories that are not in every prompt, so that nothing is in it twice."""
        base = {node.pk for node in (*self.base_memory.own_thoughts, *self.base_memory.user_thoughts)}
        elsewhere = base | {*self._find_facts_not_repeated()}
        return [item for item in self.recalled.kept if item.node.pk not in elsewhere]

    def _find_facts_not_repeated(self) -> dict[int, str]:
        """Return the recalled facts that `# What you remember` leaves out, each with the reason."""
        kept = self.recalled.kept
        events = {item.node.pk for item in kept if item.node.type == ConceptNode.Type.EVENT}
        reasons: dict[int, str] = {}
        for item in kept:
            if item.node.pk in self.loaded.ids:
                reasons[item.node.pk] = "loaded"
            elif item.node.type == ConceptNode.Type.FACT and item.node.confidence < loaded_set.RECALLED_FROM:
                reasons[item.node.pk] = "unsure"
            elif item.node.type == ConceptNode.Type.FACT and events.intersection(item.cites):
                reasons[item.node.pk] = "told_by_event"
        return reasons

    def _find_end(self, node: ConceptNode) -> datetime | None:
        """Return until when a fact was true that holds no longer."""
        is_past = node.state == ConceptNode.State.SUPERSEDED and node.valid_until is not None
        return self._localize(node.valid_until) if is_past and node.valid_until else None

    def _localize(self, at: datetime) -> datetime:
        return at.astimezone(self.bond.user.zone)

    def _convert_message(self, message: Message) -> SaidMessage:
        return SaidMessage(
            is_user=message.role == Message.Role.USER, text=message.content, at=self._localize(message.created_at)
        )

    def _get_doubt(self) -> tuple[str, str] | None:
        if self.doubt is None or self.doubt.a_node is None:
            return None
        return self.doubt.a_node.description, self.doubt.b_node.description if self.doubt.b_node else ""

    def _get_pair_names(self) -> tuple[str, str] | None:
        if self.pair is None or self.pair.merge_target is None:
            return None
        return self.pair.canonical_name, self.pair.merge_target.canonical_name


def join_burst(burst: Sequence[Message]) -> str:
    """Return the text of a turn's messages. Raises EmptyBurst."""
    if not burst:
        raise EmptyBurst("The messages have been deleted, so there is nothing to reply to.")
    return "\n".join(message.content for message in burst)


@dataclass(frozen=True, kw_only=True)
class BaseContext:
    """What a turn reads that does not depend on its burst."""

    turn: Turn
    query: str
    recent_messages: list[Message]
    base_memory: PromptMemory
    loaded: LoadedSet
    now: datetime
    # What the rules noted of the burst, and of its wishes did not.
    noted: Sequence[NotedFact] = ()
    unmet: Sequence[UnmetWish] = ()


def load_base(turn: Turn, now: datetime) -> BaseContext:
    """Load what is in every prompt and the recent messages. Raises EmptyBurst."""
    query = join_burst(turn.burst)
    up_to = turn.burst[-1].pk
    loaded = loaded_set.load(turn.session, bond=turn.bond, now=now)
    return BaseContext(
        turn=turn,
        query=query,
        recent_messages=window.load_recent(
            bond=turn.bond, most=settings.RECENT_WINDOW_SIZE, turn_id=turn.pk, up_to=up_to
        ),
        base_memory=prompt_memory.load(bond=turn.bond, now=now, loaded_at=loaded.loaded_at, turn_id=turn.pk),
        loaded=loaded,
        now=now,
    )


def load(base: BaseContext, vector: Sequence[float] | None) -> PromptContext:
    """Load the rest of the six layers by the burst's vector."""
    turn, bond = base.turn, base.turn.bond
    recalled, quotes = search_memory(base, vector)
    doubt = choose_doubt(turn, query=base.query, recalled=recalled)
    pair = None if doubt else choose_pair_to_ask(turn, named=[entity.pk for entity in recalled.named])
    return PromptContext(
        bond=bond,
        facts=getattr(bond.persona, "facts", None),
        burst=turn.burst,
        recent_messages=base.recent_messages,
        base_memory=base.base_memory,
        recalled=recalled,
        quotes=quotes,
        pair=pair,
        doubt=doubt,
        mood=bond.episodic_state(base.now),
        loaded=base.loaded,
        fact_context=fact_context.load(turn, query=base.query, recalled=recalled, loaded=base.loaded),
        now=base.now,
        noted=base.noted,
        unmet=base.unmet,
        off_record=turn.session.off_record,
    )


def search_memory(base: BaseContext, vector: Sequence[float] | None) -> tuple[RecallResult, list[QuotedMessage]]:
    """Search memories and quotes, at the same time unless the quotes come from the memories."""
    bond, query = base.turn.bond, base.query
    if memories.is_narration(bond=bond, query=query):
        recalled = memories.search(bond=bond, query=query, vector=vector, now=base.now)
        return recalled, search_quotes(base, vector, recalled)
    quotes = start_in_thread(search_quotes, base, vector, None)
    return memories.search(bond=bond, query=query, vector=vector, now=base.now), quotes()


def search_quotes(
    base: BaseContext, vector: Sequence[float] | None, recalled: RecallResult | None
) -> list[QuotedMessage]:
    return recall_lines.search(
        bond=base.turn.bond,
        query=base.query,
        vector=vector,
        besides={message.pk for message in base.recent_messages},
        not_session=base.turn.session_id,
        today=base.now.astimezone(base.turn.bond.user.zone).date(),
        recalled=recalled,
    )


def choose_doubt(turn: Turn, *, query: str, recalled: RecallResult) -> Doubt | None:
    """Return a doubt of which a side came up in this burst; None off the record, and beside what needs all attention.

    It asks the database only where a fact came up.
    """
    if turn.session.off_record or gate.has_strong_emotion(query):
        return None
    facts = [item.node.pk for item in recalled.items if item.node.type == ConceptNode.Type.FACT and came_up(item)]
    if not facts:
        return None
    named = [entity.pk for entity in recalled.named]
    return asking.choose(bond=turn.bond, session_id=turn.session_id, nodes=facts, entities=named)


def came_up(item: ScoredNode) -> bool:
    return bool(item.anchored_by) or item.terms.relevance >= fact_context.CHECKED_FROM


def choose_pair_to_ask(turn: Turn, *, named: list[int]) -> Entity | None:
    """Return an uncertain pair to ask about; None off the record, where nothing is learned from the answer."""
    if turn.session.off_record:
        return None
    return lookup.choose_pair_to_ask(bond=turn.bond, session_id=turn.session_id, named=named)
