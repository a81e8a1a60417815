"""Tells what has been between the two, from the story, the scenes since and the recaps that the prompt is rendered from."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby

from echovessel import periods
from echovessel.llm.inputs import SaidMessage, StoryLine
from echovessel.llm.offline.reply.context import Memory, ReplyContext
from echovessel.llm.offline.reply.recall import memory_sentences, user_statements
from echovessel.llm.offline.reply.writer import Writer
from echovessel.llm.offline.text import clauses, cue_matching, happenings, sentences, topics
from echovessel.llm.offline.text.topic_types import Sentence

_SENTENCE = re.compile(r"[.!?。！？…]\W*$")
HAPPENED_MOST, SCENES_MOST, OUTCOMES_MOST, LINES_MOST, OTHERS_MOST = 6, 3, 2, 6, 3


def answer(said: Iterable[str], writer: Writer) -> str:
    """Tell what has been between the two, or in their last talk, where one of these sentences asks for it; else "", as where nothing is told."""
    said = list(said)
    if any(cue_matching.has_cue("ASKS_LAST_TALK", one) for one in said):
        return _tell_last_talk(writer)
    for cue, tell_asked in _ASKED.items():
        if any(cue_matching.has_cue(cue, one) for one in said):
            return tell_asked(writer)
    return tell(writer) if any(asks(one, writer.context.today) for one in said) else ""


def asks(said: str, today: date) -> bool:
    """Whether a sentence asks what has been, not what was said on a certain day."""
    return cue_matching.has_cue("OUR_STORY", said) and not periods.find_periods(said, today=today)


def tell(writer: Writer) -> str:
    """Tell what happened, what was said since, what is open and how things stand; "" where nothing is told."""
    before = [*_tell_happened(writer), *_tell_scenes(writer)]
    told = writer.join(*before, *_tell_talk(writer))
    if not told:
        return ""
    opened = [line.text for line in writer.context.inputs.story if line.part == "open"]
    opened += [thread for scene in writer.context.inputs.scenes for thread in scene.open]
    stand = [_join_label(line) for line in writer.context.inputs.story if line.part == "state" and not line.is_past]
    return writer.join(
        writer.say("our_story", told=told) if before else told,
        writer.say("our_story_open", told=_quote(opened[-OTHERS_MOST:], writer)),
        writer.say("our_story_state", told=_quote(stand[-OTHERS_MOST:], writer)),
    )


def _tell_last_talk(writer: Writer) -> str:
    """Tell what is kept of the talk before this one: its summary, or where the story tells the talks, its scene."""
    if writer.context.inputs.sessions:
        at, told = writer.context.inputs.sessions[-1].at, [writer.context.inputs.sessions[-1].text]
    elif writer.context.inputs.scenes:
        at, told = writer.context.inputs.scenes[-1].at, [*writer.context.inputs.scenes[-1].outcomes]
    else:
        return writer.say("first_talk") if writer.context.inputs.known_since == writer.context.today else ""
    return writer.say("last_talk", day=writer.words.DATE.format(at), told=_quote(told[:OUTCOMES_MOST], writer))


def _tell_known_since(writer: Writer) -> str:
    """Tell since when the two have talked; "" where nobody knows."""
    since, today = writer.context.inputs.known_since, writer.context.today
    if since is None:
        return ""
    days = (today - since).days
    return writer.say("known_since" if days else "known_today", day=writer.words.DATE.format(since), days=str(days))


def _tell_last_day(writer: Writer) -> str:
    """Tell the day of the talk before this one."""
    inputs = writer.context.inputs
    at = max((*(talk.at for talk in inputs.sessions), *(scene.at for scene in inputs.scenes)), default=None)
    return writer.say("last_day", day=writer.words.DATE.format(at)) if at else writer.say("first_talk")


def _tell_lately(writer: Writer) -> str:
    """Tell what weighed most in the last talks by their days, and in this one."""
    context = writer.context
    inputs = context.inputs
    this_talk = {message.text for message in inputs.session_messages}
    talks = [(talk.at, [talk.text]) for talk in inputs.sessions[-SCENES_MOST:]]
    if not talks:
        talks = [(scene.at, [*scene.outcomes[:OUTCOMES_MOST]]) for scene in inputs.scenes[-SCENES_MOST:]]
        before = (one for one in inputs.recent_messages if one.is_user and one.text not in this_talk)
        by_day = groupby(before, key=lambda one: one.at.date())
        talks += [(said[0].at, _choose_weightiest(said)) for _, of_day in by_day if (said := [*of_day])]
    told = [
        f"{writer.words.DATED.format(day)}{quoted}"
        for day, of_day in groupby(talks, key=lambda talk: writer.words.DATE.format(talk[0]))
        if (quoted := _quote(_leave_out_unwelcome((text for _, texts in of_day for text in texts), context), writer))
    ]
    now = _choose_weightiest([one for one in inputs.session_messages if one.is_user])
    if quoted := _quote(_leave_out_unwelcome(now, context), writer):
        told.append(writer.say("our_story_talk", told=quoted))
    return writer.join(*told)


def _choose_weightiest(said: Sequence[SaidMessage]) -> list[str]:
    """Choose in their order the sentences that tell what weighs most."""
    heard = {one.text: one for topic in topics.group(enumerate(one.text for one in said)) for one in topic.sentences}
    told = (one.text for one in user_statements.list_said([Memory(None, one.text) for one in said]))
    in_order = [
        heard.get(text, Sentence(text, at)) for at, text in enumerate(told) if not sentences.is_small_talk(text)
    ]
    return [clauses.write_told(one.text) for one in happenings.choose(in_order, most=OTHERS_MOST)]


def _leave_out_unwelcome(texts: Iterable[str], context: ReplyContext) -> list[str]:
    said = (one for text in texts for one in sentences.split(text))
    return [one for one in said if not context.is_unwelcome(one)]


# What a question asks for.
_ASKED: dict[str, Callable[[Writer], str]] = {
    "ASKS_LATELY": _tell_lately,
    "ASKS_KNOWN_SINCE": _tell_known_since,
    "ASKS_LAST_DAY": _tell_last_day,
}


def list_weightiest(context: ReplyContext, most: int) -> list[StoryLine]:
    """List what the story tells that weighs most, in its order."""
    happened = [(at, line) for at, line in enumerate(context.inputs.story) if line.part == "happened"]
    weightiest = sorted(happened, key=lambda one: one[1].cut_key)[-most:]
    return [line for _, line in sorted(weightiest, key=lambda one: one[0])]


def _tell_happened(writer: Writer) -> Iterator[str]:
    """Yield the weightiest points by month, in their order."""
    weightiest = list_weightiest(writer.context, HAPPENED_MOST)
    for month, lines in groupby(weightiest, key=lambda line: _name_month(line, writer)):
        yield f"{month}{_quote((line.text for line in lines), writer)}"


def _tell_scenes(writer: Writer) -> Iterator[str]:
    for scene in writer.context.inputs.scenes[-SCENES_MOST:]:
        if scene.outcomes:
            yield f"{writer.words.DATED.format(writer.words.DATE.format(scene.at))}{_quote(scene.outcomes[:OUTCOMES_MOST], writer)}"


def _tell_talk(writer: Writer) -> Iterator[str]:
    """Yield what the user said in this talk: before the window, or in it where nothing stands before."""
    lines = [said.text for said in writer.context.inputs.line_recaps if said.is_user]
    if not lines and not writer.context.inputs.story and not writer.context.inputs.scenes:
        said = (memory.text for memory in user_statements.list_said(writer.context.user_messages))
        lines = [one for one in said if not sentences.is_small_talk(one) and not cue_matching.has_cue("TO_YOU", one)]
    if lines:
        yield writer.say("our_story_talk", told=_quote(lines[:LINES_MOST], writer))


def _name_month(line: StoryLine, writer: Writer) -> str:
    return str(writer.words.DATED.format(writer.words.MONTH.format(line.at))) if line.at else ""


def _join_label(line: StoryLine) -> str:
    """Return how a thing stands: its label says what a text means that is no sentence."""
    return f"{line.label}: {line.text}" if line.label and not _SENTENCE.search(line.text) else line.text


def _quote(texts: Iterable[str], writer: Writer) -> str:
    told = (memory_sentences.shorten(memory_sentences.address_user(" ".join(text.split()))) for text in texts)
    return writer.join(*(f"“{text[:1].upper()}{text[1:]}”" for text in told if text))
