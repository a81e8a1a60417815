"""Writes thoughts about what repeats across events, with the events as evidence."""

import re
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from echovessel.llm.inputs import ReflectedEvent, ReflectionInputs
from echovessel.llm.offline.text import feelings, lexicon, names, naming, sentences

_MAX_THOUGHTS = 2
# What weighs less tells of no feeling.
_FELT = 2
# What weighs so much stands out.
_STANDS_OUT = 3
# What a fact says the user is called.
_USER_NAMED = re.compile(
    r"^(?:The user(?:'s name is| goes by| is known as| is referred to as| is called) ([^.]+)|用户(?:叫|的名字是)([^，。]+))"
)
# What repeats -> (English, Chinese); `$` stands for its name.
_SAYINGS = {
    "name+": ("$ keeps coming up, and each time there is some warmth in it.", "$一再被提起，每一次都带着一点暖意。"),
    "name-": ("$ keeps coming up, and it is never a light word.", "$一再被提起，每一次都不轻松。"),
    "night": ("It is the nights that return in what I hear.", "说起的事，总绕不开夜晚。"),
    "low": (
        "Something heavy runs through these days, mostly said in passing.",
        "这些日子里有些沉的东西，多半是轻轻带过的。",
    ),
    "high": ("There is a brightness in these days that I like to keep.", "这些日子里有一种亮光，我想替这份心情留着。"),
    "one+": ("There is something warm in the way this was told: “$”", "说起这件事的时候，话里是暖的：“$”"),
    "one-": ("A few plain words, and much behind them: “$”", "话说得很轻，背后却很重：“$”"),
}


def reflect(inputs: ReflectionInputs) -> dict[str, JsonValue]:
    thoughts: list[JsonValue] = []
    cited: list[set[int]] = []
    for kind, name, evidence in _find_repeated(inputs.events):
        ids = {event.id for event in evidence}
        if ids not in cited and len(thoughts) < _MAX_THOUGHTS:
            cited.append(ids)
            thoughts.append(_write_thought(kind, name, evidence))
    return {"thoughts": thoughts}


def _find_repeated(events: Sequence[ReflectedEvent]) -> Iterable[tuple[str, str, list[ReflectedEvent]]]:
    """Yield what two or more events share, the most telling first; else the strongest event alone."""
    # What is said of a name is said of each time: a fact, or what was told calmly, is no such time, and joy and grief are not one.
    felt = [event for event in events if abs(event.impact) >= _FELT]
    by_name = {name: [event for event in felt if _is_named(name, event.text)] for name in _list_subjects(events)}
    by_name = {
        name: told for name, told in by_name.items() if len(told) >= 2 and _have_one_sign(told) and _stands_out(told)
    }
    for name, evidence in sorted(by_name.items(), key=lambda item: -len(item[1])):
        yield ("name-" if _average(evidence) < 0 else "name+"), name, evidence
    kinds = {
        "night": [event for event in events if lexicon.matches("NIGHT", event.text)],
        "low": [event for event in events if event.impact <= -_STANDS_OUT],
        "high": [event for event in events if event.impact >= _STANDS_OUT],
    }
    some = False
    for kind, evidence in kinds.items():
        if len(evidence) >= 2:
            some = True
            yield kind, "", evidence
    # What weighs little and is sad may be so by its vector alone.
    felt = [event for event in felt if event.impact > 0 or event.impact <= -_STANDS_OUT]
    if felt and not some and not by_name:
        strongest = max(felt, key=lambda event: abs(event.impact))
        heaviest = max(sentences.split(strongest.text), key=_weigh, default=strongest.text)
        yield ("one-" if strongest.impact < 0 else "one+"), heaviest[:200], [strongest]


def _weigh(sentence: str) -> tuple[int, int]:
    """Weigh a sentence by its strongest feeling, of equals by its length."""
    return max((abs(feeling.impact) for feeling in feelings.find_feelings(sentence)), default=0), len(sentence)


def _list_subjects(events: Sequence[ReflectedEvent]) -> dict[str, None]:
    own = {naming.find_in(event.text) for event in events}
    own |= {match[1] or match[2] for event in events if (match := _USER_NAMED.match(event.text))}
    found = [name.text for event in events for name in names.find(event.text) if name.text not in own]
    found += [word for event in events for word in lexicon.find_kin_words(event.text).values()]
    return dict.fromkeys(found)


def _is_named(name: str, text: str) -> bool:
    """Whether a name occurs, and not as a part of another word: "Jo" in "job"."""
    return bool(re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", text, re.IGNORECASE))


def _write_thought(kind: str, name: str, evidence: list[ReflectedEvent]) -> dict[str, JsonValue]:
    in_chinese = lexicon.is_chinese(" ".join(event.text for event in evidence))
    saying = _SAYINGS[kind][in_chinese].replace("$", name if kind.startswith("one") else name[:1].upper() + name[1:])
    tags: list[JsonValue] = [
        *dict.fromkeys(feeling.tag for event in evidence for feeling in feelings.find_feelings(event.text))
    ]
    return {
        "description": saying,
        "emotional_impact": max(-8, min(8, round(_average(evidence)))),
        "emotion_tags": tags[:4],
        "relational_tags": [],
        "filling": [event.id for event in evidence],
    }


def _have_one_sign(events: list[ReflectedEvent]) -> bool:
    return len({event.impact > 0 for event in events}) == 1


def _stands_out(events: list[ReflectedEvent]) -> bool:
    return any(abs(event.impact) >= _STANDS_OUT for event in events)


def _average(events: list[ReflectedEvent]) -> float:
    return sum(event.impact for event in events) / len(events)
