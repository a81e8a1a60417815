"""Writes what was told, when it was told, and when it happened if that differs; tells which messages a reply quotes."""

import re
from datetime import date
from types import ModuleType

from echovessel import times
from echovessel.llm.offline import pronouns
from echovessel.llm.offline.reply.context import OLDER, Memory
from echovessel.llm.offline.reply.recall.weighing import FoundAnswer
from echovessel.llm.offline.reply.writer import Writer
from echovessel.llm.offline.text import lexicon, sentences
from echovessel.times import Age, OwnTime

QUOTE_MOST = 160
# Shorter sentences may be repeated by chance.
_LEAST, _LEAST_CHINESE = 8, 4
_OF_USER = re.compile(r"\bthe user\b|用户", re.IGNORECASE)


def tell(found: FoundAnswer, writer: Writer) -> str:
    """Write what is remembered, that it was told, and when."""
    memory = found.memory
    turned = address_user(memory.text)
    if turned != memory.text:
        return writer.say("retold", quote=sentences.end(turned))
    if memory.age is None:
        return writer.say("written", quote=memory.text)
    single = len(sentences.split(memory.text)) == 1 and len(memory.text) <= QUOTE_MOST
    is_same_language = lexicon.is_chinese(memory.text) == writer.is_in_chinese
    clause = pronouns.turn(memory.text) if single and is_same_language else ""
    answer = f"{found.answer}." if found.answer and not writer.is_in_chinese else found.answer
    said = writer.say(
        "remember" if clause else "remember_quote",
        clause=clause,
        quote=shorten(mark_gaps(memory)),
        answer=answer,
        **say_when(memory, writer.words),
    )
    return writer.join(said, say_own_time(memory.own_time, writer.words, writer.context.today))


def say_when(memory: Memory, words: ModuleType) -> dict[str, str]:
    """Fill the time slots of a saying with when it was told."""
    said = say_age(memory.age or OLDER, words)
    return {"when": said, "when_cap": said[:1].upper() + said[1:]}


def say_age(age: Age, words: ModuleType) -> str:
    return str(words.AGES[age.unit]).format(words.TWO if age.count == 2 else age.count)


def say_own_time(own: OwnTime | None, words: ModuleType, today: date) -> str:
    """Write when something happens, if that is not when it was told."""
    return str(words.OWN_TIMES[own.relation]).format(when=say_day(own.day, words, today)) if own else ""


def say_day(day: date, words: ModuleType, today: date) -> str:
    ahead = (day - today).days
    if ahead < 0:
        return say_age(times.age_from_days(-ahead), words)
    if ahead < len(words.DAYS_AHEAD):
        return str(words.DAYS_AHEAD[ahead])
    return str(words.WEEKDAYS[day.weekday()] if ahead < len(words.WEEKDAYS) else words.DATE.format(day))


def address_user(text: str) -> str:
    """Turn a memory from the third person to the second; the user's own words stay."""
    if not _OF_USER.search(text):
        return text
    return pronouns.address(text) + text[len(text.rstrip(" .。!！")) :]


def cite(text: str) -> str:
    """Return what was told: the user's own words in quotation marks, what others wrote of them in the second person without."""
    turned = address_user(text)
    return f"“{shorten(text)}”" if turned == text else shorten(sentences.end(turned))


def mark_gaps(memory: Memory) -> str:
    """Return what several messages tell with a mark between the sentences, which were not said in one go; as many as a quote holds."""
    if not memory.is_joined:
        return memory.text
    gap = "……" if lexicon.is_chinese(memory.text) else " … "
    quote, *more = sentences.split(memory.text)
    for said in more:
        if len(quote) + len(gap) + len(said) > QUOTE_MOST:
            break
        quote += gap + said
    return quote


def shorten(quote: str) -> str:
    """Return a quote cut behind a word."""
    return quote if len(quote) <= QUOTE_MOST else quote[: QUOTE_MOST + 1].rsplit(" ", 1)[0][:QUOTE_MOST].rstrip() + "…"


def is_quoted(reply: str, line: str) -> bool:
    """Whether a reply repeats a sentence of the message, as it was said or in the second person."""
    said = _fold(reply)
    return any(form in said for sentence in sentences.split(line) for form in _list_forms(sentence))


def _list_forms(sentence: str) -> list[str]:
    least = _LEAST_CHINESE if lexicon.is_chinese(sentence) else _LEAST
    forms = (_fold(form) for form in (sentence, pronouns.turn(sentence)))
    return [form for form in forms if len(form) >= least]


def _fold(text: str) -> str:
    return lexicon.normalise(text).casefold().rstrip(" .。!！?？…")
