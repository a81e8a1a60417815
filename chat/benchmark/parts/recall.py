"""Measure what recall takes in a bond of many years: its search for memories, and its search for messages to quote."""

from functools import partial

from django.utils import timezone

from chat.benchmark import figures
from chat.benchmark.competitors.task import time_each
from chat.benchmark.figures import Figure
from chat.benchmark.seeding import SEED, get_bond
from chat.evaluation.words import SentenceGenerator
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
    # The first search of each warms up.
    memories_ms = time_each(lambda one: of_memories(query=one[0], vector=one[1]), asked)[1:]
    lines_ms = time_each(lambda one: of_lines(query=one[0], vector=one[1]), asked)[1:]
    return [
        figures.median(f"recall among {counts[0]} memories", memories_ms, limit=LIMIT_MS),
        figures.median(f"recall among {counts[1]} lines", lines_ms, limit=LIMIT_MS),
    ]
