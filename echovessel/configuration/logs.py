import logging
import re
import sys
from typing import Any

# Links in mails: anyone with such a link can open the account.
_KEY = re.compile(r"(/accounts/(?:password/reset/key|confirm-email)/)[^/\s]+")


class LinkKeyFilter(logging.Filter):
    """Removes the keys of links from log messages."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _KEY.sub(r"\1***", record.getMessage()), ()
        return True


def build_logging(*, level: str) -> dict[str, Any]:
    """Build Django's `LOGGING`; other packages' messages below the level are left out."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
        "filters": {"keys": {"()": "echovessel.configuration.logs.LinkKeyFilter"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "echovessel": {"level": "INFO"},
            "django_q": {"level": "WARNING"},
            "django.request": {"filters": ["keys"]},
            "django.security.csrf": {"filters": ["keys"]},
        },
    }
