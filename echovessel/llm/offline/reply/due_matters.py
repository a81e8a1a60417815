"""Takes up what has come due: a promise of the companion, or what the user told of before its day; and lists what is ahead."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from types import ModuleType

from echovessel import periods
from echovessel.llm.offline.reply import memory_sentences, retrieval, user_statements
from echovessel.llm.offline.reply.context import OLDER, Memory, ReplyContext
from echovessel.llm.offline.reply.saying_choice import SayingChoice
from echovessel.llm.offline.text import changes, cue_matching
from echovessel.periods import Leaning
from echovessel.times import OwnTime

# Whom it is to ask, the companion asks now: "Ask the user how the interview went."
_ASK_THE_USER = re.compile(r"^(?:to )?ask the user (?=how|about|what|whether|if)|^问(?:问|一下)?用户", re.IGNORECASE)

_AHEAD_MOST = 4
# 今年 names no day to come.
_LONG = timedelta(60)
# How many days ago something was told from whose words its day can be reckoned.
_DAYS_AGO = {"now": 0, "chat": 0, "today": 0, "yesterday": 1}
_HAPPENED = re.compile(r"[了过](?!年|生日)|\b(?:was|were|had|did|went|\w+ed)\b", re.IGNORECASE)


def take_up_promise(context: ReplyContext, wording: SayingChoice) -> str:
    """Keep a promise whose day has come; "" where there is none."""
    due = next((promise for promise in context.promises if promise.is_due), None)
    if due is None:
        return ""
    if re.search(r"\bI\b|我", due.text):
        return wording.choose("kept_word", quote=due.text)
    asked = _ASK_THE_USER.sub("", due.text)
    return wording.choose("kept_promise", quote=asked if asked != due.text else memory_sentences.address_user(due.text))


def ask_after_event(context: ReplyContext, wording: SayingChoice, words: ModuleType) -> str:
    """Ask after what is due since the last talk; "" where nothing is, or the user tells of it."""
    due = next((one for one in context.due if not retrieval.score(one.text, context.burst)), None)
    if due is None:
        return ""
    quote = memory_sentences.cite(due.text)
    if due.days_ahead < 0:
        return wording.choose("due_past", quote=quote)
    return wording.choose("due_ahead", quote=quote, when=memory_sentences.say_day(due.day, words, context.today))


def tell_ahead(said: Iterable[str], context: ReplyContext, wording: SayingChoice, words: ModuleType) -> str:
    """List what is ahead, the next first, where one of these sentences asks for it, and of days that it names those; else ""."""
    asked = next((one for one in said if cue_matching.has_cue("ASKS_PLANS", one)), "")
    if not asked:
        return ""
    days = periods.find_periods(asked, today=context.today, leaning=Leaning.FUTURE)
    ahead = {
        text: day
        for day, text in sorted({(day, text.rstrip(".。!！")) for day, text in _list_ahead(context)})
        if not days or any(one.start <= day <= one.end for one in days)
    }
    planned = [(text, OwnTime("planned", day)) for text, day in [*ahead.items()][:_AHEAD_MOST]]
    told = [
        memory_sentences.join(
            words, memory_sentences.cite(text), memory_sentences.say_own_time(time, words, context.today)
        )
        for text, time in planned
    ]
    return wording.choose("plans", told=memory_sentences.join(words, *told)) if told else ""


def _list_ahead(context: ReplyContext) -> Iterator[tuple[date, str]]:
    """Yield what was told to come and not called off since, with its day; of messages what tells nothing that happened."""
    said = [*user_statements.list_said(context.user_messages)]
    for memory in context.memories:
        if memory.own_time and memory.own_time.day >= context.today and not _is_off(memory, said):
            yield memory.own_time.day, memory.text
    for at, memory in enumerate(said):
        age = memory.age or OLDER
        ago = age.count if age.unit == "days" else _DAYS_AGO.get(age.unit)
        if ago is None or _HAPPENED.search(memory.text) or _is_off(memory, said[at + 1 :]):
            continue
        named = periods.find_periods(memory.text, today=context.today - timedelta(ago), leaning=Leaning.FUTURE)
        if named and named[0].start > context.today and named[0].end - named[0].start < _LONG:
            yield named[0].start, memory.text


def _is_off(memory: Memory, since: Iterable[Memory]) -> bool:
    return any(changes.supersedes(one.text, memory.text) for one in since)
