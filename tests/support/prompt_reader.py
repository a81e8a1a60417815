"""Reads prompts as the scripted model server gets them: as text alone."""

import re
from collections.abc import Callable
from datetime import datetime

from echovessel.llm.inputs import (
    AnswerInputs,
    DraftInputs,
    ExtractionInputs,
    ImportInputs,
    ReflectedEvent,
    ReflectionInputs,
    TranscriptLine,
)
from echovessel.prompts import unescape

_LINE = re.compile(r"^\[(\d+)\] (\S+ \S+)(?: \w+)? (user|persona): ((?:.*)(?:\n    .*)*)", re.MULTILINE)
_EVENT = re.compile(r"^\[(\d+)\] \([^)]*\) impact ([+-]\d+): (.*)", re.MULTILINE)
_MEMORY = re.compile(r"^- \([^)]*\) (.*)", re.MULTILINE)


def _inside(tag: str, prompt: str) -> str:
    return prompt.rpartition(f"<{tag}>\n")[2].partition(f"\n</{tag}>")[0]


def extraction(prompt: str) -> ExtractionInputs:
    lines = (
        TranscriptLine(int(number), datetime.fromisoformat(at), speaker, unescape(text.replace("\n    ", "\n")))
        for number, at, speaker, text in _LINE.findall(_inside("transcript", prompt))
    )
    return ExtractionInputs(tuple(lines))


def reflection(prompt: str) -> ReflectionInputs:
    found = _EVENT.findall(_inside("events", prompt))
    return ReflectionInputs(tuple(ReflectedEvent(int(id), int(impact), unescape(text)) for id, impact, text in found))


READERS: dict[str, Callable[[str], AnswerInputs]] = {
    "extraction": extraction,
    "reflection": reflection,
    "import": lambda prompt: ImportInputs(unescape(_inside("material", prompt))),
    "persona_draft": lambda prompt: DraftInputs(unescape(_inside("material", prompt))),
}


def first_memory(prompt: str) -> str:
    found = _MEMORY.search(_inside("memories", prompt))
    return unescape(found[1]) if found else ""


def burst(messages: list[dict[str, str]]) -> str:
    """Return what the user said last, without the notes before it."""
    said = next((one["content"].strip() for one in reversed(messages) if one["role"] == "user"), "")
    return said.partition("\n</notes>\n")[2] if said.startswith("<notes>\n# ") else said


def read_sections(messages: list[dict[str, str]]) -> str:
    """Return the text of a prompt's sections, wherever they stand: in the system message, or in the notes of the last user message."""
    said = next((one["content"] for one in reversed(messages) if one["role"] == "user"), "")
    notes = said.removeprefix("<notes>\n").partition("\n</notes>\n")[0] if said.startswith("<notes>\n# ") else ""
    return "\n\n".join(filter(None, [messages[0]["content"], notes]))
