import logging
import re

# The links of mails: whoever has one opens an account with it.
_KEY = re.compile(r"(/accounts/(?:password/reset/key|confirm-email)/)[^/\s]+")


class LinkKeyFilter(logging.Filter):
    """Leaves the keys of links out of what is logged."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _KEY.sub(r"\1***", record.getMessage()), ()
        return True
