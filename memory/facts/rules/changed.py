"""Reads whether what shall be remembered takes the place of something: "I run on Sundays instead", 不学大提琴了，改学小号."""

import re
from dataclasses import dataclass

from echovessel.llm.offline.text import lexicon

_BEHIND = r"(?P<denied>[^,.;，。；]{1,60}?)"
# What is denied, and would not be told of what holds: it is cut.
_CUT = (
    rf"(?:\s*[,;–—-]\s*|\s+)(?:and |but )?(?:instead of|rather than)\s+{_BEHIND}(?=[\s.!]*$)",
    rf"(?:\s*[,;–—-]\s*(?:and |but )?|\s+and )not\s+{_BEHIND}(?:\s+(?:any ?more|any longer|now))?(?=[\s.!]*$)",
    rf"\bnot\s+{_BEHIND},?\s+but\s+",
    rf"[，,；;]\s*(?:而|并)?不(?:再)?是{_BEHIND}了?(?=[\s。！!]*$)",
    rf"不是{_BEHIND}[，,]?\s*而?(?=是)",
)
# What is denied, and told of what holds no longer.
_DENIED = (
    rf"\b(?:swapped|switched|changed|traded|exchanged|replaced)\s+(?:from\s+)?{_BEHIND}\s+(?:for|to|into|with)\b",
    rf"\bno longer\s+{_BEHIND}(?=\s*(?:[,.;!]|\b(?:and|but)\b|$))",
    rf"(?:n't|\bnot)\s+{_BEHIND}\s+(?:any ?more|any longer)\b",
    rf"(?:从|把|将){_BEHIND}(?:改|换|挪|调|推迟|提前)(?:成|到|为|去)?",
    rf"不(?:再)?{_BEHIND}了",
    rf"不再{_BEHIND}(?=[，,。；;]|$)",
)
_INSTEAD = re.compile(
    r"\binstead\b|\b(?:moved|changed|shifted|rescheduled|postponed|switched|pushed)\b.{1,60}\bto\b"
    r"|改(?:[成到在为学喝吃用坐叫去练做当穿开名])|换(?:[成到去]|了)|挪到|推迟到|提前到|调到",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|nowadays|these days|by now)\b|现在|如今|目前", re.IGNORECASE)
_MARKS = re.compile(
    r"\b(?:instead(?: of)?|rather than|no longer|any ?more|any longer|nowadays|these days|by now|now|moved|changed|shifted|rescheduled|postponed|switched|swapped|"
    r"traded|exchanged|replaced|pushed)\b|改[成到在为]?|换[成到了]?|挪到|推迟到|提前到|调到|现在|如今|目前|不再",
    re.IGNORECASE,
)
_CUT_PATTERNS = [re.compile(pattern, re.IGNORECASE) for pattern in _CUT]
_DENIED_PATTERNS = [re.compile(pattern, re.IGNORECASE) for pattern in _DENIED]


@dataclass(frozen=True, kw_only=True)
class Change:
    """That a statement takes the place of another: the words of what it denies, and whether it says so outright
    ("instead"), not only that it holds now.
    """

    denied: str = ""
    is_sure: bool = True


def read(said: str) -> tuple[str, Change | None]:
    """Return a statement without what it denies, and the change it tells, None where it tells none."""
    for pattern in _CUT_PATTERNS:
        match = pattern.search(said)
        kept = said[: match.start()] + said[match.end() :] if match else ""
        if match and lexicon.has_words(kept):
            return kept, Change(denied=match["denied"])
    for pattern in _DENIED_PATTERNS:
        if match := pattern.search(said):
            return said, Change(denied=match["denied"])
    if _INSTEAD.search(said):
        return re.sub(r",?\s+instead\b", "", said), Change()
    if _NOW.search(said):
        return said, Change(is_sure=False)
    return said, None


def strip_marks(said: str) -> str:
    """Leave out the words of a change that say nothing of what it is about."""
    return _MARKS.sub(" ", said)
