"""Answers "what did I do in March?" with what was told then, in its order."""

from datetime import date

from echovessel import periods
from echovessel.llm.offline.reply.recall import known_facts, memory_sentences
from echovessel.llm.offline.reply.writer import Writer
from echovessel.llm.offline.text import cue_matching
from echovessel.periods import Leaning

_TOLD_MOST = 6


def tell_back(asked: str, writer: Writer) -> str:
    """Tell what was told, or has its day, in the time that is over and that is asked for; "" where nothing but that is not asked."""
    context = writer.context
    if not cue_matching.has_cue("ASKS_BACK", periods.remove_periods(asked, today=context.today).strip()):
        return ""
    named = periods.find_periods(asked, today=context.today, leaning=Leaning.PAST)
    said = [
        (one.at.astimezone(context.inputs.now.tzinfo).date(), one.text) for one in context.inputs.quotes if one.is_user
    ]
    dated = [(one.own_time.day, one.text) for one in context.memories if one.own_time]
    told: list[tuple[date, str]] = []
    for day, text in (*said, *dated):
        is_then = any(period.start <= day <= period.end for period in named)
        is_told = any(known_facts.is_in(text, other) for _, other in told)
        if is_then and not is_told and not context.is_unwelcome(text):
            told.append((day, text))
    things = [
        writer.words.ON_DAY.format(quote=memory_sentences.cite(text).rstrip(".。"), day=writer.words.DATE.format(day))
        for day, text in sorted(told[:_TOLD_MOST])
    ]
    return writer.say("looked_back", things=writer.words.SEMICOLON.join(things)) if things else ""
