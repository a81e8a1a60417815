"""The kind of answer that a question asks for, in English and Chinese, and whether a text could give one: who is answered by
somebody, when by a day, how many by a number.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from echovessel import lazy_re as re
from memory.knowing import chinese_words

_DAYS = (
    r"yesterday|today|tomorrow|tonight|weeks?|months?|years?|spring|summer|autumn|winter|morning|evening|night|ago|since|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|christmas|easter|halloween|new year|day|when|while|until|age|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|\w+teen|twentie|thirtie)th(?! (?:floor|time|attempt|class|grade|place|child|form))"
)
# A number may follow a month, and not the other words: "june 12", "day six".
_MONTHS = r"january|february|march|april|(?:(?:in|last|since|this|next|early|late|until|of) )may|may (?=\d)|june|july|august|september|october|november|december"
# A day by its number, hour or year, or by a word; no age, and no length of time that comes again: "a 52-year-old", "twice a day".
_WHEN = (
    r"\b(?:1[5-9]|20)\d\d\b|\b\d{1,2}(?:st|nd|rd|th|[:.]\d\d| ?[ap]m\b| o'clock)|\b(?:at|around|until|by) (?:about )?(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)\b"
    rf"|\b(?:{_MONTHS})\b|\b(?<!\ba )(?<!per )(?<!every )(?:{_DAYS})\b(?![- ](?:old|pregnant|one|two|three|four|five|six|seven|\d))"
    r"|[\d一二三四五六七八九十几两半]+个?[年月日号点]|(?<![青少中老童每])年(?![纪轻糕级货龄])|(?<!每)(?<!每个)月(?![亮饼薪租子嫂])"
    r"|(?<!第.)(?<![聊阴晴一每天白整])天(?![天气使花])|星期|周[一二三四五六日天末]|礼拜|[春夏秋冬](?!瓜)|小时候|[早晚]上|夜里|凌晨|清明|端午|中秋|国庆|圣诞"
)
_NUMBERS = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|hundred|thousand|half|dozen|once|twice|couple|first|second|third)\b|(?<![周期拜第高初])[一二三四五六七八九十百千万两半]"
)
# No age, no year, and neither "one of them" nor 一车: these count nothing that is asked for.
_COUNT = rf"(?!\b(?:1[89]|20)\d\d\b|\d+[- ]year[- s]|\bone(?! [a-z])|\bone (?:of|day|another|more|and|but|in|on|at|for|to)\b|\b(?:first|second|third)\b|一(?![百千万十点半个只次]))(?:{_NUMBERS})"
# What is counted here is no money, 淹了两次, nor what one saves up to, 存够三十万.
_NUMBERS_OF_MONEY = rf"(?<![够一二三四五六七八九十百千万两半\d])(?:{_COUNT})(?![一二三四五六七八九十百千万两半\d]*(?:[次回个只条岁天年月周点号楼层根口位串期台辆张桌斤级分间成米件]|[- ]?(?:year|day|week|month|[ap]m|[a-z]{{3,}}(?<!s)s)\b))"
# A length of time, or since when.
_STRETCH = (
    rf"(?:{_NUMBERS}|\ban? (?:whole |half )?|\bfew )[- ]?(?:[a-z]+ )?(?:years?|months?|weeks?|days?|nights?|hours?|minutes?)\b|\bsince\b|\b(?:19|20)\d\d\b|\b(?:all|whole|every) (?:my|his|her|day|night)"
    r"|[\d一二三四五六七八九十百千几两半]多?个?多?(?:[年月天日周]|小时|钟头|分钟|礼拜|星期|辈子)|从小|以来|\d{4}"
)
_COLOURS = (
    r"\b(?:red|green|blue|yellow|white|black|brown|gr[ea]y|pink|purple|orange|golden?|silver|copper|beige|turquoise|colou?r\w*)\b"
    r"|红(?![酒包薯])|绿(?![豆茶])|蓝(?!牙)|黄(?![瓜豆油])|白(?![内天酒菜])|黑(?![板夜])|灰(?!尘)|棕|粉(?!丝)|紫|橙(?!子)|金色|银(?!行)"
)
# A capital tells a name; a sentence may begin with one, too, but not with every word.
_SOMEBODY = (
    r"\b(?!(?:The|An?|Some|Any|This|That|These|Those|There|It|I|You|He|She|We|They|My|Your|His|Her|Our|Their|Its|In|On|At|After|Before|"
    r"When|While|Since|As|If|For|From|To|With|Then|Today|Yesterday|Last|Next|And|But|So|Not|No|Yes)\b)[A-Z][a-z]+|\b(?:mother|father|sister|brother|friend|boss|wife|husband|aunt|uncle|son|daughter|man|woman|lady|neighbou?r"
    r"|teacher|doctor|mum|mam|dad|cousin|grand\w+|niece|nephew|twins?|child(?:ren)?|baby|boys?|girls?|people|pupils?|students?|nurse|colleagues?"
    r"|every(?:body|one)|nobody)\b"
)
# A place stands behind a preposition, as a day, an age and a verb do: "at yoga", but not "at the age of six", "in May" or "to knit".
_NO_PLACE = rf"(?i:(?:{_DAYS}|{_MONTHS}|may|nights|midnight|noon|(?:week)?ends?|time|moment|least|last|all|user|way|own)\b|{_NUMBERS})"
_WHOSE_PLACE = r"(?:(?:the user's|the|an?|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|its|this|that|some)(?: own)?\b)"
_SOMEWHERE = re.compile(
    rf"\b[Aa]t (?:{_WHOSE_PLACE} )?(?!{_NO_PLACE}|{_WHOSE_PLACE})\w"
    r"|\b(?:[Ii]n|[Ff]rom|[Tt]o|[Oo]n|[Oo]nto|[Ii]nto|[Oo]ff|[Oo]ver|[Tt]hrough|[Bb]y|[Aa]cross|[Aa]long|[Aa]round|[Tt]owards?) "
    rf"(?:{_WHOSE_PLACE} (?!{_NO_PLACE})\w|(?!{_NO_PLACE})[A-Z]"
    r"|(?:home|school|college|university|church|hospital|town|bed|sea|prison|court)\b)"
    r"|\b(?:near|under|below|above|behind|beside|between|outside|inside|upstairs|downstairs|opposite|abroad|home|next door)\b"
)
# What asks for a kind, and what a text of that kind holds. These tell of somebody: a text names whom before it tells it.
_KINDS_OF_SOMEBODY = (
    (
        r"(?<!\bon )(?<!\bfor )(?:\bmy|\b\w+'s|\bhis|\bher|\btheir) birthdays?\b|\bborn\b|生日(?!礼物|那天|蛋糕|会)|出生",
        r"\bborn\b|\bbirthdays?\b|\b(?:turn(?:s|ed|ing)?|will be|'ll be) [\w-]+ (?:years old )?on\b|出生|生日|生于|满[^，,]{1,4}岁",
    ),
    (
        r"\bwhere (?:do|does|did|is|are|was|were)\b.*\bliv(?:e|ing)\b|住在?哪",
        r"\b(?:liv(?:e|es|ed|ing)|mov(?:e|ed|ing)|flat|house|home|apartment|based)\b|住|搬|家在",
    ),
    (
        r"\bgr[eo]w up\b|\bwhere (?:(?:am|is|are|was|were) (?:my )?\w+|(?:do|does|did) \w+ come) from\b|哪[里儿]人|长大(?!以?后|了?[想要])",
        r"\bgr[eo]w up\b|\bfrom\b|\bborn\b|\bchildhood\b|长大|出生|老家|[^\W\d一个男女老大小别本家客病工有没的路亲爱主新军诗名熟外好人]人(?![家们])",
    ),
    (
        r"\bfor (?:a living|work)\b|\b(?:my|his|her|their|\w+'s|was|is) (?:job|profession|occupation|trade|craft|line of work)\b|\bwhat does .* (?:do|work as)\W*$|做什么(?:工作)?的|什么(?:工作|职业)|职业是|靠什么(?:吃饭|过日子|为生|谋生|养家)|干(?:的是)?(?:什么活|哪行|什么的)|打什么工",
        r"\b(?:work(?:s|ed|ing)?|jobs?|career|drives?|teach(?:es)?|repairs?|sells?|runs?|designs?|translates?|bakes?|builds?|delivers?|manages?|retired|business|studi\w+|(?:is|was|as|been) an?)\b|工作|上班|职|当(?![着时天然晚年初])|教|师(?![傅父函生])|(?<!考公务)员|厂|退休|公司|[计匠商医护]|学徒|做(?!什么|手术|[完了好出不饭菜梦到过错])(?=\w)|开(?!车).{0,6}[店铺馆档摊厂]|卖(?![了掉])|助理|司机|焊工|修(?![好了])|理货|看[灯门守]|开(?:船|火车|出租|货车)|(?<![五感器])官(?![司方])|打工|送(?:报|外卖|快递)",
    ),
    (
        r"\bhow old\b|几岁|多大(?:了|年纪|岁数|的时候)?|年龄",
        rf"\b(?:aged?|born|birthday|year-old|years? old|(?:turn(?:s|ed|ing)?|is|am|was|are|at|since|'s|'m|'re) (?:{_NUMBERS}))|今年(?:已经|都|刚)?\d\d(?![\d月号年])|岁|年纪|周岁|出生",
    ),
)  # fmt: skip
_KINDS = (
    (
        r"\bmarried to\b|\bwho (?:did|does|do|is|am|will) .*\bmarry(?:ing)?\b|嫁给|娶了?谁",
        r"\bmarr(?:y|ies|ied|ying) (?:to\b|an?\b|the\b|her\b|his\b|my\b|(?-i:[A-Z]))|\bhusband\b|\bwife\b|\bfianc|嫁|娶|丈夫|妻|老公|老婆|结婚",
    ),
    (
        r"\bdied? (?:of|from)\b|\bhow did .*\b(?:die|pass away)\b|得的?什么病.{0,2}(?:走|没|死|去世|过世)|怎么(?:走的|没的|死|去世|过世)",
        r"\b(?:died? (?:of|from|while|when|after|during|in an?)|drown\w*|kill\w*|murder\w*|crash\w*|accident|cancer|stroke|heart|pneumonia|illness)\b|病|癌|心[脏梗]|淹|车祸|中风|脑|摔|事故|因|烧|炸|毒|溺|冻|[时中后]死",
    ),
    (r"\bbreeds?\b|品种", r"\bbreeds?\b|品种|\b(?:collie|terrier|poodle|spaniel|labrador|retriever|beagle|husky|greyhound|whippet|hound|shepherd|dachshund|corgi|pug|chihuahua|dalmatian|boxer|mastiff|rottweiler|setter|siamese|persian|tabby|mongrel)\b|犬"),
    (
        r"\b(?:which|what) (?:school|university|college)\b|哪[家所个](?:学校|大学|[小中]学|高中|初中)",
        r"\b(?:school|university|uni|college|academy|degree|graduat\w+|stud(?:y|ies|ied|ying))\b|校|[^\W户我的上在考读了]大学|[中小]学|学院|高中|初中",
    ),
    (
        r"\bwhy\b|\bwhat caused\b|为什么|怎么(?:引起|造成|得的)|理由|原因",
        r"\b(?:because|'?cos|so|due|reasons?|caus\w+|otherwise|afraid|scared|allergic|hates?|too)\b|因|所以|怕|由于|为了|太|嫌|不然|原因|受不了|不[想让能]",
    ),
    (
        r"\bhow did .*\b(?:meet|get to know|get together)\b|怎么(?:认识|好上|在一起)的?",
        r"(?<!never )\bmet\b|\bmeet\w*|\bintroduc\w+|\bset (?:us|them|me) up\b|\bthrough\b|\bapp\b|\bclassmates?\b|认识|相识|相亲|介绍|遇|碰|撞|网|同[学事]|邻居",
    ),
    (r"\bwhat (?:was|were|did|does|do|is|are|am) .* for\W*$", r"\b(?:for|because|since|to [a-z]+)\b"),
    (r"\b(?:which|what) hospital\b|哪[家所个]医院", r"\b(?:hospital|clinic|infirmary|ward)\b|(?<![住出入])院"),
)  # fmt: skip
# Which of them one means is told by its name.
_NAMED = "company|firm|hospital|clinic|doctor|surgeon|airline|newspaper|magazine|bakery|ship|plane|street|road|neighbou?rhood|district|village|suburb|pub|restaurant|hotel|theatre|concert|station|brand|make"
_BY_NAME = rf"(?<=[a-z,'] )(?-i:(?!I\b|(?i:{_DAYS}|{_MONTHS}|may)\b)[A-Z])\w+"
# Values: what the question says itself is none, "mum" is nobody who buys mum's land.
_VALUES = (
    (
        r"\bhow much (?!do i weigh)(?!.*\bweight)|\b(?:cost|price|paid|charge|salary|rent)\b|多少钱|房租|工资|什么价|(?<=[金款费薪])\w{0,4}多少|(?<=[存攒寄赔花赚挣汇欠借])\w{0,2}多少",
        rf"[£$€]|\b(?:pounds?|dollars?|euros?|cents?|quid|free|nothing)\b|{_NUMBERS_OF_MONEY}|[块元]|免费",
    ),
    (rf"\b(?:which|what) (?:{_NAMED})\b", _BY_NAME),
    (
        r"\bwhich (?:hand|arm|wrist|leg|knee|foot|ankle|eye|ear|shoulder|hip|side)\b|哪(?:[只条边侧个][^，]{0,2}(?:手|腿|眼|耳|脚|膝|肺|胳膊|肩)|[边侧])",
        r"\b(?:left|right|both)\b|[左右两双]",
    ),
    (r"\bcolou?rs?\b|颜色|什么色", _COLOURS),
    (
        r"\b(?:called|names?|nicknames?|surname)\b|\bwhat did (?:i|we) (?:call|name)\b|叫什么|名字|外号|姓什么",
        r"\b(?:called|named|nicknamed|name(?:'s| is| was)|go(?:es)? by|calls? (?:it|him|her|them|me|the \w+)|names?) (?!me\b|(?:and|but|every|in|on|at|to)\b)\w|叫(?![我他她它了醒人车苦好板嚣停来去什啥姥爷奶爸妈叔姨舅姑])\w|名[叫为是]|名字[叫是]|[取起]名|姓\w|外号|[小网绰署艺全]名\w",
    ),
    (r"\bhow (?:many|often|tall|far|big)\b|\bhow long(?='s| is| are)|\bhow much (?=do i weigh)|\bwhat(?:'s| is| was| were) .* (?:number|level|score|percentage)s?\b|几[个次条只本根位天年分级层楼]|多少(?!钱)|多(?=[高重])", _COUNT),
    (r"\bhow long (?:have|has|had|did|do|does|was|were|am|will)\b|多久|多长时间|多少[年天]", _STRETCH),
    (
        r"\bwhen(?:'s|'d|'ll| (?:exactly )?(?:did|do|does|is|are|am|was|were|will|has|have|had|can|should))\b|\b(?:what|which) (?:day|date|month|year|time|evening|morning|night)\b|什么时候|哪一?天|几号|几月|哪一?年|何时|星期几",
        _WHEN,
    ),
)  # fmt: skip
_WHERE = re.compile(
    r"\bwhere\b|\bwhich (?:city|town|country|place)\b|哪(?:[里儿]|(?=[了呢啊呀上来]?\W*$))(?!人|.{0,2}(?:疼|痛|骨折|受伤|不舒服|难受))|什么地方|哪个城市|哪座|哪[家所个](?:公司|店)",
    re.IGNORECASE,
)
_WHO = re.compile(r"\bwho(?:se|m)?\b", re.IGNORECASE)
_WHO_CHINESE = re.compile("谁(?!家)")


class AskedKind(NamedTuple):
    """A kind of answer: what asks for it, whether a text holds one, whether it tells of somebody, and whether it is a value, which
    the question's own words do not tell.
    """

    asks: re.Pattern[str]
    is_held_by: Callable[[str], object]
    is_of_somebody: bool = False
    is_value: bool = False


_COMPILED = [
    AskedKind(
        re.compile(asks, re.IGNORECASE),
        re.compile(told, re.IGNORECASE).search,
        kinds is _KINDS_OF_SOMEBODY,
        kinds is _VALUES,
    )
    for kinds in (_KINDS_OF_SOMEBODY, _KINDS, _VALUES)
    for asks, told in kinds
]
_COMPILED += [
    AskedKind(_WHERE, lambda told: _SOMEWHERE.search(told) or chinese_words.tells_of_place(told), is_value=True),
    AskedKind(_WHO, re.compile(_SOMEBODY).search, is_value=True),
    AskedKind(_WHO_CHINESE, chinese_words.tells_of_somebody, is_value=True),
]
_COUNTED_CHINESE = re.compile("(?:几|多少)个?([分级楼层点次年月天斤])")


@dataclass(frozen=True)
class AskedKinds:
    """The kinds of answer that a question asks for, each with the question's word for it; none where it asks for no known kind."""

    kinds: Sequence[tuple[str, AskedKind]]

    def list_answered(self, told: str, *, of_whom: str, beyond: str) -> list[str]:
        """List the question's words for the kinds that a text could give: "colour" is told by green. `of_whom` is what the text
        says from where it names whom the question asks about, `beyond` what it says beyond the question's own words.
        """
        return [
            word
            for word, kind in self.kinds
            if kind.is_held_by(of_whom if kind.is_of_somebody else beyond if kind.is_value else told)
        ]


def find(question: str) -> AskedKinds:
    plain = question.replace("’", "'").replace("啥", "什么").replace("咋", "怎么")
    asked = ((kind.asks.search(plain), kind) for kind in _COMPILED)
    kinds = [(words[0].split()[-1], kind) for words, kind in asked if words is not None]
    return AskedKinds([*kinds, *_list_counted(plain)])


def _list_counted(question: str) -> Iterator[tuple[str, AskedKind]]:
    """Yield what a Chinese question counts by a measure of its own: who asks 几级 is not answered by 三年."""
    for unit in _COUNTED_CHINESE.findall(question):
        told = re.compile(rf"[\d一二两三四五六七八九十百千半几]多?个?{unit}")
        yield unit, AskedKind(_COUNTED_CHINESE, told.search, is_value=True)
