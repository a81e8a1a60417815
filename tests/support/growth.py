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


def grows_too_fast(reader: Reader, once: str, twice: str, *, floor: float = FLOOR) -> bool:
    """Whether `twice`, twice the text of `once`, takes more than three times as long: what grows by the square takes four times."""
    for _ in range(TRIES):
        taken = _count_seconds(reader, once)
        if 4 * taken < floor or _count_seconds(reader, twice) <= max(floor, 3 * taken):
            return False
    return True


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
