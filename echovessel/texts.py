"""What a text from outside must be before it is stored."""

import re

from echovessel.errors import CodedError

# Characters that PostgreSQL or UTF-8 cannot hold. All others are kept as they came: text is escaped where it is shown.
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


class TextError(CodedError, ValueError):
    """A text that cannot be taken."""


def check(text: object, *, most: int) -> str:
    """The text itself if it is one to `most` characters long and can be stored. Raises TextError."""
    if not isinstance(text, str):
        raise TextError("invalid", "This must be text.")
    if _UNSTORABLE.search(text):
        raise TextError("invalid", "This text has a character that cannot be stored (a NUL or half a surrogate pair).")
    if not text.strip():
        raise TextError("invalid", "This text is blank; say something.")
    if len(text) > most:
        raise TextError("too_long", f"This text has {len(text)} characters; at most {most} are allowed.")
    return text


def strip_unstorable(text: str) -> str:
    """A model's text without the characters that cannot be stored."""
    return _UNSTORABLE.sub("", text)
