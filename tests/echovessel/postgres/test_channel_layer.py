import asyncio

import pytest
from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.db import connection, transaction

from echovessel.postgres.channel_layer import PostgresChannelLayer

pytestmark = pytest.mark.django_db
HELLO = {"type": "bond.wake", "bond": 1}


@pytest.fixture
def two_layers():
    layers = PostgresChannelLayer(), PostgresChannelLayer()
    yield layers
    for layer in layers:
        async_to_sync(layer.close)()


async def _receive(layer, channel):
    return await asyncio.wait_for(layer.receive(channel), 10)


def test_group_message_reaches_the_members_in_every_process(two_layers):
    async def talk():
        one, two = two_layers
        here, there, stranger = await one.new_channel(), await two.new_channel(), await two.new_channel()
        await one.group_add("bond.1", here)
        await two.group_add("bond.1", there)
        await two.group_add("bond.2", stranger)

        await one.group_send("bond.1", HELLO)
        await one.group_send("bond.2", {"type": "last"})

        return await _receive(one, here), await _receive(two, there), await _receive(two, stranger)

    assert async_to_sync(talk)() == (HELLO, HELLO, {"type": "last"})


def test_channel_message_reaches_its_channel_in_another_process(two_layers):
    async def talk():
        one, two = two_layers
        channel = await two.new_channel()
        await two.group_add("any", channel)
        await one.send(channel, HELLO)
        return await _receive(two, channel)

    assert async_to_sync(talk)() == HELLO


def test_discarded_member_hears_nothing_more(two_layers):
    async def talk():
        layer, _ = two_layers
        gone, stays = await layer.new_channel(), await layer.new_channel()
        await layer.group_add("bond.1", gone)
        await layer.group_add("bond.1", stays)
        await layer.group_discard("bond.1", gone)
        await layer.group_send("bond.1", HELLO)
        heard = await _receive(layer, stays)
        waiting = asyncio.ensure_future(layer.receive(gone))
        await layer.group_discard("bond.1", stays)
        # A round trip later nothing more can be under way.
        other = await layer.new_channel()
        await layer.send(other, HELLO)
        await _receive(layer, other)
        is_silent = not waiting.done()
        waiting.cancel()
        await asyncio.wait([waiting])
        return heard, is_silent, layer._groups

    assert async_to_sync(talk)() == (HELLO, True, {})


@pytest.mark.django_db(transaction=True)
def test_wake_is_delivered_at_commit_and_not_after_rollback(two_layers):
    layer, _ = two_layers

    async def join():
        channel = await layer.new_channel()
        await layer.group_add("bond.1", channel)
        return channel

    def write():
        with transaction.atomic():
            layer.wake("bond.1", {"type": "undone"})
            transaction.set_rollback(True)
        with transaction.atomic():
            layer.wake("bond.1", HELLO)

    async def talk():
        channel = await join()
        await database_sync_to_async(write)()
        return await _receive(layer, channel)

    assert async_to_sync(talk)() == HELLO


def test_layer_connects_again_after_its_sessions_were_ended(two_layers):
    layer, _ = two_layers

    def end_other_sessions():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )

    async def talk():
        channel = await layer.new_channel()
        await layer.group_add("bond.1", channel)
        await layer.group_send("bond.1", {"type": "before"})
        before = await _receive(layer, channel)
        await database_sync_to_async(end_other_sessions)()
        # It hears nothing until it has noticed and come back.
        while layer.is_listening():  # noqa: ASYNC110 - no event tells of the loss
            await asyncio.sleep(0.01)
        await layer.group_add("bond.1", channel)
        await layer.group_send("bond.1", HELLO)
        return before, await _receive(layer, channel)

    assert async_to_sync(talk)() == ({"type": "before"}, HELLO)


def test_reader_that_does_not_read_loses_messages_and_stops_nobody(two_layers):
    async def talk():
        layer, _ = two_layers
        slow, quick = await layer.new_channel(), await layer.new_channel()
        layer._get_channel(slow).queue = asyncio.Queue(1)
        for channel in (slow, quick):
            await layer.group_add("bond.1", channel)
        for number in range(3):
            await layer.group_send("bond.1", {"type": "wake", "number": number})
        heard = [(await _receive(layer, quick))["number"] for _ in range(3)]
        return heard, (await _receive(layer, slow))["number"]

    assert async_to_sync(talk)() == ([0, 1, 2], 0)


def test_ended_consumer_leaves_nothing_behind(two_layers):
    async def talk():
        layer, _ = two_layers
        channel = await layer.new_channel()
        receiving = asyncio.ensure_future(layer.receive(channel))
        await asyncio.sleep(0)
        receiving.cancel()
        await asyncio.wait([receiving])
        return layer._channels

    assert async_to_sync(talk)() == {}


def test_too_long_message_is_refused(two_layers):
    layer, _ = two_layers

    with pytest.raises(ValueError, match="too long to notify"):
        layer.wake("bond.1", {"type": "wake", "text": "猫" * 2700})
