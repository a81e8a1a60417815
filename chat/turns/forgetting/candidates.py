"""Finds what a wish to forget may mean: what is nearest to it, what else once that is forgotten, and what the last reply asked about."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from chat.models import Turn
from chat.turns.forgetting import statements
from chat.turns.forgetting.meant_words import holds_any
from chat.turns.forgetting.statements import Statement
from echovessel import text
from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.embeddings.vectors import rescale
from echovessel.llm.offline.text import lexicon, passages
from memory.facts import standing
from memory.facts.checks import lapses, told_parts, wording
from memory.facts.checks.grounding import extract_own_terms
from memory.facts.rules import letting_go, told_before, wishes_to_forget, yes_and_no
from memory.models import ConceptNode, Message
from memory.recall.scoring import compute_cosine
from personas.models import Bond

# A statement is meant for sure where it is as near to the words of a wish, and nearer than the next by as much; a memory may be meant
# that is nearer than any statement of the talk, and as near.
MEANT_FROM, MEANT_LEAD, ASKED_FROM = 0.4, 0.1, 0.25
# What shares a word with a wish is meant before what is nearer by less.
SHARED_WORD = 0.2
# So many of the user's messages before a wish are looked at, and so many behind one that was forgotten speak on of it.
LINES_MOST, BEHIND = 200, 3
# What shares a word with a wish, or speaks on of what is forgotten, is meant too if it is as near to it.
MORE_FROM = 0.24
# What shares nothing with it is, if it is as near as what is meant for sure.
UNNAMED_FROM = MEANT_FROM
# The share of a statement's words that a reply holds which asks about it.
ASKED_SHARE = 0.6

_LEAD = re.compile(r"^(?:用户|[我的那把]|关于)+")


@dataclass(frozen=True)
class Nearest:
    """What a wish means most likely, how near it is to its words, and whether that is sure."""

    meant: Statement | None
    nearness: float = 0.0
    is_sure: bool = False


def find_nearest(
    bond: Bond,
    stated: Sequence[Statement],
    words: str,
    *,
    earlier: Sequence[Statement] = (),
    but: Callable[[str], bool],
    least: float = ASKED_FROM,
) -> Nearest:
    """Find what a wish means most likely: what is nearest to its words, or else what was stated last.

    `earlier` was stated in other talks. `but` tells what is not meant; what is no nearer than `least` is not either, unless it was
    stated in this talk.
    """
    try:
        vector, *told = embedding.embed([words, *(one.said for one in stated)]) if words else [None]
    except EmbeddingError:
        vector, told = None, []
    if vector is None:
        return Nearest(next(iter(stated), None))
    baseline = embedding.get_cosine_baseline(words)
    near = [rescale(compute_cosine(vector, one), baseline=baseline) if one else 0.0 for one in told]
    ranked = [one + weigh_shared(it.said, words) for one, it in zip(near, stated, strict=True)]
    first, second = [*sorted(ranked, reverse=True), 0.0, 0.0][:2]
    at = ranked.index(first) if ranked else 0
    memories = standing.sort_by_distance(statements.load_memories(bond), vector)[: statements.ALIKE_MEMORIES_MOST]
    of_memories = [part for memory in memories for part in statements.split_memory(memory)]
    in_memory = {line.pk for part in of_memories for line in part.lines}
    of_lines = [one for one in earlier if in_memory.isdisjoint(line.pk for line in one.lines)]
    parts = [part for part in (*of_memories, *of_lines) if not but(part.said)]
    known = [
        (nearness + weigh_shared(part.said, words), nearness, part)
        for part, its in zip(parts, embedding.embed([part.said for part in parts]), strict=True)
        if its and (nearness := rescale(compute_cosine(vector, its), baseline=baseline)) > least
    ]
    if known and (best := max(known, key=itemgetter(0)))[0] > first:
        return Nearest(best[2], best[1])
    if not near:
        return Nearest(None)
    is_sure = near[at] >= MEANT_FROM and first - second >= MEANT_LEAD
    return Nearest(stated[at], near[at], is_sure=is_sure)


def measure_nearness(told: Sequence[str], words: str) -> list[float]:
    """Measure how near texts are to some words; 0 where no vector can be made."""
    try:
        vector, *vectors = embedding.embed([words, *told])
    except EmbeddingError:
        return [0.0] * len(told)
    baseline = embedding.get_cosine_baseline(words)
    return [rescale(compute_cosine(vector, its), baseline=baseline) if vector and its else 0.0 for its in vectors]


def weigh_shared(told: str, words: str) -> float:
    return SHARED_WORD if lapses.shares_word(told, words) else 0.0


def list_said(turn: Turn) -> list[Statement]:
    """List what the user told before a burst and prompts may hold, newest first."""
    said = Message.objects.for_bond(turn.bond).visible().not_hidden(turn.bond).not_off_record()
    of_user = said.filter(role=Message.Role.USER, pk__lt=turn.burst[0].pk).without_heavy_columns().order_by("-id")
    return [
        Statement(said=" ".join(told), lines=[line])
        for line in of_user[:LINES_MOST]
        if (told := [*filter(told_before.says_something, passages.split_statements(line.content))])
        and not is_wish(line.content)
    ]


def is_wish(said: str) -> bool:
    return letting_go.may_let_go(said) and (letting_go.sounds_so(said) or wishes_to_forget.is_one(said))


def find_more(turn: Turn, words: str, *, gone: Sequence[Message], but: Callable[[str], bool]) -> Statement | None:
    """Find what else a wish may mean once these messages are forgotten: what speaks on of them, or shares with the wish what it names.

    A name alone tells only of whom the wish is: who forgets that Ann is ill still knows her from school. What shares nothing must be nearer.
    """
    things = wishes_to_forget.split_things(words) or [words]
    open_things = [one for one in things if not any(holds_any(line.content, one) for line in gone)]
    said = [one for one in list_said(turn) if not but(one.said)]
    about = told_parts.list_about(words, known=lapses.list_names(turn.bond))
    near = [one for one in said if names_same(one.said, about, words) or speaks_on(one, gone, said)]
    last = said[: statements.ALIKE_LINES_MOST]
    unnamed = (find_near(last, one, least=UNNAMED_FROM) for one in open_things)
    return find_near(near, words) or next(filter(None, unnamed), None)


def names_same(told: str, about: Sequence[str], words: str) -> bool:
    """Whether something told holds a word of what a wish is about: not the one alone with which both begin, of whom they tell."""
    held = [one for one in about if wording.holds_part(told, one)]
    is_of_whom = len(about) > 1 and all(_LEAD.sub("", one).startswith(tuple(held)) for one in (told, words))
    return len(held) > 1 or (bool(held) and not (is_of_whom and lexicon.is_chinese(words)))


def speaks_on(told: Statement, gone: Collection[Message], said: Sequence[Statement]) -> bool:
    """Whether a message speaks on of somebody of whom a forgotten one before it tells."""
    if not statements.speaks_on(told.said):
        return False
    earlier = [line.pk for one in said for line in one.lines if line.pk < told.lines[0].pk]
    return any(
        line.session_id == told.lines[0].session_id
        and line.pk < told.lines[0].pk
        and sum(pk > line.pk for pk in earlier) < BEHIND
        for line in gone
    )


def find_near(told: Sequence[Statement], words: str, *, least: float = MORE_FROM) -> Statement | None:
    """Find what is nearest to some words, if it is as near."""
    if not told or not letting_go.list_words(words):
        return None
    near = measure_nearness([one.said for one in told], words)
    at = max(range(len(near)), key=near.__getitem__)
    return told[at] if near[at] >= least else None


def find_asked(turn: Turn, reply: str, answer: str) -> list[Statement]:
    """Find what a reply asked about, whose words it holds: for a yes what has most of them, else which of several an answer names."""
    terms = {*text.extract_terms(reply)}
    memories = [*statements.load_memories(turn.bond)]
    facts = [one for one in memories if one.type == ConceptNode.Type.FACT]
    known = [*facts, *list_said(turn), *(one for one in memories if one not in facts)]
    told = [find_held(one.said if isinstance(one, Statement) else one.description, terms) for one in known]
    held = [at for at, said in enumerate(told) if said]
    held.sort(key=lambda at: -len({*extract_own_terms(told[at])} & terms))
    if yes_and_no.is_assent(answer):
        meant = held[:1]
    else:
        named = letting_go.find_telling([told[at] for at in held], answer)
        meant = [held[at] for at in named] if len(named) < len(held) else []
    found = ((known[at], told[at]) for at in meant)
    return [
        replace(one if isinstance(one, Statement) else statements.build_statement(one), said=said)
        for one, said in found
    ]


def find_held(told: str, terms: Collection[str]) -> str:
    """Find what of something told a reply holds: all of it, or else one of several things; "" where it holds none."""
    texts = [told, *told_parts.list_told(told)]
    own = {said: {*extract_own_terms(said)} for said in texts}
    held = [said for said in texts if own[said] and len(own[said] & {*terms}) >= ASKED_SHARE * len(own[said])]
    return max(held, key=lambda said: (len(own[said] & {*terms}), -len(own[said])), default="")
