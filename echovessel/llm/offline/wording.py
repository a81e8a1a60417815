"""Chooses among sayings: one whose words are all known, that was not said yet in this chat, and that asks only where a question is due."""

import re
import string
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from echovessel.llm.offline import sentences

# A question is due when so many replies had none.
_REPLIES_BETWEEN = 2
# What of a saying is shorter may be in any reply.
_FIXED_LEAST = 3
_ASKS = re.compile(r"[?？]")


def is_due(said: Sequence[str]) -> bool:
    """Whether to ask, after these replies: in one of three."""
    return not any(_ASKS.search(reply) for reply in said[-_REPLIES_BETWEEN:])


class Wording:
    """The sayings of a language within one chat; the same chat gets the same words."""

    def __init__(self, sayings: Mapping[str, tuple[str, ...]], *, said: Sequence[str], seed: str) -> None:
        self.sayings = sayings
        self.said = said
        self.counts = Counter(_folded(sentence) for reply in said for sentence in sentences.split(reply))
        self.seed = zlib.crc32(seed.encode()) + len(said)

    def choose(self, kind: str, **values: str) -> str:
        """A saying of the kind with its slots filled; "" where none can be filled."""
        known = {name: value for name, value in values.items() if value}
        fitting = [saying for saying in self.sayings.get(kind, ()) if _slots(saying) <= known.keys()]
        if not fitting:
            return ""
        at = self.seed % len(fitting)
        made = [(saying, _filled(saying, known)) for saying in (*fitting[at:], *fitting[:at])]
        return min(made, key=lambda one: (self._repeats(one[1]) + self._used(one[0]), -len(_slots(one[0]))))[1]

    def _used(self, saying: str) -> int:
        """How often it was said with other words in its slots."""
        fixed = max((text for text, *_ in string.Formatter().parse(saying)), key=len).strip(" .，。！!：:“”")
        return sum(fixed in reply for reply in self.said) if _slots(saying) and len(fixed) >= _FIXED_LEAST else 0

    def is_said(self, text: str) -> bool:
        return self._repeats(text) > 0

    def _repeats(self, text: str) -> int:
        return max((self.counts[_folded(sentence)] for sentence in sentences.split(text)), default=0)


@cache
def _slots(saying: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(saying) if name)


def _filled(saying: str, values: Mapping[str, str]) -> str:
    """A saying with its slots; what begins a sentence has its capital."""
    made = saying.format_map(values)
    return made[:1].upper() + made[1:]


def _folded(sentence: str) -> str:
    return sentence.casefold().strip(' .。!！?？"”“')
