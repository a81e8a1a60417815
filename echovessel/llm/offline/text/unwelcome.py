"""Reads what the user asks the companion not to bring up: "please don't mention Biscuit any more", 别再提年糕了."""

from echovessel import lazy_re as re
from echovessel.llm.offline.text import lexicon

_ASKED = r"(?:(?:please|just|and|so|but|ok|okay|hey|look|could you|can you|would you|will you|(?:i'd|i would|the user would) (?:rather|prefer|like) (?:it if )?you(?: to)?|(?:i|the user) wants? you to|you (?:should|must|can|may)|from now on)[\s,]+)*"
_TELL = r"(?:bring(?:ing)? up|mention(?:ing)?|talk(?:ing)? (?:to (?:me|the user) )?(?:about|of)|ask(?:ing)? (?:(?:me|the user) )?(?:about|how)|speak(?:ing)? of|go(?:ing)? on about)"
_NOT = r"(?:(?:don't|do not|didn't|did not|wouldn't)(?: (?:ever|keep))?|never|stop|quit|no more|not|(?:i don't|i do not|the user doesn't) want you to(?: ever)?)"
_NO_MORE = r"(?:any ?more|any longer|again|ever(?: again)?|from now on)"
# A bare pronoun names nothing, and "don't mention it" is a courtesy.
_THING = r"(?P<thing>(?!(?:it|that|this|them|him|her|me|you|us|anything|something)\b(?: any ?more| again| ever)*\W*$)[^.!?;,:\n]{2,60}?)"
_OWNER = re.compile(r"^(?:my|our|their|the user's|the|your|我们?的?|用户的?)\s*|的?(?:事情?|话题)$", re.IGNORECASE)
_TO_OTHERS = re.compile(r"\b(?:to|with|at|in front of) (?!me\b|us\b|the user\b)\w+", re.IGNORECASE)
_ENGLISH = (
    # It is either said to hold on, or begged for.
    rf"^\W*{_ASKED}{_NOT} {_TELL} {_THING} {_NO_MORE}(?=[.!?;,:\s]*(?:$|[,.;:!]|(?:it|that|as|because|since|please)\b))",
    rf"^\W*{_ASKED}(?:never|stop|quit|(?:don't|do not) (?:ever|keep)) {_TELL} {_THING}(?=\s*(?:$|[,.;:!]|\bplease\b))",
    rf"^\W*(?:[\w\s,]*\b)?please[\s,]+(?:don't|do not) {_TELL} {_THING}(?=\s*(?:$|[,.;:!]))",
)
_BEGGED = r"(?:请|麻烦|拜托|求求?你|你们?|您|希望你|能不能|可不可以|可以|以后|今后|往后|从现在起|真的|也|就|那|，|,)*"
_FROM_NOW = "(?:以后|今后|往后|从今|下[次回])"
_CHINESE = (
    rf"^\W*{_BEGGED}(?:(?:别|不要|不许|不准|不用|能不能不|可以不)(?:再|老是?|总是?|一直|动不动就?)+|{_FROM_NOW}(?:你|就|请|可|都)*(?:别|不要|不许|不准|不用))(?:[跟和对](?:我|用户)|在(?:我|用户)面前)?"
    r"(?:提起?|说起|聊起?|问起?|讲起?|说)?到?(?:我|用户)?(?P<thing>(?![这那它他她](?:个|件|些|事|了|吧|啊|呀|，|。|$)|(?:我|用户)$|了|吧|起)[^，,。！!？?；;的]{1,16}?"
    r"(?:的[^，,。！!？?；;]{1,6}?)?)(?:了|啦|吧|好吗|好不好|行吗|可以吗|[。！!~\s])*(?=$|[，,。！!；;])"
)
# What is named as a matter needs no word for again: 别提调动的事了.
_CHINESE_MATTER = (
    rf"^\W*{_BEGGED}(?:别|不要|不用|甭)(?:[跟和对](?:我|用户))?(?:提起?|说起|聊起?|问起?|讲起?)到?(?:我|用户)?"
    r"(?P<thing>[^，,。！!？?；;你]{1,16}?)(?:的事情?|[这那][段件茬](?:事|儿)?)(?:了|啦|吧|[。！!~])*(?=$|[，,。！!；;\s])"
)
# The matter before the wish: 老伴的事别再提了.
_CHINESE_MATTER_FIRST = r"^\W*(?:(?:以后|今后|请|求求?你)[，,]?)*(?P<thing>(?![这那它他她](?:个|件|些|事|的|了|$))[^，,。！!？?；;你别不]{1,12}?)的?(?:事情?|话题)?(?:以后|今后|就|你|也)*(?:别|不要|甭)再?(?:[跟和对]我)?(?:提|聊|问)(?:起|到)?(?:了|啦|吧|好吗|[。！!~\s])+$"
_SAID = re.compile(r"提|说起|聊|问|讲|说")
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE) for pattern in (*_ENGLISH, _CHINESE, _CHINESE_MATTER, _CHINESE_MATTER_FIRST)
)


def read_subject(text: str) -> str:
    """Return what a sentence asks not to bring up; "" where it asks for nothing of the kind."""
    plain = lexicon.normalise(text)
    for pattern in _PATTERNS:
        if (found := pattern.search(plain)) and not _TO_OTHERS.search(found["thing"]):
            is_said = not lexicon.is_chinese(plain) or _SAID.search(found[0].replace(found["thing"], "", 1))
            return found["thing"].strip() if is_said else ""
    return ""


def is_about(text: str, subject: str) -> bool:
    """Whether a text speaks of what the user asked not to bring up: it has all of its words."""
    bare = _OWNER.sub("", subject)
    words = lexicon.stem_content(bare)
    return bare in text if lexicon.is_chinese(bare) else bool(words) and words <= lexicon.stem_content(text)
