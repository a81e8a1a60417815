"""What the rules find in a piece of a file, each with the words that say it: the piece is read as a talk, paragraph by paragraph."""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from pydantic import JsonValue

from echovessel.llm.inputs import ExtractionInputs, ImportInputs, ReflectedEvent, ReflectionInputs, TranscriptLine
from echovessel.llm.offline import extraction, lexicon, reflection, sentences
from echovessel.materials import diary

_SPEAKER = re.compile(r"(User|Assistant): ")
# Lines that were broken where they were full, not where a sentence ends.
_WRAPPED = re.compile(r"(?<=[^\n]{50}[^\n.!?。！？:：])\n(?=\S)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_LINE_MOST = 200
_EVENTS_MOST = 5
# Paragraphs are weighed alone: so far apart, one does not go on with the other.
_APART = 10


def extract(inputs: ImportInputs) -> dict[str, JsonValue]:
    day = inputs.said_on
    # Where no day is known, any will do to read by, and only days with their year are kept.
    lines = tuple(_lines(inputs.text, day or date(2000, 1, 1)))
    found: Any = extraction.extract(ExtractionInputs(lines, known=inputs.known), most=_EVENTS_MOST)
    said = {line.number: line.text for line in lines}
    month = None if day else _month(inputs.title)
    events = [_event(told, said, is_dated=day is not None) | _within(told, month) for told in found["events"]]
    return {
        "events": events,
        "thoughts": _thoughts(events),
        "mentioned_entities": found["mentioned_entities"],
        "about_user": [_about(sentence) for told in found["events"] for sentence in _of_identity(told, said)],
    }


def _lines(text: str, day: date) -> Iterator[TranscriptLine]:
    """The user's paragraphs."""
    said_at = datetime.combine(day, time(), tzinfo=UTC)
    for number, paragraph in enumerate(text.strip().split("\n\n")):
        speaker = _SPEAKER.match(paragraph)
        if speaker is None or speaker[1] == "User":
            # How a program took it says nothing of how it was.
            said = paragraph[speaker.end() :] if speaker else paragraph
            yield TranscriptLine(number * _APART + 1, said_at, "user", _WRAPPED.sub(" ", said))


def _month(title: str) -> dict[str, JsonValue] | None:
    """The days of the month that the title names."""
    named = diary.parse_month(title)
    if named is None:
        return None
    year, month = named
    return {"start": date(year, month, 1).isoformat(), "end": date(year, month, monthrange(year, month)[1]).isoformat()}


def _within(told: dict[str, Any], month: dict[str, JsonValue] | None) -> dict[str, Any]:
    """Where a month is all that is known, what happened in it is dated so, unless its own words say a year."""
    return {"event_time": month} if month and not _YEAR.search(told["description"]) else {}


def _event(told: dict[str, Any], said: Mapping[int, str], *, is_dated: bool) -> dict[str, Any]:
    keeps_time = is_dated or _YEAR.search(told["description"])
    asked = ("description", "emotional_impact", "emotion_tags", "relational_tags", "subject")
    return {name: told[name] for name in asked} | {
        "event_time": told["event_time"] if keeps_time else None,
        "source_quote": _quote(told, said),
    }


def _quote(told: dict[str, Any], said: Mapping[int, str]) -> str:
    """The longest sentence of the event, as its line has it."""
    return max(_sentences(told, said), key=len, default="")


def _sentences(told: dict[str, Any], said: Mapping[int, str]) -> list[str]:
    lines = "\n".join(said[number] for number in told["source_lines"])
    return [sentence for sentence in sentences.split(lines) if sentence.rstrip(".。") in told["description"]]


def _of_identity(told: dict[str, Any], said: Mapping[int, str]) -> list[str]:
    """The sentences of an event that say who the user is."""
    return [
        sentence
        for sentence in _sentences(told, said)
        if re.search(lexicon.language(sentence).RELATIONAL["identity-bearing"], sentence, re.IGNORECASE)
    ]


def _thoughts(events: list[dict[str, Any]]) -> list[JsonValue]:
    """What repeats in the events; of one alone nothing is thought."""
    told = (ReflectedEvent(at, one["emotional_impact"], one["description"]) for at, one in enumerate(events))
    thoughts: Any = reflection.reflect(ReflectionInputs(tuple(told)))["thoughts"]
    return [
        {**thought, "source_quote": events[thought["filling"][0]]["source_quote"]}
        for thought in thoughts
        if len(thought["filling"]) > 1
    ]


def _about(sentence: str) -> dict[str, JsonValue]:
    return {"content": sentence[:_LINE_MOST], "source_quote": sentence}
