import logging
import re

# Links in mails: anyone with such a link can open the account.
_KEY = re.compile(r"(/accounts/(?:password/reset/key|confirm-email)/)[^/\s]+")


class LinkKeyFilter(logging.Filter):
    """Removes the keys of links from log messages."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _KEY.sub(r"\1***", record.getMessage()), ()
        return True
