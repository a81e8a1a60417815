"""Measure the recall of evidence: which messages that answer a question are among the first, by quotes, by memories
that say the same word for word, and by the baselines.

A figure is the mean share of a question's evidence that was found; the baselines rank the same messages with the same
vectors. Nothing is extracted: sessions are found by their messages.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from echovessel.embeddings import embedding
from memory.evaluation.baseline import Baseline
from memory.evaluation.locomo import conversations as locomo
from memory.evaluation.locomo.conversations import Conversation, LocomoQuestion
from memory.recall import lines as recall_lines
from memory.recall import memories as recall_memories
from memory.recall import query_vectors

DEPTHS = (5, 10, 20, 50)
# The fifth category asks for what the named speaker did not say; its evidence is what the other said.
CATEGORIES = {"1": (1,), "2": (2,), "3": (3,), "4": (4,), "5": (5,), "1-4": (1, 2, 3, 4), "all": (1, 2, 3, 4, 5)}
# The rank at which misses are listed, and the rank of the targets.
TARGET_DEPTH = 10
# How many messages a turn quotes.
TURN_QUOTES = 6


@dataclass(frozen=True)
class LocomoResult:
    """A question and the message ids that each method found, best first."""

    question: LocomoQuestion
    found: dict[str, list[int]]
    # The session and the text of each message, by id.
    talks: dict[int, int]
    lines: dict[int, str]


def evaluate(path: Path, *, now: datetime, say: Callable[[str], None]) -> dict[str, Any]:
    """Return the figures of the contract, and under `questions` what was found for each."""
    asked: list[LocomoResult] = []
    for conversation in locomo.load_conversations(path, now=now):
        say(f"Asking {len(conversation.questions)} questions about {len(conversation.lines)} lines")
        asked += ask(conversation)
    return {
        "n": len(asked),
        "line": build_figures(asked, by="words")
        | {"recall_told": {str(TARGET_DEPTH): compute_shares(asked, by="told", depth=TARGET_DEPTH)}},
        "session": build_figures([roll_up_to_sessions(one) for one in asked], by="words"),
        "baselines": {
            name: {str(depth): compute_shares(asked, by=name, depth=depth) for depth in DEPTHS}
            for name in ("dense", "bm25", "rrf")
        },
        "memory": {"recall": {str(TARGET_DEPTH): compute_shares(asked, by="memories", depth=TARGET_DEPTH)}},
        "turn": {"recall": {str(TURN_QUOTES): compute_shares(asked, by="turn", depth=TURN_QUOTES)}},
        "counts": {
            str(number): count for number, count in sorted(Counter(one.question.category for one in asked).items())
        },
        "questions": [serialize_result(one) for one in asked],
    }


def ask(conversation: Conversation) -> list[LocomoResult]:
    asked = [question.text for question in conversation.questions]
    # The baselines embed a question as it is.
    plain = embedding.embed(asked, of_question=True)
    vectors = zip(conversation.questions, query_vectors.embed(conversation.bond, asked), plain, strict=True)
    baseline = Baseline(conversation.lines, content="content")
    sessions = {message.pk: message.session_id for message in conversation.lines}
    messages = {message.pk: message.content for message in conversation.lines}
    remembered = locomo.write_memories(conversation)
    return [
        LocomoResult(
            question,
            rank_messages(conversation, question, vector)
            | {"memories": recall(conversation, question, vector, told_in=remembered)}
            | baseline.rank_by_all(question.text, plain_vector),
            sessions,
            messages,
        )
        for question, vector, plain_vector in vectors
    ]


def rank_messages(
    conversation: Conversation, question: LocomoQuestion, vector: Sequence[float] | None
) -> dict[str, list[int]]:
    """Rank messages by quotes: all ranked ones, and those that a turn would get."""
    asked = recall_lines.build_query(
        bond=conversation.bond, query=question.text, vector=vector, today=conversation.lines[-1].day
    )
    if not asked.terms:
        return {"words": [], "told": [], "turn": []}
    ranked = [(word.message.pk, is_enough) for word, is_enough in recall_lines.rank_messages(asked, most=max(DEPTHS))]
    of_turn = recall_lines.rank_messages(asked, most=TURN_QUOTES)
    return {
        "words": [pk for pk, _ in ranked],
        "told": [pk for pk, is_enough in ranked if is_enough],
        "turn": [word.message.pk for word, is_enough in of_turn if is_enough],
    }


def recall(
    conversation: Conversation, question: LocomoQuestion, vector: Sequence[float] | None, *, told_in: Mapping[int, int]
) -> list[int]:
    """Recall memories as a turn at the end of the conversation would, and return the messages that they were told in."""
    found = recall_memories.search(
        bond=conversation.bond, query=question.text, vector=vector, now=conversation.lines[-1].created_at
    )
    return [told_in[item.node.pk] for item in found.kept]


def build_figures(asked: Sequence[LocomoResult], *, by: str) -> dict[str, Any]:
    places = [find_first_place(one, by=by) for one in asked]
    return {
        "recall": {str(depth): compute_shares(asked, by=by, depth=depth) for depth in DEPTHS},
        "hit": {str(depth): compute_hits(asked, by=by, depth=depth) for depth in DEPTHS},
        "mrr": round(sum(1 / place for place in places if place is not None) / len(places), 4),
    }


def compute_shares(asked: Sequence[LocomoResult], *, by: str, depth: int) -> dict[str, float]:
    """Compute the mean share of evidence among the first so many, by category."""
    return average_by_category(asked, lambda one: compute_share(one, by=by, depth=depth))


def compute_hits(asked: Sequence[LocomoResult], *, by: str, depth: int) -> dict[str, float]:
    """Compute the share of questions with any evidence among the first so many, by category."""
    return average_by_category(asked, lambda one: float(compute_share(one, by=by, depth=depth) > 0))


def compute_share(one: LocomoResult, *, by: str, depth: int) -> float:
    evidence = set(one.question.evidence)
    return len(evidence & set(one.found[by][:depth])) / len(evidence)


def average_by_category(asked: Sequence[LocomoResult], value: Callable[[LocomoResult], float]) -> dict[str, float]:
    """Average a value over the questions of each category, 0 where there are none."""
    values: defaultdict[int, list[float]] = defaultdict(list)
    for one in asked:
        values[one.question.category].append(value(one))
    of_names = {name: [x for one in numbers for x in values[one]] for name, numbers in CATEGORIES.items()}
    return {name: round(sum(found) / len(found), 4) if found else 0.0 for name, found in of_names.items()}


def find_first_place(one: LocomoResult, *, by: str) -> int | None:
    """Return the place of the first evidence, from 1."""
    places = [place for place, pk in enumerate(one.found[by], start=1) if pk in one.question.evidence]
    return places[0] if places else None


def roll_up_to_sessions(one: LocomoResult) -> LocomoResult:
    """Replace each message by its session."""
    evidence = tuple(dict.fromkeys(one.talks[pk] for pk in one.question.evidence))
    found = {by: list(dict.fromkeys(one.talks[pk] for pk in pks)) for by, pks in one.found.items()}
    return LocomoResult(LocomoQuestion(one.question.text, one.question.category, evidence), found, one.talks, one.lines)


def serialize_result(one: LocomoResult) -> dict[str, Any]:
    """Serialize a question with the wanted and the found ids."""
    found = set(one.found["words"][:TARGET_DEPTH])
    return {
        "question": one.question.text,
        "category": one.question.category,
        "evidence": list(one.question.evidence),
        "missed": [pk for pk in one.question.evidence if pk not in found],
        "missed_lines": [one.lines[pk] for pk in one.question.evidence if pk not in found],
        "found": one.found["words"][:TARGET_DEPTH],
        "told": one.found["told"][:TARGET_DEPTH],
    }
