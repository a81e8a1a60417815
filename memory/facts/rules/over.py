"""Reads that something is over, whatever it is ("I sold the boat", 我戒烟了, 健身卡我退了): words of which a fact is looked for afterwards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from echovessel import lazy_re as re
from echovessel.llm.offline.text import clauses, lexicon
from memory.facts.checks import grave, wording
from memory.facts.rules import endings, over_patterns


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
    # A love that ended: whatever is told of the partner.
    LOVE = "love"


@dataclass(frozen=True, kw_only=True)
class Ending:
    """That something is over, the words of it, and what a fact must tell to be it."""

    words: str
    sort: Sort = Sort.ANY


_CLAUSES = re.compile(
    r"[,;:!?.]+(?=\s|$)|\s[–—-]+\s|\s+(?:and|but|because|since|so|as) (?=(?:i|we|my|our|it|the|she|he|they)\b)",
    re.IGNORECASE,
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

_CLAUSES_CHINESE = re.compile(r"[，,；;。！!？?：:、…~～\s]+")
_NOT_YET_CHINESE = re.compile(
    r"今[天晚早](?=.*[不没])|明[天早]|这[次会周几两]|暂时|先|周[一二三四五六日天末]|想|打算|准备|考虑|差点|要不|舍不得|可能|也许|如果|是不是|该|会(?![员计所议长])|让|叫|说|听|他|她|(?<!我)们家|怎么|万一|能不"
)

# What ended is told in other words than it was: a pregnancy, a life alone, drink.
_TOLD_OTHERWISE = (
    (
        re.compile(
            r"\b(?:i|we)(?:'ve| have)? lost (?:the|our|my) baby\b|\bmiscarr(?:ied|iage)\b|孩子没(?:了|保住)|流产了",
            re.IGNORECASE,
        ),
        ("I pregnant", "I expecting a baby", "我怀孕"),
    ),
    (
        re.compile(
            r"\bi(?:'ve| have)? (?:just )?(?:got|found|met) (?:an? (?:new )?(?:girlfriend|boyfriend|partner)|someone special)\b|\bi'm (?:not|no longer) single\b"
            r"|^\W*(?:我(?:终于|也|又|已经)*)?(?:脱单了|(?:有|找到)(?:对象|男朋友|女朋友|男友|女友)了|谈恋爱了)",
            re.IGNORECASE,
        ),
        ("I single", "我单身"),
    ),
    (
        re.compile(
            r"\bi(?:'ve| have)? (?:gone|went) (?:teetotal|sober)\b|\bi'm (?:teetotal|sober)(?: now| these days|\W*$)|^\W*(?:我(?:已经|终于|现在|也)*)?(?:戒酒了|(?:把)?酒(?:也|都|已经|终于)*戒了)",
            re.IGNORECASE,
        ),
        ("I drink wine", "I drink beer", "I drink alcohol", "我喝酒", "我喝小酒", "我喝啤酒", "我喝白酒"),
    ),
)
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
    if told := next((words for pattern, words in _TOLD_OTHERWISE if pattern.search(text)), None):
        return [Ending(words=one) for one in told]
    found = _read_clauses(text)
    if (parted := endings.find_parted(text)) is not None:
        found.append(Ending(words=parted or "partner", sort=Sort.LOVE))
    if (match := _NO_ALLERGY.search(text)) and not lexicon.find_kin(text):
        eat = "我吃" if lexicon.is_chinese(text) else "I eat "
        found.append(Ending(words=eat + (match["food"] or match["food_han"] or ""), sort=Sort.BAN))
    return found


def is_for_good(said: str, endings: Sequence[Ending]) -> bool:
    """Whether a statement says that something is over, in whatever words a fact tells it."""
    return any(one.sort in (Sort.ANY, Sort.BAN) for one in endings) and not _OF_A_THING.search(said)


def list_signed(text: str) -> list[tuple[str, str]]:
    """List the clauses of a statement that say that something is over, for good and not as a wish: without the word that says so, and what
    stands behind that.
    """
    is_chinese = lexicon.is_chinese(text)
    split, not_yet = (_CLAUSES_CHINESE, _NOT_YET_CHINESE) if is_chinese else (_CLAUSES, _NOT_YET)
    found = [(clause, over_patterns.SIGN.search(clause)) for clause in split.split(text)]
    return [
        (over_patterns.SIGN.sub(" ", clause), clause[match.end() :])
        for clause, match in found
        if match and not (not_yet.search(clause) or _FOR_NOW.search(clause))
    ]


def leave_out_signed(text: str) -> str:
    """Leave out the clauses of a fact that tell what is over: "sold the house" of "sold the house, lives in a flat now"."""
    return " ".join(clause for clause in _FACT_CLAUSES.split(text) if not over_patterns.SIGN.search(clause))


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
    (Sort.ANY, over_patterns.ENGLISH), (Sort.BAN, over_patterns.ENGLISH_BANS), (Sort.PLAN, over_patterns.ENGLISH_PLANS),
    (Sort.STAY, over_patterns.ENGLISH_STAYS), (Sort.LIFE, over_patterns.ENGLISH_LIVES), (Sort.WORK, over_patterns.ENGLISH_WORK), (Sort.SAME, over_patterns.ENGLISH_DENIALS),
)  # fmt: skip
_CHINESE_PATTERNS = _compile(
    (Sort.BAN, over_patterns.CHINESE_BANS), (Sort.ANY, over_patterns.CHINESE), (Sort.PLAN, over_patterns.CHINESE_PLANS),
    (Sort.STAY, over_patterns.CHINESE_STAYS), (Sort.LIFE, over_patterns.CHINESE_LIVES), (Sort.WORK, over_patterns.CHINESE_WORK), (Sort.SAME, over_patterns.CHINESE_DENIALS),
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
    if ending.sort == Sort.LOVE:
        return over_patterns.OF_LOVE.match(told) is not None and (ending.words == "partner" or ending.words in told)
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
