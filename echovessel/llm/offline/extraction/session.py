"""Extracts what is worth remembering from a session, in the shape of an answer to the extraction prompt."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pydantic import JsonValue

from echovessel import crisis
from echovessel.llm.inputs import ExtractionInputs, KnownEntity
from echovessel.llm.offline import event_dates, restating
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.extraction import (
    aliases,
    answered,
    clarified,
    facts,
    implied_feelings,
    promises,
    statements,
)
from echovessel.llm.offline.extraction.aliases import Alias
from echovessel.llm.offline.extraction.entities import list_entities
from echovessel.llm.offline.extraction.promises import Promise
from echovessel.llm.offline.feeling_types import Party
from echovessel.llm.offline.text import (
    changes,
    clauses,
    cue_matching,
    feelings,
    happenings,
    lexicon,
    parties,
    sentences,
    topics,
    unwelcome,
)
from echovessel.llm.offline.text.topic_types import Sentence, Topic
from echovessel.periods import Period

MAX_EVENTS = 3
# Beside what stands out, so many messages that state something: rules cost no call, and a memory not made is not found.
STATED_MOST = 4
_DEATH = -9
# A summary has so many words where something was told in as many.
_TELLING = 4
_SENTENCES_MOST, _CHARACTERS_MOST = 3, 200
# A weaker event gives its place to a promise.
_YIELDS = 4
_SECRET = re.compile(
    r"\b(?:passwords?|passcode|pin code|my pin|cvv|otp|(?:verification|security|one-time) code|api key)\b|密码|口令|验证码|(?:\d[ -]?){13,}|\b(?:sk|ghp|pk)[-_]\w{8,}",
    re.IGNORECASE,
)
# 我之前被裁过吗 asks, whatever it asks of.
_ASKS_WHETHER = re.compile(r"吗\W*$")
# How the companion is to call them and what it took wrong is no event.
_TO_COMPANION = re.compile(r"^(?:以后|就|别再?|不要再?)*叫我[^，,。]{1,8}|你(?:是不是)?(?:记|弄|搞|听)错")
# 我忘记带伞了 asks for nothing.
_ASKS_CHINESE = re.compile(r"[你请吧]|别记|不要记")
_MOODS = (
    (-5, "heavy", "沉重", 3),
    (-1, "subdued", "低落", 4),
    (1, "calm", "平静", 5),
    (5, "warm", "温暖", 6),
    (10, "joyful", "喜悦", 8),
)


def extract(
    inputs: ExtractionInputs, *, most: int = MAX_EVENTS, stated_most: int = STATED_MOST
) -> dict[str, JsonValue]:
    said, before = restating.complete(_leave_out_unkept(inputs))
    heard = [*(event.text for event in inputs.remembered), *(text for _, text in said)]
    passed = [number for number, text in said if changes.tells_passing(text, heard[: heard.index(text)])]
    found = topics.group(
        said,
        known=_find_parties(inputs),
        before=inputs.said_before_user,
        implied=implied_feelings.weigh_lines(inputs.lines) | dict.fromkeys(passed, _DEATH),
        felt=implied_feelings.hear_feelings(inputs.lines),
    )
    found = [topic for topic in found if topic.feelings or topic.names or not _is_chatter(topic)]
    promised = promises.find_promises(inputs)[-1:]
    best = sorted((topic for topic in found if not topic.is_felt_alone), key=_rank, reverse=True)[:most]
    if promised and len(best) == most and abs(best[-1].impact) < _YIELDS:
        best.pop()
    promised = promised[: most - len(best)]
    noted = [fact.text for fact in inputs.facts]
    lasting = {line.number: line.lasting for line in inputs.lines}
    told = statements.complete(
        [topic for topic in found if topic in best], said, named=found, noted=noted, lasting=lasting
    )
    events = told[: most + stated_most - len(promised)]
    named = aliases.find_aliases(inputs)
    clear = aliases.judge_pair(inputs)
    return {
        "events": [
            *(_write_event(topic, inputs, before) for topic in events),
            *(_write_promise(promise) for promise in promised),
        ],
        "session_summary": _summarise(sorted(told[: len(best)], key=_rank, reverse=True), told[len(best) :], inputs),
        "mentioned_entities": list_entities(events, inputs=inputs, named=named),
        "possible_same": _list_possible_same(named, inputs),
        "entity_clarification": _write_clarification(inputs, same=clear),
        "session_mood_signal": _find_mood(best or found[:most], inputs),
        "clarified": clarified.find_clarified(inputs),
        "facts": facts.find_facts(_join_answers(said, inputs), inputs, before=before),
        "self_check_notes": "Read by rules, without a model.",
    }


def _leave_out_unkept(inputs: ExtractionInputs) -> list[tuple[int, str]]:
    """Return the user's lines without jokes that are taken back, and sentences that hold a secret, ask to forget something, or ask not to bring it up, which was noted."""
    taken_back = sentences.find_taken_back([text for _, text in inputs.said_by_user])
    return [
        (number, "\n".join(sentence for sentence in sentences.split(text) if not _is_kept_out(sentence)))
        for at, (number, text) in enumerate(inputs.said_by_user)
        if at not in taken_back
    ]


def _join_answers(said: Iterable[tuple[int, str]], inputs: ExtractionInputs) -> list[tuple[int, str]]:
    """Return lines with what an answer of a few words and the question before it tell together in its place; of one's own question
    "it's …" or a day is the answer, since the companion has answered it first.
    """
    answers, asked = dict(inputs.said_by_user), inputs.said_before_user
    joined = {number: answered.complete(answers[number], answered.turn_to_user(text)) for number, text in asked.items()}
    for (_, question), (number, answer) in pairwise(inputs.said_by_user):
        told = answered.complete(answer, question)
        if told and not joined.get(number) and (clauses.answers(answer) or clauses.tells(told, "birthday")):
            joined[number] = told
    return [(number, one if (one := joined.get(number)) and not _is_kept_out(one) else text) for number, text in said]


def _is_kept_out(sentence: str) -> bool:
    if crisis.is_voiced(sentence):
        return False
    if (
        _ASKS_WHETHER.search(sentence)
        or lexicon.matches("ASKS_MEMORY", sentence)
        or _TO_COMPANION.search(sentence)
        or lexicon.matches("REMINDER", sentence)
        or cue_matching.has_cue("ATTRIBUTES", sentence)
        or crisis.is_denied(sentence)
    ):
        return True
    is_asked = not lexicon.is_chinese(sentence) or _ASKS_CHINESE.search(sentence) is not None
    is_wish = (is_asked and clauses.asks_to_forget(sentence)) or bool(unwelcome.read_subject(sentence))
    return is_wish or _SECRET.search(sentence) is not None


def _find_parties(inputs: ExtractionInputs) -> dict[str, Party]:
    """Return the party of each known name, by what is remembered of them."""
    found: dict[str, Party] = {}
    for entity in inputs.known:
        for name in entity.names:
            if entity.kind == "pet":
                found[name] = Party.PET
            elif entity.kind == "person":
                found[name] = _find_remembered_party(entity.names, inputs) or Party.NAMED
    return found


def _find_remembered_party(names: Iterable[str], inputs: ExtractionInputs) -> Party | None:
    told = [event.text for event in inputs.remembered if any(name in event.text for name in names)]
    kin = [lexicon.find_kin(text) for text in told]
    return parties.choose_party(kin[0]) if kin and len(kin[0]) == 1 else None


def _is_chatter(topic: Topic) -> bool:
    return all(statements.is_chatter(one.text) for one in topic.sentences) or statements.asks_for(topic.text)


def _rank(topic: Topic) -> tuple[int, int, int]:
    return abs(topic.worded_impact), len(topic.names), len(topic.sentences)


def _write_event(topic: Topic, inputs: ExtractionInputs, before: dict[int, int]) -> dict[str, JsonValue]:
    text = topic.told
    return {
        "description": text,
        "emotional_impact": topic.impact,
        "emotion_tags": [feeling.tag for feeling in topic.feelings[:4]],
        "relational_tags": _find_relational_tags(text),
        "subject": "user",
        "event_time": _find_event_time(topic, inputs),
        "source_lines": [*restating.list_sources(topic.lines, before)],
        "supersedes": [*changes.find_superseded(text, inputs.remembered)],
    }


def _find_event_time(topic: Topic, inputs: ExtractionInputs) -> JsonValue:
    """Return the days of the strongest sentence, else of the first that names some; what lies ahead before the day on which it was heard."""
    heard: Period | None = None
    for sentence in sorted(topic.chosen, key=lambda sentence: -abs(sentence.impact)):
        said_on = inputs.day_of(sentence.line)
        for clause in event_dates.split_clauses(sentence.text):
            days = event_dates.find_days(clause, said_on=said_on, leaning=event_dates.find_leaning(clause))
            if days and heard is None and event_dates.is_of_telling(days, said_on=said_on):
                heard = days
            elif days and (heard is None or days.start > said_on):
                return _write_window(days)
    return _write_window(heard) if heard else None


def _write_window(days: Period | Promise) -> dict[str, JsonValue]:
    return {"start": days.start.isoformat(), "end": days.end.isoformat()}


def _write_promise(promise: Promise) -> dict[str, JsonValue]:
    return {
        "description": promise.text,
        "emotional_impact": 1,
        "emotion_tags": [],
        "relational_tags": ["commitment"],
        "subject": "persona",
        "event_time": _write_window(promise),
        "source_lines": [promise.line],
        "supersedes": [],
    }


def _find_relational_tags(text: str) -> list[JsonValue]:
    patterns = lexicon.choose_vocabulary(text).RELATIONAL
    found = [tag for tag, pattern in patterns.items() if re.search(pattern, text, re.IGNORECASE)]
    if changes.is_correction(text):
        found.insert(0, "correction")
    return [*dict.fromkeys(found)][:3]


def _summarise(best: Sequence[Topic], further: Sequence[Topic], inputs: ExtractionInputs) -> str:
    """Return what weighs most of what happened, in the order it was said, else what stands out; "" of a talk that told nothing."""
    heard = {(one.line, one.text): one for topic in (*best, *further) for one in topic.chosen}
    said = [(number, one) for number, text in _leave_out_unkept(inputs) for one in sentences.split(text)]
    every = [heard.get((line, one), Sentence(one, line)) for line, one in dict.fromkeys(said)]
    every = [one for one in every if one.is_peak or not statements.is_chatter(one.text)]
    heaviest = max(map(happenings.rank, every), default=0)
    if best and heaviest <= happenings.FELT_MOST:
        # "Bit nervous tbh." says nothing of what it was about.
        telling = (one for one in (*best, *further) if lexicon.count_words(one.told) >= _TELLING)
        return next(telling, best[0]).told[:_CHARACTERS_MOST]
    least = max(heaviest / 2, happenings.FELT_MOST + 1) if heaviest > happenings.FELT_MOST else 0
    texts = [
        Topic(happenings.choose(every, most=most, least=least)).told
        for most in range(_SENTENCES_MOST if heaviest else 1, 0, -1)
    ]
    return next((text for text in texts if len(text) <= _CHARACTERS_MOST), texts[-1][:_CHARACTERS_MOST])


def _list_possible_same(named: list[Alias], inputs: ExtractionInputs) -> list[JsonValue]:
    """Return pairs of known names that the user says are one person."""
    return [
        {"a": alias.owner, "b": alias.other, "stated_in": alias.line}
        for alias in named
        if alias.is_explicit and _are_two(inputs.entity_named(alias.owner), inputs.entity_named(alias.other))
    ]


def _are_two(a: KnownEntity | None, b: KnownEntity | None) -> bool:
    return a is not None and b is not None and a != b


def _write_clarification(inputs: ExtractionInputs, *, same: bool | None) -> JsonValue:
    if inputs.pair is None or same is None:
        return None
    a, b = inputs.pair
    return {"canonical_a": a, "canonical_b": b, "same": same}


def _find_mood(events: list[Topic], inputs: ExtractionInputs) -> JsonValue:
    if not events:
        return None
    mean = sum(topic.impact for topic in events) / len(events)
    in_chinese = lexicon.is_chinese(" ".join(text for _, text in inputs.said_by_user))
    _, calm, calm_zh, energy = next(mood for mood in _MOODS if mean <= mood[0])
    return {"mood": calm_zh if in_chinese else calm, "energy": energy, "last_user_signal": _find_signal(inputs)}


def _find_signal(inputs: ExtractionInputs) -> str | None:
    """Return the tone of the last message that had one."""
    for _, text in reversed(inputs.said_by_user):
        for signal, pattern in {**english.SIGNALS, **chinese.SIGNALS}.items():
            if re.search(pattern, text, re.IGNORECASE):
                return signal
        felt = feelings.find_feelings(text)
        if felt or lexicon.find_pets(text):
            return None if felt and felt[0].impact < 0 else "warm"
    return None
