import argparse
import ipaddress
import sys
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from echovessel.runtime import serving


class Command(BaseCommand):
    help = "Run everything on this machine: database (unless DATABASE_URL names one), pages, worker. Ctrl-C stops all of it."
    # The web process runs the checks; here they would load the code of all pages a second time.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--host", type=_parse_host, default="127.0.0.1", help="the address to listen on (127.0.0.1)"
        )
        parser.add_argument("--port", type=_parse_port, default=8000, help="the port to listen on (8000)")
        parser.add_argument("--no-worker", action="store_true", help="leave the worker to another machine")
        parser.add_argument(
            "--with-parent", action="store_true", help="end when the program that started it ends (`make run`)"
        )

    def handle(self, *, host: str, port: int, no_worker: bool, with_parent: bool, **options: Any) -> None:
        address = serving.Address(host, port)
        try:
            serving.serve(address, with_worker=not no_worker, with_parent=with_parent, say=self._say)
        except serving.ServeError as error:
            sys.exit(str(error))

    def _say(self, line: str) -> None:
        # The terminal may be closed.
        with suppress(OSError):
            self.stdout.write(line)
            self.stdout.flush()


def _parse_port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: a whole number from 1 to 65535")
    return int(text)


def _parse_host(text: str) -> str:
    if text != "localhost":
        try:
            ipaddress.ip_address(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"{text!r} is no address: an IP address or localhost") from error
    return text
