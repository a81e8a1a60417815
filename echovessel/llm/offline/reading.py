"""Reads the prompt of a reply, as a model would: what is remembered, what was said just before, what is said now."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from echovessel.llm.protocol import ChatMessage
from echovessel.prompts import escape, unescape

# What was said before in the chat, also where the window does not reach so far back: for this voice alone.
OF_CHAT = "What was said in this chat"
EARLIER = "earlier in this chat"
_SECTION = re.compile(r"^# (.+)$", re.MULTILINE)
_ITEM = re.compile(r"^- (?:\(([^)]*)\) )?(.*)$")
_FACT = re.compile(r"^- ([a-z ]{1,40}): (.+)$", re.MULTILINE)
_WHEN = re.compile(r"<when>([^<]*)</when>\n?")
_OWN_THOUGHT = re.compile("your own thought, ")
_PAIR = re.compile(r"<name>([^<]*)</name>")
_TAG = re.compile(r"</?[a-z]{1,20}>")
_SPEAKING = re.compile(r"\bYou are ([^\n,.;:]{1,80}?)(?:,|\.|;|:| and |$)", re.MULTILINE)
_TALKING_WITH = re.compile(r", talking with ([^\n]{1,80}?)\. ")


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
    # The same lines one by one, each with when it was said.
    told: tuple[Memory, ...] = ()
    # What the companion said before in the chat, oldest first.
    said: tuple[str, ...] = ()
    you: str = ""
    persona: str = ""
    account: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)


def read(messages: Sequence[ChatMessage]) -> Prompt:
    system = "\n".join(message["content"] for message in messages if message["role"] == "system")
    talk = [message for message in messages if message["role"] != "system"]
    heard = [_WHEN.sub("", message["content"]).strip() for message in talk if message["role"] == "user"]
    sections = _sections(system)
    words = [line for line in _items(sections, "Their exact words") if line.text.startswith("user: ")]
    told = [*_lines(talk[:-1])]
    said = [_WHEN.sub("", message["content"]).strip() for message in talk if message["role"] == "assistant"]
    return Prompt(
        me=_found(_SPEAKING, sections[""]),
        # A thought of one's own is nothing that was told.
        memories=tuple(item for item in _items(sections, "What you remember") if not _OWN_THOUGHT.match(item.when)),
        words=tuple(Memory(line.when, line.text.removeprefix("user: ")) for line in words),
        promises=tuple(_items(sections, "Promises you have made")),
        clear_up=tuple(map(unescape, _PAIR.findall(sections.get("Something to clear up", "")))),
        earlier=tuple(heard[:-1]),
        burst=heard[-1] if heard else "",
        is_first_talk=len(talk) <= 1 and "Earlier talks" not in sections,
        told=(*_missing(_before(sections, by="user: "), [line.text for line in told]), *told),
        said=(*(line.text for line in _missing(_before(sections, by="you: "), said)), *said),
        you=_found(_TALKING_WITH, sections[""]),
        persona=_text(sections, "Persona"),
        account=_text(sections, "About the user"),
        facts={
            name.replace(" ", "_"): unescape(value) for name, value in _FACT.findall(sections.get("Who you are", ""))
        },
    )


def of_chat(lines: Iterable[tuple[bool, str]]) -> str:
    """The section that tells this voice of the lines of a chat, each with whether the user says it; "" where there are none."""
    items = [
        f"- ({EARLIER}) {'user' if is_user else 'you'}: {escape(' '.join(text.split()))}" for is_user, text in lines
    ]
    return "\n".join([f"# {OF_CHAT}", *items]) if items else ""


def _lines(talk: Sequence[ChatMessage]) -> Iterator[Memory]:
    """What the user said in the window, line by line; a tag holds until the next one."""
    when = ""
    for message in talk:
        for at, part in enumerate(_WHEN.split(message["content"])):
            if at % 2:
                when = part
            elif message["role"] == "user":
                yield from (Memory(when, line.strip()) for line in part.split("\n") if line.strip())


def _before(sections: dict[str, str], *, by: str) -> list[Memory]:
    """What one of the two said before in the chat."""
    items = _items(sections, OF_CHAT)
    return [Memory(item.when, item.text.removeprefix(by)) for item in items if item.text.startswith(by)]


def _missing(before: list[Memory], window: list[str]) -> list[Memory]:
    known = {" ".join(text.split()) for text in window}
    return [memory for memory in before if memory.text not in known]


def _sections(system: str) -> dict[str, str]:
    """The text below each heading; what stands before the first has the name ""."""
    first, *rest = _SECTION.split(system)
    return {"": first} | dict(zip((name.strip() for name in rest[::2]), rest[1::2], strict=True))


def _text(sections: dict[str, str], name: str) -> str:
    return unescape(_TAG.sub("", sections.get(name, ""))).strip()


def _items(sections: dict[str, str], name: str) -> list[Memory]:
    items = (_ITEM.match(line) for line in sections.get(name, "").splitlines())
    return [_memory(item[1] or "", item[2]) for item in items if item and item[2].strip()]


def _memory(times: str, text: str) -> Memory:
    when, _, happened = times.partition("; it ")
    told = when.removeprefix("told ").removeprefix("overdue, due ")
    return Memory(told, unescape(text).strip(), happened)


def _found(pattern: re.Pattern[str], rules: str) -> str:
    found = pattern.search(rules)
    return unescape(found[1].strip()) if found else ""
