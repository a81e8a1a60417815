"""Forget what the user said and no fact tells, with the events that tell it."""

from collections.abc import Sequence
from dataclasses import dataclass

from chat.models import Turn
from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.embeddings.vectors import rescale
from echovessel.llm.offline.text import passages
from memory.facts import acts, matching, standing
from memory.facts.checks import wording
from memory.facts.drafts import FactDraft
from memory.facts.rules import letting_go, reading, told_before, wishes_to_forget
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, Message
from memory.models.nodes import ConceptNodeQuerySet
from memory.recall.scoring import compute_cosine
from personas.models import Bond

# A statement is meant for sure where it is as near to the words of a wish, and nearer than the next by as much; a memory may be meant
# that is nearer than any statement of the talk, and as near.
MEANT_FROM, MEANT_LEAD, ASKED_FROM = 0.4, 0.1, 0.25


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
    meant = letting_go.find_telling([one.said for one in here], words) if not lines else []
    own = [line for at in meant for line in here[at].lines]
    return ToldBefore(words=words, lines=[*lines, *own], events=events)


def find(*, turn: Turn, words: str) -> ToldBefore:
    """Find what tells all the words, before the burst and in it beside the wish."""
    lines, events = matching.find_told(bond=turn.bond, session=turn.session, words=words, before=turn.burst[0].pk)
    has_words = bool(wording.list_words(words))
    here = [one for one in list_statements(turn.burst) if has_words and wording.tells(one.said, words)]
    own = [line for one in here for line in one.lines]
    return ToldBefore(words=words, lines=[*dict.fromkeys([*lines, *own])], events=events)


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What the user stated in one of their messages, or a memory tells, and the messages that it rests on."""

    said: str
    lines: Sequence[Message]
    memory: ConceptNode | None = None


@dataclass(frozen=True)
class Nearest:
    """What a wish means most likely, how near it is to its words, and whether that is sure."""

    meant: Statement | None
    nearness: float = 0.0
    is_sure: bool = False


def list_statements(lines: Sequence[Message]) -> list[Statement]:
    """List what messages state before they ask to forget something, newest first."""
    return [
        Statement(said=said, lines=[line])
        for line in reversed(lines)
        for said in reversed(passages.split_statements(wishes_to_forget.cut(line.content)))
        if told_before.says_something(said)
    ]


def find_nearest(bond: Bond, stated: Sequence[Statement], words: str) -> Nearest:
    """Find what a wish means most likely: what is nearest to its words, or else what was stated last."""
    try:
        vector, *told = embedding.embed([words, *(one.said for one in stated)]) if words else [None]
    except EmbeddingError:
        vector, told = None, []
    if vector is None:
        return Nearest(next(iter(stated), None))
    baseline = embedding.get_cosine_baseline()
    near = [rescale(compute_cosine(vector, one), baseline=baseline) if one else 0.0 for one in told]
    first, second = [*sorted(near, reverse=True), 0.0, 0.0][:2]
    memory = next(iter(standing.sort_by_distance(load_memories(bond), vector)), None)
    nearness = rescale(1 - memory.distance, baseline=baseline) if memory is not None else 0.0
    if memory is not None and nearness > max(first, ASKED_FROM):
        rests_on = list(memory.source_messages.filter(role=Message.Role.USER))
        return Nearest(Statement(said=memory.description, lines=rests_on, memory=memory), nearness)
    is_sure = first >= MEANT_FROM and first - second >= MEANT_LEAD
    return Nearest(stated[near.index(first)] if stated else None, first, is_sure=is_sure)


def load_memories(bond: Bond) -> ConceptNodeQuerySet:
    """Load the events and facts that a wish may mean."""
    known = ConceptNode.objects.for_bond(bond).not_deleted().exclude(state=ConceptNode.State.SUPERSEDED)
    return known.filter(type__in=[ConceptNode.Type.EVENT, ConceptNode.Type.FACT]).without_heavy_columns()


def forget(told: ToldBefore, *, bond: Bond, writer: Writer) -> FactWrite:
    """Forget it: an undo notes it as a fact. Raises FactError: `invalid`, `secret`, `unsafe`, and LeaseLost."""
    draft = FactDraft(content=told.content, facet=ConceptNode.Facet.ABOUT_YOU.value)
    return acts.forget_said(bond=bond, draft=draft, lines=told.lines, told=told.events, writer=writer)
