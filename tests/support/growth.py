"""How the work of what reads texts grows with their length, in processor time of one thread: only likenesses are compared, so that no
machine is too slow, and only what grows too fast at each try does, so that none is too busy."""

import sys
import time
from collections.abc import Callable
from functools import _lru_cache_wrapper, cache

# Below, in seconds, nobody minds how it grows, and clocks say little.
FLOOR = 0.15
TRIES = 5

Reader = Callable[[str], object]


def grows_too_fast(reader: Reader, once: str, twice: str, *, floor: float = FLOOR, is_slow: bool = False) -> bool:
    """Whether `twice`, twice the text of `once`, takes more than three times as long: what grows by the square takes four times.

    A slow reader reads the longer text first. Mostly it takes no longer than the floor, so that the shorter one need not be read.
    """
    is_fine = _is_whole_fine if is_slow else _is_half_fine
    return not any(is_fine(reader, once, twice, floor) for _ in range(TRIES))


def _is_half_fine(reader: Reader, once: str, twice: str, floor: float) -> bool:
    taken = _count_seconds(reader, once)
    return 4 * taken < floor or _count_seconds(reader, twice) <= max(floor, 3 * taken)


def _is_whole_fine(reader: Reader, once: str, twice: str, floor: float) -> bool:
    taken = _count_seconds(reader, twice)
    return taken <= floor or taken <= 3 * _count_seconds(reader, once)


def _count_seconds(reader: Reader, words: str) -> float:
    # Each time the text is read anew.
    for kept in _find_kept():
        kept.cache_clear()
    began = time.thread_time()
    reader(words)
    return time.thread_time() - began


@cache
def _find_kept() -> "list[_lru_cache_wrapper[object]]":
    """What our functions keep of texts; they keep patterns without a limit."""
    return [
        one
        for name, module in [*sys.modules.items()]
        if name.startswith(("echovessel.", "memory.", "personas."))
        for one in vars(module).values()
        if isinstance(one, _lru_cache_wrapper) and one.cache_parameters()["maxsize"]
    ]
