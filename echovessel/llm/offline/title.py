"""Names a chat by the salient words of what the user said first, in their order."""

import re
from collections.abc import Iterable

from pydantic import JsonValue

from echovessel.llm.inputs import TitleInputs
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import clauses, lexicon, passages, sentences

_WORDS_LEAST, _WORDS_MOST = 2, 5
_CHARACTERS_MOST = 12
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NOT_SALIENT_LIST = (
    "i'm i've i'd i'll it's that's don't can't isn't didn't today yesterday tomorrow got get getting going go think want need please hi hey "
    "hello okay ok yes yeah well now because since though maybe only here more than most day should give"
)
_NOT_SALIENT = english.STOP_WORDS.union(_NOT_SALIENT_LIST.split())
_CLAUSE = re.compile(r"[^，,。！？；!?;：:\n]+")
# What a Chinese clause begins and ends with that says nothing of what it is about.
_LEAD = re.compile(
    r"^(?:我们?|咱们?|你|今天|昨天|昨晚|明天|最近|刚刚?|其实|然后|但是|可是|所以|因为|就是|觉得|感觉|想|有点|还是|又|也|都|在)+"
)
_TAIL = re.compile(r"(?:了|呢|啊|呀|吧|吗|嘛|的|哦)+$")


def write_title(inputs: TitleInputs) -> dict[str, JsonValue]:
    said = [one for one in sentences.split(inputs.said) if not sentences.is_small_talk(one)]
    return {"title": next(filter(None, map(_name, said)), "")}


def _name(said: str) -> str:
    sentence = clauses.strip_wish(passages.straighten(said))
    if lexicon.is_chinese(sentence):
        return _choose_clause(_CLAUSE.findall(sentence))
    words = [word for word in _WORD.findall(sentence) if word.casefold().replace("’", "'") not in _NOT_SALIENT]
    if len(words) < _WORDS_LEAST:
        return ""
    title = " ".join(words[:_WORDS_MOST])
    return title[0].upper() + title[1:]


def _choose_clause(parts: Iterable[str]) -> str:
    """Return the first clause that says something, without what only leads to it, in at most twelve characters."""
    bare = (_TAIL.sub("", _LEAD.sub("", clause.strip())).strip() for clause in parts)
    return next((one[:_CHARACTERS_MOST] for one in bare if not set(one) <= chinese.STOP_WORDS and len(one) > 1), "")
