"""Reads the prompt of an extraction, as a model would: the talk, who is known, what is remembered, what is uncertain."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from echovessel.prompts import unescape

_LINE = re.compile(r"^\[(\d+)\] (\d{4}-\d\d-\d\d) \d\d:\d\d(?: \w+)? (user|persona): ?(.*)$")
_KNOWN = re.compile(r"^- (.+?) \((person|place|org|pet|other)\)(?:, also: (.+))?$")
_REMEMBERED = re.compile(r"^\[(\d+)\] (?:\(\d{4}-\d\d-\d\d\) )?(.*)$")


@dataclass(frozen=True)
class Line:
    number: int
    day: date
    is_user: bool
    text: str


@dataclass(frozen=True)
class Entity:
    name: str
    kind: str
    others: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.others)


@dataclass(frozen=True)
class Talk:
    lines: tuple[Line, ...]
    known: tuple[Entity, ...] = ()
    remembered: tuple[tuple[int, str], ...] = ()
    pair: tuple[str, str] | None = None

    @property
    def said(self) -> list[tuple[int, str]]:
        """The user's own lines."""
        return [(line.number, line.text) for line in self.lines if line.is_user]

    def day_of(self, number: int) -> date:
        return next(line.day for line in self.lines if line.number == number)

    def entity(self, name: str) -> Entity | None:
        """The known entity that goes by the name."""
        folded = name.casefold()
        return next((one for one in self.known if folded in (other.casefold() for other in one.names)), None)


def read(prompt: str) -> Talk:
    return Talk(
        lines=tuple(_lines(_block(prompt, "transcript"))),
        known=tuple(_entities(_block(prompt, "known_entities"))),
        remembered=tuple(_items(_block(prompt, "remembered"))),
        pair=_pair(_block(prompt, "uncertain_pair")),
    )


def _block(prompt: str, tag: str) -> str:
    """The last block of a tag: what users say is escaped and can open none."""
    found = re.findall(rf"<{tag}>\n?(.*?)</{tag}>", prompt, re.DOTALL)
    return found[-1] if found else ""


def _lines(block: str) -> Iterator[Line]:
    said: list[tuple[re.Match[str], list[str]]] = []
    for raw in block.split("\n"):
        if match := _LINE.match(raw):
            said.append((match, [match[4]]))
        elif said and raw.startswith("    "):
            said[-1][1].append(raw[4:])
    for match, parts in said:
        day = date.fromisoformat(match[2])
        yield Line(int(match[1]), day, is_user=match[3] == "user", text=unescape("\n".join(parts)))


def _entities(block: str) -> Iterator[Entity]:
    for raw in block.split("\n"):
        if match := _KNOWN.match(raw.strip()):
            others = tuple(unescape(other.strip()) for other in (match[3] or "").split(",") if other.strip())
            yield Entity(unescape(match[1]), match[2], others)


def _items(block: str) -> Iterator[tuple[int, str]]:
    for raw in block.split("\n"):
        if match := _REMEMBERED.match(raw):
            yield int(match[1]), unescape(match[2])


def _pair(block: str) -> tuple[str, str] | None:
    a, slash, b = unescape(block.strip()).partition(" / ")
    return (a, b) if slash and a and b else None
