"""How sure memory is of an answer, by a little arithmetic: pure, from what recall found and what is in the prompt.

The numbers were fitted on the tuning half of `manage.py evaluate mind` and stand here alone; tests and suites read them here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from echovessel.llm.inputs import Certainty

# Nearness from which something is felt to be known, and how steeply the feeling grows, up to FOK_MOST.
NEARNESS_FLOOR = 0.45
FOK_STEEPNESS = 17
FOK_MOST = 5.0
# How far the best stands out counts half; the fifth best is what it stands out from.
STANDING_OUT = 0.5


class AnswerWeights(NamedTuple):
    """What the share of a question's terms adds that an answering text holds, what such a text adds, and what its lack takes away."""

    held: float
    answering: float
    nothing: float


# Of a Chinese question less is known that a text must tell: the characters of its terms and the lack of a text say less. What holds
# all of it is as sure as with a held share of 0.2 and no gain.
ENGLISH, CHINESE = AnswerWeights(0.2, 0.09, 0.30), AnswerWeights(0.13, 0.07, 0.08)
COMPARED_PLACE = 5
# From this nearness on an answer shows by itself that a question was for memory; of no known kind it must be nearer.
ANSWERED_NEARNESS = 0.75
ANSWERED_NEARNESS_OF_ANY = 0.90
# After so long a silence a line begins anew.
RETURN_AFTER = timedelta(seconds=2700)
WARM_LINES = 4
# What is due within so many days is on one's mind.
DUE_WITHIN = timedelta(days=2)
FULL_STOCK = 6
F_WEIGHT, WARMTH_WEIGHT, STOCK_WEIGHT = 0.4, 0.4, 0.2
NEW_TOPIC_FACTOR = 0.7
# A text that holds so much of the question's terms, by rarity, bears on it: of two terms one alone is a near miss. Exact words
# that do so make f at least WORDS_F, and so does a memory of the day that is asked for.
HELD_SHARE = 0.6
WORDS_F = 0.5
# Of a question for yes or no a text that answers holds so much: "did I finish the jigsaw" is not answered by a jigsaw.
YES_NO_SHARE = 0.4
# The states, from the surest down.
KNOWN_F = 1.0
UNSURE_F = 0.4
KNOWN_CONFIDENCE = 0.8
TIP_F = 0.1
# Below these a question looks again, wider.
WIDEN_BELOW_F = 0.4
WIDEN_BELOW_CONFIDENCE = 0.15
# Below this, memories are mentioned as something believed.
BELIEVED_BELOW = 0.30


@dataclass(frozen=True)
class Bearing:
    """How what was found bears on a question: the relevance of the best memory that could give the kind of answer asked for (None
    without one); the most of the question's terms, 0 to 1, that a text holds which could and speaks of what is asked about;
    whether there is no such text; and whether the question is Chinese.
    """

    relevance: float | None = None
    held: float = 0.0
    is_of_nothing: bool = False
    is_chinese: bool = False


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """What confidence is computed from: plain relevances of what recall found, a fact and its event counting as one; how what
    was found bears on each question for what was told; the messages of the window since the last return; whether something is
    due; how many memories and exact words the prompt holds; whether exact words answer; whether the topic is new.
    """

    relevances: Sequence[float] = ()
    bearings: Sequence[Bearing] = ()
    lines: int = 0
    is_due: bool = False
    shown: int = 0
    are_words_near: bool = False
    is_new_topic: bool = False


@dataclass(frozen=True, kw_only=True)
class Knowing:
    """How sure memory is: nearness g, feeling of knowing (fok, and f from 0 to 1), warmth, stock, confidence (0 to 1); and,
    of a question of the past, the state. `widened` tells whether it was looked for again.
    """

    g: float
    fok: float
    f: float
    warmth: float
    stock: float
    confidence: float
    state: Certainty | None = None
    widened: bool = False

    @property
    def is_only_believed(self) -> bool:
        """Whether a reply that was asked for nothing should mention the memories that its prompt holds as something believed."""
        return self.state is None and self.stock > 0 and self.confidence < BELIEVED_BELOW


def assess(grounds: Grounds, *, asks_past: bool, is_here: bool = False, widened: bool = False) -> Knowing:
    """Compute how sure memory is; `is_here` where the window, an authored text or a fact in the prompt bears on the question."""
    g = max(
        (compute_answer_nearness(grounds.relevances, bearing) for bearing in grounds.bearings),
        default=compute_nearness(grounds.relevances),
    )
    fok = compute_fok(g)
    f = max(fok / FOK_MOST, WORDS_F if grounds.are_words_near else 0.0)
    warmth = compute_warmth(grounds.lines, is_due=grounds.is_due)
    stock = compute_stock(grounds.shown)
    weighed = F_WEIGHT * f + WARMTH_WEIGHT * warmth + STOCK_WEIGHT * stock
    confidence = round(weighed * (NEW_TOPIC_FACTOR if grounds.is_new_topic else 1.0), 3)
    return Knowing(
        g=g,
        fok=fok,
        f=f,
        warmth=warmth,
        stock=stock,
        confidence=confidence,
        state=choose_state(f=f, confidence=confidence, is_here=is_here) if asks_past else None,
        widened=widened,
    )


def is_answered(knowing: Knowing, *, is_of_kind: bool) -> bool:
    """Whether memory surely has the answer: then a question asks for what was told, whatever its form. `is_of_kind` tells
    whether it asks for a known kind of answer, so that it can be seen whether memory has one.
    """
    bar = ANSWERED_NEARNESS if is_of_kind else ANSWERED_NEARNESS_OF_ANY
    return knowing.state is Certainty.HERE or knowing.g >= bar


def needs_widening(knowing: Knowing) -> bool:
    """Whether a question should be looked for again, wider: not where the answer is here already."""
    if knowing.state in (None, Certainty.HERE):
        return False
    return knowing.f < WIDEN_BELOW_F or knowing.confidence < WIDEN_BELOW_CONFIDENCE


def compute_answer_nearness(relevances: Iterable[float], bearing: Bearing) -> float:
    """Return the nearness of the best memory that could answer a question, more where a text holds the question's terms, less
    where none could answer.
    """
    nearness = 0.0 if bearing.relevance is None else compute_nearness(relevances, of=bearing.relevance)
    weights = CHINESE if bearing.is_chinese else ENGLISH
    answering = -weights.nothing if bearing.is_of_nothing else weights.answering
    return max(0.0, nearness + weights.held * bearing.held + answering)


def compute_nearness(relevances: Iterable[float], *, of: float | None = None) -> float:
    """Return the best relevance, or that `of` another one, lifted by how far it stands out; 0 where there is none.

    Where there are fewer than five, the least of them takes the place of the fifth.
    """
    best = sorted(relevances, reverse=True)[:COMPARED_PLACE]
    if not best:
        return 0.0
    near = best[0] if of is None else of
    return near + STANDING_OUT * (near - best[-1])


def compute_fok(nearness: float) -> float:
    """Return the feeling of knowing, from 0 to 5."""
    return min(FOK_MOST, max(0.0, FOK_STEEPNESS * (nearness - NEARNESS_FLOOR)))


def compute_warmth(lines: int, *, is_due: bool) -> float:
    """Return how much the talk goes on, from 0 to 1: by messages since the last return, and by what is due."""
    return (min(1.0, lines / WARM_LINES) + is_due) / 2


def compute_stock(shown: int) -> float:
    """Return how much the prompt holds of what was told, from 0 to 1."""
    return min(1.0, shown / FULL_STOCK)


def choose_state(*, f: float, confidence: float, is_here: bool = False) -> Certainty:
    """Choose the state of a question of the past."""
    if is_here:
        return Certainty.HERE
    if f >= KNOWN_F or (f >= UNSURE_F and confidence >= KNOWN_CONFIDENCE):
        return Certainty.KNOWN
    if f >= UNSURE_F:
        return Certainty.UNSURE
    return Certainty.TIP if f >= TIP_F else Certainty.UNKNOWN
