"""Evaluate the gate of the detector on the stories woven with small talk: how many ends of scenes are among its candidates, by what
is said alone.
"""

import random
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.evaluation.storytelling.weaving import WovenTalk
from memory.evaluation.tally import Evaluated, Tally, build_figure
from memory.models import Message
from memory.story.scenes import detection
from memory.story.scenes.detection import Talk
from memory.storytelling.detecting import READ_MOST

BORDERS = "scene borders among candidates"
BY_CHANCE = "as many candidates by chance"
TARGET = (">=", 0.5)
NEAR = 2
SEED = 20
# No gaps and one day: the clock tells nothing.
NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)


def evaluate_all(talks: Iterable[WovenTalk]) -> Evaluated:
    evaluated = Evaluated()
    for talk in talks:
        tally = Tally()
        evaluate(talk, tally)
        evaluated.figures.append(build_figure(BORDERS, talk.lang, tally.value(BORDERS), target=TARGET))
        evaluated.figures.append(build_figure(BY_CHANCE, talk.lang, tally.value(BY_CHANCE)))
        evaluated.misses += tally.misses[BORDERS]
    return evaluated


def build_messages(talk: WovenTalk) -> list[Message]:
    turns: dict[int, uuid.UUID] = {}
    return [
        Message(
            pk=at,
            role=Message.Role.USER if line.is_user else Message.Role.PERSONA,
            content=line.text,
            turn_id=turns.setdefault(line.turn, uuid.uuid4()),
            created_at=NOW,
            day=NOW.date(),
        )
        for at, line in enumerate(talk.lines, start=1)
    ]


@dataclass(frozen=True)
class Look:
    """One look of the detector: the indexes of its candidates, and of all borders that it looked at."""

    candidates: frozenset[int]
    eligible: Sequence[int]


def look_through(talk: WovenTalk) -> Iterator[Look]:
    """Look through a talk as the detector does, as if a model chose rightly among the candidates."""
    lines = build_messages(talk)
    begins, past, until = 0, 0, 0
    while until < len(lines):
        until = min(len(lines), until + 2)
        low = max(0, min(begins, until - READ_MOST))
        seen = Talk(lines[low:until], begins=begins - low)
        eligible = seen.find_eligible(past=past)
        if len(eligible) < detection.NEW_LEAST:
            continue
        found = frozenset(one.at + low for one in detection.find_candidates(seen, past=past))
        yield Look(found, [at + low for at in eligible])
        right = [end for end in talk.ends if is_near(end, found)]
        begins, past = (right[0] + 1, right[0] + 1) if right else (begins, lines[eligible[-1] + low].pk)


def is_near(end: int, found: Iterable[int]) -> bool:
    return any(abs(end - at) <= NEAR for at in found)


def evaluate(talk: WovenTalk, tally: Tally) -> None:
    """Count the ends of scenes by whether a candidate stands within two lines of them; beside that, where as many
    candidates are drawn by chance.
    """
    chance = random.Random(SEED)
    found: set[int] = set()
    drawn: set[int] = set()
    for look in look_through(talk):
        found |= look.candidates
        drawn |= set(chance.sample(look.eligible, len(look.candidates)))
    for end in talk.ends:
        miss = f"{talk.lang}: {talk.lines[end].text[:60]} | {talk.lines[end + 1].text[:60]}"
        tally.count(BORDERS, found=is_near(end, found), miss=miss)
        tally.count(BY_CHANCE, found=is_near(end, drawn))
