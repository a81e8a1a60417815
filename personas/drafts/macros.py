"""Expands the macros of character cards once: only plain text is stored."""

import re

# {{// …}} and {{comment: …}} are authors' notes, {{hidden_key:…}} is for search only.
_UNSAID = re.compile(r"\{\{\s*(?://|comment\s*:|hidden_key\s*:)[^{}]*\}\}", re.IGNORECASE)
_CHARACTER = re.compile(r"\{\{\s*char\s*\}\}|<(?:char|bot)>", re.IGNORECASE)
_USER = re.compile(r"\{\{\s*user\s*\}\}|<user>", re.IGNORECASE)


def resolve_macros(text: str, *, character: str, user: str) -> str:
    text = _UNSAID.sub("", text.replace("\r\n", "\n"))
    # Names are text, not patterns: a backslash in one stands for itself.
    text = _CHARACTER.sub(lambda _: character, text)
    return _USER.sub(lambda _: user, text).strip()
