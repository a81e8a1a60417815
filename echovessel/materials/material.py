from dataclasses import dataclass, field
from datetime import date
from typing import Any

from echovessel.errors import CodedError

BYTES_MOST = 50 * 1024 * 1024


class MaterialError(CodedError):
    """A file that cannot be taken, with a sentence that says why."""


@dataclass(frozen=True)
class Passage:
    """A stretch of text of one day, where the file says on which."""

    text: str
    said_on: date | None
    title: str


@dataclass(frozen=True)
class Material:
    """What a file says: all of it as `text`; where the file tells days, the same words also as `dated` passages.

    `kind` is txt, md, json, csv, chatgpt or card; a card's fields are in `card`.
    """

    kind: str
    text: str
    dated: list[Passage] = field(default_factory=list)
    card: dict[str, Any] | None = None
