"""Lists what the user told, as statements: sentences, what was told of one thing together, and questions with their answers."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.reply.asking import content_words, question_kinds, question_times
from echovessel.llm.offline.reply.context import JUST_TOLD, OLDER, Memory, ReplyContext
from echovessel.llm.offline.text import (
    changes,
    clauses,
    cue_matching,
    lexicon,
    mentions,
    names,
    sentences,
    slots,
    topics,
    unwelcome,
)

# How many messages later something is set right.
_SET_RIGHT_WITHIN = 6
# "It's Dorothy", 叫小白; a name alone has so many words.
_SAYS_WHO = re.compile(r"\b(?:it's|it is|he's|she's|they're|i (?:call|named)|called|names?)\b|叫|是|名", re.IGNORECASE)
_FEW_WORDS = 2
# The slot that a question of a kind asks for.
SLOTS = {"job": "work", "home": "home"}
_OF_WEDDING = re.compile(r"\b(?:wedding|getting married)\b|婚", re.IGNORECASE)
# Of whoever died, these days are still asked for.
_OUTLIVES = re.compile(
    r"\b(?:birthday|anniversary|funeral|burial|memorial|wake)\b|生日|忌日|周年|葬礼|追悼", re.IGNORECASE
)
_OF_BOTH = re.compile(r"\b(?:with|dumped|left) me\b|\bwe\b|\b(?:and i|me and)\b", re.IGNORECASE)
_STILL = re.compile(r"^\W*(?:is|are)\b.* still\b", re.IGNORECASE)
_OF_COMING = re.compile(
    r"\b(?:com(?:e|ing)|visit(?:ing)?)\b|(?<![起出原本后看上下])来(?!着)|(?<![上下一每几])回(?![事合答])", re.IGNORECASE
)
_ASKS_HAVING = re.compile(
    r"^\W*(?:(?:and|so|but) )?do (?:i|we) (?:still )?have (?:(?:any|an?|some) )*([a-z]+)", re.IGNORECASE
)
_WHO_DID = re.compile(
    r"^\W*(?:(?:and|so|but) )?who(?!'s (?!got)| (?:is|was|are|were|did|do|does|i|we|am)\b)(?:'s| has)? (\w+)",
    re.IGNORECASE,
)
# Who asks tells nothing.
_ASKS = (clauses.asks_to_forget, partial(lexicon.matches, "REQUEST"), unwelcome.read_subject)


def list_told(context: ReplyContext) -> Iterator[Memory]:
    """Yield what was told, the oldest first: single sentences, and those about one thing together."""
    yield from list_written(context)
    taken_back = changes.find_taken_back([line.text for line in context.user_messages])
    before = [memory.text for memory in (*context.memories, *context.quotes)]
    standing = [line for at, line in enumerate(context.user_messages) if at not in taken_back]
    for lines in (context.quotes, standing):
        joined = _join_by_topic(lines)
        for at, line in enumerate(lines):
            said = [*list_said([line])]
            yield from said
            if len(said) > 1:
                gap = "" if lexicon.is_chinese(line.text) else " "
                yield Memory(line.age, gap.join(one.text for one in said))
            earlier = [*before, *(one.text for one in lines[:at])] if lines is standing else []
            if earlier and (together := _join_to_line(earlier, said)):
                yield together
            yield from joined.get(at, ())


def _join_to_line(lines: Sequence[str], said: Sequence[Memory]) -> Memory | None:
    """Join what sets right the line before it, denies a word of one shortly before or puts one off; or names whom that asks for: "What's my nan called? It's Dorothy."."""
    if not said:
        return None
    *_, before = lines
    stated = [line for line in lines if not sentences.is_question(line)][-_SET_RIGHT_WITHIN:]
    wrong = next((line for line in reversed(stated) if changes.denies(said[0].text, line)), "")
    wrong = wrong or changes.find_set_right(said[0].text, lines)
    if changes.sets_right(said[0].text, before):
        wrong = before
    if wrong:
        return Memory(said[0].age, f"{sentences.end(wrong)} {said[0].text}")
    question = next((one for one in reversed(sentences.split(before)) if sentences.is_question(one)), "")
    joined = f"{question.rstrip(' ?？')}? {said[0].text}"
    is_answer = question_kinds.classify_question(question) == "called" and not said[0].text.startswith("我")
    is_answer = is_answer or bool(lexicon.find_concepts(question) and clauses.answers(said[0].text))
    is_answer = is_answer and not lexicon.find_concepts(said[0].text) and _says_who(said[0].text)
    return Memory(said[0].age, joined) if is_answer and names.find(joined) else None


def _says_who(text: str) -> bool:
    """Whether a text may only answer what somebody is called, and does not go on to tell of another thing."""
    is_name = lexicon.count_words(text) <= _FEW_WORDS and not sentences.is_small_talk(text)
    return is_name or _SAYS_WHO.search(lexicon.normalise(text)) is not None


def list_written(context: ReplyContext) -> Iterator[Memory]:
    """Yield what stands written of the user: their own text, noted facts and memories."""
    yield from (Memory(None, sentence) for sentence in _split_statements(context.account))
    for fact in dict.fromkeys((*context.loaded, *context.list_saved())):
        # What holds now says nothing of before.
        if question_times.asks_of_past(fact) or not question_times.asks_of_past(context.burst):
            yield Memory(OLDER, fact, is_noted=True)
    yield from context.memories


def list_said(lines: Iterable[Memory]) -> Iterator[Memory]:
    """Yield the statements of messages."""
    yield from (Memory(line.age, sentence) for line in lines for sentence in _split_statements(line.text))


def is_own_doing(text: str, question: str) -> bool:
    """Whether a text tells the user's own doing where one asks who did it, or another thing of a relative: "we told them" and "they live in Hull" of "who told my parents?"."""
    if not (did := _WHO_DID.match(question)):
        return False
    plain, verb = lexicon.normalise(text).lower(), did[1].lower()
    first = plain.partition(" ")[0]
    shared = content_words.list_all(question) & content_words.list_all(text)
    is_of_verb = verb in plain or lexicon.stem_content(verb) & lexicon.stem_content(text)
    kin = lexicon.stem_content(" ".join(lexicon.find_kin_words(question).values()))
    is_other = bool(shared) and shared <= kin and not is_of_verb
    leaves_out = first in english.IRREGULAR or first.endswith("ed")
    return is_other or leaves_out or re.search(rf"\b(?:i|we)(?: \w+)? {verb}\b", plain) is not None


def is_of_anybody(text: str, question: str) -> bool:
    """Whether one asks what one has, and a text names it only as anybody's: "the kids" of "do I have kids?"."""
    asked = _ASKS_HAVING.match(question)
    return (
        asked is not None and re.search(rf"\b(?:the|those|these|their|his|her) (?:\w+ )?{asked[1]}\b", text) is not None
    )


def find_last_statement(context: ReplyContext) -> Memory | None:
    """Return what the user stated last."""
    stated = ((line, [*_split_statements(line.text)]) for line in reversed(context.user_messages))
    return next((Memory(line.age, said[-1]) for line, said in stated if said), None)


def _split_statements(text: str) -> Iterator[str]:
    """Yield the sentences that ask nothing, without a wish to remember them; what answers a question is read with it."""
    whole = sentences.split(text)
    told = (
        f"{before} {said}" if clauses.answers(said) and sentences.is_question(before) else said
        for before, one in zip(["", *whole], whole, strict=False)
        if (said := _find_told(one))
    )
    return (said for said in map(clauses.strip_wish, told) if lexicon.has_words(said))


def _find_told(sentence: str) -> str:
    """Return what a sentence tells; "" where it only asks."""
    if sentences.tells_words(sentence):
        return sentence
    return "" if any(asks(sentence) for asks in _ASKS) else sentences.tell_before_asking(sentence)


def _join_by_topic(lines: Sequence[Memory]) -> dict[int, list[Memory]]:
    """Return what was told of each thing in several sentences, by the line that told the last of it."""
    joined: dict[int, list[Memory]] = {}
    told = (
        "" if lexicon.matches("REQUEST", line.text) or unwelcome.read_subject(line.text) else line.text
        for line in lines
    )
    for topic in topics.group(enumerate(told)):
        if len(topic.chosen) > 1:
            joined.setdefault(topic.lines[-1], []).append(
                Memory(lines[topic.lines[0]].age, topic.text, is_joined=len(topic.lines) > 1)
            )
    return joined


def find_end(context: ReplyContext, question: str, kind: str) -> Memory | None:
    """Return what was told last of somebody or something asked about, if they are gone, or will not come, or if it is granted or refused:
    "We broke up", 我婆婆不来了, "the visa was refused".
    """
    concepts = lexicon.find_concepts(question) | ({"husband", "wife", "partner"} if "married" in question else set())
    told = [*list_written(context), *list_said((*context.quotes, *context.user_messages))]
    bearing = [*_list_bearing(told, question, concepts)]
    asked = content_words.list_all(question)
    # Who made it up with a room-mate has no boyfriend by that.
    is_parted = any(changes.ends(one.text, concepts, is_planned=False) for one in bearing)
    is_of_love = concepts & changes.LOVES
    if is_of_love and is_parted and (reunited := [memory for memory in told if changes.reunites(memory.text)]):
        return reunited[-1]
    # Of "Sophie broke up with me" nothing else needs to tell who she was.
    parted = [one for one in told if changes.ends(one.text, concepts) and _OF_BOTH.search(lexicon.normalise(one.text))]
    if concepts & changes.LOVES and parted and not bearing:
        return parted[-1]
    if _OF_WEDDING.search(question) and (off := [memory for memory in told if changes.calls_off_wedding(memory.text)]):
        return off[-1]
    if settled := [memory for memory in told if asked & content_words.list_all(changes.find_settled(memory.text))]:
        return settled[-1]
    if _OUTLIVES.search(question):
        return None
    if _STILL.search(question) and bearing and changes.tells_end(bearing[-1].text):
        return bearing[-1]
    dead = [one for one in bearing if changes.tells_death(one.text)]
    dead = [one for one in dead if any(mentions.is_named(name.text, question) for name in names.find(one.text))]
    if passed := [*dead, *(one for one in told if changes.tells_passing(one.text, [of.text for of in bearing]))]:
        return passed[-1]
    is_planned = kind == "when" or _OF_COMING.search(question) is not None
    return bearing[-1] if bearing and changes.ends(bearing[-1].text, concepts, is_planned=is_planned) else None


def _list_bearing(told: Sequence[Memory], question: str, concepts: set[str]) -> Iterator[Memory]:
    """Yield what tells of whom a question asks about, by these concepts or by name.

    Of a visit that is whatever was told of the family's coming, of 朵朵 also 儿子不回来了; of an animal also that one was put to sleep,
    whoever was spoken of in between.
    """
    asked = [name for one in told for name in names.find(one.text) if mentions.is_named(name.text, question)]
    is_of_coming = _OF_COMING.search(question) is not None
    is_of_pet = bool(concepts & {*english.PETS}) or any(name.kind == "pet" for name in asked)
    about = [(memory, lexicon.find_own_concepts(memory.text)) for memory in told]
    called = {name.text for memory, of_text in about if of_text & concepts for name in names.find(memory.text)}
    called |= {name.text for name in asked if name.kind in ("pet", "person")}
    for memory, of_text in about:
        if (
            of_text & concepts
            or any(mentions.is_named(name, memory.text) for name in called)
            or (is_of_coming and "family" in lexicon.widen(of_text) and _OF_COMING.search(memory.text))
            or (is_of_pet and not of_text and changes.puts_down(memory.text))
        ):
            yield memory


def find_change(context: ReplyContext, kind: str) -> Memory | None:
    """Return what this talk told last of another job or home: what is noted of it holds no longer."""
    lately = [line for line in context.user_messages if line.age and line.age.unit in JUST_TOLD]
    told = [
        one
        for one in list_said(lately)
        if kind in SLOTS
        and (changes.changes_slot(one.text, kind) or _fills(one.text, SLOTS[kind]))
        and not cue_matching.has_cue("UNSETTLED", one.text)
    ]
    return told[-1] if told else None


def _fills(text: str, slot: str) -> bool:
    return any(slot == filled for filled, _ in slots.read_slots(text))


def find_what_supersedes(best: Sequence[Memory], told: Sequence[Memory], question: str) -> Memory | None:
    """Return what was told last and after the best answer that says that it holds no longer; what is noted holds, and a name
    unless it is another's now.
    """
    if not best or best[0].is_noted:
        return None
    since = told[told.index(best[0]) + 1 :]
    alone = (one for one in reversed(since) if not (one.is_joined or best[0].text in one.text))
    if asked := lexicon.find_concepts(question):
        # What the user does otherwise changes nothing of a relative.
        own = partial(lexicon.matches, "MYSELF")
        alone = (one for one in alone if asked & lexicon.widen(lexicon.find_concepts(one.text)) or not own(one.text))
    is_of_name = question_kinds.classify_question(question) == "called"
    may_be = (one for one in alone if not is_of_name or changes.tells_other(one.text, question))
    found = (one for one in may_be if changes.supersedes(one.text, best[0].text))
    return next((one for one in found if not cue_matching.has_cue("UNSETTLED", one.text)), None)
