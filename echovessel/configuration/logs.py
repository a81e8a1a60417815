import logging
import re
import sys
from typing import Any

from django.db import InterfaceError, OperationalError

# Links in mails: anyone with such a link can open the account.
_KEY = re.compile(r"(/accounts/(?:password/reset/key|confirm-email)/)[^/\s]+")
_AGAIN_SECONDS = 60


class LinkKeyFilter(logging.Filter):
    """Removes the keys of links from log messages."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _KEY.sub(r"\1***", record.getMessage()), ()
        return True


class OutageFilter(logging.Filter):
    """Tells in one line that the database is away, and each logger's last line again only after a minute.

    Some try twice a second until it is back.
    """

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, tuple[str, float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        text, error = record.getMessage(), record.exc_info and record.exc_info[1]
        if isinstance(error, OperationalError | InterfaceError):
            text, record.exc_info = f"{text}: {error}", None
        record.msg, record.args = text.partition("\n")[0], ()
        last, at = self.last.get(record.name, ("", 0.0))
        if record.msg == last and record.created - at < _AGAIN_SECONDS:
            return False
        self.last[record.name] = record.msg, record.created
        return True


def build_logging(*, level: str) -> dict[str, Any]:
    """Build Django's `LOGGING`; other packages' messages below the level are left out."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "filters": {
            "keys": {"()": "echovessel.configuration.logs.LinkKeyFilter"},
            "outage": {"()": "echovessel.configuration.logs.OutageFilter"},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "echovessel": {"level": "INFO"},
            "echovessel.channel_layer": {"filters": ["outage"]},
            "django-q": {"filters": ["outage"]},
            "psycopg.pool": {"filters": ["outage"]},
            "django.request": {"filters": ["keys"]},
            "django.security.csrf": {"filters": ["keys"]},
        },
    }
