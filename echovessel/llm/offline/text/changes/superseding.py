"""Finds what a new statement makes untrue: another job, another town, an end, a correction."""

from collections.abc import Iterable, Iterator, Sequence

from echovessel import lazy_re as re
from echovessel.llm.inputs import NumberedEvent
from echovessel.llm.offline.text import feelings, lexicon, names, sentences
from echovessel.llm.offline.text.changes.partings import LOVES, tells_death

# What somebody can have one of at a time -> (how it is told, how its change is told).
_SLOTS = {
    "job": (
        r"\bwork(?:s|ing)? (?:at|for|as|in|with|on|part)|\b(?:my|the|a|her|his) (?:\w+ )?job\b|\bjob (?:at|as)\b|\bemployed\b|\bteach(?:es|ing)?\b|\b(?:i'm|i am|user is|he is|she is) (?:an? )\w*(?:er|or|ist|nurse|chef)\b|在.{1,14}(?:工作|上班|任职|教|实习|做)|上班|我?是(?:一?[名个位])?\w{0,6}(?:师|员|工|医生|护士|司机|厨师)",
        r"\b(?:quit|resigned|was fired|been fired|got fired|laid off|made redundant|out of work|unemployed|lost my job|no longer work|don't work|handed in my notice|new job|switched jobs|changed jobs|retired|(?:start|started|starting) (?:at|as|a job)|got (?:the|a) (?:new )?job|(?:i'm|i am|now) (?:at|with) (?-i:[A-Z])\w*|work (?:at|for) .{2,30} now|now work)\b|辞职|辞了|离职|跳槽|不(?:干|跑(?!步)|做(?!饭|梦)|卖|开(?!心|车|玩笑)|教|送)[^，,。]{0,6}了|换了?(?:新)?工作|不在.{1,10}(?:干|做|上班)|我[^，,。]{0,4}不在.{1,10}了|去了.{1,10}(?:上班|工作)|现在在(?!医院)(?:一[家个间]|[A-Za-z]|.{1,10}(?:公司|[厂店馆院校局所社]|银行|集团|单位|科技|上班|工作)|腾讯|阿里|字节|美团|京东|百度|华为|小米|网易)|入职|被(?:裁|辞|优化|开除|炒)|把我(?:裁|辞|开|优化)了|被毕业|失业|下岗|裁员(?:名单[里上]|通知)|退休|转行|转(?:去|岗|做)(?:了)?[^，,。]{0,4}|升(?:职|任|为|了|[^，,。]{1,4}长)|新工作",
    ),
    "home": (
        r"\b(?:live|lives|living|based|rent(?:s|ing)?|apartment|flat|house|place) (?:\w+ )?(?:in|at|on|near)\b|\b(?:moved|moving) (?:to|into|back)\b|(?<!记)住(?!院)|在.{1,8}(?:租|住|生活)|搬[到去回]",
        r"(?<!got )(?<!been )(?<!was )(?<!were )(?<!gets )\b(?:moved|moving|relocat\w+) (?:\w+ )?(?:to(?! (?:the )?\d| (?:mon|tues|wednes|thurs|fri|satur|sun)day| next\b)|out|away|from|back|into|in(?!\W*$| (?:yesterday|today|last|on|this)\b))\b|\b(?:now live|live in .{2,30} now|no longer live|don't live)\b|搬(?:到|去|回|走|家|出)|现在住|不住.{1,8}了",
    ),
    "partner": (
        r"\b(?:boyfriend|girlfriend|dating|engaged|married|together with|seeing|husband|wife|fianc[ée]e?|wedding|single)\b|男朋友|女朋友|男友|女友|对象|恋爱|结婚|订婚|单身|在一起",
        r"\b(?:broke up|split up|divorc\w+|separated|got (?:engaged|married)|single (?:again|now)|called off|left me|ended (?:it|things)|said yes)\b|分手|离婚|分开了|订婚|领证|结婚了|单身了|掰了",
    ),
}
_PUT_BACK = r"\b(?:been (?:put|pushed|moved)|(?:they|he|she|we)(?:'ve| have|'s| has)? (?:put|pushed|moved|brought) (?:the|my|our|his|her) (?:\w+ )?\w+) (?:back|forward|off)\b"
_OFF = r"(?:'s| is| are| was| were) (?:now |all )?off(?=\W*$|[,.;!]| (?:then|now|because|since)\b)"
# An end of anything: what was said of the same thing holds no longer.
_ENDED = rf"{_OFF}|{_PUT_BACK}|\b(?:no longer|any ?more|stopped|gave up|given up|quit|(?<!the )(?<!my )(?<!his )(?<!her )left|sold|gave away|cancel\w*|called off|not going to|instead of|switched (?:from|to)|changed (?:to|my mind)|moved to(?! (?:the (?!\d)|an? |another |room ))|postponed|rescheduled|used to|passed away|died|lost)\b|不再|已经不|不.{{1,8}}了|[\u4e00-\u9fff]不(?:成|了)了|戒了|退了|卖了|取消|改(?:到|成|在|名|叫)|换成|推迟|提前到|停了|去世|走了|死了|没了|被[^，,。]{0, 3}(?:开除|辞退|炒)了?"
# What is told to be over, where Chinese names it first: 日语不学了, 褪黑素停了.
_THING_OVER = re.compile(
    r"(?:^|[，,。！!\s])(?P<thing>(?:(?![我你他她它这那])[\u4e00-\u9fff]|[A-Za-z\d]){2,8}?)(?:我|已经|现在|也|都|就|决定|最后|还是|暂时)*"
    r"(?:[不没](?:再)?[\u4e00-\u9fff]{1,2}了|停[掉药]?了|戒[掉]?了|退[掉租]?了|取消了)(?=[，,。！!\s]|$)"
    r"|(?:^|我|[，,。！!\s])(?:又|刚|已经)?换(?!个|了)(?P<changed>[\u4e00-\u9fff]{2,4})了(?=[，,。！!\s]|$)"
)
_OVER = rf"{_OFF}|{_PUT_BACK}|\b(?:no longer|any ?more|gave up|quit|sold|called off|cancel\w*|postponed|rescheduled|was moved to|is moved to)\b|不再|戒了?|卖了|改到|推迟|取消了"
PUT_OFF = rf"{_PUT_BACK}|\b(?:postponed|rescheduled|(?:put|pushed|moved) (?:back|forward|off)|brought forward|(?:got|was|were|is|been|being|now) (?:moved|changed) to|(?:they|we|he|she)(?:'ve|'s| have| has)? (?:moved|changed|postponed|put|pushed|brought) it)\b|改到|改成了?|推迟|提[前早](?:到|了)|挪到|延[到期]|(?:日子|日期|时间)[又也]?改"
# Who puts off what was told before does not name it again: 日子改了，10月6号.
_MOVED_ALONE = re.compile(
    r"^\W*(?:[跟和对]你|我)?(?:刚才|刚刚)?(?:说|记|搞|弄|讲)错了?[，,\s]*(?:应该)?是|(?:日子|日期|时间)[又也]?改|^\W*(?:改|推迟|提前|延)[到成在]|^\W*(?:it|that)(?:'s| is| was| has)(?: been)? (?:moved|put off|put back|postponed)\b|\b(?:they|we|he|she)(?:'ve|'s| have| has)? (?:moved|changed|postponed|put|pushed|brought) (?:it|that)\b",
    re.IGNORECASE,
)
_DENIES_NUMBER = re.compile(r"(?:\bnot|n't) (?:on |at |the )?(?:\d|\w+days?\b)|不是(?:\d|周|星期)", re.IGNORECASE)
# What was so once stays so: "I used to live in Hull".
_WAS_ONCE = r"\bused to\b|\b(?:years|months) ago\b|以前|从前|年前|原来(?!是)"
# "Alastair is moving back" is no move of the user.
_OF_NAMED = re.compile(
    rf"\W*(?!(?:It|That|There|He|She|They|The|My|Our|{lexicon.BEGINS_OWN})\b)([A-Z][a-z]+)(?:'s| is| has| got| lost| found| quit| left| started| moved| works| lives| retired) "
)
_OF_MANY = re.compile(r"\W*(?:[A-Z]\w+ says )?(?i:the|her|his|their) (?:kids|children|boys|girls|parents)\b")
_JOINING_PAIR = re.compile(r"[一二两三四五六七八九十几半到了]")
_CORRECTED = r"^(?:\w+[,，] )?(?:(?:(?:actually|no|sorry|wait|oops)[,.:]? )+(?:i|it|it's|that|that's|her|his|their|its|there|he|he's|she|she's|they|my|not|we|the)|correction)\b|^\W*(?:(?:actually|no|sorry|wait|oops)[,.:]? )+(?-i:[A-Z])[^,.!?]{3,60}, (?:and )?not (?:\w+ )?[\w'-]+\W*$|^\W*(?:\w+[,.] )?not (?:(?:on|in|at) )?(?:(?-i:[A-Z])[\w'-]+|\w+days?|\d[\w:]*), (?:sorry,? |oops,? |i meant? )*(?:(?:on|in|at) )?(?:(?-i:[A-Z])[\w'-]+|\w+days?|\d[\w:]*)\W*$|\b(?:i (?:misspoke|meant|got (?:that|it) wrong|said .{1,40}(?:but|wrong))|(?:made a|my) mistake\b|(?:isn't|wasn't|aren't|is not|was not) (?:an? |my |the )?[\w' ]{2,24}?,? (?:but |s?he's |it's |they're |s?he is |it is )|(?:told you|i said) .{1,60}[.,;] it's|not what i (?:meant|said)|that's (?:not right|wrong)|it's .{1,30}, not\b|not .{1,30}, (?:but|it's|it is))|其实(?:[我他她]?不?是|[\u4e00-\u9fff]{1,5}不是)|不是.{1,12}[，,]?(?:而)?是|是[^，,]{1,12}[，,]不是|说错|记错|更正|纠正|搞错|弄错"
_SETTLED = re.compile(
    r"\b(?:was|were|is|are|been|got|getting) (?:\w+ )?(?:refused|rejected|turned down|denied|granted|approved|cancell?ed|called off)\b|\b(?:came|come|went|gone|fell|fallen) through\b"
    r"|被拒|拒签|没批|批(?:下来)?了|没通过|泡汤|黄了|取消了",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"(?i)(\d+|[一二两三四五六七八九十]{1,3})(号|点|岁|层|块|楼|天)|\b(\d{1,2})(?:(?:st|nd|rd|th)\b|(?= (?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)))"
)
_WEEKDAY = re.compile(
    r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b|(?:周|星期|礼拜)([一二三四五六日天])", re.IGNORECASE
)
# A correction by a value alone is so long at most, in characters.
_FEW, _FEW_CHINESE = 40, 14
_PRONOUN = re.compile(r"(?:s?he|it|they|we|that|this)\b|[他她它这那]", re.IGNORECASE)
_OF_USER = re.compile(
    r"\b(?:i|we|my|our|user)\b|我|用户|^(?:房[子租][^，,。\s]{0,5}[，,\s])?(?:现在|刚|又)*(?:住|搬|租|在)",
    re.IGNORECASE,
)
# What somebody said or did once has happened, whatever follows.
_HAPPENED = re.compile(
    r"^\W*(?!(?:i|we)\b)[\w' ]{2,30}? (?:came (?:in|over|round|by)|rang|called|said|told|apologi[sz]ed|shouted|cried|argued|visited|helped|laughed|hugged)\b",
    re.IGNORECASE,
)
# What two texts share without being about the same.
_NO_THINGS = {"user", "now", "mr", "mrs", "用户", "现在", "记住"}
# What is done with many things.
_DOINGS = {
    "eat", "drink", "go", "take", "make", "see", "come", "want", "like", "love", "play", "use", "need", "think",
    "feel", "work", "talk", "get", "move",
}  # fmt: skip


def is_correction(text: str) -> bool:
    return bool(re.search(_CORRECTED, lexicon.normalise(text), re.IGNORECASE))


def sets_right(text: str, told: str) -> bool:
    """Whether a text corrects what was told, and denies a word of it: "actually it's Tuesday, not Monday"."""
    is_short = len(text) <= (_FEW_CHINESE if lexicon.is_chinese(text) else _FEW)
    return denies(text, told) or (is_short and is_correction(text) and _gives_other_value(text, told))


def denies(text: str, told: str) -> bool:
    """Whether a text corrects what was told by denying a word of it."""
    return is_correction(text) and _denies(lexicon.normalise(text), told)


def corrects(text: str, told: str) -> bool:
    """Whether a text denies a word of what was told and shares another before: "Ruth moved to Porto, not Lisbon"."""
    stated = re.split(r"\bnot\b|n't\b|不是", lexicon.normalise(text), maxsplit=1)[0]
    return denies(text, told) and bool(list_things(stated) & list_things(told))


def find_set_right(text: str, told: Sequence[str]) -> str:
    """Return the newest of what was told that a text puts off to another day without a word for it, or of which it denies or corrects a number, or what it tells of one."""
    plain = lexicon.normalise(text)
    if _MOVED_ALONE.search(plain):
        return next((line for line in reversed(told) if _gives_other_value(text, line)), "")
    if is_correction(plain) and _find_values(plain):
        of_same = (line for line in reversed(told) if _shares_enough(plain, line) and _gives_other_value(plain, line))
        if line := next(of_same, ""):
            return line
    is_denied = _DENIES_NUMBER.search(plain) is not None
    return next(
        (line for line in reversed(told) if denies(text, line) and (is_denied or _shares_enough(plain, line))), ""
    )


def _gives_other_value(text: str, told: str) -> bool:
    """Whether a text gives another day, time or number than was told: "sorry, the 13th" of "on the 12th"."""
    given, before = _find_values(text), _find_values(told)
    return any(before.get(unit, value) != value for unit, value in given.items())


def _find_values(text: str) -> dict[str, str]:
    """Return the last value of each unit: 12号, "the 12th", "on Monday"."""
    found = {unit or "th": value or nth for value, unit, nth in _COUNTED.findall(text)}
    return found | {"weekday": "".join(days[-1]).lower()} if (days := _WEEKDAY.findall(text)) else found


def is_change(text: str) -> bool:
    """Whether the text tells of another job, home or love, or that something is over for the user."""
    plain = lexicon.normalise(text)
    if any(re.search(changed, plain, re.IGNORECASE) for _, changed in _SLOTS.values()):
        return True
    return bool(re.search(_OVER, plain, re.IGNORECASE)) and lexicon.matches("MYSELF", plain)


def changes_slot(text: str, slot: str) -> bool:
    """Whether the text tells of another "job" or "home"."""
    if slot not in _SLOTS or lexicon.is_of_another(text) or _OF_NAMED.match(text) or _OF_MANY.match(text):
        return False
    changed = re.search(_SLOTS[slot][1], plain := lexicon.normalise(text), re.IGNORECASE)
    return changed is not None and not names.begins_with_other(plain[: changed.start()])


def puts_off(text: str) -> bool:
    """Whether the text says that something is on another day than before: "the wedding got moved to June"."""
    return re.search(PUT_OFF, lexicon.normalise(text), re.IGNORECASE) is not None


def tells_end(text: str) -> bool:
    """Whether the text tells that something is over or otherwise: "she doesn't come on Thursdays any more"."""
    return re.search(_ENDED, feelings.blank_idioms(lexicon.normalise(text)), re.IGNORECASE) is not None


def find_settled(text: str) -> str:
    """Return up to the verb what the text tells to be granted, refused or off: "the visa" of "the visa was refused"; "" where nothing is."""
    match = _SETTLED.search(plain := lexicon.normalise(text))
    return plain[: match.start()] if match else ""


def find_superseded(text: str, remembered: Iterable[NumberedEvent]) -> list[int]:
    """Return the numbers of the events that the text makes untrue."""
    new = lexicon.normalise(text)
    found = [(_find_reason(new, old.text), old.number) for old in remembered if _is_same_subject(new, old.text)]
    best_correction = max(
        (weight for kind, weight in (reason for reason, _ in found if reason) if kind == "set right"), default=0
    )
    return [number for reason, number in found if reason and (reason[0] != "set right" or reason[1] == best_correction)]


def _find_reason(new: str, old: str) -> tuple[str, int] | None:
    shared = len(list_things(new) & list_things(old))
    # What tells something else as well holds still: "I foster a lurcher. They switched me to Wednesdays".
    if not re.search(_WAS_ONCE, old, re.IGNORECASE) and all(_makes_untrue(new, one) for one in sentences.split(old)):
        return "untrue", shared
    if is_correction(new) and (_shares_enough(new, old) or _denies(new, old)):
        return "set right", shared
    return None


def tells_other(text: str, question: str) -> bool:
    """Whether the text tells that there is another one now of what is asked about: 换同桌了."""
    over = _THING_OVER.search(lexicon.normalise(text))
    return bool(over and over["changed"] and over["changed"] in question)


def supersedes(new: str, told: str) -> bool:
    """Whether a text tells that what a sentence tells holds no longer."""
    plain = feelings.blank_idioms(lexicon.normalise(new))
    return _is_same_subject(plain, told) and _makes_untrue(plain, told)


def _makes_untrue(new: str, told: str) -> bool:
    """Whether a text tells of another job, home or love than a sentence does, or of its end."""
    of_user = [one for one in sentences.split(new) if not ((of := _OF_NAMED.match(one)) and of[1] not in told)]
    own = " ".join(one for one in of_user if not lexicon.SOMEBODYS_JOB.match(one))
    for had, changed in _SLOTS.values() if _OF_USER.search(told) else ():
        if re.search(had, told, re.IGNORECASE) and re.search(changed, own, re.IGNORECASE):
            return True
    if _is_peak(told) or _HAPPENED.search(told):
        return False
    if (over := _THING_OVER.search(new)) and (over["thing"] or over["changed"]) in told:
        return True
    return any(_is_about_that(one, told) for one in _list_ends(new) if _share_thing(one, told))


def _share_thing(new: str, old: str) -> bool:
    """Whether both texts speak of one thing: 到五 of 改到五月 and 睡不到五个小时 is none, nor is eating alone, or a mother of whom no death is told."""
    shared = (one for one in list_things(new) & list_things(old) if not _JOINING_PAIR.search(one))
    of_somebody = set() if tells_death(new) else lexicon.stem_content(" ".join(lexicon.find_kin_words(new).values()))
    return not {*shared} <= of_somebody | _DOINGS


def _list_ends(text: str) -> Iterator[str]:
    """Yield the sentences that tell of an end, each with the one before it where it begins with a pronoun: "He died today"."""
    before = ""
    for said in sentences.split(text):
        if re.search(_ENDED, said, re.IGNORECASE):
            yield f"{before} {said}" if _PRONOUN.match(said) else said
        before = said


def list_things(text: str) -> set[str]:
    """List the stems of what a text is about."""
    return lexicon.stem_content(text) - _NO_THINGS


def _is_about_that(new: str, old: str) -> bool:
    """Whether both texts share more than one word, or the new one says outright that something is over."""
    return bool(re.search(_OVER, new, re.IGNORECASE)) or _shares_enough(new, old)


def _denies(new: str, old: str) -> bool:
    """Whether the old text holds what the new one denies: "not Lina", "不是周三", 不是1号."""
    denied = re.findall(
        r"(?:\b[Nn]ot|n't) (?:in |on |at |the |an? |my )?(\w{3,}|[A-Z]{2,}|\d+)|不是((?:\d[\d.]*[^\W\d是]?)+|[\u4e00-\u9fff]{2})",
        new,
    )
    return any(word and re.search(rf"(?<!\d){re.escape(word)}", old) for pair in denied for word in pair)


def _is_peak(text: str) -> bool:
    """Whether the text tells of a strong event: what happened stays true, only a state can end."""
    return any(abs(feeling.impact) >= feelings.PEAK for feeling in feelings.find_feelings(text))


def _shares_enough(new: str, old: str) -> bool:
    """Whether both texts share a name or two words; two Chinese words are three pairs of characters."""
    if len(list_things(new) & list_things(old)) > (2 if lexicon.is_chinese(new) else 1):
        return True
    called = [name.text for name in names.find(old)] + re.findall(r"(?<!^)(?<![.!?] )\b[A-Z][\w-]+", old)
    return any(name in new for name in called if name.casefold() not in names.NO_NAMES)


def _is_same_subject(new: str, old: str) -> bool:
    """Whether both texts speak of the same people: a brother's move is not the user's."""
    here, there = lexicon.find_kin(new) - LOVES, lexicon.find_kin(old) - LOVES
    return here == there or bool(here & there)
