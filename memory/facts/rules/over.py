"""Reads that something is over, whatever it is: "I sold the boat", "I'm no longer diabetic", 我戒烟了, 健身卡我退了.

The words tell what is over; a fact that holds them is looked for afterwards, and where there is none nothing happens.
"""

import re
from dataclasses import dataclass

from echovessel.llm.offline.text import lexicon


@dataclass(frozen=True, kw_only=True)
class Ending:
    """That something is over, and the words of it; `is_ban` where what was forbidden is allowed again."""

    words: str
    is_ban: bool = False


_CLAUSES = re.compile(
    r"[,;:!?.]+(?=\s|$)|\s[–—-]+\s|\s+(?:and|but|because|since|so|as) (?=(?:i|we|my|our|it|the|she|he|they)\b)",
    re.IGNORECASE,
)
_LEAD = r"^\W*(?:(?:and|but|so|well|oh|yes|yeah|also|then|anyway|actually|sadly|luckily|unfortunately|finally|eventually|recently|yesterday|today|in the end)\s+)*"
_WHO = r"(?P<who>(?:[\w'-]+(?: [\w'-]+)? and )?(?:i|we)|my (?:[\w'-]+ )?[\w'-]+|(?-i:[A-Z])[\w'-]+)"
_I = rf"{_LEAD}{_WHO}(?:'ve|'m|'d| have| had| am| was| were)?(?: (?:just|finally|now|recently|already|also|actually|eventually|completely|sadly|\w+ly))*"
_ENDED = (
    r"sold|called off|(?:gave|given) up(?: on)?|quit|stopped(?! (?:at|by|in|for|to|on|off|over)\b)|(?:gave|given) away|(?:got|gotten) rid of|cancell?ed|dropped out of|"
    r"left(?! (?:for|at|a|an|some|something|it|him|her|them)\b)|packed in|pulled out of|(?:got|gotten) over|recovered from|(?:came|come) off|off|over|(?:threw|thrown) (?:out|away)|donated|"
    r"unsubscribed from|stepped down (?:from|as)|cured of|rid of|done with|finished with"
)
_ENGLISH = (
    rf"{_LEAD}(?P<who>(?:i|we|my|our|the|[\w'-]+)(?: [\w'-]+){{0,4}}?)(?:'m|'re|'s)?(?: (?:am|are|is))? no longer (?P<what>.+)$",
    rf"{_LEAD}(?P<who>[\w' -]{{1,40}}?)(?:n't|\s+not|\s+never) (?P<what>.+?) (?:any ?more|any longer)\b(?P<tail>.*)$",
    rf"{_I} (?:{_ENDED}) (?P<what>.+)$",
    rf"{_I} (?:(?:gave|given|threw|thrown) (?P<what>(?:my|our|the) .+?) (?:up|away|out)|(?:got|had) (?P<removed>(?:my|our|the) .+?) (?:off|removed))\b",
    rf"{_LEAD}(?P<what>(?:my|our|the) [\w' -]{{2,40}}?)(?: (?:is|are|was|were|has|have|got)|'s)(?: been)?(?: (?:now|finally|all|long|completely))* (?:gone|sold|cancell?ed|called off|history|no more|healed|cured|given away|stolen)\b",
)
_ENGLISH_BANS = (
    rf"{_LEAD}(?:i|we)(?:'m| am| are)?(?: (?:now|finally|actually))* (?:can|may|allowed to|able to)(?: (?:now|finally|actually))* (?P<what>.+?) (?:again|now)\b(?P<tail>.*)$",
)
# What follows the thing itself in its clause.
_BEHIND = re.compile(
    r"\s+(?:because|since|so|after (?=(?:my|the|that|an?|it|what|all)\b)|when|last|this|yesterday|today|now|for good|for ever|forever|in the end|at last|altogether|completely|entirely|in (?:19|20)\d\d|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"(?:\w+ )?\w+ (?:days?|weeks?|months?|years?) ago|too|either|really|finally|thank\w*|either)\b.*$",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"\b(?:early|late|tonight|for now|right now|at the moment|for (?:a|an|the|one|two|three|today)\b|until|till|this time|temporarily|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow)\b",
    re.IGNORECASE,
)
_OF_TODAY = re.compile(r"\b(?:yesterday|today|this (?:morning|week|month|year))\b.*$", re.IGNORECASE)
_NOT_YET = re.compile(
    r"\b(?:almost|nearly|might|may|want(?:ed)?|wish|would|could|should|thinking|think|thought|hope|going to|gonna|plan\w*|consider\w*|tempted|about to|try|tried|trying|tries|pretend\w*|say|says|said|heard|never)\b",
    re.IGNORECASE,
)

_NOTE = r"(?:吧|啊|呢|哈|哦|嘛|呀|啦)*"
_SINCE = r"(?:现在|已经|早就|早|也|都|终于|可|从此|以后|刚刚?|最近|昨天|前天|上周|上个月|前阵子|全|又|后来|给)*"
_GONE = r"(?:卖|送人|送|扔|退|停|取消|注销|戒|辞|处理|转让|捐|转卖|解约|退租|摘|拆|报废|转手)(?:掉|出去|走)?"
_CHINESE = (
    rf"^(?P<who>[^不没再把]{{0,12}}?){_SINCE}(?:不再|再也不|再也没有?|不|没有?)(?P<what>[^了]{{1,14}})了{_NOTE}$",
    rf"^(?P<who>[^不没把]{{0,12}}?){_SINCE}(?:不再|再也不)(?P<what>[^了]{{1,14}})$",
    rf"^(?:我们?)?{_SINCE}(?:把|将)(?P<what>.{{1,12}}?)(?:都|给|也)*{_GONE}了{_NOTE}$",
    rf"^(?:我们?)?{_SINCE}(?:戒掉|戒|退出|退掉|停掉|停(?!车)|停用|卖掉|卖|扔掉|送走|放弃|取消|注销|辞掉|离开)(?:了(?P<what>.{{1,12}}?)了?|(?P<thing>.{{1,12}}?)了){_NOTE}$",
    rf"^(?P<what>[^不没把]{{1,14}}?)(?:我们?|被我)?{_SINCE}(?:没了|没有了|{_GONE}了|黄了|吹了){_NOTE}$",
    rf"^(?P<what>[^不没把]{{0,10}}(?:病|炎|伤|疼|痛|症|过敏)){_SINCE}(?:好|治好|痊愈)(?:了|全了){_NOTE}$",
)
_CHINESE_BANS = (
    rf"^(?:[^我不没]{{0,8}}[后起来])?(?:我们?)?{_SINCE}(?:可以|能够?){_SINCE}(?P<what>.{{1,10}})了{_NOTE}$",
)
_CLAUSES_CHINESE = re.compile(r"[，,；;。！!？?：:、…~～\s]+")
_NOT_YET_CHINESE = re.compile(
    r"今[天晚早]|明[天早]|这[次会周几两]|暂时|先|周[一二三四五六日天末]|想|打算|准备|考虑|差点|要不|舍不得|可能|也许|如果|是不是|该|会(?![员计所议长])|让|叫|说|听|他|她|(?<!我)们家|怎么|万一|能不"
)


def read(text: str) -> Ending | None:
    """Return what a statement says is over."""
    is_chinese = lexicon.is_chinese(text)
    for clause in (_CLAUSES_CHINESE if is_chinese else _CLAUSES).split(text):
        if found := _read_chinese(clause) if is_chinese else _read_english(clause.strip()):
            return found
    return None


def _read_english(clause: str) -> Ending | None:
    if _NOT_YET.search(clause):
        return None
    for patterns, is_ban in ((_ENGLISH_PATTERNS, False), (_ENGLISH_BAN_PATTERNS, True)):
        for pattern in patterns:
            if match := pattern.search(clause):
                groups = match.groupdict()
                what = _BEHIND.sub("", _OF_TODAY.sub("", groups["what"] or groups["removed"]).rstrip())
                if _FOR_NOW.search(f"{what} {groups.get('tail') or ''}"):
                    return None
                return Ending(words=f"{groups.get('who') or ''} {what}".strip(), is_ban=is_ban)
    return None


def _read_chinese(clause: str) -> Ending | None:
    if _NOT_YET_CHINESE.search(clause):
        return None
    for patterns, is_ban in ((_CHINESE_BAN_PATTERNS, True), (_CHINESE_PATTERNS, False)):
        for pattern in patterns:
            if match := pattern.search(clause):
                groups = match.groupdict()
                return Ending(
                    words=f"{groups.get('who') or ''}，{groups.get('what') or groups.get('thing') or ''}", is_ban=is_ban
                )
    return None


def _compile(patterns: tuple[str, ...]) -> list[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE) for pattern in patterns]


_ENGLISH_PATTERNS, _ENGLISH_BAN_PATTERNS = _compile(_ENGLISH), _compile(_ENGLISH_BANS)
_CHINESE_PATTERNS, _CHINESE_BAN_PATTERNS = _compile(_CHINESE), _compile(_CHINESE_BANS)
