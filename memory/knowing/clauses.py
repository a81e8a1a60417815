"""The form of a question, in English and Chinese, with or without a question mark."""

import re

_CLAUSES = re.compile(r"(?<=[.!?;:,\n。！？；，：…])\s*|\s+(?:-|–)\s+")
# What may stand before the question in its clause.
_OPENERS = re.compile(
    r"^\W*(?:(?:so|and|but|or|hey|hi|hello|well|ok|okay|oh|ah|hm+|um+|now|then|anyway|also|just|wait|sorry|actually|seriously|honestly|please|"
    r"by the way|btw|tell me|say|yes|yeah|no|my dear|dear|love)\b[\s,]*)+",
    re.IGNORECASE,
)
_AUXILIARY = r"(?:is|are|am|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must)(?:n't)?|'s|'re|'d|'ll|'ve"
_SUBJECT = r"(?:i|you|he|she|it|we|they|there|this|that|these|those|my|your|his|her|our|their)"
# A question word, at most three words that are no subject, and a verb before its subject: "what colour was", but not "when I was".
_WITH_WORD = re.compile(
    rf"^(?:what|where|when|why|how|whose|whom)(?!\s+an?\b)(?:\s+(?!{_SUBJECT}\b|the\b|an?\b)[\w'-]+){{0,3}}?(?:\s+|(?='))(?:{_AUXILIARY})\b"
    r"|^(?:what (?:happened|about|else|if|next|now|kind|time|made|makes|brought)|how (?:many|much|long|old|often|far|come|about)|why not|where to)\b",
    re.IGNORECASE,
)
# "who" and "which" go on with a sentence behind a comma: "my sister, who is five".
_WHO = re.compile(
    rf"^who(?!\s+(?:knows|cares|am i|{_SUBJECT})\b)(?:\s+(?:else\s+)?\w+|'s|'d|'ll)|^which\s+(?!is\b|was\b|are\b|were\b|means\b|meant\b|made\b|makes\b|i\b|we\b|he\b|she\b|they\b|you\b)[\w'-]+",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"^(?:(?:is|are|was|were|does|did|has|can|could|will|would|shall|should)(?:n't)?\s+(?:i|you|he|she|it|we|they|there|this|that|these|those)\b"
    r"|(?:is|are|does|has|can|could|will|would|should)(?:n't)?\s+(?:my|your|his|her|our|their|the|an?)\s"
    r"|(?:was|were)(?:n't)?\s+(?:my|your|his|her|our|their)\s"
    r"|am i\b|ain't (?:i|you|he|she|it|we|they)\b|do(?:n't)? (?:i|we|they)\b|do you\b|don't you (?!worry|dare|ever|forget)|have(?:n't)? (?:i|you|we|they)\b|had(?:n't)? (?:you|he|she|they|we)\b"
    r"|(?:may|might|must) (?:i|we)\b)",
    re.IGNORECASE,
)
# Before a name, whose capital tells it.
_INVERTED_BEFORE_NAME = re.compile(
    r"^(?:[Ii]s|[Ww]as|[Dd]oes|[Dd]id|[Hh]as|[Cc]an|[Ww]ill|[Ww]ould|[Ss]hould)(?:n't)? [A-Z][a-z]+ \w"
)
_ENDS_SENTENCE = re.compile(r"[.!?;\n。！？；…]\s*$")

# A question word that 都, 也 or 好 makes a statement, or that stands for "something".
_ASKS_CHINESE = re.compile(
    r"吗(?!啡)|呢(?=\s*[？?。.!！~～…]*\s*$)|多少|多久|多大|多长|(?<!没)(?<!没有)(?:什么|啥)(?!的(?:[。，,.!！]|$))|谁(?!知道)|哪(?!怕)|(?<!不)怎么|咋"
    r"|(?<![好这那前后过近十上下没])几(?!乎|年前|天前|个月前|个?(?:年|月|天|周|星期)以?来)|([是有能会要好行可记想])[不没]\1|对不对(?!得)"
)
_OF_ALL = re.compile(
    r"(?:什么|啥|谁|哪|怎么|几|多少)[^，。！？,.!?；;]{0,5}?(?:都|也)|(?:无论|不管|不论|随便)[^，。！？,.!?]{0,4}(?:什么|谁|哪|怎么|多少)"
)
_KNOWN = re.compile(
    r"(?:我|他|她|他们|她们|我们)(?:也|都|真的|还|早就?|当然|大概)?(?:不|没)?(?:知道|明白|清楚|确定|记得|想好|忘了|看看|想想)[^，。！？,.!?；;]{0,16}$"
    # What somebody asks or is to ask is no question: 到时候问问我怎么样.
    r"|问(?:问|一下)?(?:我|他|她)们?[^，。！？,.!?；;]{0,16}$"
)
_STILL = re.compile(r"(?:还|正|在|才|可)[^，。！？,.!?]{0,8}呢")
_CHINESE_CLAUSES = re.compile(r"[，。！？,.!?；;：:\n…]+")


def is_interrogative(plain: str) -> bool:
    """Whether a clause begins as an English question, or a Chinese one holds a question word or particle."""
    return _asks_in_english(plain) or any(map(_asks_in_chinese, _CHINESE_CLAUSES.split(plain)))


def _asks_in_english(plain: str) -> bool:
    begins_sentence = True
    for clause in _CLAUSES.split(plain):
        bare = clause.strip()
        if not bare:
            continue
        opened = _OPENERS.sub("", bare)
        if _WITH_WORD.search(opened) or _INVERTED.search(opened) or _INVERTED_BEFORE_NAME.search(opened):
            return True
        if begins_sentence and _WHO.search(opened):
            return True
        # An opener alone ("So,") begins nothing.
        begins_sentence = _ENDS_SENTENCE.search(bare) is not None or (begins_sentence and not opened.strip(" ,"))
    return False


def _asks_in_chinese(clause: str) -> bool:
    match = _ASKS_CHINESE.search(clause)
    if match is None:
        return False
    if match[0] == "吗":
        return True
    if match[0] == "呢":
        return _STILL.search(clause) is None
    return _OF_ALL.search(clause) is None and _KNOWN.search(clause[: match.start()]) is None
