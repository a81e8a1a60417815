"""Checks the values of an untrusted card. What is wrong becomes a sentence that names the field and what is allowed."""

import json
import math
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from echovessel.text import strip_unstorable

DEPTH_MOST = 20
SENTENCES_MOST = 12


class UnkeepableValue(ValueError):
    """A JSON value that the database cannot hold."""


class Problems:
    """What of a card is wrong, sentence by sentence."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.count = 0

    def add(self, sentence: str) -> None:
        self.count += 1
        if len(self.sentences) < SENTENCES_MOST:
            self.sentences.append(sentence)

    def list(self) -> list[str]:
        left = self.count - len(self.sentences)
        more = [_("%(count)s more entries have faults of this kind.") % {"count": left}] if left else []
        return [*self.sentences, *more]


def read_text(value: Any, *, name: str, most: int, problems: Problems) -> str:
    """Return a text of at most `most` characters; a longer one is cut where a sentence ends."""
    if value is None:
        return ""
    if not isinstance(value, str):
        problems.add(_("%(field)s must be a text; it was left out.") % {"field": name})
        return ""
    text = strip_unstorable(value)
    if len(text) <= most:
        return text
    said = _("%(field)s has %(count)s characters. A text can have %(most)s; the rest was left out.")
    problems.add(said % {"field": name, "count": len(text), "most": most})
    return cut_text(text, most)


def cut_text(text: str, most: int) -> str:
    """Cut a text behind the last paragraph or sentence of its second half, else at the limit."""
    cut = text[:most]
    ends = [cut.rfind(mark) + len(mark) for mark in ("\n\n", "\n", ". ", "。", "！", "？", "! ", "? ")]
    best = max(ends)
    return cut[:best].rstrip() if best > most // 2 else cut.rstrip()


def read_texts(value: Any, *, name: str, problems: Problems) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        problems.add(_("%(field)s must be a list of texts; it was left out.") % {"field": name})
        return []
    return [strip_unstorable(one) for one in value]


def read_flag(value: Any, *, name: str, default: bool, problems: Problems) -> bool:
    if isinstance(value, bool):
        return value
    if value is not None:
        problems.add(_("%(field)s must be true or false; it was left out.") % {"field": name})
    return default


def read_number(value: Any, *, name: str, problems: Problems) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31:
        return value
    if value is not None:
        problems.add(_("%(field)s must be a whole number; it was left out.") % {"field": name})
    return None


def keep_values(given: Mapping[str, Any], *, most: int, within: str, problems: Problems) -> dict[str, Any]:
    """Return the values that the database can hold, as many as have `most` characters together."""
    kept: dict[str, Any] = {}
    left = most
    for name, value in given.items():
        field = f"{within}{strip_unstorable(str(name))[:60]}"
        try:
            cleaned = clean_value(value)
        except UnkeepableValue:
            said = _("%(field)s holds values that cannot be stored, or is nested too deeply; it was left out.")
            problems.add(said % {"field": field})
            continue
        size = len(json.dumps(cleaned, ensure_ascii=False))
        if size > left:
            said = _("%(field)s has %(count)s characters; %(most)s are kept of all further fields. It was left out.")
            problems.add(said % {"field": field, "count": size, "most": most})
            continue
        left -= size
        kept[strip_unstorable(str(name))] = cleaned
    return kept


def clean_value(value: Any, depth: int = 0) -> Any:
    """Return a JSON value without what PostgreSQL cannot hold. Raises UnkeepableValue."""
    if depth > DEPTH_MOST or (isinstance(value, float) and not math.isfinite(value)):
        raise UnkeepableValue
    if isinstance(value, str):
        return strip_unstorable(value)
    if isinstance(value, list):
        return [clean_value(one, depth + 1) for one in value]
    if isinstance(value, dict):
        return {strip_unstorable(str(name)): clean_value(one, depth + 1) for name, one in value.items()}
    return value
