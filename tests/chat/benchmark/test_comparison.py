import os

import pytest
from django.db import connection
from psycopg.conninfo import make_conninfo

from chat.benchmark import comparison, libraries
from chat.benchmark.comparison import Comparison
from chat.benchmark.competitors.task import Task
from chat.benchmark.libraries import LibraryError
from memory.models import ConceptNode


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A small task on the tests' server, which all workers of a run share."""
    monkeypatch.setattr(comparison, "DATABASE", f"beside_{os.getpid()}")
    wanted = comparison.make_task(tmp_path, memories=12, queries=5)
    here = connection.get_connection_params()
    url = make_conninfo(host=here["host"], port=here["port"], user=here["user"], dbname="postgres")
    return Task(url, tmp_path, wanted.memories, wanted.queries, wanted.most)


@pytest.mark.django_db
def test_ours_writes_and_recalls_all(made):
    added, found = comparison.time_echovessel(made)

    assert (len(added), len(found)) == (12, 5)
    assert ConceptNode.objects.filter(bond__user__username="benchmark beside").count() == 12


@pytest.mark.django_db
@pytest.mark.parametrize("index", ["", comparison._HNSW])
def test_plain_vectors_are_kept_in_a_database_of_their_own(made, index):
    added, found = comparison.time_pgvector(made, index=index)

    assert (len(added), len(found)) == (12, 5)


@pytest.mark.django_db
def test_all_ways_are_compared_and_what_fails_says_so(made, monkeypatch):
    def fail(task):
        raise LibraryError("failed: ImportError")

    monkeypatch.setattr(comparison, "make_task", lambda folder, *, memories, queries: made)
    monkeypatch.setattr(libraries, "run", fail)

    found = comparison.measure(made.folder, memories=12, runs=5, say=[].append)

    assert [one.system for one in found] == [
        "EchoVessel",
        "pgvector, exact",
        "pgvector, HNSW",
        "mem0",
    ]
    assert all(one.add_p50_ms > 0 and one.search_p95_ms >= one.search_p50_ms > 0 for one in found[:3])
    assert found[3:] == [Comparison("mem0", note="failed: ImportError")]
