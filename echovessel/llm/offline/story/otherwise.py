"""Finds what is otherwise than it was said or planned: a day that was moved, what is off, what was told wrongly."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from echovessel import lazy_re as re
from echovessel import tokens
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import lexicon, names, passages, sentences, slots, third_person, unwelcome

LABEL_MOST = 30
# Of a message so much is told.
TOKENS_MOST = 30
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAY = rf"(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)\b(?: (?:of )?{_MONTH})?|\d{{1,2}}[.:]\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_OFF = r"(?:cancell?ed|called off|postponed|delayed|rescheduled|brought forward)"
_PUT_OTHERWISE = re.compile(
    # Moved to another day.
    r"\b(?:moved|pushed|shifted|switched|changed)\b(?: (?!in\b)[\w'-]+){0,2} (?:back|forward|to|until)\b.{0,60}(?:\d|day\b|week\b|month\b|year\b|date\b)"
    rf"|\b(?:been|got|was|were) (?:moved|{_OFF})\b|\b(?:they|we|he|she|i|it)(?:'ve| have| has|'s) (?:moved|{_OFF})\b|\bnot (?:on |at |in )?{_DAY}|\b{_DAY} (?:now|instead)\b"
    r"|改(?:期|时间|日子|地方|名|到|成|在|为|叫)|(?<=[期间子方点名字])改了|(?:推|延)(?:迟|后|期)?到|(?:推迟|延期|延后|提前)(?:到|了)|挪到|调到"
    # Off.
    rf"|\b(?:is|are|it's|that's|they're) (?:all )?(?:off(?=[\s.!,;]*$|[.!,;])|{_OFF})|\b(?:no longer|any ?more|not after all)\b"
    r"|取消了|[办去开]不了了|不[办去开]了|不在.{1,8}了|不叫.{1,8}了|不再"
    # Told wrongly.
    r"|\b(?:i|we) (?:had|got) (?:it|that|this|them|her|him|the \w+) (?:all )?wrong\b|\b(?:told|telling) you (?:all )?wrong\b|\bi (?:misspoke|misremembered|misread|misheard)\b|\bmisinform(?:ed|ing)\b"
    r"|\bi (?:told you|said) [^.;,]{1,50}\b(?:was|were|is) [^.;,]{1,40}[.;,] (?:it's|it is|they're|he's|she's)\b|\bturns out\b.{1,60}\bnot\b"
    r"|[说记搞弄讲听]错|更正|纠正|(?:不是|没有?在)[^，,。；]{1,12}[，,](?:而)?(?:是|改|早就|去年|已经)|[，,]不是(?:[一二三四五六七八九十\d]+[号日月点]|周|星期|礼拜)"
    # Settled.
    r"|\b(?:it's|that's|is|are) (?:all )?(?:settled|official|final|decided)\b|\b(?:we|they|i)(?:'ve| have)? (?:settled|decided) (?:on|to|for)\b|\b(?:i|we)(?:'ve| have)? (?:accepted|turned down)\b"
    r"|(?<![决肯一必不指稳确规])定了|定下来了|说定|敲定",
    re.IGNORECASE,
)
# Without it an end reads as what it ends.
_NEGATION = re.compile(
    r"\b(?:(?:do|does|did)(?:n't| not)|no longer|not)\b\s?|n't\b|\b(?:any ?more|any longer)\b|(?<=[我们])[不没](?=[^错])",
    re.IGNORECASE,
)
# But for days, months and what only leads on.
_WORD = re.compile(
    rf"(?<!['\w])(?!\w+day\b|{_MONTH}\b|(?:actually|sorry|also|more|time|again|another|course|now)\b)[^\W\d_]+(?='s\b|(?![\w']))",
    re.IGNORECASE,
)
# 雅思我改到三月了 is of 雅思.
_OF_WHOM = re.compile(r"(?:我|咱|你|他|她)们?$")
# What a Chinese clause begins with that is not what it is about.
_LEAD = re.compile(r"^(?:.*把)?(?:[我你他她它咱]们?的?|今天|昨天|明天|刚刚?|现在|已经|还有|那个|\s)*")


def find(said: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    """Yield the line, a label and the sentences of each message that says so of something."""
    for line, text in said:
        parts = [one for one in sentences.split(text) if not sentences.is_small_talk(one)]
        at = find_place(parts)
        if at is not None:
            yield line, label(parts, at), write(choose(parts, at))


def find_place(parts: Sequence[str]) -> int | None:
    """Find the sentence that says so, else the first of two that say so together: "I said it was Nelson. It's Napier."."""
    alone = (at for at, one in enumerate(parts) if is_otherwise(one))
    together = (at for at, pair in enumerate(pairwise(parts)) if is_otherwise(join(pair)))
    return next((at for found in (alone, together) for at in found), None)


def is_otherwise(said: str) -> bool:
    plain = lexicon.normalise(said)
    is_told = not (sentences.is_question(plain) or passages.is_imagined(plain) or unwelcome.read_subject(plain))
    return is_told and bool(_PUT_OTHERWISE.search(plain))


def choose(parts: Sequence[str], at: int) -> Sequence[str]:
    """Choose a sentence with those behind it, then those before it, as far as there is room: one tells what the other means."""
    begin, end = at, at + 1
    while end < len(parts) and fits(parts[begin : end + 1]):
        end += 1
    while begin and fits(parts[begin - 1 : end]):
        begin -= 1
    return parts[begin:end]


def fits(parts: Sequence[str]) -> bool:
    return tokens.estimate(join(parts)) <= TOKENS_MOST


def join(parts: Sequence[str]) -> str:
    return ("" if lexicon.is_chinese("".join(parts)) else " ").join(parts)


def write(parts: Sequence[str]) -> str:
    """Write sentences as facts are written: "The user is not vegetarian any more."."""
    return join([third_person.turn(one) or one for one in parts])


def label(parts: Sequence[str], at: int) -> str:
    """Name what it is about: the slot that it says something of, who is named, else in Chinese what stands before the change, in
    English the longest word.
    """
    said = lexicon.normalise(parts[at])
    if slot := slots.read_slot(_NEGATION.sub("", said)):
        return slot[0]
    named = [name.text for name in names.find(said)] or [*lexicon.find_kin_words(said).values()]
    found = _PUT_OTHERWISE.search(said)
    begin, end = found.span() if found else (0, 0)
    if lexicon.is_chinese(said):
        about = _OF_WHOM.sub("", _LEAD.sub("", re.split(r"[，,；。]", said[:begin])[-1]))
    else:
        # What stands in its clause before the change is what it is of: "the interview's been cancelled, they filled the job".
        subject, rest = re.split(r"[,;]", said[:begin])[-1], f"{said[:begin]} {said[end:]}"
        words = [_find_content(subject), _find_content(rest)]
        about = max(words[0] or words[1], key=len, default="")
    return next(filter(None, [*named, about, said[begin:end], said]))[:LABEL_MOST]


def _find_content(said: str) -> list[str]:
    return [word for word in _WORD.findall(said) if word.casefold() not in english.STOP_WORDS]
