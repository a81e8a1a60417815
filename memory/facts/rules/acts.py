"""What the rules read in a line: an act on the facts, before anything is looked up or written."""

from dataclasses import dataclass
from enum import StrEnum

from memory.facts.rules.changed import Change
from memory.facts.rules.over import Ending


class Kind(StrEnum):
    REMEMBER = "remember"
    FORGET = "forget"
    NAME = "name"
    CORRECTION = "correction"


class Op(StrEnum):
    SAVE = "save"
    FORGET = "forget"
    END = "end"
    REPLACE = "replace"
    # Of what is told outside slots: it acts only where a fact stands that it is about.
    CHANGE = "change"
    FINISH = "finish"
    # Of what no rule finds: the message's vector tells which fact it ends.
    LAPSE = "lapse"


@dataclass(frozen=True, kw_only=True)
class RuleAct:
    """An act that a line of the burst asks for.

    `content` is what to store (save, replace, change) in the third person, or the words by which to find it (forget). `value` is the
    new value of the slot, of an `end` the value that holds no longer. `reason` of an `end` is "ended" (it was true) or "wrong".
    `lines` are the positions, in the previous lines followed by the burst, of the lines it rests on.
    """

    kind: Kind
    op: Op
    content: str
    lines: tuple[int, ...] = ()
    facet: str = "about_you"
    slot: str = ""
    value: str = ""
    reason: str = ""
    # Of what is forgotten: whether all that holds the words goes.
    is_whole: bool = False
    # Of what is forgotten: whether it is asked for only where something tells it, as a wish that only its vector shows.
    is_told: bool = False
    # A wish to forget that one cannot be sure of: nothing is forgotten, and the reply asks. `is_agreed` once the user said yes.
    is_unsure: bool = False
    is_agreed: bool = False
    # Of what is saved outside slots in the place of another fact: how that one is found.
    change: Change | None = None
    # How the fact that is over is found, surest first; of what is saved or changed, the one whose place is taken.
    endings: tuple[Ending, ...] = ()
    # Whether it says nothing but that something is over.
    is_end: bool = False
    # Of what lapses: whether a rule reads a change or an end of something.
    is_marked: bool = False
