import logging
import re
import sys
from typing import Any

from django.db import InterfaceError, OperationalError

# Links in mails: anyone with such a link can open the account.
_KEY = re.compile(r"(/accounts/(?:password/reset/key|confirm-email)/)[^/\s]+")
# Classes of SQLSTATE: no connection, nothing left (disk, memory, connections), stopped, a failure of the system.
_OUTAGES = ("08", "53", "57P", "58")
_REDIS_OUTAGES = ("redis.exceptions.ConnectionError", "redis.exceptions.TimeoutError")


class LinkKeyFilter(logging.Filter):
    """Removes the keys of links from log messages."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _KEY.sub(r"\1***", record.getMessage()), ()
        return True


class TracebackFilter(logging.Filter):
    """Leaves out the traceback where the message says it all."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True


class OutageFilter(logging.Filter):
    """Tells in one line that the database or Redis is away, and a logger's last line not again before `again_seconds`."""

    def __init__(self, *, again_seconds: float) -> None:
        super().__init__()
        self.again_seconds = again_seconds
        self.last: dict[str, tuple[str, float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        text, error = record.getMessage(), record.exc_info and record.exc_info[1]
        if error and is_outage(error):
            text, record.exc_info = text if str(error) in text else f"{text}: {error}", None
        record.msg, record.args = text.partition("\n")[0], ()
        last, at = self.last.get(record.name, ("", 0.0))
        if record.msg == last and record.created - at < self.again_seconds:
            return False
        self.last[record.name] = record.msg, record.created
        return True


def is_outage(error: BaseException) -> bool:
    """Whether the database cannot serve anybody, rather than this statement, or Redis is away."""
    if not isinstance(error, OperationalError | InterfaceError):
        # By name: where no Redis is used, nothing imports its client.
        return f"{type(error).__module__}.{type(error).__name__}" in _REDIS_OUTAGES
    # Without a connection there is no code.
    code = getattr(error.__cause__, "sqlstate", None)
    return code is None or code.startswith(_OUTAGES)


def build_logging(*, level: str) -> dict[str, Any]:
    """Build Django's `LOGGING`; other packages' messages below the level are left out."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "filters": {
            "keys": {"()": "echovessel.configuration.logs.LinkKeyFilter"},
            "no_traceback": {"()": "echovessel.configuration.logs.TracebackFilter"},
            "outage": {"()": "echovessel.configuration.logs.OutageFilter", "again_seconds": 0},
            # Some try twice a second until it is back.
            "outage_once": {"()": "echovessel.configuration.logs.OutageFilter", "again_seconds": 60},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "echovessel": {"level": "INFO"},
            "echovessel.channel_layer": {"filters": ["outage_once"]},
            "django-q": {"filters": ["outage_once"]},
            "channels_redis.pubsub": {"filters": ["outage_once"]},
            "django.db.backends.base": {"filters": ["outage_once"]},
            "daphne.server": {"filters": ["outage"]},
            "psycopg.pool": {"filters": ["outage_once"]},
            "django.request": {"filters": ["keys", "outage"]},
            # The message names the host and the setting; anybody can cause it, at each request.
            "django.security.DisallowedHost": {"filters": ["no_traceback"]},
            "django.security.csrf": {"filters": ["keys"]},
        },
    }
