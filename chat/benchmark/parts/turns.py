"""Measure what a turn costs from the message's arrival until the model is asked."""

import asyncio
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from asgiref.sync import async_to_sync
from django.db import connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from chat.benchmark import figures
from chat.benchmark.figures import Figure
from chat.benchmark.quiet_model import QuietModel
from chat.benchmark.seeding import SEED, get_bond
from chat.evaluation.words import LENGTH, SentenceGenerator
from chat.turns import receiving, runner
from echovessel.embeddings import embedding
from echovessel.llm.ledger import RecordingLLM
from echovessel.postgres.threads import run_in_database_thread
from memory.models import ConceptNode
from personas.models import Bond

QUERIES_MOST = 14
# Of a burst that narrates.
LONG_BURST_WORDS = 300
# Statements of transactions, and the wake-up after the message is stored.
UNCOUNTED_STATEMENTS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "SELECT pg_notify")


@dataclass(frozen=True)
class Overhead:
    """Milliseconds of each turn, the embedding's share of them, and the number of queries of one turn."""

    total: list[float]
    embedding: list[float]
    queries: int

    @property
    def without_embedding(self) -> list[float]:
        return [total - share for total, share in zip(self.total, self.embedding, strict=True)]


def measure(*, runs: int) -> list[Figure]:
    embedding.embed(["warm"])
    found = measure_bond(get_bond("measured"), runs=runs)
    long = measure_bond(get_bond("measured"), runs=runs, length=LONG_BURST_WORDS)
    small, large = measure_bond(get_bond("small"), runs=runs), measure_bond(get_bond("large"), runs=runs)
    growth = statistics.median(large.without_embedding) / statistics.median(small.without_embedding)
    few, many = (ConceptNode.objects.for_bond(get_bond(name)).count() for name in ("small", "large"))
    return [
        figures.median("turn overhead", found.total, limit=60),
        figures.p95("turn overhead", found.total, limit=120),
        figures.median("turn overhead without embedding", found.without_embedding, limit=25),
        figures.p95("turn overhead without embedding", found.without_embedding, limit=50),
        figures.at_most("turn overhead, queries", found.queries, limit=QUERIES_MOST, unit="queries", runs=1),
        figures.median(f"turn overhead, a burst of {LONG_BURST_WORDS} words", long.total, limit=90),
        figures.at_most(f"growth from {few} to {many} memories", growth, limit=3, unit="times", runs=runs),
    ]


def measure_bond(bond: Bond, *, runs: int, length: int = LENGTH) -> Overhead:
    """Measure turns whose bursts have so many words; the first warms up."""
    words = SentenceGenerator(SEED + 1)
    found = asyncio.run(time_turns(bond, [words.make_sentence(length) for _ in range(runs + 1)]))[1:]
    # In this thread, so that the connection can be observed.
    with override_settings(DATABASE_THREADS=0), CaptureQueriesContext(connection) as queries:
        async_to_sync(time_turn)(bond, words.make_sentence(length))
    return Overhead([total for total, _ in found], [share for _, share in found], count_queries_before_model(queries))


async def time_turns(bond: Bond, said: Sequence[str]) -> list[tuple[float, float]]:
    return [await time_turn(bond, text) for text in said]


async def time_turn(bond: Bond, said: str) -> tuple[float, float]:
    """Return the milliseconds until the model is asked, and how many of them the embedding takes."""
    model = QuietModel()
    started = time.perf_counter()
    receive = partial(receiving.receive, bond=bond, content=said, channel="api", now=timezone.now(), debounce=False)
    await run_in_database_thread(receive)
    turn = await run_in_database_thread(runner.claim, bond.pk)
    if turn is None:
        raise RuntimeError(f"bond {bond.pk} has another turn")
    await runner.run(turn, llm=RecordingLLM(model))
    await run_in_database_thread(turn.refresh_from_db)
    return (model.asked_at - started) * 1000, float(turn.timings["embed_ms"] or 0)


def count_queries_before_model(queries: CaptureQueriesContext) -> int:
    """Count the statements before the ledger's transaction, which comes after the model's answer."""
    asked = [query["sql"] for query in queries.captured_queries]
    written = next(at for at, sql in enumerate(asked) if "echovessel_ledgerentry" in sql)
    began = max(at for at, sql in enumerate(asked[:written]) if sql.startswith("BEGIN"))
    return sum(not sql.startswith(UNCOUNTED_STATEMENTS) for sql in asked[:began])
