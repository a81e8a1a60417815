"""Limits request bodies while they are received: large ones wait until the application has checked their headers.

Daphne passes a body to the application only when it is complete, which is too late to check the sender.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from daphne import http_protocol, server
from django.conf import settings

# How long a refused client may keep sending before the connection is closed.
_LINGER_SECONDS = 10

Scope = dict[str, Any]
# Returns the limit of a request's body, and the type and text of the refusal.
AskLimit = Callable[[Scope], Awaitable[tuple[int, str, str]]]


def limit_request_bodies(ask: AskLimit) -> None:
    """Make daphne ask before it receives a large body. Call this before it serves."""

    BoundedRequest.ask = staticmethod(ask)

    class Factory(http_protocol.HTTPFactory):  # type: ignore[misc]  # daphne has no types
        def buildProtocol(self, addr: Any) -> Any:  # noqa: N802 - Twisted's name
            protocol = super().buildProtocol(addr)
            protocol.requestFactory = BoundedRequest
            return protocol

    # Daphne's server looks up the factory in its own module.
    server.HTTPFactory = Factory


class BoundedRequest(http_protocol.WebRequest):  # type: ignore[misc]  # daphne has no types
    """Pauses the sender of a large body until its limit is known."""

    ask: ClassVar[AskLimit]
    taken = 0
    asking: "asyncio.Task[None] | None" = None
    is_whole = is_refused = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Twisted would parse forms in memory for arguments that daphne does not use.
        super().__init__(*args, **kwargs, parsePOSTFormSubmission=False)
        self.most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        super().gotLength(length)
        self.length = length or 0
        if self.length > self.most:
            self._begin_asking()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        if self.is_refused:
            return
        self.taken += len(data)
        if self.taken > self.most and self.asking is None:
            self._begin_asking()
        elif self.taken > self.most and self.asking is not None and self.asking.done():
            self._refuse()
            return
        super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802 - Twisted's name
        if self.is_refused:
            self.channel.loseConnection()
        else:
            super().requestReceived(command, path, version)

    def process(self) -> None:
        self.is_whole = True
        if self.asking is None or self.asking.done():
            super().process()

    def _begin_asking(self) -> None:
        self.asking = asyncio.ensure_future(self._ask_limit())
        # A client that expects 100 Continue gets it when it may send.
        self.is_expecting = self.requestHeaders.hasHeader(b"Expect")
        self.requestHeaders.removeHeader(b"Expect")
        self.channel.transport.pauseProducing()
        self.asking.add_done_callback(self._go_on)

    async def _ask_limit(self) -> None:
        self.most, self.kind, self.refusal = await type(self).ask(self._build_scope())

    def _go_on(self, asking: "asyncio.Task[None]") -> None:
        if self.channel is None or asking.cancelled():
            return
        # This raises a bug of the check into the log; the connection then times out.
        asking.result()
        if max(self.length, self.taken) > self.most:
            self._refuse()
        elif self.is_whole:
            super().process()
        elif self.is_expecting:
            self.channel._send100Continue()
        self.channel.transport.resumeProducing()

    def _refuse(self) -> None:
        """Answer and discard the rest of the body: if we closed at once, the client would never read the answer."""
        self.is_refused = True
        self.content.close()
        body = self.refusal.encode()
        head = (
            f"HTTP/1.1 413 Content Too Large\r\nContent-Type: {self.kind}\r\nContent-Length: {len(body)}\r\n"
            "Connection: close\r\n\r\n"
        )
        self.channel.transport.write(head.encode() + body)
        asyncio.get_running_loop().call_later(_LINGER_SECONDS, self._leave)

    def _leave(self) -> None:
        if self.channel is not None:
            self.channel.loseConnection()

    def _build_scope(self) -> Scope:
        path, _, query = self.channel._path.partition(b"?")
        headers = [(name.lower(), value) for name, values in self.requestHeaders.getAllRawHeaders() for value in values]
        return {
            "type": "http",
            "method": self.channel._command.decode("latin-1"),
            "path": http_protocol.unquote(path.decode("latin-1")),
            "query_string": query,
            "headers": [(name, value) for name, value in headers if b"_" not in name],
        }
