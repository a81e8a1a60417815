"""The kind of answer that a question asks for, in English and Chinese, and whether a text could give one: who is answered by
somebody, when by a day, how many by a number.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_DAYS = (
    r"yesterday|today|tomorrow|tonight|weeks?|months?|years?|spring|summer|autumn|winter|morning|evening|night|ago|since|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|christmas|easter|halloween|new year"
)
_NUMBERS = (
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|hundred|thousand|half|dozen|once|twice|couple|first|second|third)\b|[一二三四五六七八九十百千万两半]"
)
_COLOURS = (
    r"\b(?:red|green|blue|yellow|white|black|brown|gr[ea]y|pink|purple|orange|golden?|silver|copper|beige|turquoise|colou?r\w*)\b"
    r"|[红绿蓝黄白黑灰棕粉紫橙金银]"
)
# A capital tells a name; a sentence may begin with one, too, but not with every word.
_SOMEBODY = (
    r"\b(?!(?:The|An?|Some|Any|This|That|These|Those|There|It|I|You|He|She|We|They|My|Your|His|Her|Our|Their|Its|In|On|At|After|Before|"
    r"When|While|Since|As|If|For|From|To|With|Then|Today|Yesterday|Last|Next|And|But|So|Not|No|Yes)\b)[A-Z][a-z]+|\b(?:mother|father|sister|brother|friend|boss|wife|husband|aunt|uncle|son|daughter|man|woman|lady|neighbou?r"
    r"|teacher|doctor|mum|mam|dad)\b"
)
# What asks for a kind, and what a text of that kind holds.
_KINDS = (
    (
        r"\bhow much (?!do i weigh)(?:do|did|does|was|were|is|are)\b|\b(?:cost|price|paid|salary|rent)\b|多少钱|房租|工资|什么价",
        r"[£$€]|\b(?:pounds?|dollars?|euros?|hundred|thousand|cents?|pay|paid|cost|price|rent|owes?|money)\b|[块元钱万千]",
    ),
    (r"\bbirthdays?\b|\bborn\b|生日|出生", r"\bborn\b|\bbirthdays?\b|出生|生日|生于"),
    (
        r"\bwhere (?:do|does|did|is|are|was|were)\b.*\bliv(?:e|ing)\b|住在?哪",
        r"\b(?:liv(?:e|es|ed|ing)|mov(?:e|ed|ing)|flat|house|home|apartment|based)\b|住|搬|家在",
    ),
    (
        r"\bgr[eo]w up\b|哪[里儿]人|长大",
        r"\bgr[eo]w up\b|\bfrom\b|\bborn\b|\bchildhood\b|长大|出生|老家|[^\W\d]人(?![家们])",
    ),
    (
        r"\bmarried to\b|\bwho did .* marry\b|嫁给|娶了?谁",
        r"married|\bmarr(?:y|ies)\b|\bhusband\b|\bwife\b|嫁|娶|丈夫|妻|老公|老婆|结婚",
    ),
    (
        r"\bfor a living\b|'s job\b|\bmy job\b|\bwhat does .* do\W*$|做什么(?:工作)?的|什么工作",
        r"\b(?:work(?:s|ed|ing)?|jobs?|career|retired|business|studi\w+|(?:is|was|as|been) an?)\b|工作|上班|职|当|教|师|员|厂|退休|公司|[计匠商医护]|学徒|做(?!什么)|开店|卖",
    ),
    (r"\bcolou?rs?\b|颜色|什么色", _COLOURS),
    (r"\bbreeds?\b|品种", r"\bbreeds?\b|品种|\b(?:collie|terrier|poodle|spaniel|labrador|retriever|beagle|husky|tabby|mongrel)\b|犬"),
    (
        r"\b(?:called|names?|nicknames?|surname)\b|\bwhat did (?:i|we) (?:call|name)\b|叫什么|叫啥|名字|外号|姓什么",
        r"\b(?:call(?:s|ed)?|nam(?:e|ed|es)|nicknamed?)\b|叫|名|姓|外号",
    ),
    (
        r"\bhow (?:many|often|old|tall|long|far|big)\b|\bhow much do i weigh|几[个岁次条只本根位天年]|多少(?!钱)|多大|多高|多重|多久",
        _NUMBERS,
    ),
    (
        r"\bwhen\b|\b(?:what|which) (?:day|date|month|year|time)\b|什么时候|哪一?天|几号|几月|哪一?年|何时|星期几",
        rf"\d|\b(?:{_DAYS})\b|[年月日号天]|星期|周|[春夏秋冬]",
    ),
    (
        r"\bwhere\b|\bwhich (?:city|town|country|street|place|hospital|school|university|college)\b|哪里|哪儿|什么地方|哪个城市|哪座",
        r"\b(?:in|at|from|to|near|on|under|below|above|over|off|behind)\b|[在去到住从往来家店院市楼路城]",
    ),
)  # fmt: skip
# Of Chinese names too few can be told by their characters.
_WHO = re.compile(r"\bwho(?:se|m)?\b", re.IGNORECASE)
_COMPILED = [(re.compile(asks, re.IGNORECASE), re.compile(told, re.IGNORECASE)) for asks, told in _KINDS]
_COMPILED.append((_WHO, re.compile(_SOMEBODY)))


@dataclass(frozen=True)
class AskedKinds:
    """What a text must hold to answer a question; nothing for a question of no known kind."""

    patterns: Sequence[re.Pattern[str]]

    def are_held_by(self, told: str) -> bool:
        return all(pattern.search(told) is not None for pattern in self.patterns)


def find(question: str) -> AskedKinds:
    plain = question.replace("’", "'")
    return AskedKinds([told for asks, told in _COMPILED if asks.search(plain)])
