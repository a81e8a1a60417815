"""Tells whether a reply by rules asks about what is not certain: they do so only where nothing else is to be asked or answered."""

import re
from collections.abc import Iterable

from echovessel import chinese_script
from echovessel.llm.offline.chinese import sayings as chinese_sayings
from echovessel.llm.offline.english import sayings as english_sayings

_SLOTS = re.compile(r"\{\w+\}")
_ASKING = [
    _SLOTS.split(saying)
    for table in (english_sayings.SAYINGS, chinese_sayings.SAYINGS)
    for kind, sayings in table.items()
    if kind.startswith("clear_up")
    for saying in sayings
]


def asks_about_doubt(reply: str) -> bool:
    read = chinese_script.read(reply)
    return any(_has_in_order(read, parts) for parts in _ASKING)


def _has_in_order(text: str, parts: Iterable[str]) -> bool:
    at = 0
    for part in parts:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True
