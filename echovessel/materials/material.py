from dataclasses import dataclass, field
from datetime import date
from typing import Any

from echovessel.errors import CodedError

# Of their paragraphs only those that begin with "User: " are the user's.
CHATS = ("chatgpt", "chat")
BYTES_MOST = 50 * 1024 * 1024


class MaterialError(CodedError):
    """A file that is not accepted, with a sentence that says why."""


@dataclass(frozen=True)
class Passage:
    """A part of the text of one day, if the file names the day."""

    text: str
    said_on: date | None
    title: str


@dataclass(frozen=True)
class Material:
    """The content of a file as `text`, and as `dated` passages if the file names days.

    `kind` is txt, md, json, csv, chatgpt, chat (pasted as text) or card; a card's fields are in `card`.
    """

    kind: str
    text: str
    dated: list[Passage] = field(default_factory=list)
    card: dict[str, Any] | None = None
