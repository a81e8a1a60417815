"""Forget what the user said and no fact tells, with the events that tell it."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.models import Turn
from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.embeddings.vectors import rescale
from echovessel.llm.offline.text import passages
from memory.facts import acts, matching
from memory.facts.checks import wording
from memory.facts.drafts import FactDraft
from memory.facts.rules import letting_go, reading, told_before, wishes_to_forget
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, Message
from memory.recall.scoring import compute_cosine
from personas.models import Bond

# A statement is meant for sure where it is as near to the words of a wish, and nearer than the next by as much.
MEANT_FROM, MEANT_LEAD = 0.4, 0.1


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
        line = wishes_to_forget.cut(self.lines[0].content) or self.lines[0].content
        stated = passages.split_statements(line)
        telling = [one for one in stated if wording.tells(one, self.words)]
        telling = telling or [stated[at] for at in letting_go.find_telling(stated, self.words)]
        return reading.state([" ".join(telling) or line])

    @property
    def texts(self) -> list[str]:
        return [event.description for event in self.events] or [line.content for line in self.lines]


def find_at_all(*, turn: Turn, words: str) -> ToldBefore:
    """Find what tells all the words; where nothing does, what tells most of them."""
    told = find(turn=turn, words=words)
    if not told.is_empty:
        return told
    lines, events = matching.find_told_freely(bond=turn.bond, words=words, before=turn.burst[0].pk)
    here = list_statements(turn.burst)
    own = [here[at].line for at in letting_go.find_telling([one.said for one in here], words)] if not lines else []
    return ToldBefore(words=words, lines=[*lines, *own], events=events)


def find(*, turn: Turn, words: str) -> ToldBefore:
    """Find what tells all the words, before the burst and in it beside the wish."""
    lines, events = matching.find_told(bond=turn.bond, session=turn.session, words=words, before=turn.burst[0].pk)
    has_words = bool(wording.list_words(words))
    own = [one.line for one in list_statements(turn.burst) if has_words and wording.tells(one.said, words)]
    return ToldBefore(words=words, lines=[*dict.fromkeys([*lines, *own])], events=events)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What the user stated in one of their messages."""

    line: Message
    said: str


def list_statements(lines: Sequence[Message]) -> list[Statement]:
    """List what messages state before they ask to forget something, newest first."""
    return [
        Statement(line=line, said=said)
        for line in reversed(lines)
        for said in reversed(passages.split_statements(wishes_to_forget.cut(line.content)))
        if told_before.says_something(said)
    ]


def find_nearest(stated: Sequence[Statement], words: str) -> tuple[Statement | None, bool]:
    """Find the statement that a wish means most likely, and whether that is sure: what is nearest to its words, or else the last one."""
    try:
        vector, *told = embedding.embed([words, *(one.said for one in stated)]) if words and stated else [None]
    except EmbeddingError:
        vector, told = None, []
    baseline = embedding.get_cosine_baseline()
    near = [rescale(compute_cosine(vector, one), baseline=baseline) for one in told if vector and one]
    if not near or len(near) < len(stated):
        return next(iter(stated), None), False
    first, second = [*sorted(near, reverse=True), 0.0][:2]
    return stated[near.index(first)], first >= MEANT_FROM and first - second >= MEANT_LEAD


def forget(told: ToldBefore, *, bond: Bond, writer: Writer) -> FactWrite:
    """Forget it: an undo notes it as a fact. Raises FactError: `invalid`, `secret`, `unsafe`, and LeaseLost."""
    draft = FactDraft(content=told.content, facet=ConceptNode.Facet.ABOUT_YOU.value)
    return acts.forget_said(bond=bond, draft=draft, lines=told.lines, told=told.events, writer=writer)
