"""What a turn reads of the six layers, in one round of queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from chat import prompt
from chat.models import Turn
from chat.prompt import Prompt, Recollection
from memory import entities, recall, window, words
from memory.models import Entity, Message, Session
from memory.recall import AlwaysLoaded, Recalled
from memory.words import Word
from personas.models import Bond, CoreBlock, PersonaFacts


class NothingSaid(Exception):
    """All lines of a turn were deleted before it was claimed."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Everything a prompt is made from, and nothing of how the line came in."""

    bond: Bond
    facts: PersonaFacts | None
    blocks: dict[str, str]
    burst: list[Message]
    lines: list[Message]
    talks: list[Session]
    always: AlwaysLoaded
    recalled: Recalled
    words: list[Word]
    pair: Entity | None
    mood: dict[str, Any]
    now: datetime

    def assembled(self) -> Prompt:
        return prompt.assemble(
            self.recollection(), budget=settings.PROMPT_TOKEN_BUDGET, context=settings.CONTEXT_TOKENS
        )

    def recollection(self) -> Recollection:
        """The same as plain values, for the pure part."""
        return Recollection(
            persona_name=self.bond.persona.name,
            user_name=self.bond.user.shown_name,
            persona=self.blocks.get(CoreBlock.Label.PERSONA, ""),
            user=self.blocks.get(CoreBlock.Label.USER, ""),
            style=self.blocks.get(CoreBlock.Label.STYLE, ""),
            facts={} if self.facts is None else self.facts.as_dict(),
            talks=[prompt.Dated(talk.summary, self._local(talk.last_message_at)) for talk in self.talks],
            own_thoughts=[node.description for node in self.always.own_thoughts],
            user_thoughts=[node.description for node in self.always.user_thoughts],
            about=[(entity.canonical_name, entity.description) for entity in self.recalled.named if entity.description],
            pair=self._pair(),
            recalled=[
                prompt.remembered(item.node, told_at=self._local(item.node.created_at)) for item in self.recalled.kept
            ],
            words=[self._line(word.message) for word in self.words],
            promises=[prompt.due(node) for node in self.always.intentions],
            expectations=[prompt.due(node) for node in self.always.expectations],
            mood=self.mood,
            lines=[self._line(line) for line in self.lines],
            burst=[line.content for line in self.burst],
            now=self._local(self.now),
            last_talk_at=self._local(self.lines[-1].created_at) if self.lines else None,
        )

    def trace(self, made: Prompt) -> dict[str, Any]:
        """What was recalled and why, as ids and numbers."""
        shown = {item.node.pk for item in self.recalled.kept[: made.recalled_count]}
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

    def _local(self, at: datetime) -> datetime:
        return at.astimezone(self.bond.user.zone)

    def _line(self, line: Message) -> prompt.Line:
        return prompt.Line(is_user=line.role == Message.Role.USER, text=line.content, at=self._local(line.created_at))

    def _pair(self) -> tuple[str, str] | None:
        if self.pair is None or self.pair.merge_target is None:
            return None
        return self.pair.canonical_name, self.pair.merge_target.canonical_name


def said(burst: Sequence[Message]) -> str:
    """The text of a turn's lines. Raises NothingSaid."""
    if not burst:
        raise NothingSaid("What was said here has been deleted; there is nothing to answer.")
    return "\n".join(line.content for line in burst)


def read(turn: Turn, vector: Sequence[float] | None, now: datetime) -> Reading:
    """Read all six layers for a claimed turn, the vector of whose burst is already made."""
    bond, burst = turn.bond, turn.burst
    query = said(burst)
    recalled = recall.search(bond=bond, query=query, vector=vector, now=now)
    lines = window.recent(bond=bond, most=settings.RECENT_WINDOW_SIZE, turn_id=turn.pk, up_to=burst[-1].pk)
    return Reading(
        bond=bond,
        facts=getattr(bond.persona, "facts", None),
        blocks=core_blocks(bond),
        burst=burst,
        lines=lines,
        talks=window.earlier_talks(bond=bond),
        always=recall.always(bond=bond, now=now),
        recalled=recalled,
        words=words.search(
            bond=bond,
            query=query,
            vector=vector,
            besides={line.pk for line in lines},
            not_session=turn.session_id,
            today=now.astimezone(bond.user.zone).date(),
        ),
        pair=pair_to_ask(turn, named=[entity.pk for entity in recalled.named]),
        mood=bond.episodic_state(now),
        now=now,
    )


def pair_to_ask(turn: Turn, *, named: list[int]) -> Entity | None:
    """An uncertain pair to ask about; not off the record, where nothing is learned from the answer."""
    if turn.session.off_record:
        return None
    return entities.pair_to_ask(bond=turn.bond, session_id=turn.session_id, named=named)


def core_blocks(bond: Bond) -> dict[str, str]:
    """The texts of L1; a style of the bond's own replaces the persona's."""
    of_persona = CoreBlock.objects.filter(persona=bond.persona_id)
    of_bond = CoreBlock.objects.filter(bond=bond)
    texts: dict[str, str] = {}
    for block in sorted(of_persona.union(of_bond, all=True), key=lambda block: block.bond_id or 0):
        if block.content:
            texts[block.label] = block.content
    return texts
