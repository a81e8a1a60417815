"""Forget what the user said and no fact tells, with the events that tell it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from chat.models import Turn
from chat.turns.forgetting import rest
from chat.turns.forgetting.meant_words import holds_about, holds_meant_words
from echovessel import text
from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.embeddings.vectors import rescale
from echovessel.llm.offline.text import lexicon, names, passages
from memory.facts import acts, changing, matching, standing
from memory.facts.checks import told_parts, wording
from memory.facts.drafts import FactDraft
from memory.facts.rules import letting_go, plain_wishes, reading, told_before, wishes_to_forget
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, Message
from memory.models.nodes import ConceptNodeQuerySet
from memory.recall.scoring import compute_cosine
from personas.models import Bond

# What tells the same is as near to what is forgotten, or holds the words by which a wish means that and is nearly as near; of 83 other
# statements of such talks none is (0.49 at most). So many messages and memories are compared.
ALIKE_FROM, ALIKE_OF_WORDS_FROM = 0.55, 0.4
ALIKE_LINES_MOST, ALIKE_MEMORIES_MOST = 40, 10
# What speaks on of somebody who was named before.
SPEAKS_ON = re.compile(r"\b(?:s?he|him|his|hers?|they|them|their)\b|[他她]", re.IGNORECASE)
# Who says so of what was told asks to forget it: "Saturday night never happened. Remove it".
UNDOES = re.compile(r"\bnever happened\b|没发生过", re.IGNORECASE)
# Names what was told and tells nothing: 校医念的那个数字！
_NAMES_TOLD = re.compile(
    r"(?!.*[我咱].*的)(?:[^，,。了]{1,12}的)?[那这][个件些条段笔茬桩档番句][\u4e00-\u9fff]{1,5}\W*$"
)


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
        line = told_parts.divide(line, self.words)[0] or line
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
    lines = [line for line in lines if not matching.is_opposite(line.content, words)]
    return ToldBefore(words=words, lines=[*lines, *own], events=events)


def find(*, turn: Turn, words: str) -> ToldBefore:
    """Find what tells all the words, before the burst and in it beside the wish."""
    lines, events = matching.find_told(bond=turn.bond, session=turn.session, words=words, before=turn.burst[0].pk)
    lines = [line for line in lines if not matching.is_opposite(line.content, words)]
    events = [event for event in events if not matching.is_opposite(event.description, words)]
    has_words = bool(wording.list_words(words))
    here = [one for one in list_statements(turn.burst) if has_words and wording.tells(one.said, words)]
    own = [line for one in here for line in one.lines]
    return ToldBefore(words=words, lines=[*dict.fromkeys([*lines, *own])], events=events)


@dataclass(frozen=True, kw_only=True, eq=False)
class Statement:
    """What the user stated in one of their messages, or a memory tells, and the messages that it rests on."""

    said: str
    lines: Sequence[Message]
    memory: ConceptNode | None = None


def list_statements(lines: Sequence[Message]) -> list[Statement]:
    """List what messages state before they ask to forget something, newest first."""
    return [
        Statement(said=said, lines=[line])
        for line in reversed(lines)
        for said in reversed(passages.split_statements(wishes_to_forget.cut(line.content)))
        if told_before.says_something(said)
        and not any(no_statement(said) for no_statement in (letting_go.lets_go, UNDOES.search, _NAMES_TOLD.match))
    ]


def split_memory(memory: ConceptNode) -> list[Statement]:
    """Return what a memory tells: of an event that rests on several messages of the user what each of them tells."""
    whole = build_statement(memory)
    if memory.type != ConceptNode.Type.EVENT or len(whole.lines) < 2:
        return [whole]
    told = [(line, " ".join(passages.split_statements(line.content))) for line in whole.lines]
    return [Statement(said=said, lines=[line], memory=memory) for line, said in told if said]


def build_statement(memory: ConceptNode) -> Statement:
    return Statement(said=memory.description, lines=rest.list_told_in([memory]), memory=memory)


def forget(turn: Turn, told: ToldBefore, *, facts: Sequence[ConceptNode] = (), words: str, writer: Writer) -> FactWrite:
    """Forget facts, or what no fact tells, with all that tells the same and what the wish has words of; an undo brings it back, as
    a fact where none told it.

    This makes vectors. Raises FactError and LeaseLost.
    """
    own = rest.list_told_in([*facts, *([] if told.lines else told.events)])
    # A memory may rest on a message that tells something else, too.
    meant = [line for line in own if holds_about(line.content, words)] or own
    lines = [*dict.fromkeys([*told.lines, *meant])]
    lines += find_alike(turn, lines, words)
    resting = [
        one
        for one in find_resting(turn.bond, lines, words)
        if one.type == ConceptNode.Type.EVENT or standing.can_touch(writer, one)
    ]
    events = [*dict.fromkeys([*told.events, *resting])]
    resting_on = rest.list_told_in([*facts, *events])
    spared = find_spared(events, lines, words)
    wished = [words, told.words, *(fact.description for fact in facts), told.content if not told.is_empty else ""]
    hidden = [*dict.fromkeys([*lines, *(line for line in resting_on if line not in spared)])]
    kept = " ".join(filter(None, (plain_wishes.split_kept(line.content)[1] for line in writer.messages)))
    left = rest.find_left(turn.bond, hidden, facts=[*facts, *events], wished=wished, kept=kept)
    about = [words, *(node.description for node in [*facts, *events]), *([] if told.is_empty else [told.content])]
    writer = replace(writer, remainders=rest.find_remainders(writer.messages, about))
    if facts:
        write = acts.forget(
            bond=turn.bond, node=facts[0], rewordings=facts[1:], told=events, lines=lines, spared=spared, writer=writer
        )
    else:
        draft = FactDraft(content=told.content, facet=ConceptNode.Facet.ABOUT_YOU.value)
        write = acts.forget_said(bond=turn.bond, draft=draft, lines=lines, told=events, spared=spared, writer=writer)
    rest.note(write, left, writer=writer)
    return write


def find_spared(events: Sequence[ConceptNode], lines: Sequence[Message], words: str) -> list[Message]:
    """Find the messages of events that tell something else than these, which a wish means: an event may put together what was told
    in several. What speaks on of the same by "she" or 他 tells of it.
    """
    meant = {line.pk for line in lines}
    spared: list[Message] = []
    for event in events:
        sources, told = event.source_messages.all(), rest.list_told_in([event])
        if event.type != ConceptNode.Type.EVENT or meant.isdisjoint(line.pk for line in told):
            continue
        is_going = False
        others: list[Message] = []
        for line in told:
            is_going = line.pk in meant or (is_going and speaks_on(line.content))
            if not is_going and not any(holds_meant_words(line.content, one.content, words) for one in lines):
                others.append(line)
        turns = {line.turn_id for line in others}
        spared += [line for line in sources if line in others or (line not in told and line.turn_id in turns)]
    return spared


def speaks_on(said: str) -> bool:
    """Whether a message speaks of somebody as "she" or 他 whom it has not named before: one of an earlier message."""
    meant = SPEAKS_ON.search(said)
    return meant is not None and not names.find(said[: meant.start()])


def find_alike(turn: Turn, told: Sequence[Message], words: str) -> list[Message]:
    """Find the messages that tell the same as these, which a wish means: of their sessions, and those behind the nearest memories."""
    bond = turn.bond
    try:
        vectors = embedding.embed([line.content for line in told])
        nearest = [standing.sort_by_distance(load_memories(bond), one)[:ALIKE_MEMORIES_MOST] for one in vectors if one]
        of_sessions = Q(session__in={turn.session_id, *(line.session_id for line in told)})
        known = Q(nodes__in=[memory.pk for memories in nearest for memory in memories])
        said = Message.objects.for_bond(bond).visible().not_hidden(bond).not_off_record().without_heavy_columns()
        of_user = said.filter(of_sessions | known, role=Message.Role.USER, pk__lt=turn.burst[0].pk).exclude(
            pk__in=[line.pk for line in told]
        )
        others = [*of_user.distinct().order_by("-id")[:ALIKE_LINES_MOST]]
        others_vectors = embedding.embed([other.content for other in others])
    except EmbeddingError:
        return []
    marks = [(line.content, vector) for line, vector in zip(told, vectors, strict=True) if vector]
    return [
        other
        for other, its in zip(others, others_vectors, strict=True)
        if its
        and not matching.is_opposite(other.content, words)
        and any(tells_alike(other.content, one, words, cosine=compute_cosine(vector, its)) for one, vector in marks)
    ]


def tells_alike(said: str, other: str, words: str, *, cosine: float) -> bool:
    """Whether a message tells the same as another one that a wish means: it is near to it, and tells of nobody else."""
    near = rescale(cosine, baseline=embedding.get_cosine_baseline(said))
    least = ALIKE_OF_WORDS_FROM if holds_meant_words(said, other, words) else ALIKE_FROM
    kin, own = lexicon.find_kin(said), lexicon.find_kin(other)
    return near >= least and not (kin and own and kin.isdisjoint(own))


def find_resting(bond: Bond, lines: Sequence[Message], words: str) -> list[ConceptNode]:
    """Find the events and facts that tell the same as these messages of the user: they rest on none but them, or have a word of them
    that no other message has which they rest on. A model writes in its own words, so that of what rests on them alone their parts decide.
    """
    of_lines = load_memories(bond).filter(source_messages__in=[line.pk for line in lines]).distinct().order_by("id")
    known = [node for node in of_lines if not matching.is_opposite(node.description, words)]
    rest.list_told_in(known)
    return [node for node in known if tells_meant(node, lines, words)]


def tells_meant(node: ConceptNode, lines: Sequence[Message], words: str) -> bool:
    """Whether a memory tells what a wish means of these messages."""
    sources = rest.list_told_in([node])
    others = [line for line in sources if line not in lines]
    is_alike = any(
        holds_meant_words(node.description, line.content, words)
        or changing.tells_same(text.extract_terms(rest.find_meant(line.content, [words])), node.terms)
        for line in lines
    )
    if is_alike:
        return rests_on(node, lines, others)
    return not others and any(is_of_meant_part(node.description, line.content, words) for line in sources)


def is_of_meant_part(told: str, said: str, words: str) -> bool:
    """Whether a memory of a message tells what a wish means of it: the message tells nothing else, or less of the memory beside it."""
    stated = wishes_to_forget.cut(said)
    meant, left = told_parts.divide(stated, words)
    if not meant:
        return len([one for one in told_parts.list_told(stated) if told_before.says_something(one)]) < 2
    own = wording.list_parts(told)
    return not told_before.says_something(left) or wording.count_held(meant, own) > wording.count_held(left, own)


def rests_on(node: ConceptNode, lines: Sequence[Message], others: Sequence[Message]) -> bool:
    """Whether a memory rests on messages alone, or has a word of them that its other messages have not."""
    of_lines, of_others = (
        [word for one in told for word in wording.list_words(one.content)] for told in (lines, others)
    )
    own = [word for word in wording.list_firm_words(node.description) if wording.holds_words(of_lines, [word])]
    return not others or any(not wording.holds_words(of_others, [word]) for word in own)


def load_memories(bond: Bond) -> ConceptNodeQuerySet:
    """Load the events and facts that a wish may mean."""
    known = ConceptNode.objects.for_bond(bond).not_deleted().exclude(state=ConceptNode.State.SUPERSEDED)
    return known.filter(type__in=[ConceptNode.Type.EVENT, ConceptNode.Type.FACT]).without_heavy_columns()
