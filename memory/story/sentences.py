"""Sentences of a message, and how much each says: for recaps by rules, which are made quickly and inside transactions.

The offline voice reads feelings in far more words, in a process of its own.
"""

from echovessel import lazy_re as re
from echovessel import text

# Longer stretches without an end are cut here, so that no pattern reads more.
LONGEST = 300
# Of a long message this much is read.
READ_MOST = 8_000
_END = re.compile(r"[。！？!?；;]+[”\"'’」』）)]*|[.…]+[”\"'’」』）)]*(?=\s|$)|\n+")
_TERMS_MOST = 12
_GRAVE_LIST = (
    r"died|dead|death|dying|killed|funeral|buried|cancer|tumou?r|diagnos\w+|biopsy|surgery|operation|hospital|miscarr\w+|pregnan\w+|suicid\w+|overdose|"
    r"born|birth|baby|twins|engaged|engagement|propos\w+|married|marry|wedding|divorc\w+|broke up|break up|left me|cheated|affair|"
    r"fired|laid off|redundan\w+|resign\w+|quit|hired|promot\w+|got the (?:job|place|flat|house)|new job|graduat\w+|passed|failed|accepted|rejected|"
    r"moved|moving|bought|sold|stolen|robbed|accident|crash\w*|fire|flood\w*|arrested|court|lost|won|first time|never told|secret|confess\w*|"
    r"promis\w+|swear|forgave|forgive|sorry|apologi\w+|love|hate|afraid|scared|terrified|panic\w*|cried|crying|ashamed|proud|alone|relapse\w*|sober"
)
_GRAVE = re.compile(
    rf"\b(?:{_GRAVE_LIST})\b"
    r"|去世|过世|走了|死了|葬礼|癌|肿瘤|确诊|手术|住院|流产|怀孕|自杀|出生|生了|宝宝|订婚|求婚|结婚|婚礼|离婚|分手|出轨|"
    r"开除|裁员|辞职|失业|录取|录用|升职|转正|毕业|考上|考过|没考上|被拒|搬家|搬到|买了房|卖了|被偷|车祸|事故|着火|被抓|官司|丢了|赢了|第一次|从没|秘密|坦白|"
    r"答应|保证|发誓|原谅|道歉|对不起|爱上|恨|害怕|恐慌|哭|丢脸|骄傲|孤独|戒酒|复发",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:will|'ll|going to|gonna|plan\w*|tomorrow|next (?:week|month|year)|promis\w+|appointment|deadline|have to|need to|hope to)\b"
    r"|明天|后天|下周|下个月|明年|打算|计划|准备|答应|一定会|要去|得去",
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    r"\W*(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|night)|thanks|thank you)\W+(?-i:[A-Z])[a-z]+|hi|hello|hey|yo|good (?:morning|evening|afternoon|night)|thanks?(?: you)?|thank you|ok(?:ay)?|yes|yeah|no|nope|sure|right|bye|see you|lol|haha\w*|hm+|well|"
    r"你好|您好|嗨|早安?|早上好|晚上好|晚安|谢谢|好的?|嗯+|哦|是的?|对|不是|拜拜|再见|哈+)\W*(?:then|again|you|there|of course|啊|呀|吧|呢|了)?\W*",
    re.IGNORECASE,
)


def split(said: str) -> list[str]:
    """Split a text into its sentences, each on one line and at most 300 characters long."""
    said = said[:READ_MOST]
    parts, start = [], 0
    for end in [*(match.end() for match in _END.finditer(said)), len(said)]:
        parts += _cut(" ".join(said[start:end].split()))
        start = end
    return [part for part in parts if re.search(r"\w", part)]


def _cut(sentence: str) -> list[str]:
    return [sentence[at : at + LONGEST].strip() for at in range(0, len(sentence), LONGEST)]


def weigh(sentence: str) -> float:
    """Weigh how much a sentence says: its terms, numbers and names, what is grave in it; less for a question."""
    if is_small_talk(sentence):
        return 0.0
    terms = len(set(text.extract_terms(sentence)))
    if text.has_cjk(sentence):
        # Each character is a term, and so is each pair.
        terms //= 3
    numbers = len(text.find_numbers(text.fold(sentence)))
    names = sum(is_name for _, is_name in text.split_words(sentence)[1:])
    weight = min(terms, _TERMS_MOST) / 2 + min(numbers, 2) + min(names, 3) + (4 if is_grave(sentence) else 0)
    return weight / 3 if is_question(sentence) else weight


def is_question(sentence: str) -> bool:
    return sentence.rstrip("”\"'’」』）) ").endswith(("?", "？"))


def is_small_talk(sentence: str) -> bool:
    return _SMALL_TALK.fullmatch(sentence) is not None


def is_grave(sentence: str) -> bool:
    return _GRAVE.search(sentence) is not None


def is_plan(sentence: str) -> bool:
    return _PLAN.search(sentence) is not None
