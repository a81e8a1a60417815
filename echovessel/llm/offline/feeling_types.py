"""The kinds of cues of feeling, the parties they happen to, and how much of each the user feels."""

from enum import StrEnum
from typing import NamedTuple


class Nature(StrEnum):
    # The words tell by themselves that it is the user's own: "he broke up with me", "worst day of my life".
    OWN = "own"
    # A mood: "sad", "so happy". Counts fully when the user has it.
    MOOD = "mood"
    # Somebody's death; the words before say whose ("my dog died"), or those after ("lost my mother").
    LOSS = "loss"
    LOSS_OF = "loss of"
    # What is only said of animals: "they put him to sleep".
    LOSS_OF_PET = "loss of a pet"
    # Illness, accident, violence; and their good end.
    HARM = "harm"
    RELIEF = "relief"
    # What people do or what becomes of them, bad and good.
    SETBACK = "setback"
    JOY = "joy"
    BIRTH = "birth"
    # Somebody lost comes back.
    RETURN = "return"


class Cue(NamedTuple):
    nature: Nature
    tag: str
    impact: int
    pattern: str


class Feeling(NamedTuple):
    tag: str
    impact: int
    is_unworded: bool = False  # Whether only the vector of the message tells it.


class Everyday(NamedTuple):
    """A subject of everyday: the words that show it, what is said to it, and what may be asked then."""

    pattern: str
    sayings: tuple[str, ...]
    questions: tuple[str, ...]


class Party(StrEnum):
    """The person something happens to, by how near they are to the user."""

    SELF = "self"
    PARTNER = "partner"
    CHILD = "child"
    CLOSE = "close"
    KIN = "kin"
    PET = "pet"
    FRIEND = "friend"
    NAMED = "named"
    # Somebody's somebody: a friend's mother, a sister's colleague.
    INDIRECT = "indirect"
    FAR = "far"
    STRANGER = "stranger"
    NOBODY = "nobody"


_P = Party
_BAD = {_P.PARTNER: 1.0, _P.CHILD: 1.1, _P.CLOSE: 1.0, _P.KIN: 0.9, _P.PET: 0.75, _P.FRIEND: 0.8, _P.NAMED: 0.75}
_FAR = {_P.INDIRECT: 0.5, _P.FAR: 0.45, _P.STRANGER: 0.1, _P.NOBODY: 0.0}
_DOINGS = {_P.SELF: 1.0, _P.PARTNER: 0.85, _P.CHILD: 0.75, _P.CLOSE: 0.65, _P.KIN: 0.5, _P.PET: 0.4, _P.FRIEND: 0.5}
_OTHERS_DOINGS = {_P.NAMED: 0.4, _P.INDIRECT: 0.3, _P.FAR: 0.25, _P.STRANGER: 0.1, _P.NOBODY: 0.1}

# How much of a cue's impact reaches the user. "I died" is never meant.
SHARE: dict[Nature, dict[Party, float]] = {
    Nature.LOSS: {_P.SELF: 0.0, **_BAD, **_FAR},
    Nature.LOSS_OF: {_P.SELF: 0.0, **_BAD, **_FAR},
    Nature.LOSS_OF_PET: {**dict.fromkeys(_P, 0.0), _P.PET: _BAD[_P.PET]},
    Nature.HARM: {_P.SELF: 1.0, **_BAD, **_FAR},
    Nature.RELIEF: {_P.SELF: 1.0, **_BAD, **_FAR},
    Nature.SETBACK: {**_DOINGS, **_OTHERS_DOINGS},
    Nature.JOY: {**_DOINGS, **_OTHERS_DOINGS},
    # "I was born in Ely" is a fact; a child's birth is the parents', a sister's or a daughter's nearly so.
    Nature.BIRTH: {**_DOINGS, **_OTHERS_DOINGS, _P.CHILD: 1.0, _P.PARTNER: 1.0, _P.KIN: 0.65},
    Nature.RETURN: {_P.SELF: 0.3, **_BAD, **_FAR},
    Nature.MOOD: dict.fromkeys(_P, 1.0),
    Nature.OWN: dict.fromkeys(_P, 1.0),
}
