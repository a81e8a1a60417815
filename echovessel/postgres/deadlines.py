"""Limits the time for which a request may keep the database busy.

A thread cannot be ended from outside, but a statement can. PostgreSQL ends a statement of the web process after half a minute
(see the settings). A request whose statements together take too long is ended between two of them: an endless page would
keep its thread and connection for ever. Waiting outside the database, for example for a model, hardly counts.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

REQUEST_SECONDS = 30.0
# The most that the time between two statements counts.
PAUSE_SECONDS = 1.0
# For exports, restores and erasures, which read everything.
PATIENCE_SECONDS = 600
TOO_SLOW = "This took too long and was stopped. Try again, or ask for less."


class TooSlowError(OperationalError):
    """The request has used up its time."""


class TimeLimit:
    """Wraps each statement of a request."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds
        self.seen_at = time.monotonic()

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        began_at = time.monotonic()
        self.left -= min(began_at - self.seen_at, PAUSE_SECONDS)
        if self.left < 0:
            raise TooSlowError(TOO_SLOW)
        try:
            return execute(*arguments)
        finally:
            self.seen_at = time.monotonic()
            self.left -= self.seen_at - began_at


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    with connection.execute_wrapper(TimeLimit(seconds)):
        yield


def extend_limits() -> None:
    """Raise the limits for the running transaction, if there are any."""
    for limit in get_limits():
        limit.left += PATIENCE_SECONDS
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{PATIENCE_SECONDS}s"])


def get_limits() -> list[TimeLimit]:
    return [wrapper for wrapper in connection.execute_wrappers if isinstance(wrapper, TimeLimit)]


class DeadlineMiddleware(MiddlewareMixin):
    """The innermost middleware, so that it runs in the thread of the views."""

    def process_view(self, request: HttpRequest, *_: Any) -> None:
        connection.execute_wrappers.append(TimeLimit(REQUEST_SECONDS))

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        drop_limits()
        return response


def drop_limits() -> None:
    for limit in get_limits():
        connection.execute_wrappers.remove(limit)
