"""Cut a file's text into chunks for one call each: whole paragraphs together, long ones with an overlap."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.utils.crypto import salted_hmac

from echovessel.materials import CHATS, Material, Passage
from memory.consolidation.transcript import split
from memory.messages import secrets

CHARACTERS_MOST = 2_000
OVERLAP_CHARACTERS = 500
TITLE_MOST = 200
_GAP = re.compile(r"\n[^\S\n]*\n\s*")
_SPEAKER = re.compile(r"(User|Assistant): ")
_WORD_END = re.compile(r"\s|(?<=[。！？；])")


@dataclass(frozen=True)
class Piece:
    text: str
    said_on: date | None
    title: str

    @property
    def digest(self) -> str:
        """Hash a chunk's text and day with the install's key: nobody else can guess the text by trying."""
        return salted_hmac("memory.importing", f"{self.said_on}\n{self.text}", algorithm="sha256").hexdigest()[:32]


def cut(material: Material) -> list[Piece]:
    """Cut a material into chunks, in order. Chunks of a chat without a user message are left out."""
    passages = material.dated or [Passage(material.text, None, "")]
    is_chat = material.kind in CHATS
    pieces = []
    for (said_on, title), told in groupby(passages, key=lambda one: (one.said_on, one.title)):
        paragraphs = split_paragraphs("\n\n".join(passage.text for passage in told))
        for piece in pack_paragraphs(add_speakers(paragraphs) if is_chat else paragraphs):
            if not is_chat or any(paragraph.startswith("User: ") for paragraph in piece.split("\n\n")):
                pieces.append(Piece(piece, said_on, secrets.mask(title)[:TITLE_MOST]))
    return pieces


def split_paragraphs(text: str) -> Iterator[str]:
    for paragraph in _GAP.split(text.strip()):
        parts = paragraph.splitlines() if len(paragraph) > CHARACTERS_MOST else [paragraph]
        yield from (part.rstrip() for part in parts if part.strip())


def add_speakers(paragraphs: Iterable[str]) -> Iterator[str]:
    """Put the speaker before each paragraph of a chat: a message names its speaker only at its start."""
    speaker = ""
    for paragraph in paragraphs:
        begins = _SPEAKER.match(paragraph)
        speaker = begins[0] if begins else speaker
        yield paragraph if begins else speaker + paragraph


def pack_paragraphs(paragraphs: Iterable[str]) -> Iterator[str]:
    """Pack as many paragraphs together as fit; one that is too long is split into chunks of its own."""
    held: list[str] = []
    size = 0
    for paragraph in paragraphs:
        if held and size + len(paragraph) + 2 * len(held) > CHARACTERS_MOST:
            yield "\n\n".join(held)
            held, size = [], 0
        if len(paragraph) > CHARACTERS_MOST:
            yield from split_with_overlap(paragraph)
        else:
            held.append(paragraph)
            size += len(paragraph)
    if held:
        yield "\n\n".join(held)


def split_with_overlap(paragraph: str) -> Iterator[str]:
    """Split a long paragraph; each part begins with the last words of the one before."""
    begins = _SPEAKER.match(paragraph)
    speaker = begins[0] if begins else ""
    parts = split(paragraph[len(speaker) :], most=CHARACTERS_MOST - OVERLAP_CHARACTERS - len(speaker))
    for before, part in zip(["", *parts], parts, strict=False):
        yield (speaker + take_ending(before) + part).strip()


def take_ending(part: str) -> str:
    """Take at most the last 500 characters, from the start of a word if possible."""
    if len(part) <= OVERLAP_CHARACTERS:
        return part
    end = part[-OVERLAP_CHARACTERS:]
    border = _WORD_END.search(end)
    return end[border.end() :] if border else end
