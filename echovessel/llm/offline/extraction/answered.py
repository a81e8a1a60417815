"""Joins an answer to the question before it: "Where do you live?" and "In Hove" tell together that the user lives in Hove.

The question may be the user's own ("What's my favourite colour?") or the companion's.
"""

from echovessel import lazy_re as re

_ENGLISH_QUESTION = re.compile(
    r"\b(?:what|who|when|where|which \w+)(?P<verb>'s| is| are| was) my (?P<thing>[\w' -]{2,40}?)(?P<named> called)?(?: again| then)?\W*$",
    re.IGNORECASE,
)
# What somebody does or is: "Which instrument do I play?", "What am I allergic to?", "How old am I?"
_ENGLISH_DEED = re.compile(
    r"\b(?P<asks>what|which|who|where|how)(?: [\w-]+){0,2}? (?P<verb>do|am) I\b ?(?P<rest>[\w' -]{0,30}?)(?: at the moment| now| these days| then)?\W*$",
    re.IGNORECASE,
)
_LIVING = re.compile(r"do\b(?: (?:for (?:a living|work)|all day))?", re.IGNORECASE)
_ENGLISH_ANSWER = re.compile(
    r"^\W*(?:(?:it|that|he|she|they)(?:'s|'re| is| are| was) )?(?!(?:i|my|we|our|you|and|so|please|yes|no|not|ok|okay|well|why|what|nothing|nowhere|none)\b)(?P<value>[\w'-]+(?: [\w'-]+){0,4})\W*$",
    re.IGNORECASE,
)
# A value has no verb of its own: "Tom owes me 50 quid" answers nothing.
_STATES = re.compile(
    r"\b(?:me|us|my|our|you|is|are|was|were|has|have|had|owes?|needs?|wants?|goes|go|comes?|lives?|works?|likes?|can|can't|will)\b|.[在是有放欠要给会能去来交]",
    re.IGNORECASE,
)
_PLACED = re.compile(r"(?:in|at|near|on|by|with)\b", re.IGNORECASE)
_YOURS = re.compile(r"\b(?:are you|your|you)\b|你", re.IGNORECASE)
_MINE = {"are you": "am I", "your": "my", "you": "I", "你": "我"}
_CHINESE_QUESTION = re.compile(
    r"我(?P<before>[\u4e00-\u9fff]{1,12}?)(?:(?:什么(?=过敏)|哪里|哪儿)(?P<behind>过敏|上班|工作|上学|读书)|什么(?![的样])[\u4e00-\u9fff]{0,4}|谁|哪[里儿天年]|多大|几岁|几月几[号日])(?:了|呢|呀|啊|来着)?\W*$"
)
_CHINESE_ANSWER = re.compile(r"^\W*(?:是|叫|在)?(?P<value>(?![嗯好不没哈对还随]|\S+[对是会要])[^我你\W]{1,12})\W*$")
# A question stands at the end of a line.
_LAST_WORDS = 100


def complete(answer: str, question: str) -> str:
    """Return the user's statement that an answer of a few words makes with a question about them; "" where it makes none."""
    question = question[-_LAST_WORDS:]
    if _STATES.search(answer.strip().removeprefix("是")):
        return ""
    if (asked := _CHINESE_QUESTION.search(question)) and (told := _CHINESE_ANSWER.match(answer)):
        return f"我{asked['before']}{told['value']}{asked['behind'] or ''}"
    if (told := _ENGLISH_ANSWER.match(answer)) is None:
        return ""
    if asked := _ENGLISH_QUESTION.search(question):
        verb = " is" if asked["verb"] == "'s" else asked["verb"].lower()
        return f"my {asked['thing']}{verb}{asked['named'] or ''} {told['value']}"
    return _join_deed(asked, told["value"]) if (asked := _ENGLISH_DEED.search(question)) else ""


def turn_to_user(question: str) -> str:
    """Return a question of the companion as the user's own."""
    return _YOURS.sub(lambda match: _MINE[match[0].lower()], question[-_LAST_WORDS:])


def _join_deed(asked: re.Match[str], value: str) -> str:
    rest, is_deed = asked["rest"].strip(), asked["verb"].lower() == "do"
    if is_deed and _LIVING.fullmatch(rest):
        return f"I'm {value}" if re.match(r"an?\b|the\b", value, re.IGNORECASE) else f"I'm a {value}"
    placed = f"in {value}" if asked["asks"].lower() == "where" and not _PLACED.match(value) else value
    return " ".join(("I" if is_deed else "I'm", *rest.split(), placed))
