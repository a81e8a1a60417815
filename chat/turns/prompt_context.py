"""What a turn reads of the six layers: first what is in every prompt, then what bears on what was said."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from chat.models import Turn
from chat.turns import prompt
from chat.turns.prompt import Prompt
from echovessel.llm.inputs import ReplyInputs, SaidMessage, SessionSummary
from echovessel.runtime.threads import start_in_thread
from memory import window
from memory.entities import lookup
from memory.models import Entity, Message
from memory.recall import lines as recall_lines
from memory.recall import memories, prompt_memory
from memory.recall.lines import QuotedMessage
from memory.recall.memories import RecallResult, ScoredNode
from memory.recall.prompt_memory import PromptMemory
from personas.models import Bond, CoreBlock, PersonaFacts


class EmptyBurst(Exception):
    """All lines of a turn were deleted before it was claimed."""


@dataclass(frozen=True, kw_only=True)
class PromptContext:
    """Everything a prompt is made from, and nothing of how the line came in."""

    bond: Bond
    facts: PersonaFacts | None
    burst: list[Message]
    lines: list[Message]
    standing: PromptMemory
    recalled: RecallResult
    # Of each recalled node.
    words: list[QuotedMessage]
    pair: Entity | None
    mood: dict[str, Any]
    now: datetime

    def assemble_prompt(self) -> Prompt:
        return prompt.assemble(self.inputs(), budget=settings.PROMPT_TOKEN_BUDGET, context=settings.CONTEXT_TOKENS)

    def inputs(self) -> ReplyInputs:
        """The same as plain values, for the pure part."""
        standing, blocks = self.standing, self.standing.blocks
        return ReplyInputs(
            persona_name=self.bond.persona.name,
            user_name=self.bond.user.shown_name,
            persona=blocks.get(CoreBlock.Label.PERSONA, ""),
            user=blocks.get(CoreBlock.Label.USER, ""),
            style=blocks.get(CoreBlock.Label.STYLE, ""),
            facts={} if self.facts is None else self.facts.as_dict(),
            talks=[SessionSummary(talk.summary, self._localize(talk.last_message_at)) for talk in standing.talks],
            own_thoughts=[node.description for node in standing.own_thoughts],
            user_thoughts=[node.description for node in standing.user_thoughts],
            about=[(entity.canonical_name, entity.description) for entity in self.recalled.named if entity.description],
            pair=self._get_pair_names(),
            recalled=[
                prompt.format_memory_time(item.node, told_at=self._localize(item.told_at))
                for item in self._list_extra_memories()
            ],
            words=[self._convert_message(word.message) for word in self.words],
            promises=[prompt.format_due(node) for node in standing.intentions],
            expectations=[prompt.format_due(node) for node in standing.expectations],
            mood=self.mood,
            lines=[self._convert_message(line) for line in self.lines],
            burst=[line.content for line in self.burst],
            now=self._localize(self.now),
            last_talk_at=self._localize(self.lines[-1].created_at) if self.lines else None,
        )

    def build_trace(self, made: Prompt) -> dict[str, Any]:
        """What was recalled and why, as ids and numbers."""
        besides = self._list_extra_memories()
        left_out = {item.node.pk for item in besides[made.recalled_count :]}
        shown = {item.node.pk for item in self.recalled.kept} - left_out
        return {
            "items": [
                {
                    "node": item.node.pk,
                    "score": round(item.score, 4),
                    "terms": {name: round(value, 4) for name, value in vars(item.terms).items()},
                    "anchored_by": list(item.anchored_by),
                    "kept": item.node.pk in shown,
                    "reason": item.reason if not item.kept or item.node.pk in shown else "budget",
                }
                for item in self.recalled.items[:100]
            ],
            "words": [{"message": word.message.pk, "score": round(word.score, 4)} for word in self.words],
            "cut": made.cut,
            "prompt_tokens": made.token_count,
        }

    def _list_extra_memories(self) -> list[ScoredNode]:
        """What is recalled and does not stand in every prompt: a thought is said once."""
        standing = {node.pk for node in (*self.standing.own_thoughts, *self.standing.user_thoughts)}
        return [item for item in self.recalled.kept if item.node.pk not in standing]

    def _localize(self, at: datetime) -> datetime:
        return at.astimezone(self.bond.user.zone)

    def _convert_message(self, line: Message) -> SaidMessage:
        return SaidMessage(
            is_user=line.role == Message.Role.USER, text=line.content, at=self._localize(line.created_at)
        )

    def _get_pair_names(self) -> tuple[str, str] | None:
        if self.pair is None or self.pair.merge_target is None:
            return None
        return self.pair.canonical_name, self.pair.merge_target.canonical_name


def join_burst(burst: Sequence[Message]) -> str:
    """The text of a turn's lines. Raises NothingSaid."""
    if not burst:
        raise EmptyBurst("What was said here has been deleted; there is nothing to answer.")
    return "\n".join(line.content for line in burst)


@dataclass(frozen=True, kw_only=True)
class BaseContext:
    """What a turn reads that does not depend on the meaning of what was said."""

    turn: Turn
    query: str
    lines: list[Message]
    standing: PromptMemory
    now: datetime


def load_base(turn: Turn, now: datetime) -> BaseContext:
    """Read what is in every prompt, and the lines just before. Raises NothingSaid."""
    query = join_burst(turn.burst)
    up_to = turn.burst[-1].pk
    return BaseContext(
        turn=turn,
        query=query,
        lines=window.load_recent(bond=turn.bond, most=settings.RECENT_WINDOW_SIZE, turn_id=turn.pk, up_to=up_to),
        standing=prompt_memory.load(bond=turn.bond, now=now),
        now=now,
    )


def load(around: BaseContext, vector: Sequence[float] | None) -> PromptContext:
    """Read the rest of the six layers, by the vector of the burst: memories and exact words at the same time."""
    turn, bond = around.turn, around.turn.bond
    quoted = start_in_thread(search_quotes, around, vector)
    recalled = memories.search(bond=bond, query=around.query, vector=vector, now=around.now)
    pair = choose_pair_to_ask(turn, named=[entity.pk for entity in recalled.named])
    return PromptContext(
        bond=bond,
        facts=getattr(bond.persona, "facts", None),
        burst=turn.burst,
        lines=around.lines,
        standing=around.standing,
        recalled=recalled,
        words=quoted(),
        pair=pair,
        mood=bond.episodic_state(around.now),
        now=around.now,
    )


def search_quotes(around: BaseContext, vector: Sequence[float] | None) -> list[QuotedMessage]:
    return recall_lines.search(
        bond=around.turn.bond,
        query=around.query,
        vector=vector,
        besides={line.pk for line in around.lines},
        not_session=around.turn.session_id,
        today=around.now.astimezone(around.turn.bond.user.zone).date(),
    )


def choose_pair_to_ask(turn: Turn, *, named: list[int]) -> Entity | None:
    """An uncertain pair to ask about; not off the record, where nothing is learned from the answer."""
    if turn.session.off_record:
        return None
    return lookup.choose_pair_to_ask(bond=turn.bond, session_id=turn.session_id, named=named)
