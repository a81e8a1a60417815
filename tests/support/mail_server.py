"""A real mail server in a thread: it keeps mails, refuses them, or never answers."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

PASSWORD = "open sesame"


class Kept:
    """What came, and with what answer it is refused."""

    def __init__(self) -> None:
        self.mails: list[Any] = []
        self.refused_with = self.sender_refused_with = ""

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self.sender_refused_with:
            return self.sender_refused_with
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802 - as above
        if self.refused_with:
            return self.refused_with
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - as above
        self.mails.append(envelope)
        return "250 OK"

    def texts(self) -> list[str]:
        return [envelope.content.decode() for envelope in self.mails]


def is_known(server: Any, session: Any, envelope: Any, mechanism: str, given: Any) -> AuthResult:
    is_right = isinstance(given, LoginPassword) and given.password == PASSWORD.encode()
    return AuthResult(success=is_right, handled=False)


@contextmanager
def running(*, wants_password: bool = False) -> Iterator[tuple[Kept, int]]:
    """The server's box and its port."""
    kept = Kept()
    options: Any = {"authenticator": is_known, "auth_require_tls": False} if wants_password else {}
    # Without a name it would look its own up for each connection.
    controller = Controller(kept, hostname="127.0.0.1", port=free_port(), server_hostname="localhost", **options)
    controller.start()
    try:
        yield kept, controller.port
    finally:
        controller.stop()


@contextmanager
def hanging() -> Iterator[int]:
    """The port of a server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
