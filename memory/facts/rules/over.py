"""Reads that something is over, whatever it is ("I sold the boat", 我戒烟了, 健身卡我退了): words of which a fact is looked for afterwards."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from echovessel.llm.offline.text import clauses, lexicon
from memory.facts.checks import grave, wording


class Sort(StrEnum):
    """What a fact must tell to be over."""

    ANY = "any"
    # Something forbidden, which is allowed again.
    BAN = "ban"
    # Something to come, which has come: "I bought the van".
    PLAN = "plan"
    # Where somebody lives or stays: they left, or died.
    STAY, LIFE = "stay", "life"
    # What somebody does for a living, without the word for it: 我不送外卖了.
    WORK = "work"
    # The very words, which are denied: "I don't snore".
    SAME = "same"


@dataclass(frozen=True, kw_only=True)
class Ending:
    """That something is over, the words of it, and what a fact must tell to be it."""

    words: str
    sort: Sort = Sort.ANY


_CLAUSES = re.compile(
    r"[,;:!?.]+(?=\s|$)|\s[–—-]+\s|\s+(?:and|but|because|since|so|as) (?=(?:i|we|my|our|it|the|she|he|they)\b)",
    re.IGNORECASE,
)
_LEAD = r"^\W*(?:(?:and|but|so|well|oh|yes|yeah|also|then|anyway|actually|sadly|luckily|unfortunately|finally|eventually|recently|yesterday|today|in the end)\s+)*"
_WHO = r"(?P<who>(?:[\w'-]+(?: [\w'-]+)? and )?(?:i|we)|my (?:[\w'-]+ )?[\w'-]+|(?-i:[A-Z])[\w'-]+)"
_I = rf"{_LEAD}{_WHO}(?:'ve|'m|'d| have| had| am| was| were)?(?: (?:just|finally|now|recently|already|also|actually|eventually|completely|sadly|\w+ly))*"
_ENDED = (
    r"sold|called off|dropped(?! (?:off|by|in|out|it|him|her|them|me|my|an?)\b)|(?:gave|given|giving) up(?: on)?|quit(?:ting)?|packing in|dropping out of|stopped(?! (?:at|by|in|for|to|on|off|over)\b)|(?:gave|given) away|(?:got|gotten) rid of|cancell?ed|dropped out of|"
    r"left(?! (?:for|at|a|an|some|something|it|him|her|them)\b)|packed in|pulled out of|(?:got|gotten) over|recovered from|(?:came|come) off|off|over|(?:threw|thrown) (?:out|away)|donated|"
    r"unsubscribed from|flogged|binned|ditched|scrapped|shelved|jacked in|sworn off|swore off|stepped down (?:from|as)|cured of|rid of|done with|finished with"
)
_ENGLISH = (
    rf"{_LEAD}(?P<who>(?:i|we|my|our|the|[\w'-]+)(?: [\w'-]+){{0,4}}?)(?:'m|'re|'s)?(?: (?:am|are|is))? no longer (?P<what>.+)$",
    rf"{_LEAD}(?P<who>[\w' -]{{1,40}}?)(?:n't|\s+not|\s+never) (?P<what>.+?) (?:any ?more|any longer|after all)\b(?P<tail>.*)$",
    rf"{_I} (?:(?:had|decided) to (?:call off|cancel|sell|give up|quit|stop|drop|leave|get rid of|give away|pull out of|drop out of|pack in)|{_ENDED}) (?P<what>.+)$",
    rf"{_I} (?:(?:shut|closed)(?: down)?) (?P<what>(?:my|our|the) .+?)(?: down| for good| in \w+)*$",
    rf"{_I} (?:(?:gave|given|threw|thrown) (?P<what>(?:my|our|the) .+?) (?:up|away|out)|(?:got|had) (?P<removed>(?:my|our|the) .+?) (?:off|removed))\b",
    rf"{_LEAD}(?P<what>(?:my|our|the) [\w' -]{{2,40}}?)(?: (?:is|are|was|were|has|have|got)|'s)(?: been)?(?: (?:now|finally|all|long|completely))* (?:gone(?=(?: now| for good| forever)?$)|off(?=$)|sold|cancell?ed|called off|axed|scrapped|disbanded|history|no more|healed|cured|given away|stolen)\b",
    rf"{_LEAD}(?P<what>(?:my|our|the) [\w' -]{{2,40}}?)(?: has| have|'s)?(?: finally)? (?:(?:came|come|taken) off|folded|disbanded|(?:went|gone) bust)\b",
    rf"{_LEAD}(?:i(?:'ve| have)? )?(?:just |finally )*(?:finished|done with) (?P<what>(?:my|the) (?:course of )?(?:antibiotics|tablets|pills|medication|meds|chemo|treatment)\b)",
    r"\b(?:took|taken|moved|got|kicked|thrown|let) (?:me|us) (?:off|out of|from) (?P<what>.+)$|\b(?:switched|changed|moved) me (?P<instead>(?:on)?to .+)$|\b(?:they|council|school|company|college|boss)(?:'ve|'s| have| has)? (?:axed|scrapped|cancell?ed|(?:closed|shut)(?: down)?|done away with|got rid of|(?:taken|took) away) (?P<removed>(?:my|our|the) .+)$",
)
_ENGLISH_BANS = (
    rf"{_LEAD}(?:i|we)(?:'m| am| are)?(?: (?:now|finally|actually))* (?:can|may|allowed to|able to)(?: (?:now|finally|actually))* (?P<what>.+?) (?:again|now|these days)\b(?P<tail>.*)$",
    rf"{_LEAD}(?:i|we)(?:'m| am|'ve| have)? (?:(?:do|back to|(?:just )?(?:started|begun)) (?P<what>.+?) again|(?P<removed>(?:eat|drink|smoke) .+?) (?:now|these days))\b(?P<tail>.*)$",
)
_ENGLISH_PLANS = (
    rf"{_I} (?:bought|got|found|passed|finished|had|did|booked|done|paid off|handed in|submitted|been to|started) (?P<what>(?:my|our|the|an?|(?-i:[A-Z])) ?.+)$",
)
_ONE = r"(?P<who>my (?:[\w'-]+ )?[\w'-]+?|(?-i:[A-Z])[\w-]+?)"
_ENGLISH_STAYS = (
    rf"{_LEAD}{_ONE}(?:'s| has| have)? (?:moved out|gone (?:back )?(?:home|to)|went (?:back )?home|left|moved (?:back )?home)\b(?! (?:me|my|the|a|his|her|for work)\b)",
)
_DEAD = r"(?:died|dead|passed away|passed on|passed(?= (?:this|last|on|in|yesterday|today|peacefully))|put to sleep|put down|didn't make it|r[ua]n away|(?:gone|went) missing)"
_ENGLISH_LIVES = (
    rf"{_LEAD}{_ONE}(?:'s| has| have| is| was| got| had)?(?: to)?(?: be| been)?(?: just| sadly)? {_DEAD}\b",
    rf"\b(?:had to |having to |have )?put {_ONE} (?:down|to sleep)\b",
    rf"{_LEAD}(?:i|we)(?:'ve| have)?(?: just| sadly)? lost {_ONE}(?: to .+)?(?=[\s.!]*$| (?:today|yesterday|tonight|this|last|on|in|two|a)\b)",
)
_ENGLISH_WORK = (
    rf"{_LEAD}i(?:'ve stopped|'m not| am not|'m no longer| no longer| don't| do not) (?:drive|driving|deliver\w*|teach\w*|sell\w*|do|doing|cut\w*|fix\w*|repair\w*|clean\w*|cook\w*|paint\w*|bak\w+) (?P<what>.+?)(?: any ?more| any longer)?$",
)
_ENGLISH_DENIALS = (
    rf"{_LEAD}(?P<who>i|we|my [\w'-]+|(?-i:[A-Z])[\w-]+)(?:'m| am|'s| is| are|'re| do| does| can| have| has)?(?:n't| not|not) (?P<what>.+)$",
)
# What follows the thing itself in its clause.
_BEHIND = re.compile(
    r"\s+(?:because|since|so|and (?:put|got|am|now|on|it|he|she|they)\b|after (?=(?:my|the|that|an?|it|what|all)\b)|when|last|this|yesterday|today|now|for good|for ever|forever|in the end|at last|altogether|completely|entirely|in (?:19|20)\d\d|in (?:january|february|march|april|may|june|july|august|september|october|november|december)|"
    r"(?:\w+ )?\w+ (?:days?|weeks?|months?|years?) ago|too|either|really|finally|thank\w*|either)\b.*$",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"\b(?:early|late|tonight|for now|right now|at the moment|for (?:a|an|the|one|two|three|today)\b|until|till|this time|temporarily|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow)\b",
    re.IGNORECASE,
)
_OF_TODAY = re.compile(r"\b(?:yesterday|today|this (?:morning|week|month|year))\b.*$", re.IGNORECASE)
_NOT_YET = re.compile(
    r"\b(?:almost|nearly|might|may|want(?:ed)?|wish|would|could|should|thinking|think|thought|hope|(?<!not )(?<!n't )going to|gonna|plan\w*|consider\w*|tempted|about to|try|tried|trying|tries|pretend\w*|say|says|said|heard|never)\b",
    re.IGNORECASE,
)

_NOTE = r"(?:吧|啊|呢|哈|哦|嘛|呀|啦)*"
_SINCE = r"(?:现在|已经|早就|早|也|都|终于|可|从此|以后|刚刚?|最近|昨天|前天|上(?:个?[周月]|礼拜|个?星期)|前阵子|全|又|后来|给)*"
_GONE = r"(?:卖|送人|(?:送|转|盘|让)给[^，了一几个]{1,6}?(?:养|用|穿|骑|开|戴|管)?|送|扔|退|停|取消|注销|戒|辞|处理|转让|捐|转卖|解约|退租|摘|拆|报废|转手|倒闭|停业|歇业|关门|关张|(?<=[店铺馆厂摊吧社])关|(?<=[店铺馆厂社院司])(?:倒|垮|散伙)|散伙|砸锅)(?:掉|出去|走)?"
_CHINESE = (
    rf"^(?P<who>[^不没再把]{{0,12}}?){_SINCE}(?:不再|再也不|再也没有?|不(?:[用必](?=[吃打去来交考带穿戴等]))?|没有?)(?P<what>[^了]{{1,14}})了{_NOTE}$",
    rf"^(?P<who>[^不没把]{{0,12}}?){_SINCE}(?:不再|再也不)(?P<what>[^了]{{1,14}})$",
    rf"^[^不没，]{{0,6}}?{_SINCE}(?:把|将)(?P<what>.{{1,12}}?)(?:都|给|也)*{_GONE}了{_NOTE}$",
    rf"^(?:我们?)?{_SINCE}(?:戒掉|戒|退出|退掉|停掉|停(?!车)|停用|卖掉|卖|扔掉|送走|放弃|取消|注销|辞掉|离开)(?:了(?P<what>.{{1,12}}?)了?|(?P<thing>.{{1,12}}?)了){_NOTE}$",
    rf"^(?P<what>[^不没把]{{1,14}}?)(?:我们?|被我)?{_SINCE}(?:没了|没有了|{_GONE}了(?:[^，了]{{1,5}}了)?|黄了|吹了|(?:[那这]个)?不[用必](?:再|[去来打吃交考等管弄])+了){_NOTE}$",
    rf"^(?:医生|大夫)?{_SINCE}给我{_SINCE}(?P<what>[换改](?:成|用|吃)?了?[^，了]{{2,8}})$",
    rf"^(?P<what>[^不没把]{{0,10}}(?:病|炎|伤|疼|痛|症|过敏)){_SINCE}(?:基本|差不多|完全|彻底)?(?:好|治好|痊愈)(?:了|全了){_NOTE}$",
)
_CHINESE_BANS = (
    rf"^(?:[^我不没]{{0,8}}[后起来])?(?:我们?)?{_SINCE}(?:可以|能够?){_SINCE}(?P<what>.{{1,10}})了{_NOTE}$",
    rf"^我们?{_SINCE}不(?:讨厌|怕|忌|排斥)(?P<what>[^了]{{1,10}})了{_NOTE}$",
    rf"^我们?(?:现在|已经|又)*(?:重新|开始|恢复)+(?P<what>[^不没了]{{1,10}})了{_NOTE}$",
)
_DONE = r"(?:买|做|考|找|办|签|拿|还|装修|修|写|读|考|毕|生|通过|录取|搞定|弄)(?:到|好|完|下来|清|成|上|过|出来|手)?"
_CHINESE_PLANS = (
    rf"^(?:我们?)?{_SINCE}(?:终于)?{_DONE}了(?P<what>[^了]{{1,12}}){_NOTE}$",
    rf"^(?P<what>[^不没把我他她]{{1,12}}?)(?:我们?)?{_SINCE}(?:终于)?{_DONE}了{_NOTE}$",
)
_ONE_CHINESE = r"(?P<who>(?:我的?)?[\u4e00-\u9fffA-Za-z]{1,6}?)"
_WHEN = r"(?:昨[天晚]|今[天早晚]|早上|晚上|夜里|凌晨|中午|下午|前[天几]|上个?[周月]|周[一二三四五六日天末]|年前|已经|刚刚?|就|终于|也|都|全)*"
_CHINESE_STAYS = (rf"^{_ONE_CHINESE}{_WHEN}(?:搬走|搬出去|回老家|回家去|走|回去|回国)了{_NOTE}$",)
_CHINESE_LIVES = (rf"^{_ONE_CHINESE}{_WHEN}(?:(?:走|没|不在|离世|死|飞|丢|翻肚皮)了|(?:去世|过世|病逝|去了[汪喵]星)了?){_NOTE}$",)  # fmt: skip
_CHINESE_WORK = (
    rf"^我{_SINCE}不(?:再)?(?:送|跑|开|做|教|卖|修|摆|拉|干|当|写|画|种|理)(?P<what>[^了]{{2,8}})了{_NOTE}$",
)
_CHINESE_DENIALS = (
    rf"^(?P<who>我|我的?[\u4e00-\u9fff]{{1,4}}?)(?P<what>[^不没]{{0,8}}?[不没](?!是不|是没)[^不没了]{{1,10}}){_NOTE}$",
)
_CLAUSES_CHINESE = re.compile(r"[，,；;。！!？?：:、…~～\s]+")
_NOT_YET_CHINESE = re.compile(
    r"今[天晚早](?=.*[不没])|明[天早]|这[次会周几两]|暂时|先|周[一二三四五六日天末]|想|打算|准备|考虑|差点|要不|舍不得|可能|也许|如果|是不是|该|会(?![员计所议长])|让|叫|说|听|他|她|(?<!我)们家|怎么|万一|能不"
)

# A pregnancy that ended is told without its name.
_LOST_CHILD = re.compile(
    r"\b(?:i|we)(?:'ve| have)? lost (?:the|our|my) baby\b|\bmiscarr(?:ied|iage)\b|孩子没(?:了|保住)|流产了",
    re.IGNORECASE,
)
_PREGNANCIES = tuple(Ending(words=words) for words in ("I pregnant", "I expecting a baby", "我怀孕"))
# Who is no longer allergic may eat what they could not.
_NO_ALLERGY = re.compile(
    r"\b(?:my|the) allerg(?:y|ies)\b[^.;]{0,30}\b(?:gone|cleared|cured|over)\b|\boutgr[eo]wn? (?:my|the) allerg|(?:不再?|已经不)过敏了|过敏[^，。]{0,4}(?:没了|好了)"
    r"|(?:\bno longer|\bnot|n't|\bnever) (?:\w+ ){0,2}allergic to (?P<food>[a-z ]{2,30}?)(?= any ?more| after all|[.,;!]|$)|不(?:再)?对(?P<food_han>[\u4e00-\u9fff]{1,6})过敏",
    re.IGNORECASE,
)
# "The user likes jazz" is what is denied.
_HATES = re.compile(
    r"(?<=\bi )(?:really |just |absolutely )?(?:hate|can't stand|dislike|loathe|don't like|do not like)\b",
    re.IGNORECASE,
)
# Who left or gave something has not always had done with it: "I left my coat on the boat".
_OF_A_THING = re.compile(r"\b(?:left|gave|given|quit|threw|thrown|shut|closed|lost|let)\b", re.IGNORECASE)


def read(text: str) -> list[Ending]:
    """Return what a statement says is over, as each sort that it may be, in the order of its clauses."""
    if _LOST_CHILD.search(text):
        return [*_PREGNANCIES]
    found = _read_clauses(text)
    if (match := _NO_ALLERGY.search(text)) and not lexicon.find_kin(text):
        eat = "我吃" if lexicon.is_chinese(text) else "I eat "
        found.append(Ending(words=eat + (match["food"] or match["food_han"] or ""), sort=Sort.BAN))
    return found


def is_for_good(said: str, endings: Sequence[Ending]) -> bool:
    """Whether a statement says that something is over, in whatever words a fact tells it."""
    return any(one.sort in (Sort.ANY, Sort.BAN) for one in endings) and not _OF_A_THING.search(said)


def _read_clauses(text: str) -> list[Ending]:
    if lexicon.is_chinese(text):
        return [ending for clause in _CLAUSES_CHINESE.split(text) for ending in _read_chinese(clause)]
    return [ending for clause in _CLAUSES.split(text) for ending in _read_english(clause.strip())]


def _read_english(clause: str) -> Iterator[Ending]:
    if _NOT_YET.search(clause):
        return
    said = clauses.add_speaker(_HATES.sub("don't likes", clause))
    for sort, pattern in _ENGLISH_PATTERNS:
        if match := pattern.search(said):
            groups = match.groupdict()
            what = groups.get("what") or groups.get("removed") or groups.get("instead") or ""
            what = _BEHIND.sub("", _OF_TODAY.sub("", what).rstrip())
            told = clause if sort == Sort.SAME else f"{what} {groups.get('tail') or ''}"
            if not _FOR_NOW.search(told):
                yield Ending(words=f"{lexicon.leave_out_animal(groups.get('who') or '')} {what}".strip(), sort=sort)


def _read_chinese(clause: str) -> Iterator[Ending]:
    told = _TODAY_CHINESE.sub("", clause)
    for sort, pattern in _CHINESE_PATTERNS:
        match = pattern.search(told)
        if match and not (_NOT_YET_CHINESE if sort not in _OF_ONE else _IMAGINED_CHINESE).search(clause):
            groups = match.groupdict()
            what = _PLACE_CHINESE.sub("", groups.get("what") or groups.get("thing") or "")
            who = _OF_PLACE_CHINESE.sub("", groups.get("who") or "")
            words = f"{who}，{what.removesuffix('子') if sort == Sort.PLAN else what}"
            yield Ending(words=words, sort=sort)


def _compile(*patterns: tuple[Sort, tuple[str, ...]]) -> list[tuple[Sort, re.Pattern[str]]]:
    return [(sort, re.compile(pattern, re.IGNORECASE)) for sort, of_sort in patterns for pattern in of_sort]


_PLACE_CHINESE = re.compile(r"[那这](?:边|里|头|儿)$")
# 合唱那边我早就不去了
_OF_PLACE_CHINESE = re.compile(r"[那这](?:边|里|儿)?(?=我?$)|我们?$(?<!^我)(?<!^我们)")
_OF_ONE = (Sort.STAY, Sort.LIFE)
_TODAY_CHINESE = re.compile(r"^(?:今[天早晚]|昨[天晚]|前天|刚才|刚刚)")
_IMAGINED_CHINESE = re.compile(r"如果|要是|万一|差点|可能|是不是|怎么|让|听说|说")
_ENGLISH_PATTERNS = _compile(
    (Sort.ANY, _ENGLISH), (Sort.BAN, _ENGLISH_BANS), (Sort.PLAN, _ENGLISH_PLANS),
    (Sort.STAY, _ENGLISH_STAYS), (Sort.LIFE, _ENGLISH_LIVES), (Sort.WORK, _ENGLISH_WORK), (Sort.SAME, _ENGLISH_DENIALS),
)  # fmt: skip
_CHINESE_PATTERNS = _compile(
    (Sort.BAN, _CHINESE_BANS), (Sort.ANY, _CHINESE), (Sort.PLAN, _CHINESE_PLANS),
    (Sort.STAY, _CHINESE_STAYS), (Sort.LIFE, _CHINESE_LIVES), (Sort.WORK, _CHINESE_WORK), (Sort.SAME, _CHINESE_DENIALS),
)  # fmt: skip
# The share of a fact's words that are over where it is not said that somebody has the thing.
LEAST_SHARE, FIRST_SHARE = 1 / 3, 1 / 4
_FACT_CLAUSES = re.compile(r"[,，;；]\s*")
_HAS = r"\b(?:has|have|owns?|runs|keeps?|rides?|drives?|rents?|user's)\b(?:\s[\w'-]+){1,4}"
_HAS_CHINESE = r"(?:有|养|买|开|骑|租|办|用户的)(?:了|着)?(?:[一两三几\d]*[个条只辆架台张部把])?(?:[旧新老]|[\u4e00-\u9fff]色|的)*[\u4e00-\u9fff]{1,4}"
_OWNED = re.compile(f"{_HAS}|{_HAS_CHINESE}", re.IGNORECASE)
# What stays true of somebody who died.
_PAST = re.compile(
    r"\b(?:died|dead|death|was|were|had|birthday|born|buried|grave)\b|去世|过世|走了|忌日|生日|[葬墓]", re.IGNORECASE
)
# What tells of something to come, of who stays with the user, of a life, of a living.
_OF_SORT = {
    sort: re.compile(pattern, re.IGNORECASE)
    for sort, pattern in (
        (
            Sort.PLAN,
            (
                r"\b(?:sav(?:es?|ing) (?:up )?for|wait\w*|look(?:s|ing) for|appl(?:y|ying|ies|ied)|hop(?:es|ing)|plans?|planning|trying|wants?|would like|going to|about to|"
                r"needs? (?:to|an?)|prepar\w+|(?:studying|training|revising) for|booked|scheduled|(?:is|are) (?:on|at|in))\b"
                r"|攒|等|找|申请|打算|准备|想|备|计划|要[去买做考]|排队|预约|周|星期|[月号]"
            ),
        ),
        (
            Sort.STAY,
            r"\b(?:lodger|flatmate|housemate|roommate|tenant|guest)\b|\b(?:stays?|staying|lives?|living|moved in) (?:with|at) the user\b|租客|室友|房客|住在?用户|[跟和]用户.{0,3}住|[寄借]住",
        ),
        (
            Sort.LIFE,
            r"\b(?:lives?|living|works?|working|studie[sd]|studying|stay(?:s|ing)|in hospital|(?:has|have|owns?|keeps?)(?: got)? (?:an?|one|two|three|the|their)\b)|住|上班|工作|读书|上学|养|有(?:一|两|三)?[只条头匹]",
        ),
        (Sort.WORK, r"\bthe user (?:is|works as) an?\b|用户(?:现在|还)*(?:是|做|当|干|靠)"),
    )
}


def is_over(told: str, ending: Ending) -> bool:
    """Whether a fact tells what is over: it holds all of its words, speaks of the same people, and is of its sort."""
    if ending.sort == Sort.ANY and grave.means_all_medicine(ending.words):
        return grave.tells_other_medicine(told, ending.words) and wording.is_of_user(told)
    words, own = wording.list_firm_words(ending.words), wording.list_firm_words(told)
    if not words or not wording.tells(told, ending.words):
        return False
    # "The user is a newsagent, thirty-one years in the same shop": what goes on in another clause is not over for itself.
    clause = next((one for one in _FACT_CLAUSES.split(told) if wording.tells(one, ending.words)), told)
    # "Allergic to latex, the gloves in the shop make their hands swell" outlasts the shop.
    if grave.is_grave(told) and not grave.is_grave(clause):
        return False
    if wording.is_negated(clause) is not (ending.sort == Sort.BAN):
        return False
    if ending.sort == Sort.SAME:
        return are_same_words(told, ending.words)
    is_named_first = wording.holds_words(words, own[:1])
    is_of_dead = ending.sort == Sort.LIFE and is_named_first and not _PAST.search(told)
    if ending.sort in _OF_SORT and not is_of_dead and not _OF_SORT[ending.sort].search(told):
        return False
    is_of_same = wording.is_of_user(told) or is_named_first or ending.sort == Sort.STAY
    if not is_of_same or wording.is_of_others(ending.words):
        return False
    owned_texts = [match[0] for match in _OWNED.finditer(told)]
    is_own = wording.is_of_user(told) and any(wording.tells(owned, ending.words) for owned in owned_texts)
    # A flatmate is named without being called one, and who runs the user's shop with them is not who it belongs to.
    if ending.sort != Sort.STAY and not is_own and not wording.names_no_others(told, ending.words):
        return False
    owned = wording.list_words(" ".join(owned_texts))
    firm = wording.list_firm_words(clause)
    # "The user plays carrom at the community hall": what is done stands first, what goes with it behind.
    least = FIRST_SHARE if wording.holds_words(firm[:2], words) else LEAST_SHARE
    is_enough = (
        len(words) >= least * len(firm)
        or wording.holds_words(owned, words)
        or all(wording.shares_name(told, [word]) for word in words)
    )
    return is_enough or ending.sort in (Sort.PLAN, Sort.STAY, Sort.LIFE)


def are_same_words(told: str, said: str) -> bool:
    """Whether two texts have the same words of meaning, and speak of the same people."""
    own, words = wording.list_words(told), wording.list_words(said)
    return wording.holds_words(words, own) and wording.holds_words(own, words) and wording.have_same_kin(told, said)
