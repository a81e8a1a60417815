"""Recaps a scene in the user's own words: what weighs most, what is open, how things stand, who is named."""

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from echovessel import lazy_re as re
from echovessel.llm.inputs import ExtractionInputs, SceneRecapInputs
from echovessel.llm.offline.extraction import aliases, facts, implied_feelings, promises
from echovessel.llm.offline.extraction.entities import list_entities
from echovessel.llm.offline.story import otherwise
from echovessel.llm.offline.text import cue_matching, lexicon, sentences, topics
from echovessel.llm.offline.text.topic_types import Sentence, Topic

OUTCOMES_MOST, OPEN_MOST, STATE_MOST, ENTITIES_MOST = 6, 4, 4, 8
_PLAN = re.compile(
    r"\bi(?:'ll| will|'m going to| am going to|'m gonna| plan to| want to| hope to| have to| need to| must)\b|\bwe(?:'ll| will|'re going to)\b|\b(?:tomorrow|next (?:week|month|year)|appointment|deadline)\b"
    r"|我(?:们)?(?:明天|后天|下周|下个?月|明年)?(?:会|要(?!是)|打算|计划|准备|得去|想去)|(?:明天|后天|下周|下个月|明年).{0,8}(?:要|去|有)",
    re.IGNORECASE,
)
# What holds next month too, by what it is about.
_REMARKS = {
    "work": re.compile(
        r"\b(?:works?|worked) (?:at|as|for|in)\b|\bis an? \w+(?:er|or|ist|ian|nurse|chef|student)\b|是.{0,6}(?:师|员|工|生|手|长)|在.{1,8}(?:工作|上班)",
        re.IGNORECASE,
    ),
    "home": re.compile(r"\blives? (?:in|at|near|with|next)\b|住在|住.{0,4}楼", re.IGNORECASE),
    "likes": re.compile(
        r"\b(?:likes?|loves?|hates?|plays|collects|can't stand)\b|喜欢|讨厌|爱(?:吃|喝|看|听|玩)", re.IGNORECASE
    ),
    "age": re.compile(
        r"\bis (?:\w+ )?(?:\d+|\w+) years? old\b|\bturn(?:s|ed) \w+\b|\d+岁|[一二三四五六七八九十]+岁", re.IGNORECASE
    ),
    "who": re.compile(r"\bis (?:my|our|a|the|called)\b|\bmy (?:\w+ )?\w+,|是我|叫", re.IGNORECASE),
}


def recap(inputs: SceneRecapInputs) -> dict[str, JsonValue]:
    read = ExtractionInputs(lines=inputs.lines)
    said = read.said_by_user
    found = topics.group(said, before=read.said_before_user, implied=implied_feelings.weigh_lines(inputs.lines))
    weighty = choose_weightiest(found, said)
    return {
        "title": weighty[0].text if weighty else "",
        "outcomes": [_tell(one.text, one.line) for one in weighty],
        "open": _find_open(read),
        "state": _find_state(said, read),
        "quotes": [],
        "entities": _list_entities(found, read),
    }


def choose_weightiest(found: Iterable[Topic], said: Sequence[tuple[int, str]]) -> list[Sentence]:
    """Choose six sentences in their order: those felt most, then those that name somebody, then the longest."""
    told = {(one.line, one.text): one for topic in found for one in topic.sentences}
    for line, sentence in _list_sentences(said):
        if not sentences.is_small_talk(sentence) and not sentences.is_question(sentence):
            told.setdefault((line, sentence), Sentence(sentence, line))
    named = {name for topic in found for name in topic.names}
    in_topics = {(one.line, one.text) for topic in found for one in topic.sentences}

    def weigh(one: Sentence) -> tuple[int, bool, bool, int]:
        is_named = any(name in one.text for name in named)
        return abs(one.impact), (one.line, one.text) in in_topics, is_named, min(len(one.text), 200)

    best = sorted(told.values(), key=weigh, reverse=True)[:OUTCOMES_MOST]
    if not best and said:
        return [Sentence(said[0][1], said[0][0])]
    order = {number: at for at, (number, _) in enumerate(said)}
    places = {key: at for at, key in enumerate(_list_sentences(said))}
    return sorted(best, key=lambda one: (order[one.line], places.get((one.line, one.text), 0)))


def _list_sentences(said: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    return [(line, sentence) for line, text in said for sentence in sentences.split(text)]


def _tell(text: str, line: int) -> JsonValue:
    return {"text": text, "lines": [line]}


def _find_open(inputs: ExtractionInputs) -> list[JsonValue]:
    """Return plans of the user's, what is not settled, promises of the companion's, and what the user asked last without an answer."""
    found = [
        (line, sentence)
        for line, sentence in _list_sentences(inputs.said_by_user)
        if (_PLAN.search(sentence) or cue_matching.has_cue("UNSETTLED", sentence))
        and not sentences.is_question(sentence)
    ]
    found += [(promise.line, promise.text) for promise in promises.find_promises(inputs)]
    last = inputs.lines[-1]
    if last.is_user:
        found += [(last.number, one) for one in sentences.split(last.text) if sentences.is_question(one)]
    # The last of those that say the same.
    last_of = {sentences.end(said).casefold(): (line, said) for line, said in sorted(found)}
    return [_tell(said, line) for line, said in sorted(last_of.values())[-OPEN_MOST:]]


def _find_state(said: Sequence[tuple[int, str]], inputs: ExtractionInputs) -> list[JsonValue]:
    """Return what is otherwise than was said, then what holds of the user until further notice: the last of each label."""
    told: list[tuple[int, bool, str, str, tuple[int, ...]]] = [
        (line, False, label, text, (line,)) for line, label, text in otherwise.find(said)
    ]
    for fact in facts.find_facts(said, inputs):
        assert isinstance(fact, dict)  # the shape of an answer
        assert isinstance(fact["source_lines"], list)
        lines = tuple(int(str(line)) for line in fact["source_lines"])
        if label := str(fact["slot"] or ""):
            told.append((max(lines), True, label, str(fact["content"]), lines))
    last_of = {label: (is_fact, lines, label, text) for _, is_fact, label, text, lines in sorted(told)}
    return [
        {"label": label, "text": text, "lines": [*lines]}
        for _, lines, label, text in sorted(last_of.values())[:STATE_MOST]
    ]


def _list_entities(found: Sequence[Topic], inputs: ExtractionInputs) -> list[JsonValue]:
    listed: list[JsonValue] = []
    for entity in list_entities(list(found), inputs=inputs, named=aliases.find_aliases(inputs))[:ENTITIES_MOST]:
        assert isinstance(entity, dict)  # the shape of an answer
        name = str(entity["canonical_name"])
        listed.append(
            {
                "name": name,
                "kind": entity["kind"],
                "aliases": entity["aliases"],
                "remarks": _find_remarks(name, inputs.said_by_user),
            }
        )
    return listed


def _find_remarks(name: str, said: Iterable[tuple[int, str]]) -> list[JsonValue]:
    """Return what is said of a name that will hold next month too, the last of each kind."""
    found: dict[str, JsonValue] = {}
    for line, sentence in _list_sentences(said):
        if name not in sentence or sentences.is_question(sentence):
            continue
        normal = lexicon.normalise(sentence)
        label = next((label for label, pattern in _REMARKS.items() if pattern.search(normal)), None)
        if label is not None:
            found[label] = {"label": label, "text": sentence, "line": line}
    return list(found.values())[-3:]
