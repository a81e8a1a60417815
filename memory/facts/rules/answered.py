"""Joins an answer to the question before it: "What's my favourite colour?" and "It's green" tell a fact together."""

import re

_ENGLISH_QUESTION = re.compile(
    r"\b(?:what|who|when|where|which \w+)(?P<verb>'s| is| are| was) (?P<thing>my [\w' -]{2,40}?)(?P<named> called)?(?: again| then)?\W*$",
    re.IGNORECASE,
)
_ENGLISH_ANSWER = re.compile(
    r"^\W*(?:(?:it|that|he|she|they)(?:'s|'re| is| are| was) )?(?!(?:i|my|we|our|you|and|so|please|yes|no|ok|okay)\b)(?P<value>[\w'-]+(?: [\w'-]+){0,4})\W*$",
    re.IGNORECASE,
)
_CHINESE_QUESTION = re.compile(
    r"(?P<before>我[\u4e00-\u9fff]{1,12})(?:什么(?!的)[\u4e00-\u9fff]{0,4}|谁|哪[里儿天年]|几月几[号日])(?:呢|呀|啊|来着)?\W*$"
)
_CHINESE_ANSWER = re.compile(r"^\W*(?:是|叫|在)?(?P<value>[^我你\W]{1,12})\W*$")


# A question stands at the end of a line.
_LAST_WORDS = 100


def complete(answer: str, question: str) -> str:
    """Return the user's statement that an answer of a few words makes with a question about them; "" where it makes none."""
    question = question[-_LAST_WORDS:]
    if (asked := _CHINESE_QUESTION.search(question)) and (told := _CHINESE_ANSWER.match(answer)):
        return asked["before"] + told["value"]
    asked, told = _ENGLISH_QUESTION.search(question), _ENGLISH_ANSWER.match(answer)
    if not asked or not told:
        return ""
    verb = " is" if asked["verb"] == "'s" else asked["verb"].lower()
    return f"{asked['thing']}{verb}{asked['named'] or ''} {told['value']}"
