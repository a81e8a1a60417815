"""Chooses a saying whose slots can be filled and that was not said yet in this session."""

import re
import string
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from echovessel.llm.offline.text import sentences

# How many replies without a question come before the next one.
_REPLIES_BETWEEN = 2
# A shorter part of a saying may occur in any reply.
_FIXED_LEAST = 3
_ASKS = re.compile(r"[?？]")


def asks(said: str) -> bool:
    return _ASKS.search(said) is not None


def is_question_due(said: Sequence[str]) -> bool:
    """Whether the last two replies asked nothing, so that the next may."""
    return not any(map(asks, said[-_REPLIES_BETWEEN:]))


# Without slots: a memory that is quoted is kept.
_KEEPS = re.compile(
    r"^[^{]*(?:what you (?:have told|tell) me (?:I\b|stays)|\bI (?:listen and )?keep\b|\bit (?:stays|is kept)\b"
    r"|都(?:留|记)着|原样留着|也会?记|不会忘|都存在|只留在)[^{]*$",
    re.IGNORECASE,
)


def leave_out_keeping(
    sayings: Mapping[str, tuple[str, ...]], *, instead: tuple[str, ...]
) -> Mapping[str, tuple[str, ...]]:
    """Leave out what promises to keep what the user says; a kind of nothing else says `instead`."""
    return {
        kind: tuple(saying for saying in some if not _KEEPS.search(saying)) or instead
        for kind, some in sayings.items()
        if some
    }


class SayingChoice:
    """The sayings of one language in one session; the choice is deterministic."""

    def __init__(self, sayings: Mapping[str, tuple[str, ...]], *, said: Sequence[str], seed: str) -> None:
        self.sayings = sayings
        self.said = said
        self.counts = Counter(_fold(sentence) for reply in said for sentence in sentences.split(reply))
        self.seed = zlib.crc32(seed.encode()) + len(said)

    def choose(self, kind: str, **values: str) -> str:
        """Return a saying of the kind with its slots filled; "" where none can be filled."""
        known = {name: value for name, value in values.items() if value}
        fitting = [saying for saying in self.sayings.get(kind, ()) if _find_slots(saying) <= known.keys()]
        if not fitting:
            return ""
        at = self.seed % len(fitting)
        made = [(saying, _fill(saying, known)) for saying in (*fitting[at:], *fitting[:at])]
        return min(made, key=lambda one: (self._repeats(one[1]) + self._used(one[0]), -len(_find_slots(one[0]))))[1]

    def choose_unsaid(self, texts: Sequence[str]) -> str:
        """Return the first text that was not said yet, else the first one."""
        return next((text for text in texts if not self.is_said(text)), texts[0])

    def _used(self, saying: str) -> int:
        """Count how often the saying was said with other values."""
        fixed = max((text for text, *_ in string.Formatter().parse(saying)), key=len).strip(" .，。！!：:“”")
        return sum(fixed in reply for reply in self.said) if _find_slots(saying) and len(fixed) >= _FIXED_LEAST else 0

    def is_said(self, text: str) -> bool:
        return self._repeats(text) > 0

    def _repeats(self, text: str) -> int:
        return max((self.counts[_fold(sentence)] for sentence in sentences.split(text)), default=0)


@cache
def _find_slots(saying: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(saying) if name)


def _fill(saying: str, values: Mapping[str, str]) -> str:
    """Fill a saying's slots and capitalise its first letter."""
    made = saying.format_map(values)
    return made[:1].upper() + made[1:]


def _fold(sentence: str) -> str:
    return sentence.casefold().strip(' .。!！?？"”“')
