"""The web process: runs daphne, and calls the ASGI application when it starts and stops.

`daphne echovessel.asgi:application` serves the same, but drops running work when it stops, and receives bodies of any size.
"""

import argparse
import asyncio
import gc
import io
import os
import sys

# How long a thread may compute while others wait. With Python's 5 ms each answer of the database to another page waits that
# long, and a page asks thirty times, while a large import is read.
SWITCH_SECONDS = 0.0005
# A socket is asked for a sign of life, and dropped without an answer in time. The answer to one ping does not count once the next is
# sent, as with daphne's 20 seconds, so there is none before its time is over.
PING_SECONDS, ANSWER_SECONDS = 35, 30


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m echovessel.runtime.web", description="Serve pages, REST and sockets."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    arguments = parser.parse_args()
    # As in manage.py.
    gc.disable()
    sys.setswitchinterval(SWITCH_SECONDS)
    # The settings give this process a connection pool and its own threads.
    os.environ["ECHOVESSEL_PROCESS"] = "web"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "echovessel.settings")
    sys.exit(_serve(arguments.host, arguments.port))


def _serve(host: str, port: int) -> int:
    # Daphne chooses Twisted's reactor on import, and the settings must be read after main() has set the variable.
    import django  # noqa: PLC0415
    from daphne.endpoints import build_endpoint_description_strings  # noqa: PLC0415
    from daphne.server import Server  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415
    from twisted.internet import defer, reactor  # noqa: PLC0415

    from echovessel.apps import end_rest  # noqa: PLC0415
    from echovessel.http import body_limits  # noqa: PLC0415

    django.setup()
    # The collector's rest ended with the setup, and most code loads after it.
    gc.disable()
    from echovessel import asgi  # noqa: PLC0415

    def start() -> None:
        starting.append(asyncio.ensure_future(asgi.on_start()))

    def stop() -> defer.Deferred[None]:
        return defer.Deferred.fromFuture(asyncio.ensure_future(asgi.on_stop()))

    call_command("check", stdout=io.StringIO())
    end_rest()
    starting: list[asyncio.Future[None]] = []
    body_limits.limit_request_bodies(asgi.get_body_limit)
    server = Server(
        asgi.application,
        build_endpoint_description_strings(host=host, port=port),
        ping_interval=PING_SECONDS,
        ping_timeout=ANSWER_SECONDS,
        server_name="EchoVessel",
    )
    reactor.callWhenRunning(start)
    reactor.addSystemEventTrigger("before", "shutdown", stop)  # type: ignore[arg-type]  # a zope interface: its methods name no self
    server.run()
    # Daphne reports no error to the caller if the port is taken.
    return 0 if server.listening_addresses else 1


if __name__ == "__main__":
    main()
