"""Whose it is: finds who a cue of feeling speaks of, by the people and animals named around it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from echovessel.llm.offline import chinese, english
from echovessel.llm.offline.cues import Party

_OF_CONCEPT = {
    **dict.fromkeys(("wife", "husband", "partner"), Party.PARTNER),
    **dict.fromkeys(("daughter", "son", "child"), Party.CHILD),
    **dict.fromkeys(("mother", "father", "sister", "brother", "parents"), Party.CLOSE),
    **dict.fromkeys(("grandmother", "grandfather", "aunt", "uncle", "cousin", "niece", "in-law"), Party.KIN),
    **dict.fromkeys(("friend", "teacher"), Party.FRIEND),
    **dict.fromkeys(("colleague", "boss", "neighbour"), Party.FAR),
}
_FAMILY = {Party.PARTNER, Party.CHILD, Party.CLOSE, Party.KIN}
# A colleague's mother is farther than one's own.
_SOMEBODYS = {
    **dict.fromkeys(_FAMILY, Party.KIN),
    Party.SELF: Party.SELF,
    Party.FRIEND: Party.INDIRECT,
    Party.NAMED: Party.INDIRECT,
    Party.INDIRECT: Party.FAR,
}


@dataclass(frozen=True)
class Mention:
    party: Party
    start: int
    end: int
    # Said outright to be the user or theirs ("I", "my mother"), as against "the mother", "she", a bare name.
    is_own: bool


@dataclass(frozen=True)
class Known:
    """What the talk has said before: who goes by which name, and who "she" would be now."""

    names: Mapping[str, Party] = field(default_factory=dict)
    referent: Party | None = None


# What is still to be told whose it is, or who it is and whether it is said of them rather than of what is theirs.
_Heard = re.Match[str] | tuple[Mention, bool]


def of_concepts(concepts: set[str]) -> Party | None:
    """The nearest party among kin and pets spoken of."""
    order = [*Party]
    found = [_OF_CONCEPT.get(concept, Party.PET if concept in english.PETS else None) for concept in concepts]
    return min((party for party in found if party), key=order.index, default=None)


def mentions(text: str, *, in_chinese: bool, known: Known) -> list[Mention]:
    """Everyone mentioned, in the order of the text; things that stand where people would are NOBODY."""
    find = _chinese_mentions if in_chinese else _english_mentions
    return sorted(find(text, known), key=lambda mention: (mention.end, mention.party == Party.NOBODY))


def _named(text: str, known: Known) -> Iterator[tuple[Mention, bool]]:
    for name, party in known.names.items():
        for match in re.finditer(_name_pattern(name), text, re.IGNORECASE):
            of_them = not _WITH_THING.match(text, match.end())
            yield Mention(party, match.start(), match.end(), is_own=True), of_them


def is_named(name: str, text: str) -> bool:
    return bool(re.search(_name_pattern(name), text, re.IGNORECASE))


@cache
def _name_pattern(name: str) -> str:
    return rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name)


# English.

_NOUNS = {**english.KIN, **english.PETS, "pet": english.ANY_PET}
_ENGLISH_NOUN = "|".join(f"(?P<c{at}>{pattern})" for at, pattern in enumerate(_NOUNS.values()))
_ANY_NOUN = "|".join(_NOUNS.values())
_CONCEPTS = list(_NOUNS)
_ENGLISH = re.compile(
    r"\b(?:(?P<self>i|we|me|us|myself|ourselves)"
    rf"|(?P<noun>{_ENGLISH_NOUN})"
    r"|(?P<he>he|she|him|they(?!'re calling| say)|them|her(?! \w+(?:'s)? (?:is|was|has|had|died|passed))))\b",
    re.IGNORECASE,
)
_GROUP = "team|department|office|company|division|startup|restaurant"
# What stands where somebody could: "the old oak", "my phone", "it".
_THING = re.compile(
    rf"\b(?:(?P<mine>my|our)|the|a|an|this|that|these|those|his|her|their|its|your|every|some|any)(?! (?:[\w-]+ ){{0,2}}(?:{_ANY_NOUN})\b)(?: (?:whole|entire|old|new))? (?P<head>[\w-]+)"
    r"|\b(?:it|someone|somebody|everyone|everybody|people|half|nobody|no one)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b|^[A-Z][a-z]+(?: [A-Z][a-z]+)+\b|^[A-Z][a-z]{2,}(?= (?:and|died|is|was|has|had|passed|got|proposed|said|broke|left|moved|hit)\b)"
)
_NO_NAME = re.compile(
    r"^(?:I|The|My|Our|We|He|She|They|It|This|That|These|What|When|Where|Who|How|Why|And|But|So|Oh|Yes|No|Not|Nothing|Everyone|Everything|Someone|Nobody|Monday|Tuesday|Wednesday|Thursday|Friday"
    r"|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Christmas|Easter|God|Jesus|Mom|Mum|Dad|Grandma|Grandpa|Granny|ICU|ER|AI|TV|PhD|Last|Today|Yesterday|Tonight|English|French|German|Chinese|Sometimes|There|Here|Then|After|Before|Anyway)\b"
)
_FILLERS_TEXT = (
    "been just really now got gotten getting gone finally probably also still not going to be having apparently very actually in out at home hospital"
    " suddenly both all so too never being always is was has had have"
)
_FILLERS = frozenset(_FILLERS_TEXT.split())
# So far words reach that say whose somebody is, and what of theirs is spoken of.
_NEAR = 200
_TO_THE_NOUN = re.compile(r"(?: [\w-]+){0,2} ")
_WITH = re.compile(r"'s [a-z]+")
_WITH_THING = re.compile(r"'s [a-z]+\b(?<!funeral)")
_BEFALLEN = re.compile(r"'s (?:dead|dying|gone|got|been|in|funeral|pregnant|having|getting)")
_COMPOUND = re.compile(
    r" (?:food|bowl|bed|in-law's|shelter|park|shower|steps|sitter|person|people|house|requests?|photos?)\b"
)
_DETERMINERS_TEXT = "my our the a an his her their its your every some any this that these those no another"
_DETERMINERS = frozenset(_DETERMINERS_TEXT.split())


def _english_mentions(text: str, known: Known) -> list[Mention]:
    """From left to right, so that whose mother is whose is known where her sister is met."""
    found = [_english_thing(match) for match in _THING.finditer(text)]
    ending_at: dict[int, Party] = {thing.end: thing.party for thing in found if thing.party != Party.NOBODY}
    heard: list[_Heard] = [*_ENGLISH.finditer(text), *_english_names(text, known), *_named(text, known)]
    for said in sorted(heard, key=_end_of):
        mention, of_them = _english_mention(said, text, known, ending_at) if isinstance(said, re.Match) else said
        ending_at[mention.end] = mention.party
        if of_them:
            found.append(mention)
    return found


def _end_of(said: _Heard) -> int:
    return said.end() if isinstance(said, re.Match) else said[0].end


def _english_names(text: str, known: Known) -> Iterator[tuple[Mention, bool]]:
    introduced = {name.casefold() for name in known.names}
    for match in _NAME.finditer(text):
        if not _NO_NAME.match(match.group()) and match.group().casefold() not in introduced:
            # Two capitals that nobody introduced are most likely somebody known to all.
            party = Party.STRANGER if " " in match.group() else Party.NAMED
            of_them = not _WITH.match(text, match.end()) or bool(_BEFALLEN.match(text, match.end()))
            yield Mention(party, match.start(), match.end(), is_own=False), of_them


def _english_mention(
    match: re.Match[str], text: str, known: Known, ending_at: Mapping[int, Party]
) -> tuple[Mention, bool]:
    start, end = match.span()
    if match["self"]:
        return Mention(Party.SELF, start, end, is_own=True), True
    if match["he"]:
        return Mention(known.referent or Party.NAMED, start, end, is_own=False), True
    of_them = not _is_owner_of_thing(text[end : end + _NEAR]) and not _COMPOUND.match(text, end)
    return _english_kin(match, text, known, ending_at), of_them


def _english_thing(match: re.Match[str]) -> Mention:
    """Something, or a group: what befalls one's own team befalls oneself."""
    is_group = bool(re.fullmatch(_GROUP, match["head"] or "", re.IGNORECASE))
    return Mention(Party.SELF if is_group and match["mine"] else Party.NOBODY, match.start(), match.end(), is_own=False)


def _english_kin(match: re.Match[str], text: str, known: Known, ending_at: Mapping[int, Party]) -> Mention:
    start, end = match.span()
    concept = next(_CONCEPTS[at] for at in range(len(_CONCEPTS)) if match[f"c{at}"])
    party = _OF_CONCEPT.get(concept, Party.PET)
    owner = _owner(text[max(0, start - _NEAR) : start])
    if owner in ("my", "our"):
        return Mention(party, start, end, is_own=True)
    if owner.endswith(("'s", "s'")):
        return Mention(_somebodys(text, start, party, ending_at), start, end, is_own=False)
    if owner in ("his", "her", "their"):
        return Mention(_SOMEBODYS.get(known.referent or Party.NAMED, Party.FAR), start, end, is_own=False)
    if owner == "the" and party in (Party.PET, Party.CHILD):
        return Mention(party, start, end, is_own=False)
    if owner in _DETERMINERS or match["noun"].lower().endswith("s") or party in (Party.FRIEND, Party.FAR):
        return Mention(
            Party.STRANGER if owner not in ("a", "an", "another") or party != Party.FRIEND else Party.FRIEND,
            start,
            end,
            is_own=False,
        )
    return Mention(party, start, end, is_own=True)


def _owner(before: str) -> str:
    """What the noun belongs to: the determiner or possessive next to it, or with up to two words between."""
    words = re.findall(r"[\w'-]+|[^\w\s]", before)[-4:]
    for word in reversed(words):
        if word.lower() in _DETERMINERS or (
            word.endswith(("'s", "s'")) and word.lower() not in ("it's", "that's", "he's", "she's", "what's", "there's")
        ):
            return str(word.lower())
        if not re.match(r"[\w-]+$", word) or word.lower() in (
            "and",
            "or",
            "of",
            "to",
            "with",
            "is",
            "was",
            "when",
            "that",
            "like",
            "for",
            "took",
            "called",
            "told",
            "i",
            "he",
            "she",
            "we",
        ):
            return ""
    return ""


def _somebodys(text: str, start: int, party: Party, ending_at: Mapping[int, Party]) -> Party:
    at = text.rfind("'s", 0, start)
    owner = ending_at.get(at) if at >= 0 and _TO_THE_NOUN.fullmatch(text, at + 2, start) else None
    return _SOMEBODYS.get(owner or Party.FAR, Party.FAR)


def _is_owner_of_thing(after: str) -> bool:
    """Whether "'s" and another noun follow: "my mother's phone", but not "my mother's dying"."""
    match = re.match(r"'s? (?P<next>[a-z-]+)", after, re.IGNORECASE)
    if not match:
        return False
    following = match["next"].lower()
    return following not in _FILLERS and not re.match(
        r"'s? (?:[a-z-]+ ){0,2}(?:dead|dying|gone|pregnant|engaged|sick|ill|funeral|cancer|death|missing|ashes|memorial|getting|[a-z]+ing|wedding)\b",
        after,
        re.IGNORECASE,
    )


# Chinese.

_CHINESE_NOUNS = {**chinese.KIN, **chinese.PETS, "pet": chinese.ANY_PET}
_CHINESE = re.compile(
    rf"(?P<titled>[{chinese.SURNAMES}](?:大爷|大妈|阿姨|叔叔?|婶|奶奶|爷爷|老师|师傅|姐|哥|总|工|医生|教授|伯)|[老小][{chinese.SURNAMES}](?!板|师))"
    r"|(?P<noun>"
    + "|".join(f"(?P<c{at}>{pattern})" for at, pattern in enumerate(_CHINESE_NOUNS.values()))
    + r")|(?P<far>隔壁|楼[上下]|部门|别人|有人|人家|网友|明星|主角|人物|男主|女主|演员|角色|新闻|歌手|大家|全组|小组|群里|有个|一个(?:人|老人|男的|女的)|(?:那|这)个(?:人|男的|女的)|路人|名人|作者|导演|总统|谁)"
    r"|(?P<self>我们?|咱们?|自己)|(?P<he>[他她它]们?|TA)"
)
_CHINESE_CONCEPTS = list(_CHINESE_NOUNS)
# What may stand right before the noun.
_MEASURES = ("一只", "一条", "那只", "那条", "这只", "养的", "大", "小", "老")
_STRAY = ("流浪", "野", "小区", "小区的", "街上的", "路边的")
_MINE = tuple(mine + of for mine in ("我", "我们", "我家", "咱家", "家里", "咱") for of in ("", "的"))
# The longer before the shorter; with nothing between, too: 同事妈妈.
_THEIRS = ("家的", "家", "的", "他", "她", "它", "")
_COUNTED = ("个", "位")
_ANYBODYS = ("你", "别人", "人家", *_COUNTED)


def _chinese_mentions(text: str, known: Known) -> list[Mention]:
    found: list[Mention] = []
    ending_at: dict[int, Party] = {}
    heard: list[_Heard] = [*_CHINESE.finditer(text), *_named(text, known)]
    for said in sorted(heard, key=_end_of):
        if isinstance(said, re.Match):
            mention, of_them = _chinese_mention(said, text, known, ending_at), True
        else:
            mention, of_them = said
        ending_at.setdefault(mention.end, mention.party)
        if of_them:
            found.append(mention)
    return found


def _chinese_mention(match: re.Match[str], text: str, known: Known, ending_at: Mapping[int, Party]) -> Mention:
    start, end = match.span()
    if match["self"]:
        return Mention(Party.SELF, start, end, is_own=True)
    if match["titled"]:
        return Mention(Party.NAMED, start, end, is_own=False)
    if match["he"]:
        return Mention(known.referent or Party.NAMED, start, end, is_own=False)
    if match["far"] or text.endswith(_STRAY, 0, start):
        return Mention(Party.STRANGER, start, end, is_own=False)
    return _chinese_kin(match, text, ending_at)


def _chinese_kin(match: re.Match[str], text: str, ending_at: Mapping[int, Party]) -> Mention:
    start, end = match.span()
    concept = next(_CHINESE_CONCEPTS[at] for at in range(len(_CHINESE_CONCEPTS)) if match[f"c{at}"])
    party = _OF_CONCEPT.get(concept, Party.PET)
    cut = _before_measure(text, start)
    if match.group().startswith("我") or text.endswith(_MINE, 0, cut):
        return Mention(party, start, end, is_own=True)
    owned = next(ending for ending in _THEIRS if text.endswith(ending, 0, cut))
    nearest = ending_at.get(cut - len(owned), Party.SELF)
    if nearest != Party.SELF and party in _FAMILY | {Party.PET}:
        far = Party.STRANGER if nearest == Party.STRANGER else Party.FAR
        return Mention(_SOMEBODYS.get(nearest, far), start, end, is_own=False)
    if text.endswith(_ANYBODYS, 0, cut) and party != Party.FRIEND:
        is_counted = text.endswith(_COUNTED, 0, cut) and party not in _FAMILY
        return Mention(party if is_counted else Party.STRANGER, start, end, is_own=False)
    return Mention(party, start, end, is_own=party in _FAMILY)


def _before_measure(text: str, start: int) -> int:
    """Where what leads up to an animal or person begins: "小", "一只"."""
    while measure := next((word for word in _MEASURES if text.endswith(word, 0, start)), ""):
        start -= len(measure)
    return start
