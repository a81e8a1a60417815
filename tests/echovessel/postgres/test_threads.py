import asyncio
import threading

import pytest
from asgiref.sync import async_to_sync
from django.db import close_old_connections, connection
from django.utils import translation

from echovessel.postgres import threads


@pytest.fixture(autouse=True)
def close_connections(monkeypatch):
    """As they are closed outside tests."""
    monkeypatch.setattr("channels.db.close_old_connections", close_old_connections)


@pytest.fixture
def two_threads(settings):
    settings.DATABASE_THREADS = 2
    threads._get_database_pool.cache_clear()
    yield
    for own in (threads._get_database_pool, threads._get_helper_pool):
        own().shutdown()
        own.cache_clear()


def _query():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return cursor.fetchone(), connection.connection


@pytest.mark.django_db(transaction=True)
def test_own_threads_work_side_by_side_and_give_connections_back(two_threads):
    both = threading.Barrier(2, timeout=10)

    def meet(number):
        both.wait()
        return number, _query()

    async def run():
        return await asyncio.gather(*(threads.run_in_database_thread(meet, number) for number in (1, 2)))

    met = async_to_sync(run)()

    assert [(number, row) for number, (row, _) in met] == [(1, (1,)), (2, (1,))]
    assert [used.closed for _, (_, used) in met] == [True, True]


@pytest.mark.django_db(transaction=True)
def test_own_thread_keeps_the_language_and_raises_what_was_raised(two_threads):
    def fail():
        raise LookupError(translation.get_language())

    with translation.override("zh-hans"), pytest.raises(LookupError, match="zh-hans"):
        async_to_sync(threads.run_in_database_thread)(fail)


@pytest.mark.django_db(transaction=True)
def test_without_own_threads_the_shared_one_is_used():
    here = async_to_sync(threads.run_in_database_thread)(threading.get_ident)

    assert here == threading.get_ident()


@pytest.mark.django_db(transaction=True)
def test_what_runs_beside_runs_at_the_same_time_and_gives_its_connection_back(two_threads):
    both = threading.Barrier(2, timeout=10)

    def meet(number):
        both.wait()
        return number, _query()

    beside = threads.start_in_thread(meet, 1)
    here = meet(2)
    number, (row, used) = beside()

    assert (here[0], number, row) == (2, 1, (1,))
    assert used.closed


@pytest.mark.django_db(transaction=True)
def test_what_runs_beside_raises_where_it_is_waited_for(two_threads):
    def fail():
        raise LookupError("beside")

    waits = threads.start_in_thread(fail)

    with pytest.raises(LookupError, match="beside"):
        waits()


@pytest.mark.django_db
def test_without_own_threads_what_runs_beside_runs_at_once():
    assert threads.start_in_thread(threading.get_ident)() == threading.get_ident()
