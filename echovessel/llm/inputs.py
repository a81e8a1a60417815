"""The structured inputs of each kind of call.

A caller renders the prompt from these and passes both: a model reads the prompt, the offline voice reads the inputs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any


@dataclass(frozen=True)
class SaidMessage:
    is_user: bool
    text: str
    at: datetime


@dataclass(frozen=True)
class SessionSummary:
    text: str
    at: datetime


@dataclass(frozen=True)
class RecalledMemory:
    """A recalled node: whether it is the persona's thought, when it was told or thought, and the days it is about."""

    text: str
    is_thought: bool
    told_at: datetime
    start: date | None
    end: date | None
    # Of a fact that is only guessed.
    is_unsure: bool = False
    # Of a fact that was true until then.
    until: datetime | None = None


@dataclass(frozen=True)
class ChangeRequest:
    """The fact that the user asked to change, with its detail."""

    text: str
    detail: str


@dataclass(frozen=True)
class Plan:
    """A promise or an expectation, with the day on which it is due."""

    text: str
    day: date | None


@dataclass(frozen=True, kw_only=True)
class NotedFact:
    """A change of the noted facts in this session: what was done (saved, changed, ended, forgotten, confirmed …), and the
    fact's content, "" of what was forgotten.
    """

    op: str
    text: str
    # The text it replaced.
    old: str = ""
    facet: str = ""
    is_undone: bool = False
    # Whether this very burst asked for it.
    is_new: bool = False


@dataclass(frozen=True)
class UnmetWish:
    """What this burst asked for and was not done: why (not_found, ambiguous, secret, unsafe, full …), and the facts that
    may have been meant.
    """

    code: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReplyInputs:
    """The inputs of a reply. Lists are best or newest first; `sessions`, `recent_messages` and `session_messages` are oldest first."""

    persona_name: str
    user_name: str
    now: datetime
    burst: list[str]
    persona: str = ""
    user: str = ""
    style: str = ""
    facts: Mapping[str, str | None] = field(default_factory=dict)
    sessions: list[SessionSummary] = field(default_factory=list)
    own_thoughts: list[str] = field(default_factory=list)
    user_thoughts: list[str] = field(default_factory=list)
    about: list[tuple[str, str]] = field(default_factory=list)
    pair: tuple[str, str] | None = None
    # Two memories of which one may not hold, or one alone, with "".
    doubt: tuple[str, str] | None = None
    recalled: list[RecalledMemory] = field(default_factory=list)
    quotes: list[SaidMessage] = field(default_factory=list)
    # What the user keeps, of either side; the last one kept first.
    moments: list[SaidMessage] = field(default_factory=list)
    promises: list[Plan] = field(default_factory=list)
    expectations: list[Plan] = field(default_factory=list)
    mood: Mapping[str, Any] = field(default_factory=dict)
    recent_messages: list[SaidMessage] = field(default_factory=list)
    last_message_at: datetime | None = None
    # Whether the model may note facts by tools; off the record nobody notes anything.
    has_tools: bool = False
    off_record: bool = False
    # What is noted of the user: the text of the loaded set, the contents of facts by slot, and, where the burst asks what
    # is known, the contents of more facts.
    loaded: str = ""
    slots: Mapping[str, str] = field(default_factory=dict)
    all_known: list[str] = field(default_factory=list)
    # What was changed in this session, oldest first, and what of this burst's wishes was not done.
    noted: list[NotedFact] = field(default_factory=list)
    unmet: list[UnmetWish] = field(default_factory=list)
    # Facts about health or safety to make sure of before they are relied on, and those that the user wants to change.
    checks: list[str] = field(default_factory=list)
    wants_to_change: list[ChangeRequest] = field(default_factory=list)
    # All messages of this session, also those before the window; only the offline voice reads them.
    session_messages: list[SaidMessage] = field(default_factory=list)


@dataclass(frozen=True)
class TranscriptLine:
    number: int
    said_at: datetime
    speaker: str
    text: str

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
    """Two memories of which it is not known which holds, or one alone, with their values where they fill a slot."""

    number: int
    this: str
    that: str = ""
    this_value: str = ""
    that_value: str = ""


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


AnswerInputs = ExtractionInputs | ReflectionInputs | ImportInputs | DraftInputs | TitleInputs
Inputs = ReplyInputs | AnswerInputs
