from contextlib import asynccontextmanager

from channels.auth import AuthMiddlewareStack
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.test import Client

from chat.live.routing import websocket_urlpatterns

APPLICATION = AuthMiddlewareStack(URLRouter(websocket_urlpatterns))  # type: ignore[arg-type]  # plain path() is enough

HERE = "http://localhost:8000"

in_db = database_sync_to_async


def cookie_of(user):
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}".encode()


def socket(bond_id, *, cookie=b"", origin=HERE, query="", host="localhost:8000", more=()):
    headers = [(b"host", host.encode()), *more]
    headers += [(b"cookie", cookie)] if cookie else []
    headers += [(b"origin", origin.encode("latin-1"))] if origin is not None else []
    return WebsocketCommunicator(APPLICATION, f"/ws/bonds/{bond_id}/{query}", headers=headers)


@asynccontextmanager
async def connected(bond, **opened):
    """A socket that is ready, with its first frame as `ready`."""
    communicator = socket(bond.pk, **opened)
    accepted, _ = await communicator.connect(timeout=20)
    assert accepted is True
    communicator.ready = await communicator.receive_json_from(timeout=20)
    yield communicator
    await communicator.disconnect(timeout=20)


async def close_code(communicator):
    while True:
        output = await communicator.receive_output(timeout=20)
        if output["type"] == "websocket.close":
            return output["code"]


async def until(communicator, type):
    frames = []
    while not frames or frames[-1]["type"] != type:
        frames.append(await communicator.receive_json_from(timeout=20))
    return frames
