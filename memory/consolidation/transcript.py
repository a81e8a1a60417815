"""Number and format the messages of a session for a model, chunk by chunk."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from zoneinfo import ZoneInfo

from echovessel.embeddings.embedding import MessageReading
from echovessel.llm.inputs import TranscriptLine
from echovessel.prompts import escape
from memory.messages import secrets, window
from memory.models import Message

CHUNK_CHARACTERS = 12_000
OVERLAP_MESSAGES = 2
# The overlap shows only the start and end of a long message.
OVERLAP_BEGINS, OVERLAP_ENDS = 500, 1_500
# Where a long message is cut, best first; each separator stays with the part before it.
_BORDERS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"[.!?…][\"'”’)]*\s+|[。！？…]+[”」』）]*\s*"),
    re.compile(r"\s+"),
)
UNREAD = MessageReading()


@dataclass(frozen=True)
class NumberedMessage:
    """A numbered message, or one numbered part (from 1) of a message too long for one call."""

    number: int
    message: Message
    text: str
    part: int = 0


@dataclass(frozen=True)
class Chunk:
    """The input of one call; a part of a long message is a chunk of its own.

    `is_whole` where no part of its last message is left.
    """

    earlier: tuple[NumberedMessage, ...]
    lines: tuple[NumberedMessage, ...]
    is_whole: bool = True

    @property
    def last_message_id(self) -> int:
        return max(line.message.pk for line in self.lines)

    @property
    def session_id(self) -> int:
        return self.lines[-1].message.session_id

    @property
    def last_day(self) -> date:
        """Return the day of its last message in the user's zone."""
        return self.lines[-1].message.day

    @property
    def part(self) -> int:
        return self.lines[-1].part

    def find_messages(self, numbers: Sequence[int]) -> list[Message]:
        """Return the messages of these numbers; unknown numbers are skipped."""
        by_number = {numbered.number: numbered.message for numbered in self.lines}
        return list(dict.fromkeys(by_number[number] for number in numbers if number in by_number))

    @property
    def user_messages(self) -> list[Message]:
        return list(
            dict.fromkeys(numbered.message for numbered in self.lines if numbered.message.role == Message.Role.USER)
        )


def build_next_chunk(messages: Sequence[Message], *, earlier: Sequence[Message], parts_read: int = 0) -> Chunk:
    """Take as many of the messages as fit into 12 000 characters, with the two before them.

    A longer message is read part by part; the first `parts_read` parts are done.
    """
    before = [NumberedMessage(number=0, message=message, text=message.content) for message in earlier]
    first = messages[0]
    if len(first.content) > CHUNK_CHARACTERS:
        # Masked before they are cut: a cut may split a secret.
        texts = split(secrets.mask(first.content))
        before += [NumberedMessage(number=0, message=first, text=text) for text in texts[:parts_read]]
        overlap = number_overlap(before)
        line = NumberedMessage(number=len(overlap) + 1, message=first, text=texts[parts_read], part=parts_read + 1)
        return Chunk(earlier=overlap, lines=(line,), is_whole=line.part == len(texts))
    overlap = number_overlap(before)
    fitting = messages[: count_fitting([len(message.content) for message in messages])]
    return Chunk(
        earlier=overlap,
        lines=tuple(
            NumberedMessage(number=number, message=message, text=message.content)
            for number, message in enumerate(window.sort_by_turn(fitting), start=len(overlap) + 1)
        ),
    )


def number_overlap(before: Sequence[NumberedMessage]) -> tuple[NumberedMessage, ...]:
    """Number the last two messages from 1, shortened where they are long."""
    return tuple(
        NumberedMessage(number=number, message=numbered.message, text=shorten(secrets.mask(numbered.text)))
        for number, numbered in enumerate(before[-OVERLAP_MESSAGES:], start=1)
    )


def shorten(text: str) -> str:
    if len(text) <= OVERLAP_BEGINS + OVERLAP_ENDS:
        return text
    return f"{text[:OVERLAP_BEGINS]} … {text[-OVERLAP_ENDS:]}"


def count_fitting(lengths: Sequence[int]) -> int:
    size = 0
    for at, length in enumerate(lengths):
        size += length
        if size > CHUNK_CHARACTERS:
            return at
    return len(lengths)


def split(text: str, *, most: int = CHUNK_CHARACTERS) -> list[str]:
    """Split a long text into parts of at most 12 000 characters; joined they are the text again."""
    parts = []
    while len(text) > most:
        at = find_cut(text[:most])
        parts.append(text[:at])
        text = text[at:]
    return [*parts, text]


def find_cut(text: str) -> int:
    """Cut behind the last paragraph, line, sentence or word of the second half, else at the limit."""
    for pattern in _BORDERS:
        ends = [match.end() for match in pattern.finditer(text, len(text) // 2)]
        if ends:
            return ends[-1]
    return len(text)


def localise(
    lines: Sequence[NumberedMessage], *, zone: ZoneInfo, readings: Mapping[int, MessageReading] = MappingProxyType({})
) -> tuple[TranscriptLine, ...]:
    """Convert the times to the user's zone and mask secrets; `readings` are what vectors tell, by the id of a message."""
    return tuple(
        TranscriptLine(
            number=numbered.number,
            said_at=numbered.message.created_at.astimezone(zone),
            speaker=numbered.message.role,
            text="\n".join(secrets.mask(numbered.text).splitlines()),
            felt=(reading := readings.get(numbered.message.pk, UNREAD)).felt,
            lasting=reading.lasting,
        )
        for numbered in lines
    )


def format_messages(lines: Sequence[TranscriptLine]) -> str:
    """Format messages as `[3] 2026-11-21 23:04 Saturday user: text`.

    Further lines of a message are indented, so none can pose as another message.
    """
    return "\n".join(
        f"[{message.number}] {message.said_at:%Y-%m-%d %H:%M %A} {message.speaker}: "
        + escape(message.text).replace("\n", "\n    ")
        for message in lines
    )
