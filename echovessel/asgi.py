"""The ASGI application. Background work starts with the first call, or earlier if `on_start` is called."""

import os
import threading
from io import BytesIO
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "echovessel.settings")

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.core.handlers.asgi import ASGIRequest

http = get_asgi_application()

# After Django's setup: these import models.
from chat.live.routing import websocket_urlpatterns
from chat.turns import runner
from echovessel import lazy_re
from echovessel.embeddings import embedding
from echovessel.http import health
from echovessel.llm import provider
from echovessel.postgres.threads import run_in_database_thread
from memory.facts.rules import reading
from personas.rest import uploads

_FIRST_TEXTS = ("Remember that I work in Leeds.", "记住我住在苏州。")


class Application:
    def __init__(self) -> None:
        # The consumer checks the origin itself: a connection with a ticket needs none.
        websocket = AuthMiddlewareStack(URLRouter(websocket_urlpatterns))  # type: ignore[arg-type]  # plain path() is enough
        self.protocols = ProtocolTypeRouter({"http": http, "websocket": websocket})
        self.is_started = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.start()
        if scope["type"] == "http" and scope["path"] == "/healthz":
            # Answer from the event loop: a slow page or a hanging database must not make the process look dead.
            return await health.send_alive(send)
        return await self.protocols(scope, receive, send)

    async def start(self) -> None:
        if not self.is_started:
            self.is_started = True
            embedding.warm_up()
            threading.Thread(target=compile_patterns, name="patterns-load").start()
            await runner.start()

    async def stop(self) -> None:
        if self.is_started:
            self.is_started = False
            await runner.stop()
            provider.close()


async def get_body_limit(scope: dict[str, Any]) -> tuple[int, str, str]:
    """Return the limit of a request's body, and the type and text of the refusal."""
    return await run_in_database_thread(uploads.get_body_limit, ASGIRequest(scope, BytesIO()))


def compile_patterns() -> None:
    """Compile what the first text that is read would, and then all there is: not while somebody waits."""
    reading.read_acts(_FIRST_TEXTS, [], {})
    lazy_re.compile_all()


application = Application()
on_start = application.start
on_stop = application.stop
