"""Score messages as quotes for a burst.

A message is weighed by the rarity of its shared terms (BM25 with each term counted once) and by the cosine of its
vector; the messages beside it and the two best of its session lend it a share, a question more to its answer. The
weights were fitted on the development file of the evaluation `locomo`, each conversation judged by the others' weights.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from echovessel import periods, text, tokens
from echovessel.periods import Period

TERMS_WEIGHT = 4.6
MEANING_WEIGHT = 1.0
# Mean and deviation of the cosine of a question and an unrelated message.
USUAL_COSINE = 0.1
COSINE_SPREAD = 0.11
# By how much cosines are spread less without the bond's main directions (`memory.recall.main_directions`).
DISTINCT_SPREAD = 1.15
# BM25's k1 and b, and the usual length of a message as `measure_length` measures it.
SATURATION = 0.6
LENGTH_SHARE = 0.4
USUAL_LENGTH = 24
# The shares that the messages before and behind lend, the nearer first.
SHARES_BEFORE = (0.25, 0.25)
SHARES_AFTER = (0.25, 0.15)
# What a question lends besides to the message behind it, which answers it.
ANSWER_SHARE = 0.4
# The share that the best message of the session lends, and what it and the second best lend for the order alone.
SESSION_SHARE = 0.5
FIRST_SHARE, SECOND_SHARE = 0.1, 0.3
SPEAKER_BONUS = 0.7
QUESTION_PENALTY = 0.8
# For a message that speaks of its speaker: "I", 我.
ONESELF_BONUS = 0.4
# For the names in a message, by the logarithm of the number of capitals inside its sentences.
NAMES_BONUS = 0.5
# For a message that states less than this length, by its logarithm.
BRIEF_PENALTY = 0.65
STATED_LENGTH = 50
# For a message of a named period, or of the days after it, when people tell what happened.
PERIOD_BONUS = 4.0
TOLD_WITHIN = timedelta(days=7)
# If the best message scores less, none is about the burst: of many terms some are shared by chance.
# The nearest message's cosine, compared with the usual one, counts like its score.
MIN_FIT = 2.0
MIN_FIT_BY_WEIGHT = 1.0
SURE_BY_MEANING = 6.0
FOUND_COSINE = 0.48
# By the model that reads Chinese, what has nothing to do with a message is nearer to it than in English.
CJK_COSINE = 0.12
# The share of the best score that others need, and the score a message needs without lent shares.
MIN_SHARE_OF_BEST = 0.35
MIN_OWN_FIT = 0.3

# Patterns of the many messages begin with letters, which are found fast: the border before them is looked for behind these.
_I = re.compile(r"i(?<!\w.)\b|m(?<!\w.)(?:e|y|ine|yself)\b|我(?!们)")
_YOUR = re.compile(r"\b(?:your|yours|yourself)\b|你的")
_YOU = re.compile(r"\byou\b|你(?!们)")
# "Do you remember …" asks for anybody's words.
_REMEMBERING = re.compile(
    r"\b(?:do|can|don't) you (?:still )?(?:remember|recall|know)\b|\byou remember\b|你(?:还|都|也)?(?:记不记得|记得|知道|有(?:没有)?印象)"
)
# A capital that no sentence's beginning explains.
_NAME = re.compile(r"[A-Z](?<!\w.)(?<!^.)(?<![.!?\"'“]\s.)[a-z]+")
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")


class MessageSignals(NamedTuple):
    """The signals of a message: the weight of its shared terms (from 0), and its cosine, None where unusable."""

    id: int
    talk: int
    is_user: bool
    length: int
    shared: float
    cosine: float | None
    content: str
    day: date


class ScoredMessage(NamedTuple):
    """A message with its score, and how surely it is about the burst: without what only orders messages."""

    message: MessageSignals
    score: float
    sureness: float


@dataclass(frozen=True)
class QueryTraits:
    """Traits of a question: its speaker (None: anybody), and the periods it names."""

    of_user: bool | None
    periods: tuple[Period, ...] = ()


def parse_query(query: str, *, user: str, persona: str, today: date | None = None) -> QueryTraits:
    """Parse a user's question with the two names; periods are relative to `today`."""
    said = _REMEMBERING.sub(" ", text.fold(query))
    names = text.fold(user), text.fold(persona)
    named_user, named_persona = (
        bool(name) and text.contains_name(strip_addressed_name(said, name), name) for name in names
    )
    of_user = named_user or _I.search(said) is not None
    of_persona = named_persona or _YOUR.search(said) is not None or (not of_user and _YOU.search(said) is not None)
    named = [] if today is None else periods.find_periods(query, today=today)
    return QueryTraits(of_user=None if of_user == of_persona else of_user, periods=tuple(named))


def strip_addressed_name(said: str, name: str) -> str:
    """Strip a name that only addresses somebody: at the start or end, behind a comma."""
    return re.sub(rf"^{re.escape(name)}\s*[,，!！]|[,，]\s*{re.escape(name)}\s*[?？.。!！]*$", " ", said)


def rank_messages(windows: Iterable[Sequence[MessageSignals]], asked: QueryTraits) -> list[ScoredMessage]:
    """Rank the messages of all windows (stretches of consecutive messages of a session), each once, best first."""
    follower: dict[int, int] = {}
    messages: dict[int, MessageSignals] = {}
    for window in windows:
        messages |= {message.id: message for message in window}
        follower |= {message.id: after.id for message, after in pairwise(window)}
    leader = {after: before for before, after in follower.items()}
    alone = {message.id: score_alone(message) for message in messages.values()}
    asking = {message.id: ANSWER_SHARE * alone[message.id] for message in messages.values() if asks(message)}
    best = find_best_of_sessions(messages.values(), alone)
    scored = []
    for message in messages.values():
        first, second = best[message.talk]
        sureness = (
            alone[message.id]
            + score_neighbours(message.id, leader, alone, SHARES_BEFORE)
            + score_neighbours(message.id, follower, alone, SHARES_AFTER)
            + asking.get(leader.get(message.id, 0), 0.0)
            + SESSION_SHARE * first
            + score_manner(message, asked)
        )
        of_session = FIRST_SHARE * first + SECOND_SHARE * second
        score = (
            sureness
            + of_session
            + NAMES_BONUS * math.log(1 + len(_NAME.findall(message.content)))
            + score_day(message, asked)
        )
        scored.append(ScoredMessage(message, score, sureness))
    return sorted(scored, key=lambda found: (-found.score, -found.message.id))


def find_best_of_sessions(
    messages: Iterable[MessageSignals], alone: Mapping[int, float]
) -> dict[int, tuple[float, float]]:
    """Find the two best scores of each session, 0 or more."""
    best: dict[int, tuple[float, float]] = {}
    for message in messages:
        first, second = best.get(message.talk, (0.0, 0.0))
        own = alone[message.id]
        best[message.talk] = max(first, own), max(second, min(first, own))
    return best


def flag_relevant(scored: Sequence[ScoredMessage], *, weight: float, share_of_bar: float = 1.0) -> list[bool]:
    """Flag the ranked messages that say something about the burst. The best must pass the usual bar, or a share of it."""
    fits = [found.sureness if score_alone(found.message) >= MIN_OWN_FIT else None for found in scored]
    best = max((fit for fit in fits if fit is not None), default=0.0)
    cosines = [
        message.cosine - CJK_COSINE * text.has_cjk(message.content)
        for (message, *_), fit in zip(scored, fits, strict=True)
        if message.cosine is not None and fit is not None
    ]
    sure = SURE_BY_MEANING * (max(cosines) - FOUND_COSINE) if cosines else 0.0
    least = MIN_FIT + MIN_FIT_BY_WEIGHT * math.log(max(1.0, weight))
    if best + sure < share_of_bar * least:
        return [False] * len(scored)
    return [fit is not None and fit >= MIN_SHARE_OF_BEST * best for fit in fits]


def score_alone(line: MessageSignals) -> float:
    length = 1 - LENGTH_SHARE + LENGTH_SHARE * line.length / USUAL_LENGTH
    terms = TERMS_WEIGHT * line.shared * (1 + SATURATION) / (1 + SATURATION * length)
    meaning = 0.0 if line.cosine is None else (line.cosine - USUAL_COSINE) / COSINE_SPREAD
    return (terms + MEANING_WEIGHT * meaning) / (1 + MEANING_WEIGHT)


def score_neighbours(line_id: int, beside: dict[int, int], alone: dict[int, float], shares: Sequence[float]) -> float:
    total, at = 0.0, line_id
    for share in shares:
        if at not in beside:
            break
        at = beside[at]
        total += share * alone[at]
    return total


def score_manner(line: MessageSignals, asked: QueryTraits) -> float:
    """Score the speaker, and how much a message states, and of whom."""
    total = 0.0
    if asked.of_user is not None:
        total += SPEAKER_BONUS if line.is_user == asked.of_user else -SPEAKER_BONUS
    if asks(line):
        total -= QUESTION_PENALTY
    if _I.search(line.content.casefold()) is not None:
        total += ONESELF_BONUS
    return total - BRIEF_PENALTY * max(0.0, math.log(STATED_LENGTH / (1 + measure_statements(line))))


def asks(line: MessageSignals) -> bool:
    return line.content.rstrip().endswith(("?", "？"))


def measure_statements(line: MessageSignals) -> int:
    """Measure the length of a message without its questions."""
    if "?" not in line.content and "？" not in line.content:
        return line.length
    parts = (part.strip() for part in _SENTENCE.findall(line.content))
    return sum(measure_length(part) for part in parts if not part.endswith(("?", "？")))


def measure_length(said: str) -> int:
    """Measure how much a text says: one for four letters, and for a Chinese character as much as for six."""
    cjk_count = tokens.count_cjk(said)
    return math.ceil((len(said) - cjk_count) / 4 + cjk_count * 1.5)


def score_day(line: MessageSignals, asked: QueryTraits) -> float:
    told = any(period.start <= line.day <= period.end + TOLD_WITHIN for period in asked.periods)
    return PERIOD_BONUS if told else 0.0
