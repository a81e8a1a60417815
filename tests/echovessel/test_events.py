import asyncio
import threading
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import connection, transaction

from echovessel import events
from echovessel.models import BondEvent
from tests.support.databases import until_somebody_waits
from tests.support.factories import NOW

pytestmark = pytest.mark.django_db


def record(bond_id=1, *, now=NOW, **refs):
    return events.record(bond_id=bond_id, type="memory.event.created", refs=refs, now=now)


def test_events_of_a_bond_are_numbered_from_one():
    assert [record(node=7), record(node=8), record(2, node=9)] == [1, 2, 1]
    assert [(entry.seq, entry.type, entry.refs, entry.created_at) for entry in events.load_since(1, 0)] == [
        (1, "memory.event.created", {"node": 7}, NOW),
        (2, "memory.event.created", {"node": 8}, NOW),
    ]
    assert [entry.seq for entry in events.load_since(1, 1)] == [2]
    assert [entry.seq for entry in events.load_since(1, 0, most=1)] == [1]
    assert (events.get_last_seq(1), events.get_last_seq(2), events.get_last_seq(3)) == (2, 1, 0)


def test_the_first_event_that_comes_while_a_reader_connects_is_no_gap():
    asked = []

    def add_event(execute, sql, *rest):
        found = execute(sql, *rest)
        asked.append("bondevent" in sql)
        if asked.count(True) == 1 and asked[-1]:
            record()
        return found

    with connection.execute_wrapper(add_event):
        assert events.has_all_since(1, 0)

    assert events.get_last_seq(1) == 1


def test_an_event_belongs_to_the_transaction_of_its_change():
    with transaction.atomic():
        record()
        transaction.set_rollback(True)

    assert (BondEvent.objects.count(), events.get_last_seq(1)) == (0, 0)
    assert record() == 1


def test_events_are_kept_for_a_day():
    record(now=NOW - timedelta(hours=24, seconds=1))
    record(now=NOW - timedelta(hours=24))

    assert events.prune(NOW) == 1
    assert [entry.seq for entry in events.load_since(1, 0)] == [2]


def test_a_reader_that_was_gone_longer_must_reload():
    assert events.has_all_since(1, 0)
    assert not events.has_all_since(1, 1)
    for _ in range(3):
        record(now=NOW - timedelta(days=2))
    record()
    events.prune(NOW)

    assert [events.has_all_since(1, seq) for seq in range(6)] == [False, False, False, True, True, False]

    events.prune(NOW + timedelta(days=2))

    assert [events.has_all_since(1, seq) for seq in (3, 4, 5)] == [False, True, False]


@pytest.mark.django_db(transaction=True)
def test_events_are_numbered_in_the_order_of_their_commits():
    first_is_open = threading.Event()
    seen = []

    def later():
        try:
            assert first_is_open.wait(10)
            record()
            seen.append([entry.seq for entry in events.load_since(1, 0)])
        finally:
            connection.close()

    thread = threading.Thread(target=later)
    thread.start()
    with transaction.atomic():
        record()
        first_is_open.set()
        until_somebody_waits()
        assert seen == []
    thread.join(10)

    assert seen == [[1, 2]]


def heard(act):
    """What a reader of the bond's group hears when `act` is done."""
    layer = get_channel_layer()

    async def hear():
        channel = await layer.new_channel()
        await layer.group_add(events.get_group_name(1), channel)
        await database_sync_to_async(act)()
        return await asyncio.wait_for(layer.receive(channel), 10)

    return async_to_sync(hear)()


@pytest.mark.django_db(transaction=True)
def test_readers_are_woken_at_commit():
    assert heard(record) == {"type": "bond.wake", "bond": 1}


@pytest.mark.django_db(transaction=True)
def test_readers_by_another_layer_are_woken_too(settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

    assert heard(record) == {"type": "bond.wake", "bond": 1}


@pytest.mark.django_db(transaction=True)
def test_nobody_is_woken_by_what_is_rolled_back(settings):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

    def record_in_vain():
        with transaction.atomic():
            record()
            transaction.set_rollback(True)
        events.wake(1, "bond.stop")

    assert heard(record_in_vain) == {"type": "bond.stop", "bond": 1}


class AwayLayer(InMemoryChannelLayer):
    """A layer whose server is away."""

    async def group_send(self, group, message):
        raise ConnectionError("the server of the channel layer is away")


@pytest.mark.django_db(transaction=True)
def test_a_failed_wake_up_breaks_nothing_and_is_logged(settings, caplog):
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": f"{__name__}.AwayLayer"}}
    with transaction.atomic():
        record()

    assert BondEvent.objects.count() == 1
    assert "the server of the channel layer is away" in caplog.text
