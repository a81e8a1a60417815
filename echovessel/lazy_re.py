"""`re`, but that a pattern is compiled when it is first used: `from echovessel import lazy_re as re`.

The patterns by which texts are read take a second to compile. The process of a command that reads none, or few, does not wait for it, and a
process that answers people compiles all in the background (`compile_all`). A call of a pattern takes 20 ns longer. A match's `re` is the compiled pattern:
it is told by its `pattern`, not by `is`.
"""

import re
from re import *  # noqa: F403 - all but `compile` is the same
from threading import Lock
from typing import Any, cast
from weakref import WeakSet


def compile(pattern: str, flags: int = 0) -> re.Pattern[str]:  # type: ignore[no-redef]  # noqa: A001 - in place of that of `re`
    """Return what acts as the compiled pattern. An error in it is raised at its first use."""
    lazy = _LazyPattern(pattern, flags)
    with _lock:
        _patterns.add(lazy)
    return cast(re.Pattern[str], lazy)


def compile_all() -> None:
    """Compile every pattern there is, so that none is compiled while somebody waits."""
    with _lock:
        patterns = [*_patterns]
    for pattern in patterns:
        pattern.compile()


class _LazyPattern:
    # Slots, not a `__dict__`: a method is found faster.
    __slots__ = (
        "__weakref__", "_compiled", "_given_flags", "findall", "finditer", "flags", "fullmatch", "groupindex", "groups", "match", "pattern",
        "search", "split", "sub", "subn",
    )  # fmt: skip

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._given_flags = flags
        self._compiled: re.Pattern[str] | None = None

    def compile(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self._given_flags)
        return self._compiled

    def __getattr__(self, name: str) -> Any:
        """Python asks for what is not in its slot yet, once."""
        found = getattr(self.compile(), name)
        setattr(self, name, found)
        return found


_patterns: WeakSet[_LazyPattern] = WeakSet()
_lock = Lock()
