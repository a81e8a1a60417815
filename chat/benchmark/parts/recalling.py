"""Measure what recall takes in a bond of many years: its search for memories, and its search for messages to quote."""

import time
from collections.abc import Callable, Sequence
from functools import partial

from django.utils import timezone

from chat.benchmark import figures
from chat.benchmark.figures import Figure
from chat.benchmark.seeding import SEED, get_bond
from chat.benchmark.words import SentenceGenerator
from echovessel.embeddings import embedding
from memory.models import ConceptNode, Message
from memory.recall import lines, memories

LIMIT_MS = 35


def measure(*, runs: int) -> list[Figure]:
    bond, now = get_bond("long"), timezone.now()
    words = SentenceGenerator(SEED + 3)
    said = [words.make_sentence() for _ in range(runs + 1)]
    asked = [(text, vector) for text, vector in zip(said, embedding.embed(said, of_question=True), strict=True)]
    of_memories = partial(memories.search, bond=bond, now=now)
    of_lines = partial(lines.search, bond=bond, today=now.date())
    counts = ConceptNode.objects.for_bond(bond).count(), Message.objects.for_bond(bond).count()
    return [
        figures.median(f"recall among {counts[0]} memories", time_searches(of_memories, asked), limit=LIMIT_MS),
        figures.median(f"recall among {counts[1]} lines", time_searches(of_lines, asked), limit=LIMIT_MS),
    ]


def time_searches(search: Callable[..., object], asked: Sequence[tuple[str, list[float] | None]]) -> list[float]:
    """Time all searches but the first, which warms up, in milliseconds."""
    found = []
    for said, vector in asked:
        started = time.perf_counter()
        search(query=said, vector=vector)
        found.append((time.perf_counter() - started) * 1000)
    return found[1:]
