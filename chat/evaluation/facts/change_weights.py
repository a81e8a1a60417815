"""Compute the weights by which a message may tell that a fact holds no longer: `echovessel.embeddings.changes` tells more.

They are made with the half of the talks and of the neutral lines that is tuned on. Each message is paired with the fact that it may be
about, which is right where the talk says that the message changes or ends that one.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from chat.evaluation.facts import talks
from chat.evaluation.facts.talks import Talk
from chat.turns import burst_acts
from echovessel.embeddings import directions, embedding
from echovessel.llm.offline.text import third_person
from memory.facts.checks import lapses

# How strongly the weights of what a message has to do with a fact are drawn to 0.
PAIR_BEARING = 1.0
# From such odds (their logarithm) on a fact is over: in a cross-validation 150 and 168 of the 341 and 347 changes, with 3 and 8 another
# fact, and with 2 and 5 of some 1 400 other messages one that holds (English, Chinese). From 1.5 on it is 188, 5 and 4 in English, from 2 on 131,
# 4 and 3 in Chinese.
LEAST = {"zh": 1.5}
# Each part of the talks is weighed by what the others tell of changes.
PARTS = 5
ROUNDS = 30
NEUTRAL_LINES = 5


@dataclass(frozen=True)
class Said:
    """A message, the facts that stand when it is said, and which of these it changes or ends."""

    text: str
    facts: Sequence[str]
    changed: frozenset[str]
    part: int


def compute(said: Sequence[Said], *, least: float) -> dict[str, Any]:
    import numpy as np

    made = embedding.embed([one.text for one in said], of_question=True)
    lines = [one for one, vector in zip(said, made, strict=True) if vector is not None]
    vectors = np.array([vector for vector in made if vector is not None])
    changes, parts = np.array([bool(one.changed) for one in lines]), np.array([one.part for one in lines])
    weighed = np.zeros(len(lines))
    for part in range(PARTS):
        direction, added = directions.tell_apart(vectors[parts != part], changes[parts != part])
        weighed[parts == part] = vectors[parts == part] @ direction + added
    abouts, right = pair(lines, vectors)
    rows = np.array([(weighed[at], *about) for at, about in abouts.items()])
    of_message, *of_about, base = weigh_odds(rows, np.array([at in right for at in abouts], float))
    direction, added = directions.tell_apart(vectors, changes)
    message = [*(of_message * direction), of_message * added + base - least]
    return {
        "message": [round(float(one), 4) for one in message],
        "about": [round(float(one), 4) for one in of_about],
    }


def pair(lines: Sequence[Said], vectors: Any) -> tuple[dict[int, tuple[float, ...]], set[int]]:
    """Return what each message has to do with the fact that it may be about, and the messages that change that one."""
    told = sorted({fact for one in lines for fact in one.facts})
    of_fact = {fact: vector for fact, vector in zip(told, embedding.embed(told), strict=True) if vector is not None}
    abouts: dict[int, tuple[float, ...]] = {}
    right = set()
    for at, one in enumerate(lines):
        known = [(fact, float(vectors[at] @ of_fact[fact])) for fact in one.facts if fact in of_fact]
        found = lapses.choose(known, one.text)
        if found is None or lapses.is_of_others(known[found[0]][0], one.text):
            continue
        place, about = found
        abouts[at] = (*about, float(burst_acts.tells_change(burst_acts.read_acts([one.text], [], [], {}))))
        right |= {at} if known[place][0] in one.changed else set()
    return abouts, right


def weigh_odds(rows: Any, right: Any) -> Any:
    """Return the weights of a logistic regression, and what is added."""
    import numpy as np

    known = np.c_[rows, np.ones(len(rows))]
    weights = np.zeros(known.shape[1])
    drawn = PAIR_BEARING * np.r_[np.ones(rows.shape[1]), 0]
    for _ in range(ROUNDS):
        odds = 1 / (1 + np.exp(-known @ weights))
        slope = (known * (odds * (1 - odds))[:, None]).T @ known + np.diag(drawn + 1e-9)
        weights -= np.linalg.solve(slope, known.T @ (odds - right) + drawn * weights)
    return weights


def load_lines(lang: str) -> list[Said]:
    told = [one for one in talks.load_all() if one.lang == lang and not one.half]
    neutral = cycle(talks.load_neutral_lines(lang))
    return [said for at, talk in enumerate(told) for said in list_said(talk, at % PARTS, neutral)]


def list_said(talk: Talk, part: int, neutral: Iterator[str]) -> Iterator[Said]:
    """List the messages of a talk, each with the facts that stand then as rules note them, and some small talk at its end."""
    standing: dict[str, str] = {}
    for step in talk.steps:
        named = step.update.get("ref", "") or step.end or step.forget
        meant = frozenset(fact for fact, content in standing.items() if named and talks.holds(content, [named]))
        if step.say and not step.forget:
            yield Said(step.say, [*standing], meant, part)
        standing = {fact: content for fact, content in standing.items() if fact not in meant}
        if step.told:
            standing[third_person.turn(step.say)] = step.told
    for _ in range(NEUTRAL_LINES):
        yield Said(next(neutral), [*standing], frozenset(), part)


def write() -> None:
    json.dump({lang: compute(load_lines(lang), least=least) for lang, least in LEAST.items()}, sys.stdout)
    sys.stdout.write("\n")
