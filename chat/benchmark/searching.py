"""How long a search takes over all that was ever said in a bond."""

import time
from collections.abc import Sequence

from chat.benchmark import figures, words
from chat.benchmark.figures import Figure
from chat.benchmark.seeding import bond_named
from memory.models import Message
from memory.search import search
from personas.models import Bond

LIMIT_MS = 50


def measure(*, runs: int) -> list[Figure]:
    bond = bond_named("searched")
    lines = Message.objects.of(bond).count()
    asked = {"Latin": words.latin_queries(runs), "Chinese": words.chinese_queries(runs)}
    return [
        figures.p95(f"search over {lines} lines, {script} words", times(bond, queries), limit=LIMIT_MS)
        for script, queries in asked.items()
    ]


def times(bond: Bond, queries: Sequence[str]) -> list[float]:
    search.search(bond=bond, query=queries[-1])
    found = []
    for query in queries:
        started = time.perf_counter()
        search.search(bond=bond, query=query)
        found.append((time.perf_counter() - started) * 1000)
    return found
