"""Takes up what has come due: a promise of the companion, or what the user told of before its day; tells what lies ahead."""

from collections.abc import Iterator
from datetime import date, timedelta

from echovessel import lazy_re as re
from echovessel import periods
from echovessel.llm.offline import event_dates
from echovessel.llm.offline.reply.context import JUST_TOLD, Memory, Promise, ReplyContext
from echovessel.llm.offline.reply.hearing import tones
from echovessel.llm.offline.reply.hearing.tones import Tone
from echovessel.llm.offline.reply.recall import known_facts, memory_sentences, user_statements, weighing
from echovessel.llm.offline.reply.recall.weighing import FoundAnswer
from echovessel.llm.offline.reply.writer import Writer
from echovessel.llm.offline.text import changes, cue_matching, sentences
from echovessel.periods import Leaning

# Whom it is to ask, the companion asks now: "Ask the user how the interview went."
_ASK_THE_USER = re.compile(r"^(?:to )?ask the user (?=how|about|what|whether|if)|^问(?:问|一下)?用户", re.IGNORECASE)

_REMINDER = re.compile(r"\bremind you (?:to |about |of |that )?(?P<what>.+)$|提醒你(?P<han>.+)$", re.IGNORECASE)
# In how many of the newest messages a death is looked for.
_LATELY = 8
# What names its year means the same day whenever it was noted.
_YEAR = re.compile(r"\b20\d\d\b|20\d\d年")
_TODAY = re.compile(r"\b(?:today|yesterday)\b|今天|昨天|刚才", re.IGNORECASE)
_WEEKDAY = re.compile(r"(?<![这下本上])(?:周|星期|礼拜)([一二三四五六日天末])")
_PLAN = re.compile(r"\b(?:planning|plan) (?:to|on|a|an|our|my)\b|(?:打算|计划|准备)(?!好|不|了|书)", re.IGNORECASE)
_AHEAD_MOST = 6
# 今年 and "this year" name no day to come.
_LONG = timedelta(60)


def take_up_promise(writer: Writer) -> str:
    """Keep a promise whose day has come, once; "" where there is none, the user told of it, or they mourn."""
    due = next((one for one in writer.context.promises if one.is_due and _is_open(one, writer.context)), None)
    if due is None or _mourns(writer.context):
        return ""
    if what := _read_reminder(due.text, writer.context.today):
        return writer.say("kept_reminder" if due.day == writer.context.today else "kept_reminder_late", what=what)
    if re.search(r"\bI\b|我", due.text):
        return writer.say("kept_word", quote=due.text)
    asked = _ASK_THE_USER.sub("", due.text)
    return writer.say("kept_promise", quote=asked if asked != due.text else memory_sentences.address_user(due.text))


def _is_open(promise: Promise, context: ReplyContext) -> bool:
    """Whether neither the companion took a promise up in the talks at hand, nor the user told since what came of it."""
    asked = promise.text.rstrip(" .。")
    what = _read_reminder(promise.text, context.today) or asked
    if any(asked in reply or what in reply for reply in context.replies) or promise.day is None:
        return False
    since = promise.day - timedelta(1)
    told = [one.text for one in context.user_messages if one.at is None or one.at.date() >= since]
    past = (one for one in (*told, context.burst) if event_dates.find_leaning(one) is Leaning.PAST)
    return not any(weighing.score(what, one) for one in past)


def _read_reminder(promise: str, today: date) -> str:
    """Return what a promise reminds of, without its day: "water the plants" of "I'll remind you to water the plants tomorrow."."""
    match = _REMINDER.search(promise.strip())
    what = match["what"] or match["han"] if match else ""
    return " ".join(periods.remove_periods(what, today=today).split()).strip(" .。")


def _mourns(context: ReplyContext) -> bool:
    """Whether the user told of a death lately."""
    lately = [
        *(one.text for one in context.user_messages[-_LATELY:]),
        *(one.text for one in context.inputs.sessions[-1:]),
    ]
    return any(tones.find_tone(one) == Tone.GRIEF for one in lately)


def ask_after_event(writer: Writer) -> str:
    """Ask after what is due since the last talk; "" where nothing is, or the user tells of it."""
    waiting = (one for one in writer.context.due if not weighing.score(one.text, writer.context.burst))
    due = next((one for one in waiting if not _is_told_since(one.text, writer.context)), None)
    if due is None:
        return ""
    quote = memory_sentences.cite(_cut_out_plan(due.text, writer.context.today))
    if due.days_ahead < 0:
        return writer.say("due_past", quote=quote)
    return writer.say(
        "due_ahead", quote=quote, when=memory_sentences.say_day(due.day, writer.words, writer.context.today)
    )


def _is_told_since(plan: str, context: ReplyContext) -> bool:
    """Whether what came of a plan was told behind it: 疫苗打完了."""
    said = [line.text for line in context.user_messages]
    at = next((at for at in reversed(range(len(said))) if memory_sentences.is_quoted(plan, said[at])), -1)
    past = (one for one in said[at + 1 :] if event_dates.find_leaning(one) is Leaning.PAST)
    return any(weighing.score(plan, one) for one in past)


def _cut_out_plan(text: str, today: date) -> str:
    """Return of several sentences the one that names a day, as if it were said today: what stands beside it is not asked after."""
    said = sentences.split(text)
    dated = (one for one in said if event_dates.find_days(one, said_on=today, leaning=event_dates.find_leaning(one)))
    return next((one for one in dated if not _TODAY.search(one)), text)


def tell_ahead(asked: str, writer: Writer) -> str:
    """Tell what was told of the days ahead in their order; "" where no question asks for that."""
    if not cue_matching.has_cue("ASKS_AHEAD", asked):
        return ""
    named = periods.find_periods(asked, today=writer.context.today, leaning=Leaning.FUTURE)
    ahead: list[tuple[date, str]] = []
    for day, text in sorted(_list_ahead(writer.context), key=lambda one: one[0]):
        is_told = any(day == other and known_facts.is_in(text, told) for other, told in ahead)
        is_asked = not named or any(period.start <= day <= period.end for period in named)
        if is_asked and not is_told and not writer.context.is_unwelcome(text):
            ahead.append((day, text))
    if not ahead:
        planned = _find_weekly(asked, writer.context) or (None if named else _find_plan(writer.context))
        return memory_sentences.tell(FoundAnswer(planned, 1), writer) if planned else writer.say("nothing_ahead")
    told = [
        writer.words.ON_DAY.format(
            quote=memory_sentences.cite(text).rstrip(".。"),
            day=memory_sentences.say_day(day, writer.words, writer.context.today),
        )
        for day, text in ahead[:_AHEAD_MOST]
    ]
    return writer.say("coming_up", things=writer.words.SEMICOLON.join(told))


def _find_weekly(asked: str, context: ReplyContext) -> Memory | None:
    """Return what was told last of the weekday that a question names: 每周三打球 for 我周三干嘛."""
    if not (named := _WEEKDAY.search(asked)):
        return None
    on_it = re.compile(rf"每(?:个?周|个?星期|个?礼拜)[一二三四五六日天、和到至]*{named[1]}")
    told = [one for one in user_statements.list_told(context) if not one.is_joined and on_it.search(one.text)]
    return told[-1] if told else None


def _find_plan(context: ReplyContext) -> Memory | None:
    """Return the plan without a day that was told last: 打算明年春天去日本."""
    told = [one for one in user_statements.list_told(context) if not one.is_joined and _PLAN.search(one.text)]
    off = (one for one in reversed(told) if not any(changes.supersedes(later.text, one.text) for later in told))
    return next(off, None)


def _list_ahead(context: ReplyContext) -> Iterator[tuple[date, str]]:
    """Yield the day and the text of promises, of memories, of what this chat told, and of noted facts that name their year."""
    lines = [line for line in context.user_messages if line.age and line.age.unit in (*JUST_TOLD, "today")]
    said = [one.text for one in user_statements.list_said(lines)]
    dated = [(one.day, one.text) for one in context.promises if one.day]
    dated += [(one.own_time.day, one.text) for one in context.memories if one.own_time]
    for text in said:
        days = event_dates.find_days(text, said_on=context.today, leaning=event_dates.find_leaning(text))
        # Of today much is told that is no plan: "it rains today".
        dated += [(days.start, text)] if days and days.end > context.today and days.end - days.start < _LONG else []
    for fact in (*context.loaded, *context.list_saved()):
        days = event_dates.find_days(fact, said_on=context.today, leaning=None) if _YEAR.search(fact) else None
        dated += [(days.start, fact)] if days else []
    for day, text in dated:
        is_off = any(changes.supersedes(one, text) for one in said if one != text)
        if day >= context.today and not is_off:
            yield day, text
