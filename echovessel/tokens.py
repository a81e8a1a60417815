"""Estimates token counts offline, well enough for budgets."""

import math

from echovessel import lazy_re as re

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")


def estimate(text: str) -> int:
    """Estimate 4 characters per token, and a token per CJK character: ADR 33."""
    # A turn counts a thousand texts, and most in English need no look at each character.
    if text.isascii():
        return (len(text) + 3) // 4
    cjk_count = count_cjk(text)
    return math.ceil((len(text) - cjk_count) / 4) + cjk_count


def count_cjk(text: str) -> int:
    return 0 if text.isascii() else len(_CJK.findall(text))
