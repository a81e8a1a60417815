"""Forget what the user said and no fact tells, with the events that tell it."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.models import Turn
from echovessel.llm.offline.text import passages
from memory.facts import acts, matching
from memory.facts.checks import wording
from memory.facts.drafts import FactDraft
from memory.facts.rules import letting_go, reading
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, Message
from personas.models import Bond


@dataclass(frozen=True, kw_only=True)
class ToldBefore:
    """The user's messages before a burst, and the events, that tell some words."""

    words: str = ""
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
    def content(self) -> str:
        """What is forgotten, as a fact would say it: of a message those statements that tell the words."""
        if not self.lines:
            return self.events[0].description
        stated = passages.split_statements(self.lines[0].content)
        telling = [one for one in stated if wording.tells(one, self.words)]
        telling = telling or [stated[at] for at in letting_go.find_telling(stated, self.words)]
        return reading.state([" ".join(telling) or self.lines[0].content])

    @property
    def texts(self) -> list[str]:
        return [event.description for event in self.events] or [line.content for line in self.lines]


def find_at_all(*, turn: Turn, words: str) -> ToldBefore:
    """Find what tells all the words; where nothing does, what tells most of them."""
    told = find(turn=turn, words=words)
    if not told.is_empty:
        return told
    lines, events = matching.find_told_freely(bond=turn.bond, words=words, before=turn.burst[0].pk)
    return ToldBefore(words=words, lines=lines, events=events)


def find(*, turn: Turn, words: str) -> ToldBefore:
    lines, events = matching.find_told(bond=turn.bond, session=turn.session, words=words, before=turn.burst[0].pk)
    return ToldBefore(words=words, lines=lines, events=events)


def forget(told: ToldBefore, *, bond: Bond, writer: Writer) -> FactWrite:
    """Forget it: an undo notes it as a fact. Raises FactError: `invalid`, `secret`, `unsafe`, and LeaseLost."""
    draft = FactDraft(content=told.content, facet=ConceptNode.Facet.ABOUT_YOU.value)
    return acts.forget_said(bond=bond, draft=draft, lines=told.lines, told=told.events, writer=writer)
