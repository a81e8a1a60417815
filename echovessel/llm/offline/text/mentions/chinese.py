"""Finds the people and animals that a Chinese sentence mentions."""

from collections.abc import Mapping

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.feeling_types import Party
from echovessel.llm.offline.text.mentions import (
    FAMILY,
    PARTY_OF_CONCEPT,
    PARTY_OF_SOMEBODYS,
    Hit,
    Known,
    Mention,
    find_end,
    find_known,
)

_NOUNS = {**chinese.KIN, **chinese.PETS, "pet": chinese.ANY_PET}
_MENTION = re.compile(
    rf"(?P<titled>[{chinese.SURNAMES}](?:大爷|大妈|阿姨|叔叔?|婶|奶奶|爷爷|老师|师傅|姐|哥|总|工|医生|教授|伯)|[老小][{chinese.SURNAMES}](?!板|师))"
    r"|(?P<noun>"
    + "|".join(f"(?P<c{at}>{pattern})" for at, pattern in enumerate(_NOUNS.values()))
    + r")|(?P<far>隔壁|楼[上下]|部门|别人|有人|人家|网友|明星|主角|人物|男主|女主|演员|角色|新闻|歌手|大家|全组|小组|群里|有个|一个(?:人|老人|男的|女的)|(?:那|这)个(?:人|男的|女的)|路人|名人|作者|导演|总统|谁)"
    r"|(?P<self>我们?|咱们?|自己)|(?P<he>[他她它]们?|TA)"
)
_CONCEPTS = list(_NOUNS)
# What may stand right before the noun.
_MEASURES = ("一只", "一条", "那只", "那条", "这只", "养的", "大", "小", "老")
_STRAY = ("流浪", "野", "小区", "小区的", "街上的", "路边的")
_MINE = tuple(mine + of for mine in ("我", "我们", "我家", "咱家", "家里", "咱") for of in ("", "的"))
# The longer before the shorter; with nothing between, too: 同事妈妈.
_THEIRS = ("家的", "家", "的", "他", "她", "它", "")
_COUNTED = ("个", "位")
# Whose relatives somebody speaks of: 他说太太走了.
_SAID_BY_THEM = re.compile(r"[他她]们?(?:[跟和对]我)?(?:说|讲|告诉我|提起|聊起)[了过]?[，,：:]?$")
_ANYBODYS = ("你", "别人", "人家", *_COUNTED)


def find_chinese_mentions(text: str, known: Known) -> list[Mention]:
    found: list[Mention] = []
    ending_at: dict[int, Party] = {}
    heard: list[Hit] = [*_MENTION.finditer(text), *find_known(text, known)]
    for said in sorted(heard, key=find_end):
        if isinstance(said, re.Match):
            mention, of_them = _read_mention(said, text, known, ending_at), True
        else:
            mention, of_them = said
        ending_at.setdefault(mention.end, mention.party)
        if of_them:
            found.append(mention)
    return found


def _read_mention(match: re.Match[str], text: str, known: Known, ending_at: Mapping[int, Party]) -> Mention:
    start, end = match.span()
    if match["self"]:
        return Mention(Party.SELF, start, end, is_own=True)
    if match["titled"]:
        return Mention(Party.NAMED, start, end, is_own=False)
    if match["he"]:
        return Mention(known.referent or Party.NAMED, start, end, is_own=False)
    if match["far"] or text.endswith(_STRAY, 0, start):
        return Mention(Party.STRANGER, start, end, is_own=False)
    return _read_kin(match, text, ending_at)


def _read_kin(match: re.Match[str], text: str, ending_at: Mapping[int, Party]) -> Mention:
    start, end = match.span()
    concept = next(_CONCEPTS[at] for at in range(len(_CONCEPTS)) if match[f"c{at}"])
    party = PARTY_OF_CONCEPT.get(concept, Party.PET)
    cut = _skip_measures(text, start)
    if match.group().startswith("我") or text.endswith(_MINE, 0, cut):
        return Mention(party, start, end, is_own=True)
    if _SAID_BY_THEM.search(text[:cut]) and FAMILY.isdisjoint(ending_at.values()):
        return Mention(Party.FAR, start, end, is_own=False)
    owned = next(ending for ending in _THEIRS if text.endswith(ending, 0, cut))
    nearest = ending_at.get(cut - len(owned), Party.SELF)
    if nearest != Party.SELF and party in FAMILY | {Party.PET}:
        far = Party.STRANGER if nearest == Party.STRANGER else Party.FAR
        return Mention(PARTY_OF_SOMEBODYS.get(nearest, far), start, end, is_own=False)
    if text.endswith(_ANYBODYS, 0, cut) and party != Party.FRIEND:
        is_counted = text.endswith(_COUNTED, 0, cut) and party not in FAMILY
        return Mention(party if is_counted else Party.STRANGER, start, end, is_own=False)
    return Mention(party, start, end, is_own=party in FAMILY)


def _skip_measures(text: str, start: int) -> int:
    """Return where the words before an animal or person begin: "小", "一只"."""
    while measure := next((word for word in _MEASURES if text.endswith(word, 0, start)), ""):
        start -= len(measure)
    return start
