import asyncio
from datetime import timedelta

from channels.db import database_sync_to_async

from chat.turns import claiming, receiving
from echovessel.models import BondEvent
from memory.models import Message, Session
from tests.support.factories import NOW

in_db = database_sync_to_async
# Whatever the clock of the machine says.
LONG = timedelta(days=3650)


def claimed(bond, line="Hello."):
    receiving.receive(bond=bond, content=line, channel="web", now=NOW, debounce=False)
    return claiming.claim(bond_id=bond.pk, now=NOW + timedelta(minutes=1))


def ending(turn):
    turn.refresh_from_db()
    assert (turn.text, turn.lease_token, turn.lease_until) == ("", None, None)
    reply = Message.objects.filter(turn_id=turn.pk, role="persona", chosen=True).first()
    ends = BondEvent.objects.filter(bond_id=turn.bond_id, type__in=["chat.message.done", "chat.message.error"])
    assert Session.objects.get(pk=turn.session_id).held_until is None
    return (
        turn.status,
        reply and (reply.content, reply.cut_off),
        turn.error and (turn.error["code"], turn.error["retryable"]),
        [event.type.rpartition(".")[2] for event in ends],
    )


def in_loop(call):
    async def run():
        return call()

    return run


async def until(condition):
    async with asyncio.timeout(20):
        while not await in_db(condition)():  # noqa: ASYNC110 - rows tell nobody
            await asyncio.sleep(0.01)
