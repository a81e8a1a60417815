"""Finds the user's own people who are told by what they are to the user, with the name that a sentence gives them: "my husband Mark"."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import lexicon, parties

# Of whom one has many, and who go by no such word.
_UNNAMED = {"friend", "colleague", "neighbour", "teacher", "boss", "child", "parents", "sibling"}
_EX_CHINESE = r"前(?:任|男友|女友|男朋友|女朋友|夫|妻)"
_WORDS = {
    english: {
        **{concept: words for concept, words in english.KIN.items() if concept not in _UNNAMED},
        "ex": r"(?<=my )ex(?:-(?:husband|wife|boyfriend|girlfriend|partner))?(?!-)(?! (?:boss|colleague|flatmate|housemate|wife|husband|boyfriend|girlfriend|partner))",
    },
    chinese: {
        **{concept: words for concept, words in chinese.KIN.items() if concept not in _UNNAMED},
        "ex": _EX_CHINESE,
    },
}
# "We're brothers" tells what two people are to each other, and of no further one.
_ARE_TO_EACH_OTHER = re.compile(r"\b(?:we|they)(?:'re| are| were)(?: still| only| just| all| both)* \w+", re.IGNORECASE)
# "I'm to be a grandfather" tells of the user alone.
_USER_IS = re.compile(
    r"\b(?:i(?:'m| am| was)|be|being|becom\w+|became)(?: now| just| going| finally)* (?:to be |to become )?an? (?:\w+ )?\w+",
    re.IGNORECASE,
)
# 大壮要当爸爸了
_BECOMES = ("当", "做", "成为", "是个", "像")
# "My daughters" are several.
_MANY = re.compile(r"[^s]s$")
_EX_BEFORE = re.compile(r"\bex[ -]$|前$", re.IGNORECASE)
# What anybody older is called.
_CALLED_SO = re.compile("阿姨|叔叔|大爷")
# Of whom anybody may be one: only the user's own.
_MAY_BE_ANYBODY = re.compile(r"(?:男|女)(?:朋友|友)|对象|未婚[妻夫]|爱人|伴侣|" + _EX_CHINESE)
_OWN_BEFORE = re.compile(r"(?:^|[，,。！!；;：:、\s]|我们?的?|我家的?|[跟和让被给陪对问叫与向陪同])$")
# 老公他妈 is whose mother that is.
_OF_TWO = re.compile(r"(?:老公|丈夫|老婆|媳妇|妻子).")
_OWN_OF = re.compile(r"(?:^|[，,。\s我])(?P<word>老公|老婆|妻子|丈夫|男朋友|女朋友)(?=家?的)")
_CALLED = r"(?:(?:,| is| was|'s)?(?: called| named| name is)?,? (?:the )?|[^。！!？?]{0,12}?[，,]?(?:名字|小名)?(?:就)?(?:叫做?|是)|[，,]?)"
# 男朋友在国内 阿哲 时差三小时
_APART = r"[^，,。！!？?\s]{0,8}\s+"
_BEFORE_IT = r"(?:,|,? who is| is| was|'s)? (?:my|our) (?:[\w-]+ ){0,2}$|(?:就?是|答应|愿意|成了?|[做当]了?|终于|现在|，)*(?:[做当])?我们?家?的?$"


@dataclass(frozen=True)
class OwnKin:
    word: str
    # "" where the sentence gives none.
    name: str = ""


def find(text: str, names: Iterable[str]) -> list[OwnKin]:
    """Return the user's own people in a text, each once; `names` are those that the text holds."""
    is_chinese = lexicon.is_chinese(text)
    spoken = _USER_IS.sub(" ", _ARE_TO_EACH_OTHER.sub(" ", lexicon.normalise(text)))
    owned = [match["word"] for match in _OWN_OF.finditer(spoken)] if is_chinese else []
    spoken = parties.leave_out_others(spoken)
    known = sorted(names, key=len, reverse=True)
    found = [OwnKin(word) for word in owned]
    for match in _list_words(spoken):
        if not _is_own(match, known, is_chinese=is_chinese):
            continue
        found.append(OwnKin(lexicon.name_kin(match[0]), next((one for one in known if _is_called(match, one)), "")))
    return list(dict.fromkeys(found))


def _list_words(spoken: str) -> Iterator[re.Match[str]]:
    """Return each word for a relative, the longest where several begin or end together: 表姐, not 姐."""
    found = [
        match
        for words, of_concept in _WORDS.items()
        for pattern in of_concept.values()
        for match in lexicon.compile_words(words, pattern).finditer(spoken)
    ]
    end = 0
    for match in sorted(found, key=lambda one: (one.start(), -one.end())):
        if match.start() >= end:
            yield match
            end = match.end()


def _is_own(match: re.Match[str], known: Iterable[str], *, is_chinese: bool) -> bool:
    spoken, word = match.string, match[0]
    lead = spoken[: match.start()]
    if (
        word[0] == "当"
        or lead.endswith(_BECOMES)
        or _MANY.search(word)
        or _OF_TWO.match(word)
        or _EX_BEFORE.search(lead)
    ):
        return False
    if any(_holds(spoken, name, match) for name in known):
        return False
    if not is_chinese:
        return True
    if _CALLED_SO.fullmatch(word) and not lead.endswith(("我", "我的")):
        return False
    if _MAY_BE_ANYBODY.fullmatch(word) and not _OWN_BEFORE.search(lead):
        return False
    # 邻居家的孩子, 王姐家儿子
    return not lead.endswith(("的", "家")) or lead.endswith(
        ("我的", "我们的", "我家", "我们家", "我家的", "我们家的", "用户的")
    )


def _holds(spoken: str, name: str, match: re.Match[str]) -> bool:
    """Whether a word is a part of a name: "Father Michael"."""
    at = spoken.find(name)
    while at >= 0:
        if at <= match.start() and match.end() <= at + len(name):
            return True
        at = spoken.find(name, at + 1)
    return False


def _is_called(match: re.Match[str], name: str) -> bool:
    spoken, called = match.string, re.escape(name)
    end = r"(?!['’]s|[’']?\w)" if name.isascii() else ""
    behind = re.match(rf"{_CALLED}{called}{end}|{_APART}{called}(?=\s|$)", spoken[match.end() :])
    lead = re.search(rf"{called}(?:{_BEFORE_IT})", spoken[: match.start()])
    return bool(behind or lead)
