"""Forget what the user said and no fact tells, with the events that tell it."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.models import Turn
from memory.facts import acts, matching
from memory.facts.drafts import FactDraft
from memory.facts.rules import reading
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, Message
from personas.models import Bond


@dataclass(frozen=True, kw_only=True)
class ToldBefore:
    """The user's messages before a burst, and the events, that tell some words."""

    lines: Sequence[Message] = ()
    events: Sequence[ConceptNode] = ()

    @property
    def is_empty(self) -> bool:
        return not self.lines and not self.events

    @property
    def is_too_much(self) -> bool:
        """Whether more tells it than may be meant."""
        return max(len(self.lines), len(self.events)) > matching.TOLD_MOST

    @property
    def texts(self) -> list[str]:
        return [event.description for event in self.events] or [line.content for line in self.lines]


def find_at_all(*, turn: Turn, words: str) -> ToldBefore:
    """Find what tells all the words; where nothing does, what tells most of them."""
    told = find(turn=turn, words=words)
    if not told.is_empty:
        return told
    lines, events = matching.find_told_freely(bond=turn.bond, words=words, before=turn.burst[0].pk)
    return ToldBefore(lines=lines, events=events)


def find(*, turn: Turn, words: str) -> ToldBefore:
    lines, events = matching.find_told(bond=turn.bond, session=turn.session, words=words, before=turn.burst[0].pk)
    return ToldBefore(lines=lines, events=events)


def forget(told: ToldBefore, *, bond: Bond, writer: Writer) -> FactWrite:
    """Forget it: an undo notes it as a fact. Raises FactError: `invalid`, `secret`, `unsafe`, and LeaseLost."""
    content = reading.state([told.lines[0].content]) if told.lines else told.events[0].description
    draft = FactDraft(content=content, facet=ConceptNode.Facet.ABOUT_YOU.value)
    return acts.forget_said(bond=bond, draft=draft, lines=told.lines, told=told.events, writer=writer)
