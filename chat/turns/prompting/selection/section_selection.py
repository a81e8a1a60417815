"""Which sections of memory a prompt carries: a greeting needs none, a crisis no promises.

What is out hard is not searched and does not come back. What is out softly comes back while the prompt is small. The
stable part, facts, the window and the time are never out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from echovessel import periods
from memory.knowing import signals as knowing_signals
from memory.knowing.signals import Signals
from memory.recall import memories, query_intent
from memory.recall.query_intent import QueryIntent

LOW_DENSITY = 0.2
WARM_FROM, FLOWING_STREAK = 0.5, 2
# Sections come back until those in the prompt have so many tokens.
RECOVERED_UNDER = 1500


class Section(StrEnum):
    """A section, by its name in a trace."""

    RECALLED = "recalled"
    WORDS = "words"
    USER_THOUGHTS = "user_thoughts"
    TALKS = "talks"
    PROMISES = "promises"
    EXPECTATIONS = "expectations"
    OWN_THOUGHTS = "own_thoughts"
    DOUBTS = "doubts"


class Rule(StrEnum):
    """Why a section is out."""

    CRISIS = "crisis"
    # It says too little to search for.
    SLIGHT = "slight"
    # They keep to another subject.
    FOCUS = "focus"
    # It only greets, thanks or agrees.
    BARE = "bare"
    # A talk that flows needs no summaries.
    FLOWING = "flowing"
    ADVICE = "advice"
    # After a long silence nothing is cleared up first.
    RETURN = "return"


# In the order in which they come back.
RECOVERABLE = (
    Section.RECALLED,
    Section.WORDS,
    Section.USER_THOUGHTS,
    Section.TALKS,
    Section.PROMISES,
    Section.EXPECTATIONS,
    Section.OWN_THOUGHTS,
)
_BY_CRISIS = (Section.PROMISES, Section.EXPECTATIONS, Section.DOUBTS, Section.OWN_THOUGHTS)
_BY_BARE = (Section.RECALLED, Section.WORDS, Section.EXPECTATIONS)
_BY_FLOW = (Section.USER_THOUGHTS, Section.OWN_THOUGHTS, Section.TALKS)
_BY_ADVICE = (Section.EXPECTATIONS, Section.DOUBTS)
_FORCED_BY_QUESTION = frozenset({Section.RECALLED, Section.WORDS})
_FORCED_BY_RETURN = frozenset({Section.TALKS, Section.PROMISES, Section.EXPECTATIONS})


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What a turn is like: its signals, whether it names somebody or a time, and how the talk goes (warmth 0 to 1)."""

    signals: Signals
    names_someone: bool = False
    names_time: bool = False
    asks_advice: bool = False
    is_return: bool = False
    is_focused: bool = False
    streak: int = 1
    warmth: float = 0.0

    @classmethod
    def read(cls, said: str, *, today: date, is_return: bool) -> "Situation":
        """Read what a burst shows by its words alone."""
        ends = memories.cut_to_ends(said)
        return cls(
            signals=knowing_signals.read(said, today=today),
            names_time=bool(periods.find_periods(ends, today=today)),
            asks_advice=query_intent.detect_intent(ends) is QueryIntent.ADVICE,
            is_return=is_return,
        )


@dataclass(frozen=True)
class Selection:
    """The sections that are out, each with its rule, and those that were out softly and came back, each with its rule."""

    out: Mapping[Section, Rule] = field(default_factory=dict)
    back: Mapping[Section, Rule] = field(default_factory=dict)


def is_slight(situation: Situation) -> bool:
    """Whether a burst says too little to search memories and quotes for it."""
    signals = situation.signals
    is_meant = signals.asks or signals.reference or situation.names_someone or situation.names_time
    return signals.density < LOW_DENSITY and not is_meant


def find_hard(situation: Situation) -> dict[Section, Rule]:
    """Find what is out whatever the prompt holds. Under a focus, doubts about its entities are not."""
    out: dict[Section, Rule] = {}
    if situation.is_focused:
        out[Section.DOUBTS] = Rule.FOCUS
    if situation.is_return:
        out[Section.DOUBTS] = Rule.RETURN
    if is_slight(situation):
        out |= dict.fromkeys((Section.RECALLED, Section.WORDS), Rule.SLIGHT)
    if situation.signals.crisis:
        out |= dict.fromkeys(_BY_CRISIS, Rule.CRISIS)
    return out


def find_soft(situation: Situation) -> dict[Section, Rule]:
    """Find what is out while the prompt holds enough else, without what is forced in."""
    signals = situation.signals
    out: dict[Section, Rule] = {}
    if situation.asks_advice:
        out |= dict.fromkeys(_BY_ADVICE, Rule.ADVICE)
    if is_flowing(situation):
        out |= dict.fromkeys(_BY_FLOW, Rule.FLOWING)
    if signals.bare and not situation.is_return:
        out |= dict.fromkeys(_BY_BARE, Rule.BARE)
    forced = (_FORCED_BY_QUESTION if signals.asks_past else frozenset()) | (
        _FORCED_BY_RETURN if situation.is_return else frozenset()
    )
    return {section: rule for section, rule in out.items() if section not in forced}


def is_flowing(situation: Situation) -> bool:
    signals = situation.signals
    is_meant = signals.asks or signals.reference or situation.names_someone
    return situation.warmth >= WARM_FROM and situation.streak >= FLOWING_STREAK and not is_meant


def select(situation: Situation, tokens: Mapping[Section, int], *, others: int = 0) -> Selection:
    """Select the sections of a prompt. `tokens` are those of each section with content, `others` those of sections that are
    never out. What has no content is not named, unless it was not searched.
    """
    hard, soft = find_hard(situation), find_soft(situation)
    soft = {section: rule for section, rule in soft.items() if section not in hard}
    taken = others + sum(count for section, count in tokens.items() if section not in hard and section not in soft)
    back: dict[Section, Rule] = {}
    for section in RECOVERABLE:
        if section in soft and tokens.get(section) and taken < RECOVERED_UNDER:
            back[section] = soft[section]
            taken += tokens[section]
    out = {section: rule for section, rule in (soft | hard).items() if section not in back}
    named = {section: rule for section, rule in out.items() if section in tokens or rule is Rule.SLIGHT}
    return Selection(out=named, back=back)
