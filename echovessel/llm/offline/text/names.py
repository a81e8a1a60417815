"""Finds names of third parties by the words around them."""

from dataclasses import dataclass
from functools import cache, lru_cache
from types import ModuleType

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import name_patterns as chinese_names
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import name_patterns as english_names
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import lexicon

# How many sentences are kept: each is asked about many times for one reply.
_KEPT = 1024
_PET = "|".join(english.PETS.values())
_KIN = "|".join(english.KIN.values())
_LATIN_NAME = english_names.LATIN_NAME
# Who is around somebody without being kin.
ROLE = english_names.ROLE
# Words that stand where a name would, and words with a capital that name nobody.
_NO_NAMES_TEXT = (
    "哈哈 哈哈哈 哈哈哈哈 he she they it we you him her his them after that the not and but just very who because also actually yesterday today again for it "
    "really still always never only often already finally probably here there now is was has were does did sometimes usually maybe kinda even then both "
    "every each once twice when whenever before while until till about back from with tomorrow tonight later soon "
    "something anything nothing whatever what where when how why which off quits names mr mrs ms miss dr prof"
)
_CAPITALS_TEXT = (
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november "
    "december christmas easter i i'm i've i'll"
)
NO_NAMES = frozenset(f"{_NO_NAMES_TEXT} {_CAPITALS_TEXT}".split())

_HAN_PET = "|".join(chinese.PETS.values())
_HAN_KIN = "|".join(chinese.KIN.values())

_OTHER, _PLACE, _ORG = "other", "place", "org"
_HAN_LIST_NAME = r"(?!两|三|四|几|一)(?:(?![我你他她它的了是和跟有在说][\u4e00-\u9fff]?)[\u4e00-\u9fff]){2,3}"
# "Biscuit and Moon": behind the word for what they are, or alone.
_LIST = rf"{_LATIN_NAME}(?:, {_LATIN_NAME})*,? (?:and|&) {_LATIN_NAME}"
_LISTED = re.compile(
    rf"\b(?i:{_PET}|{_KIN})\b(?:[^.!?,:;]{{0,20}}[,:]|(?: are)?(?: (?:called|named))?|,[^.!?,:;]{{0,20}}:) (?P<list>{_LIST})"
)
# "Our cats are called biscuit and olive"
_LOWER_LIST = re.compile(
    rf"\b(?i:{_PET}|{_KIN})\b(?: are)? (?:called|named) (?P<list>[a-z]{{3,}}(?:, [a-z]{{3,}})*,? (?:and|&) [a-z]{{3,}})(?=\W*$|[,;])"
)
# 我室友三个，晓雯、阿丽和婷婷
_HAN_LISTED = re.compile(
    rf"(?:{_HAN_KIN}|(?<=[两三四五]只){_HAN_PET}|(?<=[两三四五]条){_HAN_PET}|室友|舍友|同学|朋友|同事|邻居|队友)们?(?:一共|总共|就|还|有|是|叫|[一两二三四五六七八九]|[个位名]|人)*[，,：:]?(?:分别|有|是|叫)*(?P<list>{_HAN_LIST_NAME}(?:、{_HAN_LIST_NAME})*(?:、|和|跟){_HAN_LIST_NAME})(?=[，,。！!；;\s]|$)"
)
_ALONE = re.compile(rf"(?:^|[.!] )\W{{0,3}}(?P<list>{_LIST})\W*$")
# Whom the words before a name call no relative: "a guy called Craig", 小伙子叫李博.
SOMEBODY = re.compile(
    r"\b(?:guy|man|woman|girl|boy|bloke|lad|lady|ex)\b(?!.*[.!?])|小伙子|姑娘|男的|女的|[男女]生", re.IGNORECASE
)
# What others call the user is nobody else: 他们给我起外号 叫猪头.
_CALLED_NAMES = re.compile(r"我[^，,。]{0,4}(?:外号|绰号)")
# "My wife isn't called Laura."
_NOT_CALLED = re.compile(r"(?:n't|\bnot|\bnever)(?: \w+)? $", re.IGNORECASE)
# "A marketing agency called Brightside", whoever was spoken of before.
_ORG_CALLED = re.compile(
    r"\b(?:company|firm|agency|start-?up|charity|shop|store|caf[eé]|restaurant|pub|bar|bakery|hotel|gym|studio|school|college|band|club|magazine|practice|salon|(?:care|nursing|rest) home|hospice|hospital|clinic|rehab(?: centre)?|(?:treatment|day) centre|nursery|church)(?: \w+){0,3} (?:called|named)\b|(?:公司|店|馆|学校|乐队|俱乐部|工作室)叫",
    re.IGNORECASE,
)
# "They said it's called anorexia."
_IT_IS_CALLED = re.compile(r"\bit(?:'s| is| was) (?:called|named)\b|\b(?:call|nam)(?:e|ed|ing) it\b", re.IGNORECASE)
# "Ella (9) and Tom (6)".
_AGED = re.compile(
    r" ?\(\d{1,2}\)|(?<=[a-z]),? who(?:'s| is) \d{1,2}(?=,? and [A-Z]|,|\W*$)|(?<=[a-z]), (?:aged )?\d{1,2}(?=,? and [A-Z]|, [A-Z]|\W*$)"
)
# Who does what only people do: "Graham rang last night". Of these words none names anybody.
_NOBODY = r"(?!(?:He|She|They|We|You|It|Who|What|That|This|The|My|Our|And|But|So|Then|Every\w+|Some\w+|Any\w+|No\w*|People|Most|Both|One|Doctors?|Doc|Nurses?|God|Pop\w*|Sis|Bro)\b)"
_CAPITALISED = rf"{_NOBODY}[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]{{1,20}}(?:-[A-Z][a-z]+)?"
_ACTING = re.compile(
    rf"\b(?<!\bin )(?<!\bfrom )(?<!\bnear )(?P<name>{_CAPITALISED})(?: just| finally| also| still| always| only)* (?:says|said|thinks|reckons|rang|phoned|texted|messaged|told (?:me|us|him|her)|asked (?:me|us|if|whether|him|her)|called (?:me|us)|dumped|kissed|hugged|cried|laughed|apologi[sz]ed|promised|came (?:round|over|back|with|down|up|home|to|and)|and (?:(?:I|i)(?!['’])|me)\b)"
    rf"|\b(?:[Mm]e and|with me and) (?P<other>{_CAPITALISED})"
)
_ACTING_CHINESE = re.compile(chinese_names.ACTING)
_OTHER_LAST = re.compile(rf"^[^我]*(?:(?:^|的)[{chinese.SURNAMES}][\u4e00-\u9fff]{{1,2}}|[他她]们?)$")
_CLAUSE_START = re.compile(r"[，,。！!？?；;\s]+")
# What tells when, how and why names nobody, nor does what one has: 去年底才, 工作.
_OTHER_FIRST = re.compile(
    r"(?!.*[我咱户])(?!(?:[昨今前后]天|[上下这本]?个?(?:[周月]底?|(?:周|星期|礼拜)[一二三四五六日天末])|[今去前明]年底?|最近|现在|目前|刚刚?|才|已经|终于|总算|后来|最后|又|也|就|都|准备|打算|决定|要|得|想|从|因为|所以|工作|房[子租]|[\d一二三四五六七八九十]+月)*$)[\u4e00-\u9fff]{2,}$"
)
_GIVEN = re.compile(
    r"(?<![\w'’])(?<!\bSt )(?<!\bCape )(?<!\bPort )[A-Z][a-z]{1,}(?=['’]s\b|(?![\w'’-]))(?! (?:Street|Road|Lane|Avenue|Square|Park|Station|Hall|Hospital|School|College|Day)\b)"
)
_LED = re.compile(
    r"(?<!\w)(Big|big|Wee|wee|Mad|mad|Fat|fat|Lanky|lanky|Skinny|skinny|Crazy|Little|Old|Young) ([A-Z][a-z]{1,20})\b"
)
_LED_MOST = 8
_WORKS = re.compile(f"{english_names.WORKS}|{chinese_names.WORKS}")
_LED_IN = re.compile(
    r"Big|Wee|Mad|Fat|Lanky|Skinny|Crazy|Little|Old|Young|Poor|Dear|Aunt(?:ie|y)?|Uncle|Nana|Nan|Gran|Granny|Grandma|Grandad|Grandpa|Cousin|Mum|Mom|Dad|Wife|Husband"
)
# Who begins a sentence so is no word: "Josh is", not "Hope is" nor "Bill was due".
_BEGINS = re.compile(
    r"(?<!Art)(?<!Hope)(?<!Joy)(?<!Mercy)(?<!Dawn)(?<!Bill)(?<!Viola)(?<!Violet)(?<!Florence)(?<!Georgia)(?<!Jordan)(?<!Luna)(?<!Marina)(?<!Olive)(?<!Dot)(?<!April)(?<!May)(?<!June)(?<!Will)(?<!Victoria) (?:is|was|has|isn't|wasn't|hasn't)\b"
)
_MONTHS_TOO = ("April", "May", "June")
_MONTHS = frozenset(name.casefold() for name in _MONTHS_TOO)
_MINE = re.compile(r"\b(?:my|our)\b", re.IGNORECASE)
_OF_PEOPLE_ALONE = re.compile(
    r"\b(?:says|said|thinks|reckons|rang|phoned|texted|messaged|told|asked|called|dumped|kissed|hugged|cried|laughed|apologi[sz]ed|promised|round|over)\b"
)
# "In Charlotte", "drove to Carol", but "confided in Sarah".
_AT_PLACE = re.compile(
    r"(?:(?<!disappointed )(?<!confide )(?<!confided )(?<!believe )(?<!believed )(?<!trust )(?<!faith )\b(?:in|near|outside|around|across|towards)|\b(?:drove|driv\w+|fl(?:ew|y|ies|ying|ight)|mov\w+|went|go(?:ing|ne|es)?|trip|train|bus|ferry|back|head\w+|travel\w*|holiday|relocat\w+|emigrat\w+)(?: (?:back|over|down|up|out))? (?:to|from|through|via)) $"
)
# "Victoria Sponge", "Grace-like".
_CAPITAL_BEHIND = re.compile(r"-| [A-Z]")
_CAPITAL_BEFORE = re.compile(r"(?<=[a-z,;] )([A-Z\u00c0-\u00de][\w'’-]*) $")
_TITLED = re.compile(r"(?:Dr|Prof|Professor|Mrs?|Ms|Miss)\b")
_OWNING = re.compile(r"['’]s$")


@dataclass(frozen=True)
class Name:
    text: str
    kind: str


@lru_cache(maxsize=_KEPT)
def find(sentence: str, *, before: str = "") -> tuple[Name, ...]:
    """Return the names in a sentence; `before` is the text just before it."""
    sentence, found = _WORKS.sub(" ", _AGED.sub("", lexicon.normalise(sentence))), dict[str, Name]()
    patterns = [one for words in lexicon.list_vocabularies(sentence) for one in _compile(words)]
    for kind, pattern in patterns:
        for match in pattern.finditer(sentence):
            text = _lead_in(_OWNING.sub("", match["name"]).strip("'’-"), sentence)
            lead = sentence[: match.start()]
            is_nobody = kind is None and (_CALLED_NAMES.search(lead) or _NOT_CALLED.search(lead))
            if is_nobody or any(text in known or known in text for known in found):
                continue
            if text.casefold() in NO_NAMES and not (text in _MONTHS_TOO and _MINE.search(match[0])):
                continue
            of_words = kind or _find_kind(f"{lead}{match.group()}", sentence, before)
            found[text] = Name(text, "person" if _TITLED.match(text) and of_words != "pet" else of_words)
    for text in _list_together(sentence):
        if not any(text in known for known in found):
            found[text] = Name(text, _find_kind(sentence, sentence, before))
    return tuple(found.values())


@cache
def _compile(words: ModuleType) -> list[tuple[str | None, re.Pattern[str]]]:
    # When the first text is read: it takes a tenth of a second, and most programs read none.
    patterns = english_names.PATTERNS if words is english else chinese_names.PATTERNS
    return [(kind, re.compile(pattern)) for kind, pattern in patterns]


def _lead_in(name: str, sentence: str) -> str:
    """Return a name with what it always goes with: "Big Dave"."""
    led = _LED.search(sentence, max(0, sentence.find(name) - _LED_MOST)) if name.isascii() else None
    return f"{led[1].capitalize()} {name}" if led and led[2] == name else name


def find_acting(text: str) -> list[str]:
    """Return given names, and the names of those who do what only people do: "Emeka rang last night", "me and Emeka"."""
    text = _WORKS.sub(" ", text)
    found = [match["name"] or match["other"] for match in _ACTING.finditer(text) if not _is_month(match)]
    given = (match for match in _GIVEN.finditer(text) if _is_given(match))
    found += [match[0] for match in given if match[0] not in found]
    found += [match["name"] for match in _ACTING_CHINESE.finditer(text)]
    called = [_lead_in(name, text) for name in dict.fromkeys(found)]
    return [name for name in called if not lexicon.find_kin(name) and name.casefold() not in NO_NAMES - _MONTHS]


def _is_month(match: re.Match[str]) -> bool:
    """Whether May is no May: "May came and went"."""
    return match["name"] in _MONTHS_TOO and _OF_PEOPLE_ALONE.search(match[0]) is None


def _is_given(match: re.Match[str]) -> bool:
    """Whether a given name stands for somebody: not for a place, "in Charlotte", nor a part of another name, "Für Elise"."""
    name, lead = match[0].casefold(), match.string[: match.start()]
    if name not in english.GIVEN_NAMES | english.WORDS_TOO:
        return False
    if _AT_PLACE.search(lead) and not match.string.startswith(("'s", "’s"), match.end()):
        return False
    before = _CAPITAL_BEFORE.search(lead)
    if before and not _LED_IN.fullmatch(before[1]) and before[1].casefold() not in english.GIVEN_NAMES | NO_NAMES:
        return False
    return name not in english.NAMES_AND_WORDS or _is_written_as_name(match, name, lead.rstrip())


def _is_written_as_name(match: re.Match[str], name: str, lead: str) -> bool:
    """Whether a given name that is a word, too, has its capital amid a sentence, or does what people do: "I fired Josh", "Josh is late"."""
    if not lead or lead.endswith((".", "!", "?", ":", '"', "“")):
        return _BEGINS.match(match.string, match.end()) is not None
    return name not in _MONTHS and _CAPITAL_BEHIND.match(match.string, match.end()) is None


def ends_with_other(lead: str) -> bool:
    """Whether what a Chinese clause begins with ends with somebody else: 旁边窗口的李倩 of 怀孕了."""
    return _OTHER_LAST.search(lead) is not None


def begins_with_other(lead: str) -> bool:
    """Whether what stands before a Chinese verb names somebody else as who does it: 阿丽 of 阿丽搬出去住了, not 我上周刚."""
    return _OTHER_FIRST.match(_CLAUSE_START.split(lead)[-1]) is not None


def is_list(sentence: str) -> bool:
    """Whether a sentence only names some: "Ida and Wout"."""
    return _ALONE.match(sentence) is not None


def _list_together(sentence: str) -> list[str]:
    if ("、" in sentence or "和" in sentence) and (told := _HAN_LISTED.search(sentence)):
        return [name for name in re.split("[、和跟]", told["list"]) if not lexicon.find_kin(name)]
    # Each list has one of these, and most sentences none.
    if " and " not in sentence and " & " not in sentence:
        return []
    if lower := _LOWER_LIST.search(sentence):
        return [name for name in re.findall(r"[a-z]{3,}", lower["list"]) if name not in (*NO_NAMES, "and")]
    listed = _LISTED.search(sentence) or _ALONE.search(sentence)
    return re.findall(_LATIN_NAME, listed["list"]) if listed else []


def _find_kind(lead: str, sentence: str, before: str) -> str:
    if SOMEBODY.search(lead):
        return "person"
    if _ORG_CALLED.search(lead):
        return _ORG
    if _IT_IS_CALLED.search(lead) and "pet" not in lexicon.widen(lexicon.find_concepts(f"{sentence} {before}")):
        return _OTHER
    for text in map(lexicon.normalise, (lead, sentence, before)):
        if "pet" in lexicon.widen(lexicon.find_concepts(text)):
            return "pet"
        if lexicon.find_kin(text):
            return "person"
        if re.search(r"\b(?:city|town|village|country|island|street)\b|城市|小镇|村|岛", text, re.IGNORECASE):
            return _PLACE
        if re.search(r"\b(?:company|school|university|bank|startup)\b|公司|大学|学校", text, re.IGNORECASE):
            return _ORG
    return "person" if re.search(r"\b(?:he|she|his|her|him)\b|[他她]", sentence, re.IGNORECASE) else _OTHER
