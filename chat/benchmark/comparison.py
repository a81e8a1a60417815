"""Compare with plain pgvector and another library: same memories, questions, vectors and PostgreSQL."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
from django.db import transaction
from django.utils import timezone
from psycopg.conninfo import make_conninfo

from chat.benchmark import figures, libraries
from chat.benchmark.competitors.task import Task, Text, time_each
from chat.benchmark.libraries import LibraryError
from chat.benchmark.seeding import SEED, Say, VectorSampler, get_username
from chat.evaluation.words import SentenceGenerator
from echovessel.embeddings import embedding
from echovessel.postgres import server_paths
from memory.evaluation.events import build_event
from memory.nodes import creation
from memory.recall import memories as recall
from personas import onboarding
from personas.models import Bond, User

MEMORIES_MOST = 10_000
MAX_RESULTS = 10
_HNSW = "CREATE INDEX ON kept USING hnsw (embedding vector_cosine_ops)"
# What others keep is in a database of its own.
DATABASE = "beside"
_NEAREST = f"SELECT content FROM kept ORDER BY embedding <=> %s::vector LIMIT {MAX_RESULTS}"

# Milliseconds of each write and of each search.
Times = tuple[list[float], list[float]]


@dataclass(frozen=True)
class Comparison:
    """Milliseconds; if there are none, `note` says why."""

    system: str
    add_p50_ms: float | None = None
    search_p50_ms: float | None = None
    search_p95_ms: float | None = None
    note: str = ""


def measure(folder: Path, *, memories: int, runs: int, say: Say) -> list[Comparison]:
    """Measure each in a new database of the server in the folder."""
    made = make_task(folder, memories=min(memories, MEMORIES_MOST), queries=runs)
    ways: dict[str, Callable[[], Times]] = {
        "EchoVessel": lambda: time_echovessel(made),
        "pgvector, exact": lambda: time_pgvector(made),
        "pgvector, HNSW": lambda: time_pgvector(made, index=_HNSW),
        "mem0": lambda: libraries.run(recreate_database(made)),
    }
    return [_compare(system, way, say) for system, way in ways.items()]


def _compare(system: str, way: Callable[[], Times], say: Say) -> Comparison:
    say(f"Side by side: {system}")
    try:
        add, search = way()
    except LibraryError as error:
        return Comparison(system, note=str(error))
    return Comparison(
        system,
        add_p50_ms=round(statistics.median(add), 2),
        search_p50_ms=round(statistics.median(search), 2),
        search_p95_ms=round(figures.percentile_95(search), 2),
    )


def make_task(folder: Path, *, memories: int, queries: int) -> Task:
    words = SentenceGenerator(SEED + 3)
    vectors = VectorSampler(words)
    texts = [Text(words.make_sentence(), vectors.draw()) for _ in range(memories + queries)]
    return Task(server_paths.build_database_url(folder), folder, texts[:memories], texts[memories:], MAX_RESULTS)


def time_echovessel(made: Task) -> Times:
    """Write memories as the application does, and recall them with all terms of the score."""
    User.objects.filter(username=get_username("beside")).delete()
    owner = User.objects.create(username=get_username("beside"))
    _, bond = onboarding.create(owner=owner, name="Marian", persona="Keeps a bookshop.", now=timezone.now())

    def search(text: Text) -> object:
        return recall.search(bond=bond, query=text.content, vector=text.vector, now=timezone.now(), k=MAX_RESULTS)

    added = time_each(lambda text: write_event(bond, text), made.memories)
    search(made.queries[0])
    return added, time_each(search, made.queries)


@transaction.atomic
def write_event(bond: Bond, text: Text) -> None:
    creation.create(build_event(bond, text.content), vector=text.vector, now=timezone.now())


def time_pgvector(made: Task, *, index: str = "") -> Times:
    with psycopg.connect(recreate_database(made).database_url, autocommit=True) as connection:
        connection.execute(
            f"CREATE TABLE kept (id bigserial PRIMARY KEY, content text, embedding vector({embedding.DIMENSIONS}))"
        )
        if index:
            connection.execute(index)

        def add(text: Text) -> object:
            row = (text.content, str(list(text.vector)))
            return connection.execute("INSERT INTO kept (content, embedding) VALUES (%s, %s)", row)

        def search(text: Text) -> object:
            return connection.execute(_NEAREST, (str(list(text.vector)),)).fetchall()

        added = time_each(add, made.memories)
        connection.execute("ANALYZE kept")
        search(made.queries[0])
        return added, time_each(search, made.queries)


def recreate_database(made: Task) -> Task:
    """Write the task for a new, empty database of the same server."""
    with psycopg.connect(made.database_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {DATABASE}")
    url = make_conninfo(made.database_url, dbname=DATABASE)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector")
    return replace(made, database_url=url)
