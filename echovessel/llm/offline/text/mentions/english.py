"""Finds the people, animals and things that an English sentence mentions."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from echovessel import lazy_re as re
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.feeling_types import Party
from echovessel.llm.offline.text.mentions import (
    PARTY_OF_CONCEPT,
    PARTY_OF_SOMEBODYS,
    Hit,
    Known,
    Mention,
    find_end,
    find_known,
)

_NOUNS = {**english.KIN, **english.PETS, "pet": english.ANY_PET}
_NOUN_GROUPS = "|".join(f"(?P<c{at}>{pattern})" for at, pattern in enumerate(_NOUNS.values()))
_ANY_NOUN = "|".join(_NOUNS.values())
_CONCEPTS = list(_NOUNS)
_MENTION = re.compile(
    r"\b(?:(?P<self>i|we|me|us|myself|ourselves)"
    rf"|(?P<noun>{_NOUN_GROUPS})"
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
    r"(?<![.!?] )(?<!^)\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b|^[A-Z][a-z]+(?: [A-Z][a-z]+)+\b|^[A-Z][a-z]{2,}(?= (?:and|died|is|was|has|had|passed|got|proposed|said|broke|left|moved|hit|drowned|hanged|shot|took|overdosed|didn't|didnt|never|killed)\b)"
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
# How many characters around a noun are read for its owner and for what it owns.
_NEAR = 200
_TO_THE_NOUN = re.compile(r"(?: [\w-]+){0,2} ")
_WITH = re.compile(r"'s [a-z]+")
_BEFALLEN = re.compile(r"'s (?:dead|dying|gone|got|been|in|funeral|pregnant|having|getting)")
_COMPOUND = re.compile(
    r" (?:food|bowl|bed|in-law's|shelter|park|shower|steps|sitter|person|people|house|requests?|photos?)\b"
)
_DETERMINERS_TEXT = "my our the a an his her their its your every some any this that these those no another"
_DETERMINERS = frozenset(_DETERMINERS_TEXT.split())
# What stands between no noun and its owner.
_NOT_BETWEEN_TEXT = "and or of to with is was when that like for took called told i he she we"
_NOT_BETWEEN = frozenset(_NOT_BETWEEN_TEXT.split())


def find_english_mentions(text: str, known: Known) -> list[Mention]:
    """Find mentions from left to right: the party of an owner decides the party of the owned."""
    found = [_read_thing(match) for match in _THING.finditer(text)]
    ending_at: dict[int, Party] = {thing.end: thing.party for thing in found if thing.party != Party.NOBODY}
    heard: list[Hit] = [*_MENTION.finditer(text), *_find_names(text, known), *find_known(text, known)]
    for said in sorted(heard, key=find_end):
        mention, of_them = _read_mention(said, text, known, ending_at) if isinstance(said, re.Match) else said
        if found and mention.party == Party.NAMED and found[-1].is_own and text[found[-1].end : mention.start] == " ":
            # "My wife Jean" is one.
            mention = replace(mention, party=found[-1].party, is_own=True)
        ending_at[mention.end] = mention.party
        if of_them:
            found.append(mention)
    return found


def _find_names(text: str, known: Known) -> Iterator[tuple[Mention, bool]]:
    introduced = {name.casefold() for name in known.names}
    for match in _NAME.finditer(text):
        if not _NO_NAME.match(match.group()) and match.group().casefold() not in introduced:
            # A full name that nobody introduced is most likely a public person's.
            party = Party.STRANGER if " " in match.group() else Party.NAMED
            of_them = not _WITH.match(text, match.end()) or bool(_BEFALLEN.match(text, match.end()))
            yield Mention(party, match.start(), match.end(), is_own=False), of_them


def _read_mention(
    match: re.Match[str], text: str, known: Known, ending_at: Mapping[int, Party]
) -> tuple[Mention, bool]:
    start, end = match.span()
    if match["self"]:
        return Mention(Party.SELF, start, end, is_own=True), True
    if match["he"]:
        return Mention(known.referent or Party.NAMED, start, end, is_own=False), True
    of_them = not _is_owner_of_thing(text[end : end + _NEAR]) and not _COMPOUND.match(text, end)
    return _read_kin(match, text, known, ending_at), of_them


def _read_thing(match: re.Match[str]) -> Mention:
    """Read a thing or a group: what happens to one's own team happens to oneself."""
    is_group = bool(re.fullmatch(_GROUP, match["head"] or "", re.IGNORECASE))
    return Mention(Party.SELF if is_group and match["mine"] else Party.NOBODY, match.start(), match.end(), is_own=False)


def _read_kin(match: re.Match[str], text: str, known: Known, ending_at: Mapping[int, Party]) -> Mention:
    start, end = match.span()
    concept = next(_CONCEPTS[at] for at in range(len(_CONCEPTS)) if match[f"c{at}"])
    party = PARTY_OF_CONCEPT.get(concept, Party.PET)
    owner = _find_owner(text[max(0, start - _NEAR) : start])
    if owner in ("my", "our"):
        return Mention(party, start, end, is_own=True)
    if owner.endswith(("'s", "s'")):
        return Mention(_find_party_of_somebodys(text, start, party, ending_at), start, end, is_own=False)
    if owner in ("his", "her", "their"):
        return Mention(PARTY_OF_SOMEBODYS.get(known.referent or Party.NAMED, Party.FAR), start, end, is_own=False)
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


def _find_owner(before: str) -> str:
    """Return the determiner or possessive of a noun, with up to two words between."""
    words = re.findall(r"[\w'-]+|[^\w\s]", before)[-4:]
    for word in reversed(words):
        if word.lower() in _DETERMINERS or (
            word.endswith(("'s", "s'")) and word.lower() not in ("it's", "that's", "he's", "she's", "what's", "there's")
        ):
            return str(word.lower())
        if not re.match(r"[\w-]+$", word) or word.lower() in _NOT_BETWEEN:
            return ""
    return ""


def _find_party_of_somebodys(text: str, start: int, party: Party, ending_at: Mapping[int, Party]) -> Party:
    at = text.rfind("'s", 0, start)
    owner = ending_at.get(at) if at >= 0 and _TO_THE_NOUN.fullmatch(text, at + 2, start) else None
    return PARTY_OF_SOMEBODYS.get(owner or Party.FAR, Party.FAR)


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
