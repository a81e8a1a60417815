"""Measure a search over all messages and memories of a bond."""

from collections.abc import Sequence

from chat.benchmark import figures
from chat.benchmark.competitors.task import time_each
from chat.benchmark.figures import Figure
from chat.benchmark.seeding import get_bond
from chat.evaluation import words
from memory.models import Message
from memory.search import search
from personas.models import Bond

LIMIT_MS = 50


def measure(*, runs: int) -> list[Figure]:
    bond = get_bond("searched")
    message_count = Message.objects.for_bond(bond).count()
    asked = {"Latin": words.make_latin_queries(runs), "Chinese": words.make_chinese_queries(runs)}
    return [
        figures.p95(f"search over {message_count} lines, {script} words", time_searches(bond, queries), limit=LIMIT_MS)
        for script, queries in asked.items()
    ]


def time_searches(bond: Bond, queries: Sequence[str]) -> list[float]:
    search.search(bond=bond, query=queries[-1])
    return time_each(lambda query: search.search(bond=bond, query=query), queries)
