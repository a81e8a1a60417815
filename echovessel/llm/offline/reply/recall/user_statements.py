"""Lists what the user told, as statements: sentences, what was told of one thing together, and questions with their answers."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from echovessel import times
from echovessel.llm.offline import restating
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.reply.asking import content_words, evidence, question_kinds, question_times
from echovessel.llm.offline.reply.context import OLDER, Memory, ReplyContext
from echovessel.llm.offline.text import changes, clauses, cue_matching, lexicon, names, sentences, topics, unwelcome

# From these cosines on a line answers whatever is asked for, or but a number or a place; answers; or is near.
_OF_ANY_KIND, _OF_MOST_KINDS, ANSWERS, NEAR = 0.62, 0.48, 0.42, 0.37
# 修车花了多少 asks of the user, and 店叫“半夏” names what no list knows.
_DONE, _SAYS_NAME = re.compile("[\u4e00-\u9fff][了过]"), re.compile('叫[“"「《]')
# How many messages later something is set right.
_SET_RIGHT_WITHIN = 6
# "It's Dorothy", 叫小白; a name alone has so many words.
_SAYS_WHO = re.compile(r"\b(?:it's|it is|he's|she's|they're|i (?:call|named)|called|names?)\b|叫|是|名", re.IGNORECASE)
_FEW_WORDS = 2
# "Baby's five weeks old. Her name's Wren": the line before says whose name it is.
_NAMES_WHOM = re.compile(
    r"\W*(?:(?:his|her|its|their) name(?:'s|s| is| was)|(?:s?he|it|they)(?:'s|'re| is| are| was| were) (?:called|named))\b",
    re.IGNORECASE,
)
# Of these questions "it's in July" is an answer.
_IT_TELLS = ("when", "where", "age", "colour")
_OF_MINE = re.compile(r"\W*(?:my|our)\b", re.IGNORECASE)
# The slot that a question of a kind asks for.
SLOTS = {"job": "work", "home": "home"}
_WHO_DID = re.compile(
    r"^\W*(?:(?:and|so|but) )?who(?!'s (?!got)| (?:is|was|are|were|did|do|does|i|we|am)\b)(?:'s| has)? (\w+)",
    re.IGNORECASE,
)
# Who wants to be reminded of something tells it.
_REMINDED = re.compile(
    r"^\W*(?:(?:please|can you|could you|will you) )*remind me (?:that )?(?=(?:my|the|i|i'm|i've|our|we) )",
    re.IGNORECASE,
)
# Who asks tells nothing.
_ASKS = (
    clauses.asks_to_forget,
    partial(lexicon.matches, "REQUEST"),
    partial(lexicon.matches, "ASKS_WHAT_IS_KNOWN"),
    unwelcome.read_subject,
    re.compile(r"(?i)\W*(?:(?:please|can you|could you|will you) )*remind me (?:wh|how)").match,
)


def list_told(context: ReplyContext) -> Iterator[Memory]:
    """Yield what was told, the oldest first: single sentences, and those about one thing together."""
    yield from list_written(context)
    taken_back = sentences.find_taken_back([line.text for line in context.user_messages])
    before = [memory.text for memory in (*context.memories, *context.quotes)]
    kept = [(at, line.text) for at, line in enumerate(context.user_messages) if at not in taken_back]
    standing = [replace(context.user_messages[at], text=text) for at, text in restating.complete(kept)[0]]
    for lines in (context.quotes, standing):
        joined = _join_by_topic(lines)
        right = [(at, line.text) for at, line in enumerate(lines) if changes.is_correction(line.text)]
        for at, line in enumerate(lines):
            later = [text for nth, text in right if nth > at]
            # What is set right later is told with that alone.
            said = [one for one in list_said([line]) if not any(changes.corrects(text, one.text) for text in later)]
            yield from said
            if len(said) > 1:
                gap = "" if lexicon.is_chinese(line.text) else " "
                yield Memory(line.age, gap.join(one.text for one in said))
            earlier = [*before, *(one.text for one in lines[:at])] if lines is standing else []
            if earlier and (together := _join_to_line(earlier, said)):
                yield together
            yield from joined.get(at, ())


def map_restated(context: ReplyContext) -> dict[str, str]:
    """Map the lines that were set right, and those that did so, to how they read since."""
    lines = [one.text for one in context.user_messages]
    whole, before = restating.complete([*enumerate(lines)])
    return {lines[at]: text for number, text in whole if number in before for at in (number, before[number])}


def find_nearest(context: ReplyContext, asked: str) -> tuple[Memory, float] | None:
    """Return what was told that is nearest to a question by its vector, as it reads since it was set right, and the cosine; None where it is
    not near, of another kind or of others.
    """
    nearest, cosine = context.inputs.nearest or (None, 0.0)
    if nearest is None or cosine < NEAR or not _may_answer(nearest.text, asked, cosine):
        return None
    text = map_restated(context).get(nearest.text, nearest.text)
    told = [one for one in list_told(context) if text in one.text and changes.is_correction(one.text)]
    return (told or [Memory(times.measure_age(nearest.at, context.inputs.now), text, at=nearest.at)])[-1], cosine


def _may_answer(text: str, asked: str, cosine: float) -> bool:
    """Whether a text could give the kind of answer that a question of the user's life asks for, and is of whom it asks."""
    kind, concepts = question_kinds.classify_question(asked), lexicon.find_concepts(asked)
    is_who, called = question_kinds.WHO.search(asked) is not None, names.find(text)
    is_of_life = any(one.text in asked for one in called) or lexicon.matches("MYSELF", asked) or concepts
    is_of_other = concepts - lexicon.widen(lexicon.find_concepts(text)) == concepts != set()
    is_of_other = is_of_other or evidence.is_opposite(text, asked) or evidence.is_of_another(text, asked)
    if is_of_other or not (is_of_life or _DONE.search(asked)):
        return False
    if kind == "called" and not is_who:
        return any(one.text not in asked for one in called) or _SAYS_NAME.search(text) is not None
    is_of_kind = kind not in (*question_kinds.OWN, *question_kinds.NEEDS_EVIDENCE) or evidence.has_evidence(text, kind)
    return is_of_kind or cosine >= (_OF_ANY_KIND if kind in question_kinds.EXACT else _OF_MOST_KINDS)


def _join_to_line(lines: Sequence[str], said: Sequence[Memory]) -> Memory | None:
    """Join what sets right the line before it, denies a word of one shortly before or puts one off; or names whom that speaks of or asks for: "What's my nan called? It's Dorothy."."""
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
    speaks_of_one = lexicon.find_concepts(before) or names.SOMEBODY.search(before) or _OF_MINE.match(before)
    if _NAMES_WHOM.match(lexicon.normalise(said[0].text)) and speaks_of_one:
        return Memory(said[0].age, f"{sentences.end(before)} {said[0].text}")
    question = next((one for one in reversed(sentences.split(before)) if sentences.is_question(one)), "")
    joined = f"{question.rstrip(' ?？')}? {said[0].text}"
    kind = question_kinds.classify_question(question)
    is_answer = kind == "called" and not said[0].text.startswith("我")
    is_answer = is_answer or bool(lexicon.find_concepts(question) and clauses.answers(said[0].text))
    is_answer = is_answer and not lexicon.find_concepts(said[0].text) and _says_who(said[0].text)
    is_of_it = clauses.answers(said[0].text) and kind in _IT_TELLS and evidence.has_evidence(said[0].text, kind)
    is_of_slot = is_of_it or (cue_matching.find_asked_slots(question) and clauses.answers(said[0].text))
    return Memory(said[0].age, joined) if is_of_slot or (is_answer and names.find(joined)) else None


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
    yield from (Memory(line.age, sentence, at=line.at) for line in lines for sentence in _split_statements(line.text))


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
    asked = question_kinds.ASKS_HAVING.match(question)
    return (
        asked is not None and re.search(rf"\b(?:the|those|these|their|his|her) (?:\w+ )?{asked[1]}\b", text) is not None
    )


def find_last_statement(context: ReplyContext) -> Memory | None:
    """Return what the user stated last in this chat."""
    stated = [*list_said(context.user_messages)]
    return stated[-1] if stated else None


def find_first_statement(context: ReplyContext) -> Memory | None:
    """Return what the user stated first in this chat, beside small talk."""
    told = (said for said in list_said(context.user_messages) if not sentences.is_small_talk(said.text))
    return next(told, None)


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
    if (told := _REMINDED.sub("", sentence)) != sentence:
        return told
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
