"""Recall of evidence: which of the lines that answer a question are among the first, through exact words and by the baselines.

The share of a question's evidence lines that were found, as a mean over questions; the baselines rank the same lines with the same
vectors. Nothing is extracted here: talks are found by their lines.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from echovessel import embedding
from memory import scoring, text, words
from memory.evaluation import locomo
from memory.evaluation.locomo import Conversation, Question
from memory.models import Message

DEPTHS = (5, 10, 20, 50)
# The fifth category asks for what was not said by the one who is named; its evidence is what the other said.
CATEGORIES = {"1": (1,), "2": (2,), "3": (3,), "4": (4,), "5": (5,), "1-4": (1, 2, 3, 4), "all": (1, 2, 3, 4, 5)}
TARGET, TARGET_DEPTH, TARGET_CATEGORIES = 0.78, 10, "1-4"
# Of reciprocal rank fusion (Cormack et al. 2009) and of BM25.
RANK_OFFSET = 60
SATURATION, LENGTH_SHARE = 1.2, 0.75


@dataclass(frozen=True)
class Asked:
    """A question and the ids of lines that were found for it, the best first, by each way of finding."""

    question: Question
    found: dict[str, list[int]]
    talks: dict[int, int]


def evaluate(path: Path, *, now: datetime, say: Callable[[str], None]) -> dict[str, Any]:
    """The figures of the contract, and under `questions` what was found for each."""
    asked: list[Asked] = []
    for conversation in locomo.conversations(path, now=now):
        say(f"Asking {len(conversation.questions)} questions about {len(conversation.lines)} lines")
        asked += ask(conversation)
    return {
        "n": len(asked),
        "line": figures(asked, by="words")
        | {"recall_told": {str(TARGET_DEPTH): shares(asked, by="told", depth=TARGET_DEPTH)}},
        "session": figures([of_talks(one) for one in asked], by="words"),
        "baselines": {
            name: {str(depth): shares(asked, by=name, depth=depth) for depth in DEPTHS}
            for name in ("dense", "bm25", "rrf")
        },
        "questions": [told(one) for one in asked],
    }


def ask(conversation: Conversation) -> list[Asked]:
    vectors = embedding.embed([question.text for question in conversation.questions], of_question=True)
    pairs = zip(conversation.questions, vectors, strict=True)
    baseline = Baseline(conversation.lines)
    talks = {line.pk: line.session_id for line in conversation.lines}
    return [
        Asked(question, found(conversation, question, vector) | baseline.found(question.text, vector), talks)
        for question, vector in pairs
    ]


def found(conversation: Conversation, question: Question, vector: Sequence[float] | None) -> dict[str, list[int]]:
    """By exact words: all that are ranked, and those of them that a turn would be told."""
    asked = words.reading(bond=conversation.bond, query=question.text, vector=vector, today=conversation.lines[-1].day)
    if not asked.terms:
        return {"words": [], "told": []}
    ranked = [(word.message.pk, is_enough) for word, is_enough in words.ranked(asked, most=max(DEPTHS))]
    return {"words": [pk for pk, _ in ranked], "told": [pk for pk, is_enough in ranked if is_enough]}


class Baseline:
    """What people use: nearest vectors, BM25, and the fusion of their ranks."""

    def __init__(self, lines: Sequence[Message]) -> None:
        self.lines = lines
        self.held = [Counter(text.terms(line.content)) for line in lines]
        self.usual_length = sum(held.total() for held in self.held) / len(lines)
        self.holding = Counter(term for held in self.held for term in held)

    def found(self, query: str, vector: Sequence[float] | None) -> dict[str, list[int]]:
        dense = self.ranked([self.cosine(line, vector) for line in self.lines])
        bm25 = self.ranked([self.bm25(held, text.terms(query)) for held in self.held])
        places: defaultdict[int, float] = defaultdict(float)
        for ranking in (dense, bm25):
            for place, pk in enumerate(ranking, start=1):
                places[pk] += 1 / (RANK_OFFSET + place)
        return {"dense": dense, "bm25": bm25, "rrf": sorted(places, key=lambda pk: -places[pk])}

    def ranked(self, scores: Sequence[float]) -> list[int]:
        order = sorted(range(len(scores)), key=lambda at: -scores[at])
        return [self.lines[at].pk for at in order]

    def cosine(self, line: Message, vector: Sequence[float] | None) -> float:
        return 0.0 if vector is None or line.embedding is None else scoring.cosine(vector, line.embedding)

    def bm25(self, held: Counter[str], asked: Sequence[str]) -> float:
        length = 1 - LENGTH_SHARE + LENGTH_SHARE * held.total() / self.usual_length
        return sum(
            self.rarity(term) * held[term] * (SATURATION + 1) / (held[term] + SATURATION * length)
            for term in set(asked)
        )

    def rarity(self, term: str) -> float:
        return math.log(1 + (len(self.lines) - self.holding[term] + 0.5) / (self.holding[term] + 0.5))


def figures(asked: Sequence[Asked], *, by: str) -> dict[str, Any]:
    places = [first_place(one, by=by) for one in asked]
    return {
        "recall": {str(depth): shares(asked, by=by, depth=depth) for depth in DEPTHS},
        "hit": {
            str(depth): sum(place is not None and place <= depth for place in places) / len(places) for depth in DEPTHS
        },
        "mrr": round(sum(1 / place for place in places if place is not None) / len(places), 4),
    }


def shares(asked: Sequence[Asked], *, by: str, depth: int) -> dict[str, float]:
    """The mean share of evidence among the first so many, by category."""
    by_category: defaultdict[int, list[float]] = defaultdict(list)
    for one in asked:
        evidence = set(one.question.evidence)
        by_category[one.question.category].append(len(evidence & set(one.found[by][:depth])) / len(evidence))
    means = {}
    for name, categories in CATEGORIES.items():
        values = [value for category in categories for value in by_category[category]]
        means[name] = round(sum(values) / len(values), 4) if values else 0.0
    return means


def first_place(one: Asked, *, by: str) -> int | None:
    """Where the first evidence stands, from 1."""
    places = [place for place, pk in enumerate(one.found[by], start=1) if pk in one.question.evidence]
    return places[0] if places else None


def of_talks(one: Asked) -> Asked:
    """The same with each line rolled up into its talk."""
    evidence = tuple(dict.fromkeys(one.talks[pk] for pk in one.question.evidence))
    found = {by: list(dict.fromkeys(one.talks[pk] for pk in pks)) for by, pks in one.found.items()}
    return Asked(Question(one.question.text, one.question.category, evidence), found, one.talks)


def told(one: Asked) -> dict[str, Any]:
    """A question with what it should find and what it found."""
    found = set(one.found["words"][:TARGET_DEPTH])
    return {
        "question": one.question.text,
        "category": one.question.category,
        "evidence": list(one.question.evidence),
        "missed": [pk for pk in one.question.evidence if pk not in found],
        "found": one.found["words"][:TARGET_DEPTH],
        "told": one.found["told"][:TARGET_DEPTH],
    }


def table(evaluated: dict[str, Any]) -> list[str]:
    """The figures to be read: shares among the first ten, by category."""
    depth = str(TARGET_DEPTH)
    line = evaluated["line"]
    rows = {f"lines @{one}": line["recall"][str(one)] for one in DEPTHS}
    rows |= {
        f"lines told @{depth}": line["recall_told"][depth],
        f"talks @{depth}": evaluated["session"]["recall"][depth],
    }
    rows |= {f"{name} @{depth}": shares[depth] for name, shares in evaluated["baselines"].items()}
    head = f"{evaluated['n']} questions".ljust(16) + "".join(name.rjust(8) for name in CATEGORIES)
    body = [name.ljust(16) + "".join(f"{row[category]:8.3f}" for category in CATEGORIES) for name, row in rows.items()]
    value = line["recall"][depth][TARGET_CATEGORIES]
    verdict = "held" if value >= TARGET else "MISSED"
    return [head, *body, f"lines @{depth}, categories {TARGET_CATEGORIES}: {value:.3f}  target >= {TARGET}  {verdict}"]
