"""Reads of whom or what a statement tells one of few things that change: where it is or lives, where it works, what it is."""

from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel import text
from memory.entities import kinship_terms
from memory.facts.checks import values, wording

_WHO = r"^(?:the\s+(?!user))?(?P<who>(?:the\s+)?[\w'-]+?(?:\s+[\w'-]+?){0,4}?)(?:'s)?\s+(?:(?:has|is|was)\s+)?(?:now\s+|also\s+|still\s+|been\s+|just\s+)*"
_WHO_CHINESE = (
    rf"^(?P<who>(?:用户的?)?{text.HAN_OR_LETTER}{{1,10}}?)(?:现在|如今|目前|也|还|就|要|从(?:{text.HAN}|\d){{1,6}}起)*"
)
_IN = r"(?:\w+ly\s+)?(?:in|at|behind|under|near|on|by|beside|inside|outside|to)\b"
_AT = rf"(?:{_IN}|with\b)"
_NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[\s-]\w+)?)"
_TO = r"(?:改|搬|转|挪|换|移|迁)(?:到|去|在)"
SCHOOL, WORK, HOME, PLACE, MOVED, AGE, BEING = "school", "work", "home", "place", "moved", "age", "being"
_FRAMES = (
    (SCHOOL, rf"{_WHO}(?:(?:goes|starts|went|moved|changed)\b.{{0,20}}\bschool|(?:is )?study(?:ing)?|studies)\b"),
    (WORK, rf"{_WHO}(?:(?:works?|working|started working)\b|(?:is )?at an?\s)"),
    (HOME, rf"{_WHO}(?:lives?|living|based)\s+{_IN}"),
    (PLACE, rf"{_WHO}(?:is|are|stands?|hangs?|lies|stays?|sits?|takes place|staying)\s+{_AT}"),
    (MOVED, rf"{_WHO}moved\s+{_IN}"),
    (AGE, rf"{_WHO}(?:is|turned)\s+(?:\d{{1,3}}|{_NUMBER})(?:\s+years\s+old)?(?:\s+now)?[.\s]*$"),
    (BEING, rf"{_WHO}(?:is|are)\b"),
    (SCHOOL, rf"{_WHO_CHINESE}(?:在|{_TO}).{{2,12}}(?:上学|读书|念书|上课|留学)"),
    (SCHOOL, rf"^(?P<who>用户)(?:现在|如今|目前|也)*(?:在{text.HAN}{{2,8}}?)?(?:念|读|学){text.HAN}{{1,6}}(?:学|系|专业)(?=[，。]|$)"),
    (WORK, rf"{_WHO_CHINESE}(?:在|{_TO}).{{2,12}}(?:上班|工作|任职)"),
    (MOVED, rf"{_WHO_CHINESE}{_TO}"),
    (HOME, rf"{_WHO_CHINESE}住(?:在|(?!院))"),
    (PLACE, rf"{_WHO_CHINESE}(?:放|挂|停|(?<!现)在)"),
    (AGE, rf"{_WHO_CHINESE}(?:今年|快|刚满?|已经)*(?:\d{{1,3}}|[一二三四五六七八九十]{{1,3}})岁"),
    (BEING, rf"{_WHO_CHINESE}(?:是|叫|姓)"),
)  # fmt: skip
_PATTERNS = [(kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _FRAMES]
_LEAST = 2
_NEW = re.compile(r"\bnew\s+|新")
# Who is called by several words: the one they share.
_CALLED_OTHERWISE = {"mother": "妈妈", "father": "爸爸", "daughter": "女儿", "wife": "妻子", "husband": "丈夫"}
# Sorts of values of what something is.
_SORTS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\d|[零一二两三四五六七八九十百千万]{1,4}(?=[个米斤岁号码块元点]|$)",
        r"\b(?:called|named)\b|叫|名字|姓",
        r"\b(?:red|blue|green|yellow|black|white|grey|gray|brown|orange|purple|pink|silver|gold)\b|[红蓝绿黄黑白灰棕橙紫粉银金]色?的?",
        r"\b(?:in|on) (?:january|february|march|april|may|june|july|august|september|october|november|december|\w+day)s?\b|月|周|星期",
    )
]
# What somebody or something is just now, and who one is.
_STATE = re.compile(
    r"\s*(?:\w+ing|\w+ed|not|no|in|at|on|off|out|so|too|very|really|quite|always|still|gone|dead|shut|the (?:one|best))\b|[不没很太真在也都]",
    re.IGNORECASE,
)
_NAME = re.compile(r"\s*[A-Z]\w+(?: [A-Z]\w+)?\W*")
# Who moved lives elsewhere, what moved is elsewhere, and who works somewhere studies there no more.
_SAME = [{HOME, MOVED}, {PLACE, MOVED}, {SCHOOL, WORK}]

# Where somebody lives, of all that is told of it: "Gdańsk" of "Gdańsk with two girls".
_PLACE_NAME = re.compile(
    r"\s*(?P<name>(?-i:[A-ZÀ-Þ])[\w-]+(?: (?-i:[A-ZÀ-Þ])[\w-]+)*|[\u4e00-\u9fff]{2,6}?(?=了?(?:[，。,]|$)))",
    re.IGNORECASE,
)
# They put the operation back to March.
_PUTS = r"(?:they|we|she|he|the user|someone|(?:the )?[\w-]+(?: (?!got\b)[\w-]+)?)(?:'ve|'s| have| has| had)?(?: just| now| only| also)* (?:put|moved|pushed|brought|shifted|bumped|changed)"
_PUT_OFF = re.compile(
    rf"^{_PUTS}(?: the user)? (?:the user's |the |(?:his|her|their) )?(?P<matter>[\w' -]{{2,30}}?)(?: back| forward| off| out| up| on)?(?: again)? (?:to|until|till) (?P<time>[^,.]{{3,30}})"
    r"|^(?:the user's |the )?(?P<what>[\w' -]{2,40}?)(?:'s| is| has| was| got)?(?: been)? (?:put back|put off|postponed|moved|pushed back|pushed|brought forward|rescheduled|shifted|delayed|bumped) (?:to|until|till) (?P<day>[^,.]{3,30})"
    r"|^(?:用户的?)?(?P<thing>[\u4e00-\u9fff]{2,6}?)(?:又|被|给|已经)*(?:推迟|延期?|提前|改|挪|换|调)(?:到|至|在|成|(?=周|星期|[\d一二三四五六七八九十]{1,3}[月号日]))(?P<date>[^，。了]{2,10})",
    re.IGNORECASE,
)
# 五十七 of 用户五十七了: people tell their age without the word for it.
_OWN_AGE = re.compile(
    rf"^the user (?:is|'s|turned|has turned) (?P<age>\d{{2}}|{_NUMBER})(?= years old|[.,;]|$)"
    r"|^用户(?:今年|现在|已经|刚满?|快|都|才|是)*(?P<years>\d{2}|[二三四五六七八九]?十[一二三四五六七八九]?)(?=周?岁|了?(?:[，。]|$))",
    re.IGNORECASE,
)
_SHORT_NAMES = re.compile(r"\bop\b", re.IGNORECASE)
_DATED = re.compile(
    rf"\b(?:on |in |for |at )?(?:the )?(?:(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{values.MONTH}|{values.MONTH}(?: (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)?)(?:,? {values.YEAR})?|(?:(?:alternate|every other|every) )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days?)*)\b"
    rf"|(?:{values.YEAR}年)?(?:\d{{1,2}}|[一二三四五六七八九十]{{1,3}})月(?:份|(?:\d{{1,2}}|[一二三四五六七八九十]{{1,3}})[日号]?)?|(?:周|星期)[一二三四五六日天]",
    re.IGNORECASE,
)


# "The 3rd" is of the month in which the old day was; which one "the 3rd" after the 28th is in, nobody can read.
_DAY_ALONE = re.compile(r"the (?P<day>\d{1,2})(?:st|nd|rd|th)\W*$", re.IGNORECASE)
_HAN_DAY = re.compile(r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})[日号]")
# "The garden centre has changed my days, it's Mondays and Thursdays".
_NEW_DAYS = re.compile(
    r"^(?:the user's |the )?(?P<what>[\w' -]{2,40}?) (?:has |have |'ve )?(?:changed|moved|swapped|switched) (?:the user's |their )?(?:days?|shifts?|hours)\b[^,;:.]{0,20}[,;:.]? (?:(?:so|now|it's|it is|they're|they are|to|i'm on|the user is on)\s)*(?P<day>[^,.]{3,40})",
    re.IGNORECASE,
)
_DAY_OF_MONTH = re.compile(r"\b\d{1,2}\b")
_FORWARD = re.compile(r"\b(?:forward|earlier)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Frame:
    """Of whom or what a statement speaks, what kind of thing it tells, and what."""

    who: str
    kind: str
    what: str


def read(said: str) -> Frame | None:
    """Return the frame of a statement in the third person; None where it tells nothing of the kind."""
    for kind, pattern in _PATTERNS:
        if match := pattern.search(said):
            return Frame(name_who(match["who"]), kind, said[match.end() :])
    return None


def name_who(who: str) -> str:
    """Name somebody as other statements do: 闺女 is 女儿, and "the new boss" is the boss."""
    plain = _NEW.sub("", text.fold(who)).replace("用户的", "用户")
    for kin, pattern in kinship_terms.KIN_PATTERNS.items():
        if kin in _CALLED_OTHERWISE:
            plain = re.sub(pattern, kin if not text.has_cjk(plain) else _CALLED_OTHERWISE[kin], plain)
    return plain


def are_alike(one: str, other: str) -> bool:
    """Whether two statements tell the same kind of thing of the same: "the user's brother Arjun" is Arjun, too."""
    first, second = read(one), read(other)
    if first is None or second is None or not (first.kind == second.kind or {first.kind, second.kind} in _SAME):
        return False
    short, long = sorted((first.who, second.who), key=len)
    is_part = long.endswith(short) if text.has_cjk(short) else long.split()[-len(short.split()) :] == short.split()
    return is_part and len(short) >= _LEAST and short not in ("用户", "the user")


def are_of_one_value(one: str, other: str) -> bool:
    """Whether two statements that are alike also tell values of one sort: two colours, two numbers, two names, two places."""
    first, second = read(one), read(other)
    if first is None or second is None or not are_alike(one, other) or first.what == second.what:
        return False
    is_of_sort = any(sort.search(one) and sort.search(other) for sort in _SORTS)
    return first.kind != BEING or is_of_sort or (tells_which(first) and tells_which(second))


def tells_which(frame: Frame) -> bool:
    """Whether a statement tells which one it is of a kind of which there is one: "my favourite colour is green", not "is fading"."""
    is_said = values.FAVOURITE.search(frame.who) is not None and not _STATE.match(frame.what)
    return frame.kind == BEING and (
        is_said or (values.ONE.search(frame.who) is not None and _NAME.fullmatch(frame.what) is not None)
    )


def keep_rest(told: str, content: str) -> str:
    """Return a fact with the one value that a content changes, where it tells more: who moved still lives "with two girls",
    and what is put off is still what it was; "" where nothing is to be kept.
    """
    if aged := put_age(told, content):
        return aged
    first, second = read(told), read(content)
    is_moved = first is not None and second is not None and first.kind == HOME and are_alike(told, content)
    if not is_moved or first is None or second is None:
        return put_off(told, content)
    old, new = _PLACE_NAME.match(first.what), _PLACE_NAME.match(second.what)
    if old is None or new is None or not first.what[old.end() :].strip(" .。"):
        return ""
    return f"{told[: len(told) - len(first.what) + old.start('name')]}{new['name']}{first.what[old.end() :]}"


def put_off(told: str, content: str) -> str:
    """Return a fact with the day to which a content puts off what it tells; "" where it tells something else, or of no day."""
    match, days = _PUT_OFF.match(content) or _NEW_DAYS.match(content), [*_DATED.finditer(told)]
    if match is None or not days:
        return ""
    groups = match.groupdict()
    what = _SHORT_NAMES.sub("operation", groups.get("matter") or groups["what"] or groups.get("thing") or "")
    time = groups.get("time") or groups["day"] or groups.get("date") or ""
    # Of several days the one behind the thing: "choir on Wednesdays and bridge on Mondays".
    named = re.search(re.escape(what), told, re.IGNORECASE)
    behind = [one for one in days if named and one.start() >= named.end()]
    if len(days) > 1 and (len(behind) != 1 or behind[0] is days[0]):
        return ""
    old = behind[0] if behind else days[0]
    new = _DATED.search(time)
    is_of_it = bool(wording.list_words(what)) and wording.tells(_SHORT_NAMES.sub("operation", told), what)
    if not is_of_it or not values.is_of_same(told, content) or wording.is_negated(told):
        return ""
    alone, day = _DAY_ALONE.match(time), _DAY_OF_MONTH.search(old[0])
    if (han := _HAN_DAY.fullmatch(time)) and "月" in old[0]:
        return f"{told[: old.start()]}{old[0][: old[0].index('月') + 1]}{han[0]}{told[old.end() :]}"
    if alone and day and (int(alone["day"]) < int(day[0])) is (_FORWARD.search(content) is not None):
        return f"{told[: old.start()]}{_DAY_OF_MONTH.sub(alone['day'], old[0], count=1)}{told[old.end() :]}"
    if new is None:
        return ""
    has_day = re.search(r"\d|days?\b", new[0]) is not None
    is_bare = new[0].endswith("s") and not re.match(r"on |in ", old[0], re.IGNORECASE)
    before = "" if is_bare or text.has_cjk(told) or re.match(r"on |in ", new[0]) else "on " if has_day else "in "
    return f"{told[: old.start()]}{before}{new[0]}{told[old.end() :]}"


def put_age(told: str, content: str) -> str:
    """Return a fact with the user's age that a content tells in the place of its own; "" where either tells none."""
    old, new = _OWN_AGE.match(told), _OWN_AGE.match(content)
    if old is None or new is None:
        return ""
    start, end = old.span("age" if old["age"] else "years")
    return f"{told[:start]}{new['age'] or new['years']}{told[end:]}"


def is_of_other_value(one: str, other: str) -> bool:
    """Whether of two statements both cannot hold: one lives in one place, is of one age, and has one favourite colour. Where the user
    lives and works, slots tell.
    """
    first, second = read(one), read(other)
    if first is None or second is None or first.kind != second.kind or first.who != second.who or one == other:
        return False
    is_user = first.who in ("用户", "the user")
    is_only = tells_which(first) and tells_which(second) and first.what != second.what
    return is_only or first.kind in (AGE, SCHOOL) or (first.kind in (HOME, WORK) and not is_user)
