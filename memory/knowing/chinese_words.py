"""The words of a Chinese text with their kinds, by the dictionary of jieba: characters alone do not show where a noun ends."""

from echovessel import lazy_re as re

# These stand for themselves, whatever the dictionary would join to them.
_APART = re.compile("(哪种|我们家?|我家|我|咱们家?|咱家|咱|你|的|叫|里)")
_NOUN_LIST = "n ng nr nrt nrfg ns nt nz vn an nl s"
_NOUNS = frozenset(_NOUN_LIST.split())
# What may be a noun where one has to stand, 我的画: a verb, or a word whose kind the dictionary does not tell, such as 车.
_MAYBE_NOUNS = frozenset(("v", "j", "g", "zg"))
_COUNTING = frozenset(("m", "q", "mq", "a", "b", "f"))
_QUESTION_WORDS = ("多少", "几")
# Whom a text tells of besides the user: by a word for somebody, else by a name.
_SOMEBODY = re.compile(
    r"[友员师生板妈爸哥姐弟妹爷奶姥叔舅姑姨伯婆孙婿侄嫂媳们他她警客兵队]|[小阿老][\u4e00-\u9fff]|父亲|母亲|[男女]人|有个|同[事学]|[男女]孩|孩子|儿子|女儿"
    r"|教练|房东|闺女|双胞胎|领导|邻居|一家|家里|公公|外公|[助选水]手"
)
# A noun behind these is a place, also by a word or two; so is what ends like this, and what is named so or "in" something.
_TO_PLACE = re.compile("[在去到住从往回进于]$")
_TO_PLACE_MOST = 4
_PLACE = re.compile("[店院校园厂堂馆司市楼路城国州县镇村站港桥铺]$")
_PLACE_KINDS = frozenset(("ns", "s"))
# What is no place just behind such a word: a verb, a time, a number.
_NO_PLACE = "vtrmupcxy"
_INSIDE = re.compile("[里上下边旁外内]$")


def split_question(question: str) -> list[tuple[str, str]]:
    """Split a question into words, each with its kind as jieba names it; without one where the word stands for itself."""
    words: list[tuple[str, str]] = []
    for part in filter(None, _APART.split(question)):
        words += [(part, "")] if _APART.fullmatch(part) else _tag(part, hmm=False)
    return words


def is_noun(kind: str) -> bool:
    return kind in _NOUNS


def may_be_noun(kind: str) -> bool:
    return kind in _MAYBE_NOUNS


def counts_or_describes(word: str, kind: str) -> bool:
    """Whether a word may stand between whose something is and its noun: 我的第一个老师, but 我的多少钱 asks."""
    return kind in _COUNTING and word not in _QUESTION_WORDS


def tells_of_somebody(told: str) -> bool:
    """Whether a text speaks of somebody besides the user."""
    return _SOMEBODY.search(told) is not None or any(kind.startswith("nr") for _, kind in _tag(told))


def tells_of_place(told: str) -> bool:
    """Whether a text says where something is."""
    to_place = 0
    for word, kind in _tag(told.replace("路上", "")):
        if kind in _PLACE_KINDS or (kind == "f" and _INSIDE.search(word)) or (is_noun(kind) and _PLACE.search(word)):
            return True
        if to_place and (is_noun(kind) or (to_place == _TO_PLACE_MOST and len(word) > 1 and kind[0] not in _NO_PLACE)):
            return True
        leads = _TO_PLACE.search(word) is not None
        to_place = _TO_PLACE_MOST if leads else 0 if kind == "x" else max(0, to_place - 1)
    return False


def _tag(told: str, *, hmm: bool = True) -> list[tuple[str, str]]:
    import rjieba  # noqa: PLC0415 - its dictionary takes a tenth of a second, and only Chinese needs it

    return rjieba.tag(told, hmm=hmm)
