"""The kind of answer that a question asks for, in English and Chinese, and whether a text could give one: who is answered by
somebody, when by a day, how many by a number.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memory.knowing import chinese_words

_DAYS = (
    r"yesterday|today|tomorrow|tonight|weeks?|months?|years?|spring|summer|autumn|winter|morning|evening|night|ago|since|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|christmas|easter|halloween|new year|day|when|while|until|age|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|\w+teen|twentie|thirtie)th"
)
_NUMBERS = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|hundred|thousand|half|dozen|once|twice|couple|first|second|third)\b|(?<![周期拜第高初])[一二三四五六七八九十百千万两半]"
)
# What is counted here is no money: 淹了两次.
_NUMBERS_OF_MONEY = _NUMBERS + "(?![一二三四五六七八九十百千万两半]*[次回个只条岁天年月周点号楼层])"
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
_NO_PLACE = rf"(?i:(?:{_DAYS}|nights|midnight|noon|(?:week)?ends?|time|moment|least|last|all|user(?!'))\b|{_NUMBERS})"
_SOMEWHERE = re.compile(
    rf"\b[Aa]t (?!(?:the )?{_NO_PLACE})\w"
    r"|\b(?:[Ii]n|[Ff]rom|[Tt]o|[Oo]n|[Oo]nto|[Ii]nto|[Oo]ff|[Oo]ver|[Tt]hrough|[Bb]y|[Aa]cross|[Aa]long|[Aa]round|[Tt]owards?) "
    rf"(?:(?:the user's|the|an?|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|its|this|that|some) (?!{_NO_PLACE})\w|(?!{_NO_PLACE})[A-Z]"
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
        r"\bfor (?:a living|work)\b|'s job\b|\bmy (?:job|profession|occupation|trade)\b|\bwhat does .* do\W*$|做什么(?:工作)?的|什么(?:工作|职业)|职业是|靠什么(?:吃饭|过日子|为生|谋生|养家)|干(?:的是)?(?:什么活|哪行|什么的)|打什么工",
        r"\b(?:work(?:s|ed|ing)?|jobs?|career|drives?|teach(?:es)?|repairs?|sells?|runs?|designs?|translates?|bakes?|builds?|delivers?|manages?|retired|business|studi\w+|(?:is|was|as|been) an?)\b|工作|上班|职|当(?![着时天然])|教|师(?![傅父函生])|员|厂|退休|公司|[计匠商医护]|学徒|做(?!什么|手术|[完了好出不饭菜梦到过错])(?=\w)|开(?!车).{0,5}[店铺馆]|卖(?![了掉])|助理|司机|焊工|修(?![好了])|理货|看[灯门守]|开(?:船|火车|出租|货车)|(?<![五感器])官(?![司方])|打工|送(?:报|外卖|快递)",
    ),
    (
        r"\bhow old\b|几岁|多大(?:了|年纪|岁数|的时候)?|年龄",
        rf"\b(?:aged?|born|birthday|year-old|years? old|(?:turn(?:s|ed|ing)?|is|am|was|are|at|since|'s|'m|'re) (?:{_NUMBERS}))|今年(?:已经|都|刚)?\d\d(?![\d月号年])|岁|年纪|周岁|出生",
    ),
)  # fmt: skip
_KINDS = (
    (
        r"\bhow much (?!do i weigh)(?:do|did|does|was|were|is|are)\b|\b(?:cost|price|paid|salary|rent)\b|多少钱|房租|工资|什么价",
        rf"[£$€]|\b(?:pounds?|dollars?|euros?|cents?|quid|free|nothing)\b|{_NUMBERS_OF_MONEY}|[块元]|免费",
    ),
    (
        r"\bmarried to\b|\bwho did .* marry\b|嫁给|娶了?谁",
        r"married|\bmarr(?:y|ies)\b|\bhusband\b|\bwife\b|嫁|娶|丈夫|妻|老公|老婆|结婚",
    ),
    (
        r"\bdied? (?:of|from)\b|得的?什么病.{0,2}(?:走|没|死|去世|过世)|怎么(?:走的|没的|死|去世|过世)",
        r"\b(?:died? (?:of|from)|drown\w*|kill\w*|murder\w*|crash\w*|accident|cancer|stroke|heart|pneumonia|illness)\b|病|癌|心[脏梗]|淹|车祸|中风|脑|摔|事故|因|烧|炸|毒|溺|冻|[时中后]死",
    ),
    (r"\bcolou?rs?\b|颜色|什么色", _COLOURS),
    (r"\bbreeds?\b|品种", r"\bbreeds?\b|品种|\b(?:collie|terrier|poodle|spaniel|labrador|retriever|beagle|husky|greyhound|whippet|hound|shepherd|dachshund|corgi|pug|chihuahua|dalmatian|boxer|mastiff|rottweiler|setter|siamese|persian|tabby|mongrel)\b|犬"),
    (
        r"\b(?:called|names?|nicknames?|surname)\b|\bwhat did (?:i|we) (?:call|name)\b|叫什么|叫啥|名字|外号|姓什么",
        r"\b(?:call(?:s|ed)?|nam(?:e|ed|es)|nicknamed?)\b|叫|名|姓|外号",
    ),
    (
        r"\bhow (?:many|often|tall|long|far|big)\b|\bhow much (?=do i weigh)|几[个次条只本根位天年]|多少(?!钱)|多(?=[高重])|多久",
        _NUMBERS,
    ),
    (
        r"\bwhen(?:'s|'d|'ll| (?:exactly )?(?:did|do|does|is|are|am|was|were|will|has|have|had|can|should))\b|\b(?:what|which) (?:day|date|month|year|time)\b|什么时候|哪一?天|几号|几月|哪一?年|何时|星期几",
        rf"\d|\b(?:{_DAYS})\b|[年月日号天]|星期|周|[春夏秋冬]",
    ),
    (
        r"\b(?:which|what) (?:school|university|college)\b|哪[家所个](?:学校|大学|[小中]学|高中|初中)",
        r"\b(?:school|university|uni|college|academy|degree|graduat\w+|stud(?:y|ies|ied|ying))\b|校|[^\W户我的上在考读了]大学|[中小]学|学院|高中|初中",
    ),
    (
        r"\bwhy\b|为什么|为啥",
        r"\b(?:because|'?cos|so|due|reasons?|caus\w+|otherwise|afraid|scared|allergic|hates?|too)\b|因|所以|怕|由于|为了|太|嫌|不然|原因|受不了|不[想让能]",
    ),
    (r"\b(?:which|what) hospital\b|哪[家所个]医院", r"\b(?:hospital|clinic|infirmary|ward)\b|院"),
)  # fmt: skip
_WHERE = re.compile(
    r"\bwhere\b|\bwhich (?:city|town|country|street|place)\b|哪[里儿](?!人|.{0,2}(?:疼|痛|骨折|受伤|不舒服|难受))|什么地方|哪个城市|哪座|哪[家所个](?:公司|店)",
    re.IGNORECASE,
)
_WHO = re.compile(r"\bwho(?:se|m)?\b", re.IGNORECASE)
_WHO_CHINESE = re.compile("谁(?!家)")


class AskedKind(NamedTuple):
    """A kind of answer: what asks for it, whether a text holds one, and whether it tells of somebody."""

    asks: re.Pattern[str]
    is_held_by: Callable[[str], object]
    is_of_somebody: bool = False


_COMPILED = [
    AskedKind(re.compile(asks, re.IGNORECASE), re.compile(told, re.IGNORECASE).search, is_of_somebody)
    for kinds, is_of_somebody in ((_KINDS_OF_SOMEBODY, True), (_KINDS, False))
    for asks, told in kinds
]
_COMPILED.append(AskedKind(_WHERE, lambda told: _SOMEWHERE.search(told) or chinese_words.tells_of_place(told)))
_COMPILED.append(AskedKind(_WHO, re.compile(_SOMEBODY).search))
_COMPILED.append(AskedKind(_WHO_CHINESE, chinese_words.tells_of_somebody))


@dataclass(frozen=True)
class AskedKinds:
    """The kinds of answer that a question asks for, each with the question's word for it; none where it asks for no known kind."""

    kinds: Sequence[tuple[str, AskedKind]]

    def list_answered(self, told: str, *, of_whom: str) -> list[str]:
        """List the question's words for the kinds that a text could give: "colour" is told by green. `of_whom` is what the text
        says from where it names whom the question asks about.
        """
        return [word for word, kind in self.kinds if kind.is_held_by(of_whom if kind.is_of_somebody else told)]


def find(question: str) -> AskedKinds:
    plain = question.replace("’", "'")
    asked = ((kind.asks.search(plain), kind) for kind in _COMPILED)
    return AskedKinds([(words[0].split()[-1], kind) for words, kind in asked if words is not None])
