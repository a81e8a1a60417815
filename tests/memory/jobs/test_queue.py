import os
from datetime import UTC, date, datetime

import pytest
from django.db import connection, transaction
from django.utils import timezone
from django_q.brokers import Broker, get_broker
from django_q.models import OrmQ
from django_q.signing import SignedPackage
from redis.exceptions import ConnectionError as RedisAway

from echovessel.embeddings.embedding import embed
from echovessel.models import BondEvent
from memory import tasks
from memory.jobs import queue
from memory.jobs.brokers import RELEASE_AFTER
from memory.jobs.workers import identify_process
from memory.models import Message, Session
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory
from tests.support.killed import dead_holder
from tests.support.talks import CAT, closed_talk

pytestmark = pytest.mark.django_db


def test_a_task_is_queued_in_the_transaction_of_its_change():
    with transaction.atomic():
        queue.enqueue("memory.tasks.consolidate", 7)
        transaction.set_rollback(True)

    queue.enqueue("memory.tasks.consolidate", 8)

    assert [(entry.task["func"], entry.task["args"]) for entry in OrmQ.objects.all()] == [
        ("memory.tasks.consolidate", (8,))
    ]


def test_another_broker_is_given_the_task_at_commit(settings, django_capture_on_commit_callbacks):
    settings.REDIS_URL = "redis://127.0.0.1/0"

    with django_capture_on_commit_callbacks() as callbacks:
        queue.enqueue("memory.tasks.consolidate", 8)

    assert (len(callbacks), OrmQ.objects.count()) == (1, 0)
    callbacks[0]()
    assert OrmQ.objects.count() == 1


def test_what_is_stored_stands_where_redis_is_away(settings, monkeypatch, django_capture_on_commit_callbacks):
    settings.REDIS_URL = "redis://127.0.0.1/0"
    monkeypatch.setattr(queue, "async_task", raise_redis_away)

    with django_capture_on_commit_callbacks(execute=True):
        queue.enqueue("memory.tasks.consolidate", 8)

    assert OrmQ.objects.count() == 0


def raise_redis_away(*_args):
    raise RedisAway


@pytest.mark.django_db(transaction=True)
def test_tasks_run_in_the_order_in_which_they_were_queued_but_for_short_ones():
    broker = get_broker()
    for pk in range(1, 21):
        queue.enqueue("memory.tasks.consolidate", pk)
    taken = [take_task(broker) for _ in range(10)]
    with connection.cursor() as cursor:
        # Then new rows take the place of the deleted ones.
        cursor.execute("VACUUM django_q_ormq")
    queue.enqueue("memory.tasks.consolidate", 21)
    queue.enqueue("memory.tasks.embed_messages", 100)
    queue.enqueue("memory.tasks.title", 101)

    assert [*taken, *(take_task(broker) for _ in range(13))] == [*range(1, 11), 100, 101, *range(11, 22)]


@pytest.mark.django_db(transaction=True)
def test_tasks_that_a_killed_worker_had_taken_come_back_and_no_others():
    for pk in (1, 2, 3, 4):
        queue.enqueue("memory.tasks.consolidate", pk)
    for holder in (dead_holder(), "elsewhere/ 1 1.00", identify_process(os.getppid())):
        broker = get_broker()
        broker.holder = holder
        broker.dequeue()
    broker = get_broker()
    # A worker that starts, takes the last task, and finds its processes killed.
    for _ in range(2):
        broker.release_dead()
        broker.dequeue()

    waiting = OrmQ.objects.filter(key=broker.list_key, lock__lte=timezone.now() + RELEASE_AFTER)
    assert sorted(entry.task["args"] for entry in waiting) == [(1,), (4,)]
    assert broker.dequeue() is None


def take_task(broker: Broker) -> int:
    [(row, payload)] = broker.dequeue()
    broker.acknowledge(row)
    pk: int = SignedPackage.loads(payload)["args"][0]
    return pk


def test_tasks_take_ids_and_may_run_twice():
    session = closed_talk(*CAT)
    tasks.embed_messages(session.bond_id)

    tasks.consolidate(session.pk)
    tasks.consolidate(session.pk)
    tasks.embed_messages(session.bond_id)

    session.refresh_from_db()
    assert session.status == "closed"
    assert [line.embedding for line in Message.objects.order_by("id")] == [
        pytest.approx(vector, abs=1e-3) for vector in embed(CAT)
    ]


def test_the_scanner_and_the_clean_up_are_tasks():
    bond = BondFactory()
    # By the clock that the tasks read: a week later the scanner would end a scene as well.
    MessageFactory(session__bond=bond, session__message_count=1, created_at=datetime.now(UTC))
    BondEvent.objects.create(bond_id=bond.pk, seq=1, type="chat.mood.update", created_at=NOW.replace(year=2020))
    Session.objects.update(started_at=NOW.replace(year=2020), last_message_at=NOW.replace(year=2020))

    assert tasks.scan() == 1
    assert tasks.prune() == 1
    assert (Session.objects.get().close_reason, BondEvent.objects.count()) == ("catchup", 0)


def test_the_scanner_ends_expectations_whose_day_is_over():
    due = ConceptNodeFactory(type="expectation", event_time_end=date(2020, 1, 1))

    tasks.scan()

    due.refresh_from_db()
    assert due.state == "expired"
