"""Reads a value alone that sets right the statement before it: "I mean Maya", "sorry, Tuesday", "*Maya", 不对，是六号."""

from collections.abc import Iterable, Mapping, Sequence

from echovessel import lazy_re as re
from echovessel.llm.offline.text import lexicon, sentences

# A longer line tells more than a value.
_MOST, _MOST_CHINESE = 48, 30
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_NTH = r"\d{1,2}(?:st|nd|rd|th)"
# What is of one kind takes the place of its kind, in this order, and a day that of any other.
_DAYS = 3
_KINDS = tuple(
    re.compile(kind, re.IGNORECASE)
    for kind in (
        rf"(?:the )?(?:{_NTH}|\d{{1,2}})(?: of)? {_MONTH}|{_MONTH} (?:the )?(?:{_NTH}|\d{{1,2}}\b)",
        rf"(?:the )?{_NTH}",
        rf"\b{_DAY}\b",
        r"\b\d{1,2}(?::\d\d)? ?(?:am|pm)\b|\b\d{1,2}:\d\d\b",
        rf"\b{_MONTH}\b",
        r"\b(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:hour|day|night|week|month|year)s?\b",
        r"[\d一二三四五六七八九十]{1,3}月[\d一二三四五六七八九十]{1,3}[号日]",
        r"[\d一二三四五六七八九十]{1,3}[号日]",
        r"(?:下+|这|本)?(?:周|星期|礼拜)[一二三四五六日天]",
        r"[\d一二两三四五六七八九十]{1,3}点(?:半|[\d一二三四五]+分)?",
        r"[\d一二两三四五六七八九十]{1,3}岁",
        r"(?<![\d.,:])[£$€]?\d[\d.,]*(?!\d|:|st|nd|rd|th)",
    )
)
_SORRY = r"(?:no|nope|wait|oops|sorry|oh|ugh|actually|hm+|er+m?|my bad)\b[\s,.:;!…–—-]*"
# What says outright that the value before was another.
_MEANT = r"(?:(?:i |what i )?(?:meant?|meant to (?:say|write|type))|make (?:it|that)|correction|typo|or rather|scratch that|it should be|should be|should say)\b[\s,.:;–—-]*"
_WAITS = re.compile(r"\W*(?:no,? wait|wait,? no|oops|hang on|hold on)\b", re.IGNORECASE)
_IT_IS = r"(?:(?:it's|it has|i've|we've) been(?= \w+ (?:hour|day|night|week|month|year)s?\b)|it's|it is|its|he's|she's|that's|they're|called|named) "
_VALUE = r"(?P<value>[\w£$€'’.:,-]+(?: [\w'’.-]+){0,3}?)"
_END = r"(?:,? (?:actually|instead|sorry|lol))?(?:,? (?:and )?not [\w' -]{1,24})?[\s.!]*$"
_RIGHT = re.compile(
    rf"^\W*(?:(?:{_SORRY})*(?P<meant>{_MEANT})+(?:{_IT_IS})?|(?P<sorry>{_SORRY})+(?P<it>{_IT_IS})?){_VALUE}{_END}"
    rf"|^\*(?P<star>[\w'’-]+(?: [\w'’-]+){{0,2}})\W*$|^(?P<starred>[\w'’-]+(?: [\w'’-]+){{0,2}})\*$",
    re.IGNORECASE,
)
_RIGHT_CHINESE = re.compile(
    r"^\W*(?:啊|哦|呃|哎呀?|等等|等一下|[，,\s])*(?:不对|不是|[说打写记搞弄]错了?|错了|更正(?:一下)?|哦不|啊不|我是说|我(?:的)?意思是)[，,。：:！!\s]*(?:(?:我|应该|其实|想说|说的|的)*(?:是|叫|在|对)?|[他她它]是)"
    r"(?P<value>(?![我你他她它这那没不有说什怎谁哪是叫在对])[^，,。！!？?\s]{1,8}?)(?:过敏)?(?:才对|才是|啦|吧|哈)*[。！!\s]*$"
)
# What names the value that it sets right: "it's Sunday, not Saturday", "dogs I mean, not cats", 啊不是猫，是狗.
_PART = r"[\w£$€'’.:-]+(?: [\w'’.-]+){0,2}"
_CONTRAST = re.compile(
    rf"^\W*(?P<marks>(?:{_SORRY}|{_MEANT})*)(?:{_IT_IS})?(?:(?P<value>{_PART}?)(?P<meant>,? (?:i )?mean[st]?)?,? (?:and )?not (?P<old>{_PART}?)|not (?P<before>{_PART}?),? (?:but |it'?s )?(?P<then>{_PART}?))[\s,.!]*(?:(?:ha)+|lol|sorry|silly me)?[\s.!]*$",
    re.IGNORECASE,
)
_PART_CHINESE = r"(?![去来要想因]\S{3})[^，,。！!？?\s是不我他她它]{1,8}?"
_WHOSE_CHINESE = r"(?P<whose>(?:(?![是不])[\u4e00-\u9fffA-Za-z]){0,6}?)"
_CONTRAST_CHINESE = re.compile(
    rf"^\W*(?P<marks>(?:[啊哦呃诶欸]|对了|哎呀?|等等|等一下|不对|不是(?=[，,])|[说打写记搞弄]错了?|错了|更正(?:一下)?|[哦啊]不|我是说|其实|应该|actually|sorry|[，,。\s])*){_WHOSE_CHINESE}"
    rf"(?:是(?P<value>{_PART_CHINESE})[，,\s]*(?:而)?不是(?P<old>{_PART_CHINESE})"
    rf"|不(?:是|(?P<verb>[在叫姓]))(?P<before>{_PART_CHINESE})[，,\s]*(?:而|应该|现在|[他她它])*(?(verb)(?P=verb)|(?:是|改[到成在]))(?P<then>{_PART_CHINESE}))"
    r"(?:[了啦呢哈]|才对)*(?:[，,]我[^，,。]{1,8})?[。！!\s]*$"
)
# How many statements before the one that sets a named value right are looked at.
_BACK = 24
_ONE = re.compile(r"the ([A-Z].*) one$")
# What is no value of anything: "actually it's fine", "sorry, dad".
_NO_VALUE = re.compile(
    r"(?:i|you|he|she|it|they|we|that|this|there|what|how|why|who|not|no|yes|yeah|never|nothing|everything|fine|ok|okay|good|great|bad|nice|cool|true|false|funny|weird|sad|hard|easy|late|early|over|done|been|time|me|him|her|them|so|very|too|just|really|because|but|if|when|and|or|about|can't|don't|is|are|was|were|have|has|had|did|do|will|would|let|thanks|thank|please|sorry|all|only|still|ever|forget|stop|nvm|nevermind|\w+ing|like|well|sure|right|wrong|raining|snowing)\b",
    re.IGNORECASE,
)
_NAME = re.compile(rf"(?<!^)(?<![.!?] )\b(?!I\b|(?i:{_DAY}|{_MONTH})\b)[A-Z\u00c0-\u00de][\w'’-]*(?: [A-Z][\w'’-]*)?")
_LAST = re.compile(
    r"^(?P<head>.*\b(?:is|are|was|were|am|to|called|named|in|at|with|on|as|an?|the|likes?|loves?|hates?|have|has|takes?|eats?|drinks?|got|plays?|stud(?:y|ies|ying)|learn(?:ing)?|speaks?)|.*'(?:s|re|m)) (?P<value>[a-z'’-]+(?: [a-z'’-]+)?)(?P<end>[\s.!]*)$",
    re.DOTALL,
)
_LAST_CHINESE = re.compile(
    r"^(?P<head>.*(?:是|叫|在|对|住|喜欢|爱[吃喝]|[吃喝学]|养了?(?:一?[只条个])))(?P<value>[^，,。！!？?是叫在对]{1,8}?)(?P<end>(?:过敏)?[。！!\s]*)$",
    re.DOTALL,
)
_ARTICLE = re.compile(r"\b(?:an?|the)$", re.IGNORECASE)


def restate(line: str, told: str) -> str:
    """Return a statement with the value that the line behind it sets right; "" where the line is no value alone, or of no kind that it holds."""
    if len(line) > (_MOST_CHINESE if lexicon.is_chinese(line) else _MOST) or sentences.is_question(line):
        return ""
    plain = lexicon.normalise(line)
    english = _RIGHT.match(plain)
    match = english or _RIGHT_CHINESE.match(plain)
    if match is None:
        return ""
    groups = match.groupdict()
    value = (groups.get("value") or groups.get("star") or groups.get("starred") or "").strip(" ,.")
    is_outright = english is None or not groups.get("sorry") or bool(groups.get("it"))
    # "Sorry, Robin" may speak to somebody.
    is_name = value[:1].isupper() and _WAITS.match(plain) is not None
    return _replace_kind(value, told) or (_replace_last(value, told) if is_outright or is_name else "")


def find_restated(line: str, statements: Sequence[str]) -> tuple[int, str] | None:
    """Return which of these statements a line sets right, -1 for the last, and how that then reads: the last by a value alone, any of
    the late ones by its old value.
    """
    if not statements:
        return None
    named = _restate_named(line, statements)
    restated = "" if named else restate(line, statements[-1])
    return named or ((-1, restated) if restated else None)


def complete(said: Sequence[tuple[int, str]]) -> tuple[list[tuple[int, str]], dict[int, int]]:
    """Return numbered lines in which a value alone is the statement that it sets right, without that before it; and by the number of each such
    line that of the statement.
    """
    whole: list[tuple[int, str]] = []
    before: dict[int, int] = {}
    for number, line in said:
        restated = find_restated(line, [text for _, text in whole[-_BACK:]])
        if restated:
            before[number], _ = whole.pop(restated[0])
        whole.append((number, restated[1] if restated else line))
    return whole, before


def list_sources(numbers: Iterable[int], before: Mapping[int, int]) -> list[int]:
    """Return the numbers of lines with those of what they set right."""
    found = {*numbers}
    while more := {before[number] for number in found if number in before} - found:
        found |= more
    return sorted(found)


def _restate_named(line: str, statements: Sequence[str]) -> tuple[int, str] | None:
    is_chinese = lexicon.is_chinese(line)
    if len(line) > (_MOST_CHINESE if is_chinese else _MOST) or sentences.is_question(line):
        return None
    match = (_CONTRAST_CHINESE if is_chinese else _CONTRAST).match(lexicon.normalise(line))
    if match is None:
        return None
    value, old = (match[one] or match[other] for one, other in (("value", "then"), ("old", "before")))
    if _NO_VALUE.match(value) or _NO_VALUE.match(old):
        # "Sorry, it's fine, not now."
        return None
    # 不是下个月六号结婚，改到十六号了 sets a day right.
    of_kind = ((kind.search(old), kind.search(value)) for kind in _KINDS)
    both = next((pair for pair in of_kind if all(pair)), None) if is_chinese else None
    old, value = (found[0] for found in both if found) if both else (old, value)
    is_of_one_kind = any(kind.fullmatch(value) and kind.fullmatch(old) for kind in _KINDS)
    groups = match.groupdict()
    is_marked = bool(groups.get("meant") or match["marks"].strip(" ,"))
    holds = re.compile(re.escape(old) if is_chinese else rf"\b{re.escape(old)}\b", re.IGNORECASE)
    # "It's fun, not work" of no work that was told long before.
    far = _BACK if is_of_one_kind or is_marked or groups.get("verb") else 1 if is_chinese else 0
    for at in range(-1, -1 - min(far, len(statements)), -1):
        is_of_whom = is_marked or not groups.get("verb") or (groups["whose"][1:] and groups["whose"] in statements[at])
        if is_of_whom and (found := holds.search(statements[at])):
            told = "" if is_of_one_kind else _replace_kind(value, statements[at])
            return at, told or _put(value, statements[at], *found.span())
    return None


def _replace_kind(value: str, told: str) -> str:
    of_kind = next((kind for kind in _KINDS if kind.fullmatch(value)), None)
    kinds = [of_kind, *(_KINDS[:_DAYS] if of_kind in _KINDS[:_DAYS] else ())] if of_kind else []
    found = next((last for kind in kinds for last in reversed([*kind.finditer(told)])), None)
    return _put(value, told, *found.span()) if found and found[0].casefold() != value.casefold() else ""


def _replace_last(value: str, told: str) -> str:
    """Replace the name that a statement tells last, or what it ends with."""
    if not value or _NO_VALUE.match(value) or any(kind.fullmatch(value) for kind in _KINDS):
        return ""
    if value[0].isupper() and (names := [*_NAME.finditer(told)]):
        return _put(value, told, *names[-1].span())
    last = (_LAST_CHINESE if lexicon.is_chinese(told) else _LAST).match(told)
    if (
        last is None
        or last["value"] == value
        or value[0].isupper()
        or lexicon.is_chinese(value) != lexicon.is_chinese(told)
    ):
        return ""
    start = last.start("value")
    if re.match(r"(?:an?|the) ", value) and (article := _ARTICLE.search(last["head"])):
        start = article.start()
    return _put(value, told, start, last.end("value"))


def _put(value: str, told: str, start: int, end: int) -> str:
    # "The Hamburg one" in the place of Berlin is Hamburg.
    named = _ONE.match(value)
    return f"{told[:start]}{named[1] if named else value}{told[end:]}"
