"""The web process: daphne around the ASGI application, which is told when it starts and when it stops.

`daphne echovessel.asgi:application` serves the same, but drops what still runs when it stops, and takes in bodies of any size.
"""

import argparse
import asyncio
import io
import os
import sys


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m echovessel.runtime.web", description="Serve pages, REST and sockets."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    # Settings give this process a pool of connections and threads of its own.
    os.environ["ECHOVESSEL_PROCESS"] = "web"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "echovessel.settings")
    sys.exit(_serve(arguments.host, arguments.port))


def _serve(host: str, port: int) -> int:
    # Daphne chooses Twisted's reactor when it is imported, and our settings must be read after main() has run.
    from daphne.endpoints import build_endpoint_description_strings  # noqa: PLC0415
    from daphne.server import Server  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415
    from twisted.internet import defer, reactor  # noqa: PLC0415

    from echovessel import asgi  # noqa: PLC0415
    from echovessel.http import body_limits  # noqa: PLC0415

    def start() -> None:
        starting.append(asyncio.ensure_future(asgi.on_start()))

    def stop() -> defer.Deferred[None]:
        return defer.Deferred.fromFuture(asyncio.ensure_future(asgi.on_stop()))

    call_command("check", stdout=io.StringIO())
    starting: list[asyncio.Future[None]] = []
    body_limits.limit_request_bodies(asgi.get_body_limit)
    server = Server(
        asgi.application,
        build_endpoint_description_strings(host=host, port=port),
        server_name="EchoVessel",
    )
    reactor.callWhenRunning(start)
    reactor.addSystemEventTrigger("before", "shutdown", stop)  # type: ignore[arg-type]  # a zope interface: its methods name no self
    server.run()
    # Daphne stops without a word to the caller when the port is taken.
    return 0 if server.listening_addresses else 1


if __name__ == "__main__":
    main()
