"""Says what was told, when it was told, and when it happened where that is another time."""

import re
from types import ModuleType

from echovessel.llm.offline import chinese, chinese_sayings, lexicon, mirroring, sentences
from echovessel.llm.offline.answering import Told
from echovessel.llm.offline.reading import EARLIER, Memory
from echovessel.llm.offline.wording import Wording

QUOTE_MOST = 160
_NOW = ("", "just now")
_PAST = re.compile(r"ago$|today|yesterday|^last |this week")


def told(found: Told, wording: Wording, words: ModuleType) -> str:
    """A sentence that says what is remembered, and that it was told, and when."""
    memory = found.memory
    quote = addressed(memory.text)
    if quote != memory.text:
        return wording.choose("retold", quote=sentences.ended(quote))
    if found.is_written:
        return wording.choose("written", quote=quote)
    single = len(sentences.split(memory.text)) == 1 and len(memory.text) <= QUOTE_MOST
    is_same_language = lexicon.is_chinese(memory.text) == (words is chinese_sayings)
    clause = mirroring.turned(memory.text) if single and is_same_language else ""
    answer = f"{found.answer}." if found.answer and words is not chinese_sayings else found.answer
    said = wording.choose(
        "remember" if clause else "remember_quote",
        clause=clause,
        quote=shortened(quote),
        answer=answer,
        **times(memory, words),
    )
    return joined(words, said, happened(memory, words))


def times(memory: Memory, words: ModuleType) -> dict[str, str]:
    said = when(memory, words)
    return {"when": said, "when_cap": said[:1].upper() + said[1:]}


def when(memory: Memory, words: ModuleType) -> str:
    """When it was told."""
    if memory.when in _NOW:
        return str(words.JUST_NOW)
    if memory.when == EARLIER:
        return str(words.EARLIER)
    if words is chinese_sayings:
        return in_chinese(memory.when) or str(words.BEFORE)
    return memory.when if _PAST.search(memory.when) else str(words.BEFORE)


def happened(memory: Memory, words: ModuleType) -> str:
    """When it happened, where that is another time than when it was told."""
    if not memory.happened:
        return ""
    if words is not chinese_sayings:
        return f"It {memory.happened}."
    found = (re.fullmatch(pattern, memory.happened) for pattern, _ in chinese.HAPPENED)
    return next(
        (
            saying.format(when=in_chinese(match[1]))
            for match, (_, saying) in zip(found, chinese.HAPPENED, strict=True)
            if match
        ),
        "",
    )


def in_chinese(when: str) -> str:
    """A time of the prompt; "" where it has no plain counterpart."""
    for pattern, replacement in chinese.TIMES:
        if re.fullmatch(pattern, when):
            return re.sub(pattern, replacement, when)
    day = re.fullmatch(r"(\d{1,2}) ([A-Z][a-z]+) (\d{4})", when)
    return f"{day[3]}年{chinese.MONTHS.index(day[2]) + 1}月{day[1]}日" if day and day[2] in chinese.MONTHS else ""


def addressed(text: str) -> str:
    """A memory in the third person, turned to the second."""
    for pattern, replacement in lexicon.language(text).USER:
        text = re.sub(pattern, replacement, text)
    return text


def shortened(quote: str) -> str:
    return quote if len(quote) <= QUOTE_MOST else quote[:QUOTE_MOST].rstrip() + "…"


def joined(words: ModuleType, *parts: str) -> str:
    return ("" if words is chinese_sayings else " ").join(part for part in parts if part)
