"""What jobs read that make memories, and what drafts and titles are made from."""

from dataclasses import dataclass
from datetime import date, datetime

from echovessel.embeddings.feelings import Felt


@dataclass(frozen=True)
class TranscriptLine:
    number: int
    said_at: datetime
    speaker: str
    text: str
    # What the vector of a user's message tells of their feelings.
    felt: Felt | None = None
    # How much it tells of something lasting, by its vector, from -1 to 1 and somewhat beyond.
    lasting: float | None = None

    @property
    def is_user(self) -> bool:
        return self.speaker == "user"


@dataclass(frozen=True)
class KnownEntity:
    name: str
    kind: str
    aliases: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


@dataclass(frozen=True)
class NumberedEvent:
    """A known event with the number by which an answer may cite it."""

    number: int
    told_on: date
    text: str


@dataclass(frozen=True, kw_only=True)
class NumberedFact:
    """A noted fact with the number by which an answer may cite it, and how it is known: told, gathered or guessed."""

    number: int
    text: str
    facet: str
    source: str
    slot: str = ""
    value: str = ""


@dataclass(frozen=True, kw_only=True)
class NumberedDoubt:
    """Two memories of which it is not known which holds, or one alone, with their values where they fill a slot; or two
    names. The kind is that of a `Doubt`.
    """

    number: int
    kind: str
    this: str
    that: str = ""
    this_value: str = ""
    that_value: str = ""
    # What it can come to.
    outcomes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExtractionInputs:
    lines: tuple[TranscriptLine, ...]
    known: tuple[KnownEntity, ...] = ()
    remembered: tuple[NumberedEvent, ...] = ()
    # Two names that may mean the same entity.
    pair: tuple[str, str] | None = None
    facts: tuple[NumberedFact, ...] = ()
    doubts: tuple[NumberedDoubt, ...] = ()

    @property
    def said_by_user(self) -> list[tuple[int, str]]:
        return [(line.number, line.text) for line in self.lines if line.is_user]

    @property
    def said_before_user(self) -> dict[int, str]:
        """What the persona said right before each line of the user."""
        pairs = zip(self.lines, self.lines[1:], strict=False)
        return {line.number: before.text for before, line in pairs if line.is_user and not before.is_user}

    def day_of(self, number: int) -> date:
        return next(line.said_at.date() for line in self.lines if line.number == number)

    def entity_named(self, name: str) -> KnownEntity | None:
        folded = name.casefold()
        return next((one for one in self.known if folded in (other.casefold() for other in one.names)), None)


@dataclass(frozen=True)
class ReflectedEvent:
    id: int
    impact: int
    text: str


@dataclass(frozen=True)
class ReflectionInputs:
    events: tuple[ReflectedEvent, ...]


@dataclass(frozen=True)
class ImportInputs:
    """A piece of a file, with the day on which it was written if that is known."""

    text: str
    title: str = ""
    said_on: date | None = None
    known: tuple[KnownEntity, ...] = ()


@dataclass(frozen=True)
class DraftInputs:
    material: str


@dataclass(frozen=True)
class TitleInputs:
    """What a user said first in a session, and the reply to it."""

    said: str
    reply: str
