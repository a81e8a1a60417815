"""Reads what changes of a thing without making it another: days, months, and numbers with what they count."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from echovessel import lazy_re as re
from echovessel import text
from memory.entities import kinship_terms
from memory.facts.checks import wording

_DAYS = re.compile(
    r"\b((?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b|(?:周|星期|礼拜)([一二三四五六日天末])", re.IGNORECASE
)
_MONTHS = re.compile(
    r"\b(january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter|new year)\b"
    r"|(元旦|春节|过年|清明|五一|端午|中秋|国庆|年底|月底)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    rf"(?:(?P<before>[a-z]+)\s+)?(?:{text.NUMBER.pattern})(?:st|nd|rd|th)?(?:[\s-]*(?P<unit>[a-z]+|[\u4e00-\u9fff]))?"
)
_HOURS = re.compile(r"\b(morning|noon|afternoon|evening|night)s?\b|(早上|上午|中午|下午|晚上|夜里)")
# The share of a fact's words that a statement holds which tells another value of the same.
_LEAST_SHARE = 0.5
_HEAD_CHINESE = re.compile(
    r"^(?:用户的?)?+(?P<head>(?![每周在])[\u4e00-\u9fffA-Za-z]{2,6}?)(?=是|叫|在|每|有|[一二两三四五六七八九十\d周])"
)
_OTHERS = re.compile(r"\b(?:his|her)\b|[他她]", re.IGNORECASE)
_OWNERS = re.compile(
    r"\b([A-Z][\w-]+)'s\b(?! (?:\w+ed|been|got|gone|now|on|in|at|an?|the|not|just|\w+ing)\b)|^(?:[那这]个)?([小老阿][\u4e00-\u9fff]|[\u4e00-\u9fff]{2}(?=的))"
)
_USER = frozenset(("用户",))
# Of what there is one alone: "my favourite colour", 最好的朋友.
FAVOURITE = re.compile(r"\bfavou?rite\b(?! of)|最(?:喜欢|爱|喜爱|中意)的?", re.IGNORECASE)
ONE = re.compile(rf"{FAVOURITE.pattern}|\b(?:best|eldest|oldest|youngest) \w+|最(?:好|大|小)的", re.IGNORECASE)

MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
YEAR = r"(?:19|20)\d\d"
_HAN_NUMBER = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
# What takes the place of its like as a whole: a date, a day, a month, an hour, a number.
_ALONE = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)(?:,? {YEAR})?|(?:{YEAR}年)?{_HAN_NUMBER}月{_HAN_NUMBER}[日号]?",
        _DAYS.pattern,
        _MONTHS.pattern,
        rf"\d{{1,2}}(?:[:.]\d\d)? ?(?:am|pm|o'clock)|{_HAN_NUMBER}点半?|{_HOURS.pattern}",
        text.NUMBER.pattern,
    )
]

_DAY_ALONE = re.compile(rf"(?:on )?the (?P<day>\d{{1,2}}(?:st|nd|rd|th)?)|(?P<han>{_HAN_NUMBER})[日号]", re.IGNORECASE)
# "Correction: dogs", 说错了，是狗, of who is allergic to cats.
_ALLERGEN = re.compile(
    r"(?<=allergic to )[a-z]+(?: [a-z]+)?(?=[.,]|$)|(?<=对)[\u4e00-\u9fff]{1,6}(?=过敏)", re.IGNORECASE
)
_NOUN = re.compile(
    r"(?!(?:it|that|this|you|him|her|them|mate|love|yes|no|ok|nothing)\b)[a-z]+(?: [a-z]+)?|[\u4e00-\u9fff]{1,6}",
    re.IGNORECASE,
)
_DAY_OF_DATE = re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th)?\b(?!月)|(?<=月){_HAN_NUMBER}")

Values = Mapping[str, set[str]]


def read(said: str) -> Values:
    """Return the days, months and numbers of a text by what they are, numbers by what they count."""
    folded = text.fold(said)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for sort, pattern in (("day", _DAYS), ("month", _MONTHS), ("hour", _HOURS)):
        found[sort] |= {match[1] or match[2] for match in pattern.finditer(folded)}
    for match in _NUMBER.finditer(_DAYS.sub(" ", folded)):
        unit = next((word for word in (match["unit"], match["before"]) if word and word not in text.STOP_WORDS), "")
        number = match[0][match.end("before") - match.start() if match["before"] else 0 :]
        found[text.stem(unit)] |= {*text.find_numbers(number)}
    return {sort: values for sort, values in found.items() if values}


def read_numbers(said: str) -> Values:
    """Return the numbers of a text by what they count, where it names no day, month or hour: one more of these is no other."""
    found = read(said)
    return {} if found.keys() & {"day", "month", "hour"} else found


def put_right(told: str, instead: str) -> str:
    """Return a statement with this value in the place of the only one of its kind; "" where there is none, or several. A day alone, "the
    6th" or 6号, is of the month of the only date.
    """
    day, dates = _DAY_ALONE.fullmatch(instead.strip(" .。!！")), [*_ALONE[0].finditer(told)]
    if day and len(dates) == 1:
        date = _DAY_OF_DATE.sub(day["day"] or day["han"], dates[0][0], count=1)
        return f"{told[: dates[0].start()]}{date}{told[dates[0].end() :]}"
    allergens = [*_ALLERGEN.finditer(told)]
    if _NOUN.fullmatch(instead) and len(allergens) == 1:
        return f"{told[: allergens[0].start()]}{instead}{told[allergens[0].end() :]}"
    for pattern in _ALONE:
        new, old = pattern.search(instead), [*pattern.finditer(told)]
        if new and len(old) == 1:
            return f"{told[: old[0].start()]}{new[0]}{told[old[0].end() :]}"
        if new or old:
            return ""
    return ""


def differ(one: Values, other: Values) -> bool:
    """Whether two texts tell other values of one sort."""
    return any(one[sort].isdisjoint(other[sort]) for sort in one.keys() & other.keys())


def takes_place_of(told: str, content: str) -> bool:
    """Whether a content tells another value of what a fact tells: it begins with the same, and has half of its words."""
    if not differ(read(told), read(content)) or not is_of_same(told, content):
        return False
    own, about = wording.list_firm_words(told), wording.list_firm_words(content)
    named = [word for word in own if wording.holds_words(about, [word])]
    return (
        bool(own) and len(named) >= min(2, _LEAST_SHARE * len(own)) and names_head(told, content, own=own, about=about)
    )


def is_of_same(told: str, content: str) -> bool:
    """Whether a content speaks of nobody of whom a fact does not speak."""
    kin, other_kin = (kinship_terms.find_kin(text.fold(one)).keys() for one in (told, content))
    # "Kayleigh" is the daughter Kayleigh.
    is_same_kin = kin == other_kin or (other_kin < kin and not wording.is_of_user(content) and "user" not in content)
    return is_same_kin and not _OTHERS.search(content) and names_no_owner(told, content)


def names_no_owner(told: str, content: str) -> bool:
    """Whether a content tells of nobody's things but of those of whom a fact speaks: "Tom's interview" is not the user's."""
    owners = {name for found in _OWNERS.findall(content) for name in found if name} - _USER
    return all(name in told for name in owners)


def names_head(told: str, content: str, *, own: list[str], about: list[str]) -> bool:
    """Whether a content names what a fact is about: the first of its words, or the name behind it."""
    if text.has_cjk(told):
        match = _HEAD_CHINESE.match(told)
        pairs = (
            [match["head"][at : at + 2] for at in range(len(match["head"]) - 1)]
            if match
            else map("".join, pairwise(own))
        )
        return any(pair in content and pair in told for pair in pairs)
    names = [word for word in own[1:2] if word.capitalize() in told]
    return any(wording.holds_words(about, [word]) for word in (*own[:1], *names))
