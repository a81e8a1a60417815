"""Extracts from a piece of a file: reads its paragraphs as the lines of a session, and quotes the source of each finding."""

from calendar import monthrange
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from pydantic import JsonValue

from echovessel import lazy_re as re
from echovessel.llm.inputs import ExtractionInputs, ImportInputs, ReflectedEvent, ReflectionInputs, TranscriptLine
from echovessel.llm.offline import extraction, reflection
from echovessel.llm.offline.text import lexicon, sentences
from echovessel.materials import diary

_SPEAKER = re.compile(r"(User|Assistant): ")
# Line breaks within a sentence, where the line was full.
_WRAPPED = re.compile(r"(?<=[^\n]{50}[^\n.!?。！？:：])\n(?=\S)")
_YEAR = re.compile(r"(?:19|20)\d\d")
# Words, and each Chinese character by itself.
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_LINE_MOST = 200
_EVENTS_MOST = 5
# Numbers this far apart keep paragraphs from being joined.
_APART = 10


def extract(inputs: ImportInputs) -> dict[str, JsonValue]:
    day = inputs.said_on
    # Without a known day any day serves for reading; only dates with a year are kept.
    lines = tuple(_split_paragraphs(inputs.text, day or date(2000, 1, 1)))
    found: Any = extraction.extract(ExtractionInputs(lines, known=inputs.known), most=_EVENTS_MOST, stated_most=0)
    said = {line.number: line.text for line in lines}
    month = None if day else _find_month(inputs.title)
    events = [
        _write_event(told, said, is_dated=day is not None) | _date_within(told, month) for told in found["events"]
    ]
    return {
        "events": events,
        "facts": [_write_fact(told, said) for told in found["facts"] if told["op"] == "add"],
        "thoughts": _write_thoughts(events),
        "mentioned_entities": found["mentioned_entities"],
        "about_user": [
            {"content": sentence[:_LINE_MOST], "source_quote": sentence}
            for told in found["events"]
            for sentence in _list_identity(told, said)
        ],
    }


def _split_paragraphs(text: str, day: date) -> Iterator[TranscriptLine]:
    """Yield the user's paragraphs as lines."""
    said_at = datetime.combine(day, time(), tzinfo=UTC)
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        speaker = _SPEAKER.match(paragraph)
        if speaker is None or speaker[1] == "User":
            # A program's reaction says nothing about the feeling.
            said = paragraph[speaker.end() :] if speaker else paragraph
            yield TranscriptLine(number * _APART + 1, said_at, "user", _WRAPPED.sub(" ", said))


def _find_month(title: str) -> dict[str, JsonValue] | None:
    """Return the days of the month that the title names."""
    named = diary.parse_month(title)
    if named is None:
        return None
    year, month = named
    return {"start": date(year, month, 1).isoformat(), "end": date(year, month, monthrange(year, month)[1]).isoformat()}


def _date_within(told: dict[str, Any], month: dict[str, JsonValue] | None) -> dict[str, Any]:
    """Date an event by the month of its file, unless its own words name a year."""
    return {"event_time": month} if month and not _YEAR.search(told["description"]) else {}


def _write_event(told: dict[str, Any], said: Mapping[int, str], *, is_dated: bool) -> dict[str, Any]:
    keeps_time = is_dated or _YEAR.search(told["description"])
    asked = ("description", "emotional_impact", "emotion_tags", "relational_tags", "subject")
    return {name: told[name] for name in asked} | {
        "event_time": told["event_time"] if keeps_time else None,
        # The longest sentence of the event, as it stands in the file.
        "source_quote": max(_list_sentences(told, said), key=len, default=""),
    }


def _list_sentences(told: dict[str, Any], said: Mapping[int, str]) -> list[str]:
    lines = "\n".join(said[number] for number in told["source_lines"])
    return [sentence for sentence in sentences.split(lines) if sentence.rstrip(".。") in told["description"]]


def _list_identity(told: dict[str, Any], said: Mapping[int, str]) -> list[str]:
    """Return the sentences of an event that say who the user is."""
    return [
        sentence
        for sentence in _list_sentences(told, said)
        if re.search(lexicon.choose_vocabulary(sentence).RELATIONAL["identity-bearing"], sentence, re.IGNORECASE)
    ]


def _write_thoughts(events: list[dict[str, Any]]) -> list[JsonValue]:
    """Write thoughts about what repeats in several events."""
    told = (ReflectedEvent(at, one["emotional_impact"], one["description"]) for at, one in enumerate(events))
    thoughts: Any = reflection.reflect(ReflectionInputs(tuple(told)))["thoughts"]
    return [
        {**thought, "source_quote": events[thought["filling"][0]]["source_quote"]}
        for thought in thoughts
        if len(thought["filling"]) > 1
    ]


def _write_fact(told: dict[str, Any], said: Mapping[int, str]) -> dict[str, JsonValue]:
    """Return a fact with the sentence of the file that shares most of its words."""
    words = set(_WORD.findall(told["content"].casefold()))
    lines = "\n".join(said[number] for number in told["source_lines"])
    quote = max(sentences.split(lines), key=lambda one: len(words & set(_WORD.findall(one.casefold()))), default="")
    kept = ("facet", "content", "slot", "value", "since", "until")
    return {name: told[name] for name in kept} | {"source_quote": quote}
