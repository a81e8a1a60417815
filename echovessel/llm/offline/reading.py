"""Reads the prompt of a reply, as a model would: what is remembered, what was said just before, what is said now."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from echovessel.llm.protocol import ChatMessage
from echovessel.prompts import unescape

_SECTION = re.compile(r"^# (.+)$", re.MULTILINE)
_ITEM = re.compile(r"^- (?:\(([^)]*)\) )?(.*)$")
_WHEN = re.compile(r"<when>[^<]*</when>\n?")
_OWN_THOUGHT = re.compile("your own thought, ")
_PAIR = re.compile(r"<name>([^<]*)</name>")
_SPEAKING = re.compile(r"\bYou are ([^\n,.;:]{1,80}?)(?:,|\.|;|:| and |$)", re.MULTILINE)


@dataclass(frozen=True)
class Memory:
    """`when` is when it was told, or a promise is due; `happened` is its own time where that is another: "happened yesterday", "is going on now"."""

    when: str
    text: str
    happened: str = ""


@dataclass(frozen=True)
class Prompt:
    me: str
    memories: tuple[Memory, ...]
    words: tuple[Memory, ...]
    promises: tuple[Memory, ...]
    clear_up: tuple[str, ...]
    # What the user said before in the window, oldest first.
    earlier: tuple[str, ...]
    burst: str
    is_first_talk: bool


def read(messages: Sequence[ChatMessage]) -> Prompt:
    system = "\n".join(message["content"] for message in messages if message["role"] == "system")
    talk = [message for message in messages if message["role"] != "system"]
    said = [_WHEN.sub("", message["content"]).strip() for message in talk if message["role"] == "user"]
    sections = _sections(system)
    words = [line for line in _items(sections, "Their exact words") if line.text.startswith("user: ")]
    return Prompt(
        me=_name(sections[""]),
        # A thought of one's own is nothing that was told.
        memories=tuple(item for item in _items(sections, "What you remember") if not _OWN_THOUGHT.match(item.when)),
        words=tuple(Memory(line.when, line.text.removeprefix("user: ")) for line in words),
        promises=tuple(_items(sections, "Promises you have made")),
        clear_up=tuple(map(unescape, _PAIR.findall(sections.get("Something to clear up", "")))),
        earlier=tuple(said[:-1]),
        burst=said[-1] if said else "",
        is_first_talk=len(talk) <= 1 and "Earlier talks" not in sections,
    )


def _sections(system: str) -> dict[str, str]:
    """The text below each heading; what stands before the first has the name ""."""
    first, *rest = _SECTION.split(system)
    return {"": first} | dict(zip((name.strip() for name in rest[::2]), rest[1::2], strict=True))


def _items(sections: dict[str, str], name: str) -> list[Memory]:
    items = (_ITEM.match(line) for line in sections.get(name, "").splitlines())
    return [_memory(item[1] or "", item[2]) for item in items if item and item[2].strip()]


def _memory(times: str, text: str) -> Memory:
    when, _, happened = times.partition("; it ")
    told = when.removeprefix("told ").removeprefix("overdue, due ")
    return Memory(told, unescape(text).strip(), happened)


def _name(rules: str) -> str:
    speaking = _SPEAKING.search(rules)
    return unescape(speaking[1].strip()) if speaking else ""
