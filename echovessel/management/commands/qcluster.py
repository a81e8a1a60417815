import sys
from typing import Any

from django.db import connection
from django_q import cluster
from django_q.management.commands import qcluster

from echovessel.runtime import preparation
from echovessel.runtime.sentinel import Sentinel


class Command(qcluster.Command):  # type: ignore[misc]  # django-q2 is untyped
    help = "Run the worker alone: background tasks, until Ctrl-C or SIGTERM."

    def handle(self, *args: Any, **options: Any) -> None:
        # Its processes would tell by tracebacks that there is no database, or no Redis.
        connection.ensure_connection()
        try:
            preparation.wait_for_redis()
        except preparation.PreparationError as error:
            sys.exit(str(error))
        connection.close()
        cluster.Sentinel = Sentinel
        super().handle(*args, **options)
