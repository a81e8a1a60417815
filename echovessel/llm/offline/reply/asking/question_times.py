"""Tells whether a question is of what holds now or of what held before, and what was told is of the same time."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from echovessel import lazy_re as re
from echovessel.llm.inputs import NotedFact
from echovessel.llm.offline.text import changes

# Of what holds no longer: "where did I work before?"; "what must I take before bed?" is not.
_OF_THE_PAST = re.compile(
    r"\b(?:before(?: that| this)?\W*$|used to|previous|my (?:old|former|last) (?:job|work|town|home|place|address|flat|house|boss|school|employer)\b)|我的?(?:旧|上一?份|前一?份|上一?个|原来的)(?:工作|家|公司|房子)|(?:我|^|[，,\s])(?:之前|以前|原来|原先)",
    re.IGNORECASE,
)
# 我以前在哪上班 asks for the same as 我在哪上班, at another time.
_TIME = re.compile(r"(?:(?<=我)|(?<=我们)|(?<=我家)|^)(?:现在|目前|如今|之前|以前|原来|原先)(?=[^的])")
# What one has one of at a time.
_ONE_AT_A_TIME = ("job", "home", "study")
_NOW = re.compile(r"\b(?:now|these days)\b|现在|如今|目前", re.IGNORECASE)
# 开店前我在银行当柜员.
_BEFORE_THAT = re.compile(r"\W*[\u4e00-\u9fff]{1,5}(?<![目眼])前[，,]?(?=我|在|是|做)")
# What tells of an end names what held before: 我不在字节了，跳到美团了.
_LEFT = re.compile(
    r"\b(?:no longer|any ?more|left|quit (?!my job))\b|不(?:再|干|跑|做|卖|开|教|送|在|住|学)[^，,。]{1,8}了",
    re.IGNORECASE,
)
T = TypeVar("T")


def asks_of_past(text: str) -> bool:
    return _OF_THE_PAST.search(text) is not None


def leave_out_time(text: str) -> str:
    """Leave out whether something holds or held before."""
    return _TIME.sub("", text)


def choose(found: Sequence[T], question: str, kind: str, *, read: Callable[[T], str]) -> list[T]:
    """Choose what tells of the time that a question asks of, what says so outright first; all of it where one asks for now and
    nothing does, and for before what was left.
    """
    of_time = [one for one in found if not _is_of_other(read(one), question, kind)]
    if not asks_of_past(question):
        return of_time or [*found]
    of_time.sort(key=lambda one: not _tells_of_past(read(one)))
    return of_time or [one for one in found if _LEFT.search(read(one))]


def _is_of_other(text: str, question: str, kind: str) -> bool:
    """Whether a text tells only what held before where one asks for what holds, or the other way round."""
    if kind not in _ONE_AT_A_TIME:
        return False
    is_of_now = _NOW.search(text) is not None
    if not asks_of_past(question):
        return _tells_of_past(text) and not is_of_now
    return (is_of_now or changes.changes_slot(text, kind)) and not _tells_of_past(text)


def _tells_of_past(text: str) -> bool:
    return asks_of_past(text) or _BEFORE_THAT.match(text) is not None


def list_over(noted: Iterable[NotedFact]) -> set[str]:
    """Return the texts of facts that this session changed or ended."""
    past: set[str] = set()
    for one in noted:
        if not one.is_undone:
            past = (past | {one.text} if one.op == "ended" else past - {one.text} | {one.old}) - {""}
    return past
