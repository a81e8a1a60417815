"""Recaps a scene in the user's own words: what weighs most, what is open, how things stand, who is named."""

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from echovessel import crisis
from echovessel import lazy_re as re
from echovessel.llm.inputs import ExtractionInputs, LineRecapInputs, SceneRecapInputs
from echovessel.llm.offline import pronouns, title
from echovessel.llm.offline.extraction import aliases, facts, implied_feelings, promises, settling, statements
from echovessel.llm.offline.extraction.entities import list_entities
from echovessel.llm.offline.story import otherwise, remarks
from echovessel.llm.offline.text import clauses, cue_matching, happenings, lexicon, sentences, topics
from echovessel.llm.offline.text.topic_types import Sentence, Topic

OUTCOMES_MOST, OPEN_MOST, STATE_MOST, ENTITIES_MOST = 6, 4, 4, 8
_PLAN = re.compile(
    r"\bi(?:'ll| will|'m going to| am going to|'m gonna| plan to| want to| hope to| have to| need to| must)\b|\bwe(?:'ll| will|'re going to)\b|\b(?:tomorrow|next (?:week|month|year)|appointment|deadline)\b"
    r"|我(?:们)?(?:明天|后天|下周|下个?月|明年)?(?:会|要(?!是)|打算|计划|准备|得去|想去)|(?:明天|后天|下周|下个月|明年).{0,8}(?:要|去|有)",
    re.IGNORECASE,
)
# What is no plan about anything: a sigh, a leave-taking, an idiom.
_SIGH = re.compile(
    r"\bi(?:'ll| will|'m going to| am going to|'m gonna| want to| have to| need to| must)(?: (?:just|only|really|probably|always))? "
    r"(?:(?:cry|scream|sleep|nap|run|go|go (?:now|home|to (?:bed|sleep|work))|lie down|shower|eat|cook|pee|throw up|be (?:off|sick|back|fine|ok(?:ay)?|right back|there|honest)|see|try|disappear|explode|burst|give up)(?: (?:now|soon|then|again|so badly|for a (?:bit|while)))*(?=\W*$|,)"
    r"|go (?:mad|crazy|insane)|lose my mind|die\b|say\b|admit|confess|never (?:forget|understand|know)|miss (?:you|it|him|her|this)|remember (?:that|this)|think (?:of|about) (?:it|you|that)|let you|tell you|talk to you|not (?:let|give))"
    r"|^\W*we'll see\b|^\W*next time\b"
    r"|我(?:们)?(?:真的?|好|都|也|就|快|现在|先|还|一直|永远|一定)*(?:要|想|得|会|该)(?:去)?(?:疯|崩溃|哭|睡|死|吐|走了|下线|忙了|洗澡|吃饭|上班了|休息|想你|想念|记得|记住|好好的|加油|努力的|没事的|撑住|炸|静静)",
    re.IGNORECASE,
)
# Of places and firms nothing is said that would hold of them alone.
_REMARKED = ("person", "pet")


def recap(inputs: SceneRecapInputs) -> dict[str, JsonValue]:
    read = ExtractionInputs(lines=inputs.lines)
    said = read.said_by_user
    found = topics.group(said, before=read.said_before_user, implied=implied_feelings.weigh_lines(inputs.lines))
    weighty = choose_weightiest(found, said)
    ranked = sorted(weighty, key=happenings.rank, reverse=True)
    return {
        "title": title.name(one.text for one in ranked),
        "outcomes": [_tell(one.text, one.line) for one in weighty],
        "open": _find_open(read),
        "state": _find_state(said, read),
        "quotes": [],
        "entities": _list_entities(found, read),
    }


def recap_lines(inputs: LineRecapInputs) -> dict[str, JsonValue]:
    """Recap messages by the sentence of each that says most."""
    return {"recaps": [{"line": line.number, "text": line.sentence} for line in inputs.lines if line.sentence]}


def choose_weightiest(found: Iterable[Topic], said: Sequence[tuple[int, str]]) -> list[Sentence]:
    """Choose six sentences in their order: those that tell what weighs most, then those that name somebody, then the longest."""
    in_topics = {(one.line, one.text): one for topic in found for one in topic.sentences}
    named = {name for topic in found for name in topic.names}
    every = [in_topics.get(key, Sentence(key[1], key[0])) for key in dict.fromkeys(_list_sentences(said))]

    def weigh(one: Sentence) -> tuple[int, ...]:
        is_named = any(name in one.text for name in named)
        return happenings.rank(one), (one.line, one.text) in in_topics, is_named, min(len(one.text), 200)

    told = [one for one in every if one.is_peak or not (statements.is_chatter(one.text) or _is_sigh(one.text))]
    return happenings.choose(told, weigh_one=weigh, most=OUTCOMES_MOST) or every[:1]


def _list_sentences(said: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    return [(line, sentence) for line, text in said for sentence in sentences.split(text)]


def _tell(text: str, line: int) -> JsonValue:
    return {"text": clauses.write_told(text), "lines": [line]}


def _find_open(inputs: ExtractionInputs) -> list[JsonValue]:
    """Return plans of the user's, what is not settled, promises of the companion's, and what the user asked last without an answer."""
    said = _list_sentences(inputs.said_by_user)
    found = [(line, sentence) for line, sentence in said if _is_plan(sentence)]
    found += [(promise.line, promise.text) for promise in promises.find_promises(inputs)]
    found = [
        (line, opened)
        for line, opened in found
        if not any(later > line and settling.is_settled_by(opened, sentence) for later, sentence in said)
    ]
    last = inputs.lines[-1]
    if last.is_user:
        found += [(last.number, one) for one in sentences.split(last.text) if sentences.is_question(one)]
    # The last of those that say the same, as a wish to be reminded and the promise to do so do.
    last_of = {
        sentences.end(pronouns.turn_reminder(said) or said).casefold(): (line, said) for line, said in sorted(found)
    }
    return [_tell(said, line) for line, said in sorted(last_of.values())[-OPEN_MOST:]]


def _is_plan(sentence: str) -> bool:
    is_ahead = _PLAN.search(sentence) or cue_matching.has_cue("UNSETTLED", sentence)
    return bool(is_ahead) and not (statements.is_chatter(sentence) or _is_sigh(sentence) or crisis.is_voiced(sentence))


def _is_sigh(sentence: str) -> bool:
    return _SIGH.search(lexicon.normalise(sentence)) is not None


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
    said = _list_sentences(inputs.said_by_user)
    for entity in list_entities(list(found), inputs=inputs, named=aliases.find_aliases(inputs))[:ENTITIES_MOST]:
        assert isinstance(entity, dict)  # the shape of an answer
        name = str(entity["canonical_name"])
        listed.append(
            {
                "name": name,
                "kind": entity["kind"],
                "aliases": entity["aliases"],
                "remarks": remarks.find_remarks(name, said) if entity["kind"] in _REMARKED else [],
            }
        )
    return listed
