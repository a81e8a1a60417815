"""Lines of talk as a model reads them: numbered, with local time and speaker, a chunk at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from echovessel.prompts import escape
from memory.models import Message

CHUNK_CHARACTERS = 12_000
OVERLAP_LINES = 2


@dataclass(frozen=True)
class Line:
    """One numbered line; a long message is several lines."""

    number: int
    message: Message
    text: str


@dataclass(frozen=True)
class Chunk:
    earlier: tuple[Line, ...]
    lines: tuple[Line, ...]

    @property
    def last_message_id(self) -> int:
        return self.lines[-1].message.pk

    def messages(self, numbers: Sequence[int]) -> list[Message]:
        """The messages of these line numbers; numbers that were not sent are passed over."""
        by_number = {line.number: line.message for line in self.lines}
        return list(dict.fromkeys(by_number[number] for number in numbers if number in by_number))

    @property
    def user_messages(self) -> list[Message]:
        return list(dict.fromkeys(line.message for line in self.lines if line.message.role == Message.Role.USER))


def next_chunk(messages: Sequence[Message], *, earlier: Sequence[Message]) -> Chunk:
    """As many of the messages as fit into 12 000 characters, at least one, with the two lines before them."""
    before: list[Line] = []
    for message in earlier[-OVERLAP_LINES:]:
        before += pieces(message, after=len(before))
    lines: list[Line] = []
    size = 0
    for message in messages:
        size += len(message.content)
        if size > CHUNK_CHARACTERS and lines:
            break
        lines += pieces(message, after=len(before) + len(lines))
    return Chunk(earlier=tuple(before[-OVERLAP_LINES:]), lines=tuple(lines))


def pieces(message: Message, *, after: int) -> list[Line]:
    """A message as one line, or as several where it is longer than a chunk."""
    starts = range(0, len(message.content), CHUNK_CHARACTERS)
    return [
        Line(number=after + at, message=message, text=message.content[start : start + CHUNK_CHARACTERS])
        for at, start in enumerate(starts, start=1)
    ]


def written(lines: Sequence[Line], *, zone: ZoneInfo) -> str:
    """Lines as `[3] 2026-11-21 23:04 user: text`; the further lines of a message are indented, so that none can pose as another."""
    return "\n".join(
        f"[{line.number}] {line.message.created_at.astimezone(zone):%Y-%m-%d %H:%M} {line.message.role}: "
        + "\n    ".join(escape(line.text).splitlines())
        for line in lines
    )
