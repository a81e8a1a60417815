import asyncio
from contextlib import asynccontextmanager

from asgiref.sync import async_to_sync
from channels.db import database_sync_to_async
from django.utils import timezone

from chat.broadcast import hub
from chat.live.followers import Follower
from echovessel import events

in_db = database_sync_to_async


def record(bond, number):
    return events.record(
        bond_id=bond.pk, type="chat.settings.updated", refs={"changed_fields": [str(number)]}, now=timezone.now()
    )


@asynccontextmanager
async def following(bond):
    async with hub.get_current().follow(bond.pk) as mailbox:
        yield Follower(bond_id=bond.pk, mailbox=mailbox)


def plain(frames):
    """Frames without what differs from run to run."""
    return [{key: value for key, value in frame.items() if key not in ("at", "bond")} for frame in frames]


def heard(bond, talk):
    """What `talk` returned of a follower that is already ready."""

    async def run():
        async with following(bond) as follower:
            await follower.start(None)
            return await talk(follower)

    return plain(async_to_sync(run)())


async def until(follower, type):
    frames = []
    while not frames or frames[-1]["type"] != type:
        frames += await asyncio.wait_for(follower.next_frames(), 20)
    return frames
