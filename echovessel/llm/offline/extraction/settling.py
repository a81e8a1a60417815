"""Tells whether what was open is over by what was said later: it was called off, it came, it is done."""

import re

from echovessel import text
from echovessel.llm.offline.text import lexicon, sentences

_OVER = re.compile(
    r"\b(?:cancel\w*|called off|fell through|off (?:now|then)|went (?:well|fine|ok(?:ay)?|badly|great|brilliantly|terribly)"
    r"|(?:got|have got|sorted|did|booked|renewed|bought|finished|passed|failed) (?:it|the|my|that)|(?:knows?|told \w+) now|not going|(?:aren't|isn't|won't be|weren't) (?:going|happening))\b"
    r"|\b(?:came|arrived|(?:is|are) (?:here|back))(?: already| today| early| yesterday)?\W*$"
    r"|[不没][^，,。\s]{0,4}了|取消|黄了|到了|收到|[办买订接拿][好完到]?[^，,。]{0,3}了|回来了",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;，；]")
# They say when, or that somebody plans, and not what.
_NOT_ABOUT_ENGLISH = (
    "tomorrow today tonight yesterday monday tuesday wednesday thursday friday saturday sunday week weekend month year day time morning "
    "afternoon evening night next last going go get got need want plan hope have must will appointment deadline already"
)
_NOT_ABOUT_CHINESE = "明天 后天 今天 昨天 下周 周日 周一 周二 周三 周四 周五 周六 下个 个月 月份 明年 今年 年底 我们 打算 计划 准备 想去 要去 的时 时候 可能 已经"
_NOT_ABOUT = frozenset(map(text.stem, _NOT_ABOUT_ENGLISH.split())) | frozenset(_NOT_ABOUT_CHINESE.split())
_SHARED_LEAST = 2
# So short a sentence tells one thing alone, as "the passport came already" does.
_WORDS_FEW, _WIDTH_FEW = 7, 42


def is_settled_by(opened: str, later: str) -> bool:
    """Whether a later sentence says of something open that it is over."""
    return not sentences.is_question(later) and any(_ends(opened, one) for one in _CLAUSE.split(later))


def _ends(opened: str, later: str) -> bool:
    if not _OVER.search(lexicon.normalise(later)):
        return False
    shared = len(_find_subjects(opened) & _find_subjects(later))
    is_short = (
        sentences.measure_width(later) <= _WIDTH_FEW if lexicon.is_chinese(later) else len(later.split()) <= _WORDS_FEW
    )
    return shared >= (1 if is_short else _SHARED_LEAST)


def _find_subjects(said: str) -> set[str]:
    terms = {term for term in text.extract_terms(said) if len(term) > 1}
    return terms - _NOT_ABOUT
