"""Reads how the user wants to be called: "my name is Alex", "call me Sam from now on", 叫我小黑吧."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese.vocabulary import SURNAMES
from echovessel.llm.offline.english.vocabulary import GIVEN_NAMES, JOB, WORDS_TOO
from echovessel.llm.offline.text import lexicon, sentences

# Characters before the words that are looked at for a negation or another subject.
_BEFORE, _BEFORE_CHINESE = 24, 8

_WORD = r"[^\W\d_]+(?:[-'][^\W\d_]+)*"
_HAN = "[\u4e00-\u9fff]"
# 阿明, 阿Ken
_PET_NAME = rf"(?:[小阿](?:{_HAN}|[A-Z][A-Za-z]{{0,20}})|老(?![师板路实时公婆华高常])[{SURNAMES}])"
_FAMILY_NAME = rf"(?:欧阳|司马|上官|诸葛|[{SURNAMES}]){_HAN}{{1,2}}"
_ENGLISH = re.compile(
    rf"\b(?:(?P<strong>^\W*myself(?= (?-i:[A-Z]))|m[ye] (?:first |real |given )?name(?:'s| is|(?= (?-i:[A-Z])))|(?<![\w'] )name's|i go by|i'm called|i am called|i(?:'m| am) known as|refer to me as|i(?:'ve| have)? (?:just |legally )?changed my name to)|call me)"
    rf" (?:just |simply )?[\"“]?(?P<first>{_WORD})(?: (?P<second>{_WORD}))?(?=(?P<after>.{{0,24}}))",
    re.IGNORECASE,
)
_WORDINGS = {
    "m": "The user's name is {}.",
    "name": "The user's name is {}.",
    "i go": "The user goes by {}.",
    "i changed": "The user's name is {}.",
    "i've": "The user's name is {}.",
    "i have": "The user's name is {}.",
    "i": "The user is known as {}.",
    "refer": "The user is referred to as {}.",
    "call": "The user is called {}.",
}
_DENIED = re.compile(r"n't\b|\b(?:not|never|no|nobody|stop|without|cannot|hate when|hates?)\b", re.IGNORECASE)
# Whose name a bare "name's Joe" tells; "we got a dog, name's Rex" tells the dog's.
_BEFORE_BARE = re.compile(
    r"\bi(?:'m| am)\b[^.!?]*$|^\W*(?:(?:hi+|hey+|hello|there|well|so|yes|ok|good \w+)\b\W*)*$", re.I
)
# "No, my name is Tom" denies what was said before.
_NO_TO_THAT = re.compile(r"(?:^|[\s.!])no(?:pe)?\s*[,.!;–—-]+\s*$", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:(?i:he|she|they|people|everyone|everybody|someone|somebody|who|nobody|you always|mom|mum|mother|dad|father|parents|brother|sister|"
    r"grandma|grandpa|wife|husband|boyfriend|girlfriend|partner|boss|friends?|colleagues?|kids?|teacher|guys|some|others?|used to|would|"
    r"said|told|says|if|when|once|let(?:'s| us) (?:play|pretend)|in (?:this|the|our) (?:story|game|scene|play))|[A-Z][a-z]+(?<!Please)(?<!You)(?<!Just)(?<!And)(?<!But)(?<!So)(?<!Hi)(?<!Hello)(?<!Hey)(?<!Well)(?<!Oh)(?<!Ok)(?<!Okay) (?:always |still )?(?:calls|called|and))\b"
)
_NO_NAMES_TEXT = (
    "a an the not no never back later maybe when if again tomorrow tonight today anytime anyway now soon after before once whatever whenever "
    "what that this it something anything someone crazy weird silly stupid lazy picky biased naive romantic selfish mad insane nuts cynical "
    "dramatic dumb strange odd paranoid spoiled spoilt sentimental nostalgic sensitive superstitious old-fashioned old ungrateful names on in "
    "at by up out first any every some and or but so because my your his her their our hard easy long short common rare unusual difficult "
    "important spelled spelt pronounced written taken still also very too really just quite actually all only mine yours well known here "
    "there gone mr mrs ms miss dr monday tuesday wednesday thursday friday saturday sunday january february march april june july august "
    "september october november december chinese english french german italian spanish russian polish irish scottish turkish greek japanese "
    "korean indian swedish dutch danish norwegian american british a-list everything nothing one two to for of with from as i i'm i'll i've "
    "is was will would can could please thanks thank you we he she they cab taxi ambulance doctor uber mud"
)
_TITLES = frozenset(("mr", "mrs", "ms", "miss", "dr", "professor"))
_NO_NAMES = frozenset(_NO_NAMES_TEXT.split())
_ADJECTIVE = re.compile(r"\w+(?:ful|less|ous|able|ible|tive)$|\w{3,}ing$")
_CLAUSE_END = re.compile(
    r"[\"”]?(?:\s*(?:[.!,;:)~]|$)|\s+(?:from now on|please|ok|okay|instead|by the way|btw|(?:and )?i'?m\b|and i\b|and my\b))"
)
_ASKED = re.compile(
    r"^.*(?<!said)(?<!says)(?<!told)[,;]\s*(?=(?:(?:so|please|just|and|you can|you should|you may)\s+)*$)",
    re.IGNORECASE,
)
_YET = re.compile(r"[\"”]?,? but\b")

_CHINESE = re.compile(
    r"(?P<how>我的名字[是叫]|我的?(?:真名|本名)[是叫]|(?<![帮给替让要跟对教被])我叫做?|我姓.[，,\s]*(?:名字?)?叫(?!我)|叫我|喊我|称呼我为?|管我叫)\s*[“\"「]?"
    rf"(?P<name>[小阿]?[A-Za-z][A-Za-z'-]{{0,20}}(?: [A-Z][a-z]+)?|(?:{_HAN}|·){{2,4}}?(?<![吧呀啊呢哦])|[{SURNAMES}](?=[，。！,.]|$))[”\"」]?"
    r"(?=吧|就[好行成中]|就可以|好了|好啦|呀|哦|啊|呢|[，,]?不[叫是]|[，。！!；;、,.~～\s]|$)"
)
_RENAMED_CHINESE = re.compile(
    rf"我(?:已经|刚刚?|现在)?改名(?:叫做?|为|成)(?P<name>{_HAN}{{2,4}}?|[A-Z][a-z]+)了?(?=[，。！!；;、,.~～\s]|$)"
)
_DENIED_CHINESE = re.compile(r"[别不没勿休甭]|不要|讨厌")
_OTHERS_CHINESE = re.compile(
    r"[他她它]|们|人|妈|爸|哥|姐|弟|妹|爷|奶|外婆|老师|同事|同学|朋友|老板|领导|谁|家里|大家|[都总老]$|小时候|以前|曾|"
    r"为什么|怎么|干嘛|说|问|如果|要是|等|明天|每天|一直|之前"
)
_ADDRESSED_CHINESE = re.compile(
    r"^.*[，,；;]\s*(?=[你您请就]|不过|但是?|以后|可以)|不过|对不起|不好意思|要不|^.*[别不要]再?叫我[^，,\s]{1,6}了?[，,；;\s]+$"
)
# Who asks to be called something speaks to the companion: others are named in 医生喊我莫吃甜的.
_TO_COMPANION_CHINESE = re.compile(
    r"(?:^|[，,；;：:。！!\s])(?:那|所以|以后|今后|往后|从现在(?:起|开始)|从今|平时|你们?|您|请|麻烦|就|可以|直接|也|都|还是|干脆|继续|[和跟]大家一样)*$"
)
# 学员都叫我礁石，你也叫这个吧
_YOU_TOO_CHINESE = re.compile(r"[，,\s]*你(?:也|就|可以|跟着|这么|这样)*[叫喊称]")
_YOU_ALL = re.compile(r"你们|我们|^(?:哥们儿?|姐妹们?|兄弟们?|家人们)[，,\s]*")
_NO_NAMES_CHINESE = re.compile(
    r"[得了他她它你我您不没什啥谁人起醒来去回做吃喝帮快别晚一个着过到出进上下先再也就给把跟停滚闭等坐站试拿搬洗带打写看买睡走听说还陪学]|"
    r"早[点些起上]|关[门灯机掉]|开[门车会心]|外卖|滴滴|代驾|救护|快递|服务|保安|警|老师|老板|爸|妈|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶|叔|阿姨|大家|自己|"
    r"加班|干[活嘛什]|车|名字|有点|怎|哪|这|那|真的?|其实|现在|以后|随便|都行|从前|姑娘|小姐|先生|女士|师傅|美女|帅哥"
)
# "I'm Alex" is a sentence of its own, after a greeting at most: of the words that follow "I'm" few are names.
_GREETING = r"(?:(?:hi+|hello|hey+|heya|hiya|howdy|yo|(?:good )?(?:morning|afternoon|evening)|oh|well|so|right(?: so)?|anyway|alright|yeah|like|er+m?|sorry|omg|lol|um|ok(?:ay)?(?: so)?|by the way)(?: there| again| everyone| all| (?-i:[A-Z][a-z]+))?|nice to meet you)"
_AFTER_INTRODUCTION = rf"(?:(?:\s*,\s+(?:\w+,\s+){{0,2}}\d{{2}}\b(?! (?:\w+s|of)\b)|\s+i(?:'m| am)(?= \d{{2}}\b)|\s*,\s+(?:i(?:'m|'ve)?|doing|studying|working|living|based|currently|originally)|\s*,\s+(?={JOB}\b(?! (?:and|or)\b))|\s*,\s+an? (?!(?:bit|little|lot|few|touch|tad)\b)|(?:\s*,)?\s+(?:by the way|btw|nice to meet you|and you|and i(?:'m|'ve)?|and my|from|again|here|\d{{2}}(?! (?:\w+s|of)\b)))\b.*)?[\s.!~]*$"
_INTRODUCTION = re.compile(
    rf"^\W*(?P<greeting>(?:{_GREETING}[\s,;:.!–—-]+)+)?(?:(?:(?-i:[A-Z])[a-z]+, )?it'?s (?:only |just )?me,?|(?(greeting)(?:i(?:'m| am)|(?P<it>it'?s|this is))|(?:i(?:'m| am)|this is(?= \w+ (?:btw|by the way|here|again)\b)))) (?P<first>(?-i:[A-Z\u00c0-\u00de])(?-i:[a-z\u00df-\u00ff]+)(?:[-'](?-i:[A-Z][a-z]+))?)"
    rf"(?: (?P<second>(?-i:[A-Z][a-z]+)))?{_AFTER_INTRODUCTION}",
    re.IGNORECASE,
)
# After a greeting a name need not be known, but for what people say that they are.
_OF_PEOPLE = re.compile(
    r"(?:ish|ese|ian|ean|ican|tic|ist|er|or|holic|free|ing|ed|y)$|^(?:german|roman|dutch|french|greek|thai|czech|swiss|jew|muslim|sikh|catholic|buddhist|"
    r"christian|vegan|aries|gemini|leo|virgo|libra|pisces|team|gen|type|mom|mum|dad|batman|superman|groot|back|home|here|late|fine|good|great|okay)$",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"(?:al|ant|ent|ate|ight|ick|uck|ack|ll|[^r]d|ost|out|right|ong)$|^(?:gay|queer|trans|male|female|single|alone|broke|sober|poor|rich|fat|thin|slim|short|deaf|white|brown|done|gone|free|new|sure|safe|nurse|chef|cook|mum|mom|human|dumb|cute|hot|cool)$"
)
# "I am Farida." alone: said in full, a name need not be known where it has none of the endings of what people are.
_IN_FULL = re.compile(
    r"\W*(?i:i am) (?!Welsh|Scots|Shia|Sunni|Hindu|Taurus|Labour)[A-Z][a-z]+(?<!an[ei])(?<!ali)(?<!aqi)(?<!eli)(?<!ch)(?<!ek)[.!]?"
)
_AGED_BEHIND = re.compile(
    rf"(?<!Welsh)(?<!Scots)(?<!Sikh)(?<!Hindu), (?:\d{{2}}(?=,|\W*$|,? and\b| from\b)|(?:an? )?{JOB}\b(?! and\b))"
)
# After a greeting, or before an age, a name may be in lower case, unless it is another word, too: "hi, im priya", "im priya, 15"; what is said as the age is need not be known: "im ellis im 15".
_LOWER = re.compile(
    rf"^\W*(?:(?:{_GREETING}[\s,;:.!–—-]+)+(?:i(?:'m| am)|it'?s|this is) (?P<name>(?-i:[a-z]{{2,}}))(?: again| here)?[\s.!~]*$|(?:{_GREETING}[\s,;:.!–—-]+)*(?:i(?:'m| am)|it'?s(?=\s+[a-z]+,? (?:and )?i'm \d)) (?P<aged>(?-i:[a-z]{{3,}}))(?:(?:,? |,? (?:and )?(?P<twice>i'm ))\d{{2}}\b(?! (?:\w+s|of)\b)(?P<origin> from\b)?|,? (?:btw|by the way)\W*$|, (?:an? |\d(?:st|nd|rd|th) )))",
    re.IGNORECASE,
)
# "hiya, jo here"
_HERE = re.compile(
    rf"^\W*(?:{_GREETING}[\s,;:.!–—-]+)*(?:it'?s )?(?P<name>{_WORD}) here(?: again)?(?:[\s.!~]*$|, (?=\d\d\b|an? |from\b|{JOB}\b))",
    re.IGNORECASE,
)
_GREETING_CHINESE = r"(?:(?:[小大]?(?:姑娘|妹子|兄弟|朋友|同学|老师|医生|师傅|哥|姐|妹)们?[，,]?)?(?:你们?|您|大家|各位|老师|大夫|医生)好|早上好|晚上好|下午好|嗨|哈喽|哈啰|嘿|初次见面|很高兴认识你)(?:[呀啊哦]|[\s，,！!～~、])*"
_INTRODUCTION_CHINESE = re.compile(
    rf"^\W*(?P<greeting>{_GREETING_CHINESE})?我是(?P<of>(?![你我他她它谁自最])[^，,。\s的]{{2,14}}的)?(?P<name>{_PET_NAME}|[A-Z][a-z]+|{_FAMILY_NAME})[呀啊哦呢]?"
    r"(?=(?P<age>[，,\s]*(?:今年)?(?:\d{2}|[二三四五六七八]?十[一二三四五六七八九]?)(?:岁|了|[，,。\s]|$)|[，,\s]+(?:是)?(?:一?[名个位])?(?:做|教)?[\u4e00-\u9fff]{0,6}(?:[师员手匠商](?=$|\W)|教练|医生|护士|大夫|会计|司机|老板|律师|学生|记者|编辑|经理|销售|翻译|警察|保安|的(?=$|\W)))|[，。！!,.~～\s]|$)"
)
# 我姓佟 大伙叫我老佟; 我叫林小满，朋友都叫我小满
_CALLED_CHINESE = rf"(?P<greeting>(?:大家|大伙儿?|朋友|同事|同学|家里?人|家里|熟人|身边的?人|别人|人家)们?(?:都|一般|平时|通常|习惯|一直)*[叫喊管]我叫?)(?P<name>{_PET_NAME}|[A-Z][a-z]+|[{SURNAMES}](?:哥|姐|叔|姨|总|工))(?=[，。！!,.~～\s]|$)"
_KNOWN_AS_CHINESE = re.compile(rf"^(?:[^，,。]{{0,12}}[，,\s]+)?{_CALLED_CHINESE}")
_IN_USE_CHINESE = re.compile(rf"^.{{0,20}}我[叫是][^，,。！？!?\n]{{1,12}}[，,\s]+(?:但是?|不过)?{_CALLED_CHINESE}")
# "Hi, I'm 小林."
_INTRODUCTION_MIXED = re.compile(
    rf"^\W*(?P<greeting>(?:{_GREETING}[\s,;:.!–—-]+)+)?i(?:'m| am) (?P<name>{_PET_NAME}|{_FAMILY_NAME})[\s.!~]*$",
    re.IGNORECASE,
)
_NO_INTRODUCTION = re.compile(
    r"[小阿][白众孩学组姐弟妹三丑偷号人鬼资气编个富镇城老店朋仙公透迷粉领职主助市户农商贩厨哥伙姑姨叔舅儿女男辈生兵工队班课小菜婆飞宅瓜狗猫猪熊]"
    r"|高[一二三中考管]|安卓|金牛|白羊|双鱼|于是|金融|文盲|文科|金发|左撇|路痴|颜控|黄种|周岁|贺岁|江湖|万事|万人|方案|方向|常客|程序|路人|路过|高手|高个|高级|白[领富痴骨]|[红黄白金]牌|单身|牛马|东北|华人|安全|安静|夏天|夏令|温和|"
    r".*(?:[人员师生者座控党粉痴盲迷工手族属男女长孩民客友婚性型派家]|经理|主任|总监)$"
)
_WORDINGS_CHINESE = {"我的名字是": "用户的名字是{}。", "我的名字叫": "用户的名字叫{}。"}


# Not one name of several, but the one in use: "I'm Beatriz but everyone calls me Bea", "I'm Tobias (Toby to friends)".
_IN_USE = re.compile(
    r"^\W*(?:(?:hi+|hello|hey+|hiya)\W+)?(?:i'?m|i am|it's|my name's|my name is) (?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?(?:,? (?:but|and|though|or) |, ?| ?[-–—] ?| ?\()"
    r"(?P<called>(?:everyone|everybody|people|most (?:people|folks)|(?:(?:all |most of )?my )?(?:friends|mates|family)) (?:just |all |usually )?(?:calls? me|says?|knows? me as|use|uses|shortens? it to) (?:just )?|(?:please |just |you can )*call me (?:just )?)?"
    r"(?P<name>(?-i:[A-Z])[\w-]+)(?(called)|(?: to (?:my )?(?:friends|mates|everyone|family)| for short))\)?(?=\W*$|[.,;!])",
    re.IGNORECASE,
)
# "Dave, 52, taxi driver from Stockport."
BARE_AGED = re.compile(rf"^\W*(?P<name>[A-Z][a-z]+), (?=\d{{2}}(?:,|\W*$| from\b)|{JOB} (?:from|in|at) [^,.!?]*\W*$)")
# A name that is set right stands in a short line of its own, behind what is asked last.
_SHORT_LINE = 300
_ASKS_OWN = re.compile(r"\bmy name\b.*\?\W*$|\bwho i am\b", re.IGNORECASE)
_ANSWERS = re.compile(r"^\W*(?i:i'm |i am |it's |it is )?(?P<name>[A-Z][a-z]+(?:-[A-Z][a-z]+)?)[\s.!]*$")
# "No it isn't. It's Vincent."
_OTHERWISE = re.compile(
    r"^\W*(?:(?:no|nope|sorry|wait|oops|actually|i (?:mean|meant)|(?:it|that)(?: isn't|'s not| is not| is wrong|'s wrong))\b\W*)+(?:it's |it is |i'm |i mean |i meant )?(?P<name>(?-i:[A-Z])[a-z'-]+)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Naming:
    """A name and the sentence in which it is stored."""

    name: str
    content: str
    # Whether it is only how somebody introduced themselves: it takes no other name's place.
    is_introduction: bool = False


def find(sentence: str) -> Naming | None:
    """Return how the user wants to be called. The sentence has straight apostrophes and is no question."""
    if match := _IN_USE.match(sentence):
        return Naming(match["name"], f"The user is called {match['name']}.")
    found = [*_find_english(sentence), *_find_chinese(sentence)]
    return found[-1] if found else _find_introduction(sentence)


def find_set_right(before: str, line: str = "") -> Naming | None:
    """Return the name that a line tells in place of the one told just before, or behind a question for it: "What's my name?"."""
    if len(line) > _SHORT_LINE:
        return None
    if _ASKS_OWN.search(before[-_SHORT_LINE:]) and (answer := _ANSWERS.match(lexicon.normalise(line))):
        return Naming(answer["name"], f"The user is {answer['name']}.", is_introduction=True)
    match = _OTHERWISE.match(lexicon.normalise(line))
    is_other = match is not None and find_in(before) not in ("", match["name"])
    return Naming(match["name"], f"The user's name is {match['name']}.") if match and is_other else None


def find_in(text: str) -> str:
    """Return what the user tells to be their name; "" where they tell none."""
    told = (find(lexicon.normalise(said)) for said in sentences.split(text) if not sentences.is_question(said))
    return next((found.name for found in told if found), "")


def _find_introduction(sentence: str) -> Naming | None:
    if (match := BARE_AGED.match(sentence)) and match["name"].lower() in GIVEN_NAMES:
        return Naming(match["name"], f"The user is {match['name']}.", is_introduction=True)
    if match := _INTRODUCTION.match(sentence):
        first, second = match["first"], match["second"] or ""
        # "I'm Dele, 28, a chef": who goes on with an age or a job has begun with a name.
        is_begun = _AGED_BEHIND.match(sentence, match.end("first")) or _IN_FULL.fullmatch(sentence)
        is_greeted = match["greeting"] and not match["it"] and first.lower() not in _NO_NAMES
        is_known = _fold(first.split("-")[0]) in GIVEN_NAMES
        if is_known or ((is_begun or is_greeted) and not _OF_PEOPLE.search(first)):
            return Naming(name := f"{first} {second}".strip(), f"The user is {name}.", is_introduction=True)
    if match := _LOWER.match(sentence) or _HERE.match(sentence):
        told = match.groupdict()
        name = told["name"] or told["aged"]
        is_known = name.lower() in GIVEN_NAMES and name not in WORDS_TOO
        if is_known or ((told.get("twice") or told.get("origin")) and _is_no_word(name)):
            name = name[0].upper() + name[1:]
            return Naming(name, f"The user is {name}.", is_introduction=True)
    patterns = (_INTRODUCTION_CHINESE, _KNOWN_AS_CHINESE, _INTRODUCTION_MIXED)
    if match := next(filter(None, (pattern.match(sentence) for pattern in patterns)), None):
        name = match["name"]
        is_plain = name[0] in "小阿" or name.lower() in GIVEN_NAMES
        told = match.groupdict()
        if (is_plain or match["greeting"] or told.get("age") or told.get("of")) and not _NO_INTRODUCTION.match(name):
            content = f"The user is {name}." if match.re.pattern == _INTRODUCTION_MIXED.pattern else f"用户是{name}。"
            return Naming(name, content, is_introduction=True)
    return None


def _fold(name: str) -> str:
    """Return a name in lower case without its marks: Chloë, Siân."""
    return "".join(one for one in unicodedata.normalize("NFKD", name.lower()) if not unicodedata.combining(one))


def _is_no_word(name: str) -> bool:
    """Whether it is none of what people in lower case say that they are: "im pregnant im 16"."""
    return name not in _NO_NAMES and not any(words.search(name) for words in (_OF_PEOPLE, _ADJECTIVE, _STATE))


def _find_english(sentence: str) -> Iterator[Naming]:
    for match in _ENGLISH.finditer(sentence):
        before = _NO_TO_THAT.sub("", sentence[max(0, match.start() - _BEFORE) : match.start()])
        is_of_another = match[0][0] in "nN" and not _BEFORE_BARE.search(before)
        # What is asked in a clause of its own stands for itself: "everyone calls me Mish, call me Mish too".
        before = _ASKED.sub("", before)
        if is_of_another or _DENIED.search(before) or _OTHERS.search(before):
            continue
        if name := _read_english_name(match):
            how = match.group().lower()
            wording = next(text for start, text in _WORDINGS.items() if how.startswith(start))
            yield Naming(name, wording.format(name))


def _read_english_name(match: re.Match[str]) -> str:
    first, second = match["first"], match["second"] or ""
    if first.lower() in _TITLES and second[:1].isupper():
        return f"{first} {second}"
    if first.lower() in _NO_NAMES or first.lower().endswith("'s") or _NO_NAMES_CHINESE.match(first):
        return ""
    if second[:1].isupper() and first[:1].isupper() and second.lower() not in _NO_NAMES:
        return f"{first} {second}".removesuffix("'s")
    if first[:1].isupper():
        return first
    after = f" {second}{match['after']}" if second else match["after"]
    is_end = _CLAUSE_END.match(after) or (match["strong"] and re.match(r" (?:and|but|by|from)\b", after))
    if not is_end or match[0].lower().startswith("i go by"):  # "I go by bus."
        return ""
    if not match["strong"] and (_ADJECTIVE.match(first) or _YET.match(after)):
        return ""
    return first.capitalize()


def _find_chinese(sentence: str) -> Iterator[Naming]:
    for match in _CHINESE.finditer(sentence):
        before = _YOU_ALL.sub("", sentence[: match.start()])[-_BEFORE_CHINESE:]
        # What is said to the companion in a clause of its own stands for itself: 大家都叫我兰姐，你也叫我兰姐吧.
        before = _ADDRESSED_CHINESE.sub("", before)
        name = match["name"]
        if _YOU_TOO_CHINESE.match(sentence, match.end()):
            before = ""
        elif not match["how"].startswith("我") and not _TO_COMPANION_CHINESE.search(before):
            continue
        if _DENIED_CHINESE.search(before) or _OTHERS_CHINESE.search(before) or _NO_NAMES_CHINESE.match(name):
            continue
        if name.isascii() and (name.lower() in _NO_NAMES or len(name) == 1):
            continue
        shown = name.capitalize() if name.islower() else name
        yield Naming(shown, _WORDINGS_CHINESE.get(match["how"], "用户叫{}。").format(shown))
    for told in filter(None, (_RENAMED_CHINESE.search(sentence), _IN_USE_CHINESE.match(sentence))):
        yield Naming(told["name"], f"用户叫{told['name']}。")
