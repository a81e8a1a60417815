"""Finds names of third parties by the words around them."""

from dataclasses import dataclass
from functools import cache, lru_cache

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import lexicon

# How many sentences are kept: each is asked about many times for one reply.
_KEPT = 1024
_PET = "|".join(english.PETS.values())
_KIN = "|".join(english.KIN.values())
_HAN = r"[\u4e00-\u9fff]"
_QUOTE = r"[\"'“”‘’「『《]?"
_LATIN_NAME = r"(?<!\w)[A-Z\u00c0-\u00de][\w'’-]{1,40}(?: [A-Z\u00c0-\u00de][\w'’-]{1,40}){0,2}"
_NAME = rf"{_QUOTE}(?P<name>{_LATIN_NAME}|{_HAN}{{1,6}}){_QUOTE}"
_ANY_NAME = rf"{_QUOTE}(?P<name>{_LATIN_NAME}|{_HAN}{{1,6}}|[a-z]{{3,}}){_QUOTE}"
# Words that stand where a name would, and words with a capital that name nobody.
_NO_NAMES_TEXT = (
    "哈哈 哈哈哈 哈哈哈哈 him her his them after that the not and but just very who because also actually yesterday today again for it "
    "really still always never only often already finally probably here there now is was has were does did sometimes usually maybe kinda even then both "
    "every each once twice when whenever before while until till about back from with tomorrow tonight later soon "
    "something anything nothing whatever off quits names mr mrs ms miss dr prof"
)
_CAPITALS_TEXT = (
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november "
    "december christmas easter i i'm i've i'll"
)
NO_NAMES = frozenset(f"{_NO_NAMES_TEXT} {_CAPITALS_TEXT}".split())

# A Chinese name ends where a word that cannot belong to it begins.
_HAN_END = r"(?=[^\u4e00-\u9fff]|[的总会很是在每晚特最今经老又也都它他她我因了跟和有去来说]|[大小]的|一[只个条]|$)"
_HAN_NAME = rf"{_QUOTE}(?P<name>[A-Z][A-Za-z\u00c0-\u024f]+(?![A-Za-z\u00c0-\u024f])|{_HAN}{{2,4}}?(?={_QUOTE}{_HAN_END})){_QUOTE}"
# Words that begin with a character that is also a surname.
_HAN_WORDS = "周[一二三四五六日天末围]|马[上路]|常[常说年去来]|安[排心静]|方[便法]|白天|高[兴中考]|黄[昏瓜]|钱[包都]|于是|何时|万一|温柔|夏天|季节|石头|路上|毛病|余下|江边|田里|小名|[天日年刚偷慢渐往悄默每妈爸爷奶哥姐弟妹公婆叔宝谢看想说]{2}"
_HAN_PET = "|".join(chinese.PETS.values())
_HAN_KIN = "|".join(chinese.KIN.values())

# Whom 老 or 小 before the surname names; others make words: 小路, 老白.
_COMMON_SURNAMES = "张王李赵刘陈杨吴周徐孙朱胡郭罗郑谢宋唐韩冯邓曹彭萧蔡潘袁董蒋"

_OTHER, _PLACE, _ORG = "other", "place", "org"
# A sentence whose subject is left out begins with a verb, not with a name: "Took our dog out", but "Biscuit, our dog" and "Ben my brother came".
_DOES = (
    r"(?:['’]s|(?: (?i:is|was|has|had|died|came|went|got|rang|says?|said|lives|works|loves|wants|turns|\w{2,}ed)))\b"
)


def _not_a_verb(nouns: str) -> str:
    # Only where a name begins: else each character of a long word would be the beginning of a search.
    return rf"(?<!\w)(?={_QUOTE}[^\W\d_a-z])(?:(?<!^)(?<![.!?] )|(?=[\w'’-]+(?:,| is\b| was\b|['’]s\b))|(?=[\w'’-]+(?: [\w-]+){{1,3}}? (?i:{nouns}){_DOES}))"


# 室友, 老板, 他们: what somebody is, no name.
_NO_HAN_NAME = rf"(?!{_HAN}{{1,3}}(?<=[友事学板导人居生师们妈爸娘爹姐哥弟妹婆公女子儿象任司方家己谁])(?:关系|吵|闹|绝交|冷战|昨|今|前天|刚|又|[跟和]我))(?!{_HAN}{{0,2}}[我你他她它])"
# "My sister is Dutch" names nobody.
_ORIGIN = r"(?:\w+(?:ish|ese|ian|ean|ican|isian|tic|ist)|Dutch|French|German|Welsh|Greek|Thai|Swiss|Czech|Jewish|Muslim|Hindu|Sikh|Catholic|Buddhist|Iraqi|Pakistani|Israeli|Somali|Bengali|Punjabi|Deaf)\b"
# Who is around somebody without being kin.
ROLE = r"boss|(?:line )?manager|supervisor|teammates?|colleagues?|co-?workers?|teacher|tutor|coach|landlord|landlady|room-?mates?|flat-?mates?|house-?mates?|neighbou?rs?|therapist|doctor|gp|dentist|best friend|ex"
# (kind, or None where the words before decide; pattern). `(?i:…)` because names are known by their capital.
_PATTERNS = [
    (None, rf"\b(?i:(?:is|was|'s|’s|are|{_PET}|one) (?:called|named)|(?<!my )(?<!me )(?<!^)(?:name is|name's|name’s|name was)|named? (?:him|her|it)|call(?:ed|ing)? (?:him|her|it)) {_ANY_NAME}"),
    (None, rf"\b(?i:by|of|has|with) (?i:the name(?: of)?) {_NAME}"),
    (None, rf"\b(?i:called|named)(?i: him| her| it| the)? {_NAME}"),
    (None, rf"\b(?i:his|her|its|their) names? {_NAME}(?=\W*$|,)"),
    # Behind the question that it answers: "What's your nan's name? It's Dorothy."
    (None, rf"\b(?i:name|called)\b[^.!?]{{0,16}}\?\s+(?:[^.!?]{{0,40}}\b(?i:it's|it is|s?he's|that's|that would be) )?{_NAME}"),
    ("pet", rf"\b(?i:my|our|an?|one) (?i:\w+ )?(?i:{_PET})(?i: (?:for|since) [\w ]{{2,16}}| now)?,? {_NAME}"),
    # "The lad, Iestyn, is on nights", "mate of mine, Dai, he".
    ("person", rf"\b(?i:(?:the|my|our|an?) (?:[\w-]+ ){{0,2}}(?:lad|lass|bloke|guy|boy|girl|woman|man|lady|pupil|student|{_KIN})|(?:mate|friend|pal) of mine), {_NAME},"),
    ("person", rf"(?<=, ){_NAME}, (?i:s?he)(?i:['’]?s| is|['’]ll) "),
    # "we adopted a greyhound last month, Biscuit."
    ("pet", rf"\b(?i:my|our|an?|one|two) (?i:\w+ ){{0,2}}(?i:{_PET})\b[^.!?,:;]{{1,40}}(?:,|:| [-–—]) ?{_NAME}(?=\W*(?:$|[.!?,]))"),
    ("person", rf"(?:\b(?i:my|our|a|an|the|his|her|their)|\w['’]s) (?i:\w+[ -])?(?i:{_KIN}|lass|lad)(?: now| tho| though| too)*,? {_NAME}"),
    ("person", r"\b(?P<name>(?:Dr|Prof|Professor|Mrs|Mr|Ms|Miss)\.? [A-Z\u00c0-\u00de][\w'’-]{1,40})"),
    ("person", rf"(?:^|(?<=[.!?] ))(?i:(?:and|so|also|then) )?(?i:(?:grand)?(?:son|daughter)|nephew|niece|brother|sister|cousin|husband|wife) {_NAME}(?= [a-z])"),
    ("person", rf"\b(?i:my|our) (?i:{_KIN}) (?P<name>(?!s?he\b|they\b|it\b|just\b|never\b|also\b|still\b|always\b|who\b|birthday\b|name\b|job\b|work\b|phone\b|car\b|house\b|home\b|place\b|school\b|email\b|address\b|age\b|dog\b|cat\b|almost\b|even\b|soon\b|once\b|first\b|later\b|alone\b|too\b|h\w+self\b|(?!sally|polly|molly|emily|lily|billy|kelly|holly)\w+ly\b)[a-z]{{2,12}})(?= (?:is|was|rang|came|got|went|died|has|works|lives|plays|studies|teaches|says|said|thinks|wants|told|cried|gave|passed)\b)"),
    ("pet", rf"{_not_a_verb(_PET)}{_NAME},? (?:is )?(?i:my|our|a|the) (?i:\w+ ){{0,2}}(?i:{_PET})\b"),
    ("person", rf"(?<!\bin )(?<!\bat )(?<!\bto )(?<!\bfrom )(?<!\bnear ){_not_a_verb(_KIN)}{_NAME}(?:,| is| was|'s|’s)? (?i:my|our) (?i:\w+ ){{0,2}}(?i:{_KIN})\b"),
    ("person", rf"\b(?i:my|our) (?i:new |old |late )?(?i:{ROLE}|{_KIN})(?i: is|'s) (?!{_ORIGIN}){_NAME}(?=\W*$|[.,]| and\b)"),
    ("person", rf"{_NAME} (?:is|turns|turned) \d{{1,2}}(?=\W*$|,| and\b| (?:now|today|tomorrow|next|years old)\b)"),
    (_ORG, rf"\b(?i:work|job|intern\w*|working|worked) (?i:at|for|with) (?i:the )?{_NAME}"),
    (_ORG, rf"\b(?i:stud(?:y|ied|ying)|graduated) (?i:at|from) (?i:the )?{_NAME}"),
    (_PLACE, rf"\b(?i:live|lives|lived|living|move|moved|moving|went|going|go|travel\w*|trip|flew|flying|fly|born|grew up|holiday|vacation|back|stay\w*) (?i:in|to|from|at) (?i:the )?{_NAME}"),
    (None, rf"(?:(?<![真本])名叫|名字叫|名字是|叫做|取名叫?|起名叫?|(?<![我不])(?<!真名)(?<!本名)叫(?:的是?)?(?!惯|我|你|他|她|它|人|妈|爸|爷|奶|哥|姐|醒|起|声|喊|着|不|什|啥|做|外卖|车|滴滴|了))(?:[它他她]|(?<=名叫) )?{_HAN_NAME}"),
    ("pet", rf"(?:{_HAN_PET}){_QUOTE}(?P<name>[小阿大老](?![的得了是小])[\u4e00-\u9fff]|[A-Z][A-Za-z\u00c0-\u024f]+)"),
    ("pet", rf"(?:^|[，,。、])(?P<name>{_HAN}{{2,3}}|[A-Z][A-Za-z\u00c0-\u024f]+)是我们?(?:家)?(?:的|养的)?(?:{_HAN}{{0,6}})(?:{_HAN_PET})"),
    ("person", r"(?:^|[，,。、和\s])(?P<name>[大二三小]宝)(?!贝|宝)"),
    ("person", r"(?:^|[，,。\s])(?P<name>阿(?![姨姐哥爸妈公婆嬷爷奶叔嫂弟妹])[\u4e00-\u9fff])(?=[，,。\s]|$)"),
    ("person", rf"(?:{_HAN_KIN})(?!{_HAN_WORDS})(?P<name>[小阿](?![时气心学名便]){_HAN}|老[{chinese.SURNAMES}]|(?P<twice>{_HAN})(?P=twice)(?!(?P<more>{_HAN})(?P=more))|[{chinese.SURNAMES}]{_HAN}(?:(?![考说去来做吃买当要想给把又也都就还才刚正再没不让在]){_HAN}(?={_HAN_END}|[考教借打问请送买开住没升被病结离怀辞失摔哭骂]|关系|数学|语文|英语|成绩|学习|喜欢|天天|长得|性格|脾气))?|阿?[A-Z][A-Za-z\u00c0-\u024f]+)"),
    ("person", rf"(?<![大缩最从矮细弱狭渺胆窄变减们])(?P<name>[老小][{_COMMON_SURNAMES}]|老[许梁沈卢魏姚丁范贾崔])(?![板师子同]|太太)"),
    ("person", rf"我[跟和]{_NO_HAN_NAME}(?P<name>{_HAN}{{2,3}}?)(?=关系|吵架|吵了|闹翻|绝交|冷战)"),
    ("person", rf"(?:^|[，,。、\s]){_NO_HAN_NAME}(?P<name>{_HAN}{{2,3}}?)(?:昨[天晚]|今[天早晚]|前天|刚才|又)?[跟和]我(?:吵架|吵了|绝交|冷战|表白|道歉)"),
    ("person", rf"(?<![小老大阿{chinese.SURNAMES}])(?P<name>[{chinese.SURNAMES.replace('于', '')}](?:阿姨|叔叔|大爷|大妈|师傅|医生|大夫|老师|教授|经理|主任|校长))(?!叫)"),
    ("person", rf"(?:借给|欠)了?(?!房东|高利|白条)(?P<name>[小阿]{_HAN}|老[{_COMMON_SURNAMES}]|[{chinese.SURNAMES}]{_HAN}{{1,2}}?)(?=[\d一二两三四五六七八九十几]|的?钱|了|[，,。\s]|$)"),
    ("person", rf"(?:^|[，,。\s])(?P<name>[小阿]{_HAN}|老[{_COMMON_SURNAMES}]|[{chinese.SURNAMES}]{_HAN}{{1,2}}?)(?=(?:还|一共)?欠着?了?我)"),
    ("person", rf"我(?:的)?(?:最好的|好)?(?:朋友|闺蜜|死党|发小|搭档|同桌|[室舍]友)是(?P<name>[小阿](?![三孩学姐偷鬼]){_HAN}|老[{_COMMON_SURNAMES}]|(?!{_HAN}{{1,2}}[人员师生手民客]|高[管手中考]|白领|房东|金领|江湖)[{chinese.SURNAMES}]{_HAN}{{1,2}})(?=[，,。！!\s]|$)"),
    (_PLACE, rf"(?P<name>{chinese.CITIES})"),
    (_ORG, rf"在(?P<name>(?![一这那我他她]){_HAN}{{2,8}}?(?:公司|大学|医院|银行|学校|中学))"),
]  # fmt: skip
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
    r"\b(?:company|firm|agency|start-?up|charity|shop|store|caf[eé]|restaurant|pub|bar|bakery|hotel|gym|studio|school|college|band|club|magazine|practice|salon)(?: \w+)? (?:called|named)\b|(?:公司|店|馆|学校|乐队|俱乐部|工作室)叫",
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
_OTHER_LAST = re.compile(rf"^[^我]*(?:(?:^|的)[{chinese.SURNAMES}][\u4e00-\u9fff]{{1,2}}|[他她]们?)$")
_CLAUSE_START = re.compile(r"[，,。！!？?；;\s]+")
# What tells when, how and why names nobody, nor does what one has: 去年底才, 工作.
_OTHER_FIRST = re.compile(
    r"(?!.*[我咱户])(?!(?:[昨今前后]天|[上下这本]?个?(?:[周月]底?|(?:周|星期|礼拜)[一二三四五六日天末])|[今去前明]年底?|最近|现在|目前|刚刚?|才|已经|终于|总算|后来|最后|又|也|就|都|准备|打算|决定|要|得|想|从|因为|所以|工作|房[子租]|[\d一二三四五六七八九十]+月)*$)[\u4e00-\u9fff]{2,}$"
)
_GIVEN = re.compile(
    r"(?<![\w'’])(?<!\bSt )(?<!\bCape )(?<!\bPort )[A-Z][a-z]{2,}(?=['’]s\b|(?![\w'’-]))(?! (?:Street|Road|Lane|Avenue|Square|Park|Station|Hall|Hospital|School|College|Day)\b)"
)
_TITLED = re.compile(r"(?:Dr|Prof|Professor|Mrs?|Ms|Miss)\b")
_OWNING = re.compile(r"['’]s$")


@dataclass(frozen=True)
class Name:
    text: str
    kind: str


@lru_cache(maxsize=_KEPT)
def find(sentence: str, *, before: str = "") -> tuple[Name, ...]:
    """Return the names in a sentence; `before` is the text just before it."""
    sentence, found = _AGED.sub("", lexicon.normalise(sentence)), dict[str, Name]()
    for kind, pattern in _compile():
        for match in pattern.finditer(sentence):
            text = _OWNING.sub("", match["name"]).strip("'’-")
            lead = sentence[: match.start()]
            is_nobody = kind is None and (_CALLED_NAMES.search(lead) or _NOT_CALLED.search(lead))
            if is_nobody or text.casefold() in NO_NAMES or any(text in known or known in text for known in found):
                continue
            of_words = kind or _find_kind(f"{lead}{match.group()}", sentence, before)
            found[text] = Name(text, "person" if _TITLED.match(text) and of_words != "pet" else of_words)
    for text in _list_together(sentence):
        if not any(text in known for known in found):
            found[text] = Name(text, _find_kind(sentence, sentence, before))
    return tuple(found.values())


@cache
def _compile() -> list[tuple[str | None, re.Pattern[str]]]:
    # When the first text is read: it takes a tenth of a second, and most programs read none.
    return [(kind, re.compile(pattern)) for kind, pattern in _PATTERNS]


def find_acting(text: str) -> list[str]:
    """Return given names, and the names of those who do what only people do: "Emeka rang last night", "me and Emeka"."""
    found = [match["name"] or match["other"] for match in _ACTING.finditer(text)]
    given = english.GIVEN_NAMES - english.NAMES_AND_WORDS
    found += [match[0] for match in _GIVEN.finditer(text) if match[0].casefold() in given and match[0] not in found]
    return [name for name in found if not lexicon.find_kin(name) and name.casefold() not in NO_NAMES]


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
