"""Writes Chinese in simplified characters for comparing, and in traditional ones for who writes those.

Each character becomes one character, so that a place in the text stays the same place.
"""

import re
from collections.abc import Callable
from functools import cache

from opencc import OpenCC

_HAN = (range(0x3400, 0x4DC0), range(0x4E00, 0xA000))
# What OpenCC leaves as it is, and Taiwan writes for 着, 你, 它 and 他.
_TAIWANESE = str.maketrans("著妳牠祂", "着你它他")
# What dialects write for 我 is compared as 我.
_DIALECT = str.maketrans("俺", "我")
_RUN = re.compile(r"[\u3400-\u9fff]+")
# So many characters together are words of somebody's; one alone may be of any.
_WORD = 2


def simplify(text: str) -> str:
    return _simplify_script(text).translate(_DIALECT) if _RUN.search(text) else text


def traditionalise(text: str) -> str:
    """Return a text in the traditional characters of Taiwan, by the words that they stand in."""
    written: str = _load_converter("s2tw").convert(text)
    # No place may move.
    return written if len(written) == len(text) else text


def is_traditional(text: str) -> bool:
    """Whether a text holds traditional characters."""
    return _RUN.search(text) is not None and _simplify_script(text) != text


def is_simplified(text: str) -> bool:
    """Whether a text holds simplified characters, and no traditional ones."""
    return _RUN.search(text) is not None and not is_traditional(text) and traditionalise(text) != text


def list_pairs() -> dict[str, str]:
    """Return each character that is compared as another one with that other one."""
    characters = [chr(code) for codes in _HAN for code in codes]
    return {one: other for one in characters if (other := simplify(one)) != one}


def restore(text: str, *, told: str, own: Callable[[str], str] = str) -> str:
    """Return a text of simplified words with those that somebody told in the characters in which they told them.

    `own` writes the words that nobody told, in as many characters.
    """
    simple = simplify(told)
    if own is str and simple == told:
        return text
    return _RUN.sub(lambda run: _restore_run(run[0], told, simple, own(run[0])), text)


def _restore_run(run: str, told: str, simple: str, own: str) -> str:
    restored, at = "", 0
    while at < len(run):
        end, place = at + 1, -1
        while end < len(run) and (found := simple.find(run[at : end + 1])) >= 0:
            end, place = end + 1, found
        restored += told[place : place + end - at] if end - at >= _WORD else own[at]
        at = end
    return restored


def _simplify_script(text: str) -> str:
    return text.translate(_load_simple()).translate(_TAIWANESE)


@cache
def _load_simple() -> dict[int, str]:
    """Return the simplified character of each traditional one: OpenCC reads words, which may move a place."""
    characters = [chr(code) for codes in _HAN for code in codes]
    simple = _load_converter("t2s").convert("\n".join(characters)).split("\n")
    pairs = zip(characters, simple, strict=True)
    # Whose simplified form no run holds could not be restored: 嗰.
    return {ord(one): other for one, other in pairs if one != other and _RUN.fullmatch(other)}


@cache
def _load_converter(config: str) -> OpenCC:
    return OpenCC(config)
