"""Reads whether what shall be remembered takes the place of something: "I run on Sundays instead", 不学大提琴了，改学小号."""

from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel.llm.offline.text import lexicon, third_person
from memory.facts import framing
from memory.facts.checks import values

# A number may have its point.
_BEHIND = r"(?P<denied>(?:[^,.;，。；]|(?<=\d)[.,](?=\d)){1,60}?)"
# What is denied, and would not be told of what holds: it is cut.
_CUT = (
    rf"(?:\s*[,;–—-]\s*|\s+)(?:and |but )?(?:instead of|rather than)\s+{_BEHIND}(?=(?:\s+(?:now|these days|from now on))?[\s.!]*$)",
    r"\s+not\s+(?P<denied>(?:(?:the|on|in|at) )*\d(?:[^,.;]|(?<=\d)[.,](?=\d)){0,40}?)(?=[\s.!]*$)",
    rf"(?:\s*[,;–—-]\s*(?:and |but )?|\s+and )not\s+{_BEHIND}(?:\s+(?:any ?more|any longer|now))?(?=[\s.!]*$)",
    rf"\bnot\s+{_BEHIND},?\s+but\s+",
    rf"[，,；;]\s*(?:而|并)?不(?:再)?是{_BEHIND}了?(?=[\s。！!]*$)",
    rf"不是{_BEHIND}[，,]?\s*而?(?=是)",
)
# What is denied, and told of what holds no longer.
_DENIED = (
    rf"\b(?:swapped|switched|changed|traded|exchanged|replaced)\s+(?:from\s+)?{_BEHIND}\s+(?:for|to|into|with)\b",
    rf"\bno longer\s+{_BEHIND}(?=\s*(?:[,.;!]|\b(?:and|but)\b|$))",
    rf"(?:n't|\bnot)\s+{_BEHIND}\s+(?:any ?more|any longer)\b",
    rf"(?:从|把|将)(?!我(?:们)?[改换挪调推提]){_BEHIND}(?:改|换|挪|调|推迟|提前)(?:成|到|为|去)?",
    rf"现在不(?:再)?{_BEHIND}[，,](?=[^，,。；]{{1,12}}了)",
    rf"不(?:再)?{_BEHIND}了",
    rf"不再{_BEHIND}(?=[，,。；;]|$)",
    rf"[，,]\s*不{_BEHIND}(?=[\s。！!]*$)",
)
# One thing in the place of another, and nothing else: "I meant almonds, not walnuts", 不是核桃，是杏仁.
_SORRY = r"^\W*(?:(?:no|sorry|oops|wait|actually|correction|well|oh|i got (?:it|that) wrong)\b[\s,.:;–—-]*)*"
_MERELY = re.compile(r"^(?:just|only|actually|really|merely) |^(?:只是|只)(?!有)", re.IGNORECASE)
_THING = r"(?:(?!\b(?:that|who|which|is|are|was|because)\b)[^,.;!?]){1,40}?"
_REALLY = r"(?:(?:actually|really) )*"
_NAME = r"(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)*"
_VALUE = rf"(?:(?:on|in|at) )?(?:{_NAME}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d[\w:.]*)"
_PUT_RIGHT = (
    rf"{_SORRY}not\s+(?P<denied>{_VALUE}),\s+(?:(?:sorry|oops|i meant?)[\s,]+)*(?P<instead>{_VALUE})[\s.!]*$",
    rf"{_SORRY}(?:i meant|i mean|i said|make (?:that|it)|it's|it is|that's|it should be|that should be)\s+(?P<instead>{_THING}),?\s+(?:and )?not\s+(?P<denied>{_THING})[\s.!]*$",
    rf"{_SORRY}(?P<instead>{_THING}) (?:is what )?i (?:mean|meant),?\s+(?:and )?not\s+(?P<denied>{_THING})[\s.!]*$",
    rf"{_SORRY}(?:[\w' ]{{0,30}}?(?:turns? out|says?|said|told me),?\s+)?(?:that\s+)?(?:(?:it's |it is |(?:i'm |i am |i )?(?=not))?not|it (?:isn't|wasn't))\s+(?:(?P<suffer>allergic|intolerant) to\s+(?:(?:all|any|every) )?)?(?P<denied>{_THING})(?:\s+after all)?[,;:–—-]*\s+(?:but|it's|it is|i meant|(?:i'm|i am)(?: only| just)? (?:allergic|intolerant) to|(?(suffer)(?:just|only)|(?!)))\s+(?P<instead>{_THING})(?: (?:i'm|i am) (?:allergic|intolerant) to)?[\s.!]*$",
    rf"{_SORRY}(?:(?:it|that)(?:'s| is) not|(?:my|our|the) (?P<of>[\w' ]{{1,30}}?) (?:isn't|is not|aren't|are not|wasn't)) {_REALLY}(?P<place>(?:in|at|on|near|from|with)(?= (?-i:[A-Z])|\d)|called|named)\s+(?P<denied>{_THING})[,;:–—-]*\s+(?:but |it's |it is |s?he's |they're |(?:my|our|the) \w+(?:'s| is) ){_REALLY}(?P=place)\s+(?P<instead>{_THING})[\s.!]*$",
    rf"{_SORRY}(?:it|that)(?:'s| is) not\s+(?P<denied>{_NAME})(?: (?:itself|proper|exactly|really|city))*[,;:–—-]+\s+(?:it's|it is|(?:my|our|the) (?P<of>\w+)(?:'s| is)) {_REALLY}(?:(?:in|at|near|on) )?(?P<instead>{_NAME})[\s.!]*$",
    r"^(?:其实)?我?对(?P<denied>[^，,。我]{1,8})不过敏[，,]\s*我?(?:只是?|就|但|而|是)*对(?P<instead>[^，,。！!我]{1,8})过敏[。！!\s]*$",
    r"^(?:[^，,]{0,6}(?:说错|记错|看错|弄错|搞错|不对|更正)[^，,]{0,4}[，,：:\s]*)*(?:其实)?(?:我们?的?)?(?P<of>(?![我你他她它今明昨现这周])[^，,。不今明昨现这]{1,8}?)不(?:是)?(?P<place>在|住在?|叫|姓|属)(?P<denied>(?!家|公司|学校|单位)[^，,。我]{2,8}?)(?:市区|市里|城里|本地)?[，,]\s*(?:而)?是?(?P=place)(?P<instead>[^，,。！!我了]{1,8})[。！!\s]*$",
    r"^(?:[^，,]{0,6}(?:说错|记错|看错|弄错|搞错|不对|更正)[^，,]{0,4}[，,：:\s]*)*(?:我(?:说|指)的|应该)?是(?P<instead>[^，,。我]{1,10})[，,]\s*(?:而)?不是(?P<denied>[^，,。！!我]{1,10})[。！!\s]*$",
    r"^(?:[^，,]{0,6}(?:说错|记错|看错|弄错|搞错|不对|更正)[^，,]{0,4}[，,：:\s]*)*(?:(?:原来|结果|其实)|[^，,]{0,6}(?:医生|大夫|查出来|发现)说?)?(?:我(?:说|指)的|我)?(?:不是对?|不对(?=[^，,。]{1,8}过敏))(?P<denied>[^，,。我]{1,10}?)(?:过敏)?[，,]\s*(?:而|我(?:[^，,。]{1,6}的)?|(?:医生|大夫|[他她])说)?(?:只)?是对?(?P<instead>[^，,。！!我]{1,10}?)(?:过敏)?(?:[，,][^，,。]{0,6}(?:说|记|弄|搞|打|写|听|看)错了?)?[。！!\s]*$",
)
# A value alone in the place of one that was just said: "no, I meant 14 May", 不对，是十四号.
_BARE_VALUE = r"(?:(?:the |on |at )?\d[\w:.]*(?: of (?:january|february|march|april|may|june|july|august|september|october|november|december))?|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
_MEANT = (
    rf"^\W*(?:(?:no wait|wait,? no|no|wait|oops|sorry|oh|correction|actually|hm+)\b[\s,.:;–—-]*)+(?P<instead>{_BARE_VALUE})(?: (?:actually|instead|not that))?[\s.!]*$",
    rf"^\W*(?:(?:no|sorry|wait|oops|oh|actually|hm+|i misspoke|i got (?:it|that) wrong)\b[\s,.:;–—-]*)+(?:i meant|i mean|make (?:that|it)|it's|it is|that's|it should be)\s+(?P<instead>{_THING})(?:, [^.;!?]{{1,40}})?[\s.!]*$",
    rf"^\W*(?:i meant|correction\s*[:,–-])\s+(?P<instead>{_THING})[\s.!]*$",
    r"^(?:[^，,。]{0,4}(?:不对|不是|说错|记错|弄错|搞错|更正)[^，,。是]{0,3}[，,：:\s]*)+(?:应该)?是(?P<instead>[^，,。我]{1,10})(?:[，,][^，,。]{0,2}别记错了?)?[。！!\s]*$",
)
# How a statement begins that sets right what was said.
_RIGHT = re.compile(
    r"^\W*(?:(?:no|oops|wait|well|oh)\b[\s,]*)*(?:(?:sorry|actually|in fact|correction|(?:it )?turns out(?: that)?|i (?:got (?:it|that) wrong|misspoke|was wrong))\b[\s,:;.–—-]*)+"
    r"|^\W*(?:其实|事实上|准确地说|更正(?:一下)?|纠正(?:一下)?|原来|(?:我)?(?:之前|刚才)?(?:说错|记错|弄错|搞错)了?)[，,：:\s]*(?:是(?=我))?",
    re.IGNORECASE,
)
# Who found out how it is: "it's not latex, the doctor says it's the powder", "the doctor says the allergy is gone".
_FOUND_BY = re.compile(
    r"(\bnot [^,.;]{2,40}[,;] |^\W*(?:actually[\s,]*)?(?=.*(?:\b(?:not|never|gone|clear|cured|healed|over|no longer)\b|n't\b)))(?:(?:the|my) [a-z]+|he|she|they) (?:says?|said|thinks?|found|told me)(?: that)? (?=it's |it is |it isn't |i'm |i can |i was |(?:the|my) )"
    r"|(^|[，,])(?:(?:今天|昨天|刚才?)?(?:医生|大夫|检查结果))(?:今天|昨天|都|也)*说(?=我)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"\binstead\b|\b(?:moved|changed|shifted|rescheduled|postponed|switched|pushed)\b.{1,60}\bto\b"
    r"|改(?![天日善进良造革正错])[\u4e00-\u9fff]|换(?:[成到去]|了)|挪到|推迟到|提前到|调到|搬[到去]|转到|升[到为成]",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|nowadays|these days|by now)\b|现在|如今|目前", re.IGNORECASE)
# What tells, without such a word, that something became otherwise.
_OTHERWISE = re.compile(
    r"\b(?:(?<!a )(?<!the )new|changed|moved|shifted|switched|pushed|raised|increased|reduced)\b"
    r"|\b(?:put|gone|went|goes|brought|moved|cut)\b(?: [\w']+){0,4}? (?:up|down|forward|back)\b|\bsince (?:[A-Z]|last|the)"
    r"|(?<!重)新(?!鲜|闻|年|娘|郎)|涨|升(?!职)|降到|降成|减到|减成|推到|延到|提到|排到|换(?!个|句)|改(?!天|日)|(?<!自)从[\u4e00-\u9fff\d]{1,6}起",
    re.IGNORECASE,
)
_MARKS = re.compile(
    r"\b(?:instead(?: of)?|rather than|no longer|any ?more|any longer|nowadays|these days|by now|now|moved|changed|shifted|rescheduled|postponed|switched|swapped|"
    r"traded|exchanged|replaced|pushed)\b|改[成到在为]?|换[成到了]?|挪到|推迟到|提前到|调到|现在|如今|目前|不再",
    re.IGNORECASE,
)
# What goes on behind an end and says how it is instead: "it is in my shed", 放在我的棚子里.
_GOES_ON = re.compile(
    r"(?:^|[,;.–—-]\s*|\b(?:but|and) )(?:it|he|she|they|that)(?:'s|'re| is| are| has| have)\b", re.IGNORECASE
)
# What goes on at this moment: "I'm walking the dog now".
_JUST_NOW = re.compile(
    r"(?:'m|'re|\b(?:he|she|it)'s|\bam|\bare|\bis) (?!living|working|staying|studying|learning|getting)\w+ing\b|现在(?:正|在[^\u4e00-\u9fff]*(?:[走吃看等忙玩做]))",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[,，;；]\s*|\s[–—-]+\s")
# 改在五月二十五号 leaves out of what, and 现在是经理 of whom.
_STANDS_ALONE = re.compile(
    r"(?:(?:i|we|my|our|the)\b|(?-i:[A-Z])|(?!现在|如今|目前|(?:就|又|也)?(?:改|推迟|延|提前|调|挪)[到成在为至])[\u4e00-\u9fff])",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|an?|my|our|in|on|at)\s+", re.IGNORECASE)
# Who says so puts right also what is no number: an allergy.
_SAYS_SO = re.compile(r"\W*(?:correction|i meant)\b|\W*(?:我)?(?:说错|记错|弄错|搞错|更正)", re.IGNORECASE)
_MEANT_PATTERNS = [re.compile(pattern, re.IGNORECASE) for pattern in _MEANT]
_PUT_RIGHT_PATTERNS = [re.compile(pattern, re.IGNORECASE) for pattern in _PUT_RIGHT]
_CUT_PATTERNS = [re.compile(pattern, re.IGNORECASE) for pattern in _CUT]
_DENIED_PATTERNS = [re.compile(pattern, re.IGNORECASE) for pattern in _DENIED]
# All but "swapped for" and 从…改成.
_FOLLOWING = _DENIED_PATTERNS[5:]
_END_PATTERNS = [*_DENIED_PATTERNS[1:3], *_DENIED_PATTERNS[5:]]


@dataclass(frozen=True, kw_only=True)
class Change:
    """That a statement takes the place of another: the words of what it denies, and whether it says so outright
    ("instead"), not only that it holds now. `instead` is all that stands in the place of what is denied, or of the like
    value in what was noted last where nothing is. `of` names what has that value, where it is said: "my studio isn't in Hull, it's in York".
    """

    denied: str = ""
    instead: str = ""
    of: str = ""
    is_sure: bool = True
    # Whether it says "instead", not only that something moved somewhere.
    is_outright: bool = False
    # Whether it only ends what it denies: "I no longer eat fish".
    is_end: bool = False


def read(said: str) -> tuple[str, Change | None]:
    """Return a statement without what it denies, and the change it tells, None where it tells none."""
    said = said.rstrip("，, ")
    for pattern in _PUT_RIGHT_PATTERNS:
        if match := pattern.search(said):
            of = match.groupdict().get("of") or ""
            instead = _MERELY.sub("", match["instead"].strip())
            return said, Change(denied=match["denied"].strip(), instead=instead, of=of)
    for pattern in _CUT_PATTERNS:
        match = pattern.search(said)
        kept = said[: match.start()] + said[match.end() :] if match else ""
        if match and lexicon.has_words(kept):
            return kept, Change(denied=match["denied"])
    for pattern in _DENIED_PATTERNS:
        # 我改上白班了，不用熬夜了: what follows from a change is not what it takes the place of.
        if (match := pattern.search(said)) and not (pattern in _FOLLOWING and _INSTEAD.search(said[: match.start()])):
            is_end = pattern in _END_PATTERNS and not _tells_more(said, match)
            return said, Change(denied=match["denied"], is_end=is_end)
    if _INSTEAD.search(said):
        kept = re.sub(r",?\s+instead\b", "", said)
        return kept, Change(is_outright=kept != said)
    if _NOW.search(said) or _OTHERWISE.search(said) or values.ONE.search(said):
        return said, Change(is_sure=False)
    return said, None


def _tells_more(said: str, match: re.Match[str]) -> bool:
    """Whether a sentence also says how it is instead, in another clause than the one that denies."""
    before, behind = re.split(r"[^,;，；]*$", said[: match.start()])[0], said[match.end() :]
    return bool(_INSTEAD.search(said) or _NOW.search(before) or _NOW.search(behind) or _GOES_ON.search(behind))


def read_told(said: str) -> tuple[str, Change | None]:
    """Read a statement as `read` does, which need not be asked to be remembered: one that only ends something is none."""
    for pattern in _MEANT_PATTERNS:
        match = pattern.search(said)
        if match and (values.read(match["instead"]) or _SAYS_SO.match(said)):
            return said, Change(instead=match["instead"].strip())
    right = _RIGHT.match(said)
    plain = said[right.end() :] if right else said
    kept, change = read(plain)
    if change is not None and not (change.denied or change.instead or change.is_outright):
        kept = find_clause(plain)
    if right and change is None:
        return kept, Change(is_sure=False)
    if change is not None and not change.is_sure and _JUST_NOW.search(said):
        return kept, None
    return kept, None if change is not None and change.is_end else change


def leave_out_source(said: str) -> str:
    """Leave out who says how something is instead, which counts as the user's own word."""
    return _FOUND_BY.sub(lambda match: match[1] or match[2] or "", said)


def find_clause(said: str) -> str:
    """Return the one clause that tells a change and holds what it changes to; all that is said where it is not in one."""
    told = [clause.strip() for clause in _CLAUSES.split(said)]
    changing = [one for one in told if any(mark.search(one) for mark in (_INSTEAD, _NOW, _OTHERWISE))]
    if len(changing) != 1 or not _STANDS_ALONE.match(changing[0]):
        return said
    holds_value = values.read(changing[0]) or framing.read(third_person.turn(changing[0]))
    return changing[0] if holds_value else said


def is_one_clause(said: str) -> bool:
    """Whether one clause alone of a statement says something."""
    return sum(lexicon.has_words(clause) for clause in _CLAUSES.split(said)) == 1


def strip_lead(said: str) -> str:
    """Leave out how a statement begins that sets something right: "Sorry, ...", 说错了，……"""
    return said[match.end() :] if (match := _RIGHT.match(said)) and lexicon.has_words(said[match.end() :]) else said


def strip_marks(said: str) -> str:
    """Leave out the words of a change that say nothing of what it is about."""
    return _MARKS.sub(" ", said)


def find_denied(told: str, change: Change) -> re.Match[str] | None:
    """Find where a fact tells what a change puts something else in the place of, be it of several."""
    if change.of and change.of.casefold() not in told.casefold():
        return None
    plain = _ARTICLE.sub("", change.denied)
    edge = "" if lexicon.is_chinese(plain) else r"\b"
    return re.search(rf"{edge}{re.escape(plain)}(?P<ending>s?){edge}", told, re.IGNORECASE)


def put_right(told: str, change: Change) -> str:
    """Return a fact with the one thing in the place of the other: what both texts go on with stands once."""
    if not change.denied:
        return values.put_right(told, change.instead)
    match = find_denied(told, change)
    if match is None:
        return told
    instead, behind = _ARTICLE.sub("", change.instead), told[match.end() :]
    common = next((size for size in range(len(instead) - 1, 0, -1) if behind.startswith(instead[-size:])), 0)
    before = told[: match.start()]
    if lexicon.is_chinese(told):
        again = next((size for size in range(len(instead) - common - 1, 0, -1) if before.endswith(instead[:size])), 0)
        instead = instead[again : len(instead) - common]
    plural = match["ending"] if not instead.endswith("s") else ""
    return f"{before}{instead}{plural}{behind}"
