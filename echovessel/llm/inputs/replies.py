"""What a reply is made from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any, NamedTuple

from echovessel import periods
from echovessel.embeddings.feelings import Felt

_LUNAR = re.compile("[农阴]历")


class Certainty(StrEnum):
    """How sure memory is of the answer to a question of the past: it stands in the prompt word for word, is known, believed,
    nearly remembered, or unknown.
    """

    HERE = "here"
    KNOWN = "known"
    UNSURE = "unsure"
    TIP = "tip"
    UNKNOWN = "unknown"

    @property
    def has_answer(self) -> bool:
        return self not in (Certainty.TIP, Certainty.UNKNOWN)


class SaidMessage(NamedTuple):
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
    # Whether something stands against it that the user has not settled.
    is_in_doubt: bool = False


@dataclass(frozen=True)
class DoubtQuestion:
    """Two memories or names of which it is not known whether both hold or mean the same, or one alone, with "": its kind is
    that of a `Doubt`.
    """

    kind: str
    this: str
    that: str = ""


@dataclass(frozen=True)
class ChangeRequest:
    """The fact that the user asked to change, with its detail."""

    text: str
    detail: str


@dataclass(frozen=True)
class Plan:
    """A promise, an expectation or an event ahead, with the day on which it is due."""

    text: str
    day: date | None
    is_expected: bool = False


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


@dataclass(frozen=True)
class StoryLine:
    """A point of the story, of the part `happened`, `open` or `state`: when it was, whether it held only then, and by what it is
    cut, the lowest first.
    """

    part: str
    text: str
    label: str = ""
    at: datetime | None = None
    is_past: bool = False
    cut_key: tuple[bool, int, int] = (False, 0, 0)


@dataclass(frozen=True)
class SceneDigest:
    """What happened in a scene that the story does not tell yet, and what stayed open."""

    title: str
    at: datetime
    outcomes: tuple[str, ...]
    open: tuple[str, ...] = ()


@dataclass(frozen=True)
class EntityCard:
    """What is known of a person or a thing: its description, and what scenes told of it since, newest first."""

    name: str
    description: str
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ReplyInputs:
    """The inputs of a reply. Lists are best or newest first; `sessions`, `recent_messages` and `session_messages` are oldest first."""

    persona_name: str
    user_name: str
    # What the user is called in what jobs wrote, where that is another name than the one they told.
    other_name: str = ""
    now: datetime
    burst: list[str]
    persona: str = ""
    user: str = ""
    style: str = ""
    # How long replies are to be: short, long, or as it comes.
    length: str = ""
    # What the persona and the user are in the middle of, and how they may sound: each example a dialogue of its own.
    scenario: str = ""
    examples: list[str] = field(default_factory=list)
    # What is known in the persona's world of what was said last.
    lore: list[str] = field(default_factory=list)
    facts: Mapping[str, str | None] = field(default_factory=dict)
    sessions: list[SessionSummary] = field(default_factory=list)
    own_thoughts: list[str] = field(default_factory=list)
    user_thoughts: list[str] = field(default_factory=list)
    about: list[EntityCard] = field(default_factory=list)
    # What is not certain and may be asked about.
    doubt: DoubtQuestion | None = None
    recalled: list[RecalledMemory] = field(default_factory=list)
    quotes: list[SaidMessage] = field(default_factory=list)
    # What the user keeps, of either side; the last one kept first.
    moments: list[SaidMessage] = field(default_factory=list)
    promises: list[Plan] = field(default_factory=list)
    expectations: list[Plan] = field(default_factory=list)
    # After a long silence: what has come due meanwhile, or does soon.
    due: list[Plan] = field(default_factory=list)
    # Whether they have moved off what they wanted to talk about.
    has_left_focus: bool = False
    mood: Mapping[str, Any] = field(default_factory=dict)
    recent_messages: list[SaidMessage] = field(default_factory=list)
    # Whether talks are recapped; the story, scenes that it does not tell yet, and what was said before the recent messages, in
    # short. All are oldest first.
    has_story: bool = False
    # Whether what changes from turn to turn stands behind the recent messages.
    has_notes_last: bool = False
    story: list[StoryLine] = field(default_factory=list)
    scenes: list[SceneDigest] = field(default_factory=list)
    line_recaps: list[SaidMessage] = field(default_factory=list)
    last_message_at: datetime | None = None
    # The day on which the two began to talk.
    known_since: date | None = None
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
    # How sure memory is of the answer, where the burst asks for what was told; and whether memories that nobody asked for
    # are mentioned as something believed.
    certainty: Certainty | None = None
    is_only_believed: bool = False
    # All messages of this session, also those before the window; only the offline voice reads them.
    session_messages: list[SaidMessage] = field(default_factory=list)
    # Facts that hold no longer, unless the burst asks how it once was; only the offline voice reads them, which would say
    # the words that told them.
    over: list[str] = field(default_factory=list)
    # What the burst's vector tells of how the user feels, and what was told that is nearest to it, with the cosine; only the
    # offline voice reads them.
    felt: Felt | None = None
    nearest: tuple[SaidMessage, float] | None = None

    @property
    def is_birthday(self) -> bool:
        """Whether it is the day of the year that the user told to be their birthday, by the calendar of most of the world."""
        told, today = self.slots.get("birthday", ""), self.now.date()
        named = [] if _LUNAR.search(told) else periods.find_periods(told, today=today)
        return any(one.start == one.end and (one.end.month, one.end.day) == (today.month, today.day) for one in named)
