"""Writes thoughts about what two or more events have in common, with the events as evidence: who or what keeps coming up, and whether it became better or worse."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from pydantic import JsonValue

from echovessel import lazy_re as re
from echovessel.llm.inputs import ReflectedEvent, ReflectionInputs
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.extraction import settling
from echovessel.llm.offline.text import feelings, happenings, lexicon, names, naming

_MAX_THOUGHTS = 2
_LEAST = 2
# What weighs less tells of no feeling.
_FELT = 2
# What weighs so much stands out.
_STANDS_OUT = 3
# So much is hard, or good, whatever it is of; and of what is as hard nothing is said to have become better.
_GREAT, _LOST = 5, -7
# A happening that weighs so much stands out, whatever was felt.
_HAPPENED = 4
# What a fact says the user is called.
_USER_NAMED = re.compile(
    r"^(?:The user(?:'s name is| goes by| is known as| is referred to as| is called) ([^.]+)|用户(?:叫|的名字是)([^，。]+))"
)
_CAPITAL = re.compile(r"\b[A-Z][a-z]+\b")
# How a sentence names a subject in English and in Chinese, and its words.
_SUBJECTS = tuple(
    ((english, chinese), re.compile(words, re.IGNORECASE))
    for english, chinese, words in (
        (
            "work",
            "工作",
            r"\b(?:work|office|boss|manager|colleagues?|coworkers?|job|shifts?|clients?|promot\w+|interview\w*|fired|redundan\w+)\b|工作|上班|加班|领导|老板|同事|公司|面试|升职|裁员|客户",
        ),
        (
            "money",
            "钱",
            r"\b(?:money|rent|bills?|debts?|overdraft|loan|mortgage|skint|broke(?=\W*$)|afford)\b|钱|房租|房贷|欠债|借|账单|工资|赔了",
        ),
        (
            "sleep",
            "睡眠",
            r"\b(?:(?:can'?t|couldn'?t|didn'?t|not|barely|hardly) (?:get to )?sle(?:ep|pt)|insomnia|awake (?:all|at|until|till)|nightmares?)\b|失眠|睡不着|没睡[好着]|噩梦",
        ),
        (
            "study",
            "学业",
            r"\b(?:exams?|school|university|uni|college|course|dissertation|thesis|degree|revision|grades?|lectures?)\b|考试|学校|论文|成绩|考研|高考|复习|班主任",
        ),
        (
            "health",
            "身体",
            r"\b(?:hospital|doctor|surgery|operation|illness|ill|diagnos\w+|tests?|scan|treatment|chemo\w*|symptoms?|vet|pain)\b|医院|医生|手术|住院|生病|确诊|检查|化疗|复查|身体",
        ),
    )
)
# What they have in common -> (English, Chinese); `$` stands for whom or what.
_SAYINGS = {
    "good": ("$ is part of what is good these days.", "最近的好事里，总有$。"),
    "hard": ("$ comes up again and again, and it is hard each time.", "$一再被提起，每一次都不容易。"),
    "better": ("Things with $ were hard for a while, and are better now.", "$的事难过一阵，现在好些了。"),
    "worse": ("Things with $ went well for a while, and are hard now.", "$的事本来挺好，现在难了。"),
    "much hard": ("Several hard things have come close together.", "好几件难事挤在了一起。"),
    "much good": ("More than one good thing has come lately.", "最近的好事不止一件。"),
}


class _Read(NamedTuple):
    event: ReflectedEvent
    # 1 of what is good, -1 of what is hard, 0 of what is neither.
    sign: int
    stands_out: bool


def reflect(inputs: ReflectionInputs) -> dict[str, JsonValue]:
    thoughts: list[JsonValue] = []
    cited: list[set[int]] = []
    for kind, name, evidence in _find_common(inputs.events):
        ids = {event.id for event in evidence}
        if ids not in cited and len(thoughts) < _MAX_THOUGHTS:
            cited.append(ids)
            thoughts.append(_write_thought(kind, name, evidence))
    return {"thoughts": thoughts}


def _find_common(events: Sequence[ReflectedEvent]) -> Iterable[tuple[str, str, list[ReflectedEvent]]]:
    """Yield what two or more events have in common, the most telling first: somebody, a subject, that all is hard or good."""
    read = [_read(event) for at, event in enumerate(events) if not _is_over(event, events[at + 1 :])]
    in_chinese = lexicon.is_chinese(" ".join(event.text for event in events))
    subjects = [(name, [one for one in read if _is_named(name, one.event.text)]) for name in _list_people(events)]
    subjects.sort(key=lambda subject: -len(subject[1]))
    subjects += [(said[in_chinese], [one for one in read if words.search(one.event.text)]) for said, words in _SUBJECTS]
    for name, told in subjects:
        if found := _judge(told):
            yield found[0], name, found[1]
    great = [one for one in read if abs(one.event.impact) >= _GREAT and one.stands_out]
    hard, good = ([one.event for one in great if one.sign == sign] for sign in (-1, 1))
    if len(hard) >= _LEAST:
        yield "much hard", "", hard
    # Nothing is bright where something is as hard.
    if len(good) >= _LEAST and not hard:
        yield "much good", "", good


def _read(event: ReflectedEvent) -> _Read:
    happened = happenings.weigh(event.text)
    # A vector alone tells of no feeling that is worth a thought.
    # Nor does who says who they are, unless it is of a great loss.
    is_introduced = bool(naming.find_in(event.text)) and event.impact > _LOST
    is_shown = bool(happened or feelings.find_feelings(event.text)) and not is_introduced
    is_felt = is_shown and abs(event.impact) >= _FELT
    sign = (1 if event.impact > 0 else -1) if is_felt else 0
    return _Read(event, sign, is_shown and (abs(event.impact) >= _STANDS_OUT or happened >= _HAPPENED))


def _is_over(event: ReflectedEvent, later: Iterable[ReflectedEvent]) -> bool:
    return any(settling.is_settled_by(event.text, one.text) for one in later)


def _judge(told: Sequence[_Read]) -> tuple[str, list[ReflectedEvent]] | None:
    """Return what the events of one subject come to, with those that say so; none where they are too few, too light, or now so and now so."""
    felt = [one for one in told if one.sign]
    if len(felt) < _LEAST or not any(one.stands_out for one in felt):
        return None
    signs = [one.sign for one in felt]
    turns = sum(before != after for before, after in pairwise(signs))
    is_lost = any(one.event.impact <= _LOST for one in felt)
    if turns > 1 or (is_lost and signs[-1] > 0):
        return None
    kind = {(1, 1): "good", (-1, -1): "hard", (-1, 1): "better", (1, -1): "worse"}[signs[0], signs[-1]]
    evidence = [one.event for one in felt if not is_lost or one.sign < 0]
    return ("hard" if is_lost else kind, evidence) if len(evidence) >= _LEAST else None


def _list_people(events: Sequence[ReflectedEvent]) -> dict[str, None]:
    own = {naming.find_in(event.text) for event in events}
    own |= {match[1] or match[2] for event in events if (match := _USER_NAMED.match(event.text))}
    found = [name.text for event in events for name in names.find(event.text)]
    found += [
        word for event in events for word in _CAPITAL.findall(event.text) if word.casefold() in english.GIVEN_NAMES
    ]
    found += [word for event in events for word in lexicon.find_kin_words(event.text).values()]
    return dict.fromkeys(name for name in found if name not in own)


def _is_named(name: str, text: str) -> bool:
    """Whether a name occurs, and not as a part of another word: "Jo" in "job"."""
    return bool(re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", text, re.IGNORECASE))


def _write_thought(kind: str, name: str, evidence: list[ReflectedEvent]) -> dict[str, JsonValue]:
    in_chinese = lexicon.is_chinese(" ".join(event.text for event in evidence))
    saying = _SAYINGS[kind][in_chinese].replace("$", name)
    tags: list[JsonValue] = [
        *dict.fromkeys(feeling.tag for event in evidence for feeling in feelings.find_feelings(event.text))
    ]
    # What became of it counts, and not what it was.
    counted = evidence[-1:] if kind in ("better", "worse") else evidence
    impact = sum(event.impact for event in counted) / len(counted)
    return {
        "description": saying[:1].upper() + saying[1:],
        "emotional_impact": max(-8, min(8, round(impact))),
        "emotion_tags": tags[:4],
        "relational_tags": [],
        "filling": [event.id for event in evidence],
    }
