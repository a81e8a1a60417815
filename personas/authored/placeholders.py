"""The placeholders of character cards: texts are stored with them, and filled where a prompt or a page is made."""

import re

# {{// …}} and {{comment: …}} are authors' notes, {{hidden_key:…}} is for search only.
_UNSAID = re.compile(r"\{\{\s*(?://|comment\s*:|hidden_key\s*:)[^{}]*\}\}", re.IGNORECASE)
_CHARACTER = re.compile(r"\{\{\s*char\s*\}\}|<(?:char|bot)>", re.IGNORECASE)
_USER = re.compile(r"\{\{\s*user\s*\}\}|<user>", re.IGNORECASE)


def fill(text: str, *, character: str, user: str) -> str:
    """Put the names of the companion and the user in their places, and leave out what is for authors alone."""
    if "{{" not in text and "<" not in text:
        return text
    # Names are text, not patterns: a backslash in one stands for itself.
    text = _CHARACTER.sub(lambda _: character, _UNSAID.sub("", text))
    return _USER.sub(lambda _: user, text).strip()
