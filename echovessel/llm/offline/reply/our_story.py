"""Tells what has been between the two, from the story, the scenes since and the recaps that the prompt is rendered from."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from types import ModuleType

from echovessel import periods
from echovessel.llm.inputs import StoryLine
from echovessel.llm.offline.reply import memory_sentences
from echovessel.llm.offline.reply.context import ReplyContext
from echovessel.llm.offline.reply.saying_choice import SayingChoice
from echovessel.llm.offline.text import cue_matching, sentences

_SENTENCE = re.compile(r"[.!?。！？…]\W*$")
HAPPENED_MOST, SCENES_MOST, OUTCOMES_MOST, LINES_MOST, OTHERS_MOST = 6, 3, 2, 4, 3


def answer(said: Iterable[str], context: ReplyContext, wording: SayingChoice, words: ModuleType) -> str:
    """Tell what has been between the two, or in the last talk, where one of these sentences asks for it; else "", as where nothing is told."""
    said = [*said]
    if context.last_talk and any(cue_matching.has_cue("LAST_TALK", one) for one in said):
        return wording.choose("our_story_last", told=_quote(sentences.split(context.last_talk), words))
    return tell(context, wording, words) if any(asks(one, context.today) for one in said) else ""


def asks(said: str, today: date) -> bool:
    """Whether a sentence asks what has been, not what was said on a certain day."""
    return cue_matching.has_cue("OUR_STORY", said) and not periods.find_periods(said, today=today)


def tell(context: ReplyContext, wording: SayingChoice, words: ModuleType) -> str:
    """Tell what happened, what was said since, what is open and how things stand; "" where nothing is told."""
    told = memory_sentences.join(
        words, *_tell_happened(context, words), *_tell_scenes(context, words), *_tell_talk(context, wording, words)
    )
    if not told:
        return ""
    opened = [line.text for line in context.story if line.part == "open"]
    opened += [thread for scene in context.scenes for thread in scene.open]
    stand = [_join_label(line) for line in context.story if line.part == "state" and not line.is_past]
    return memory_sentences.join(
        words,
        wording.choose("our_story", told=told),
        wording.choose("our_story_open", told=_quote(opened[-OTHERS_MOST:], words)),
        wording.choose("our_story_state", told=_quote(stand[-OTHERS_MOST:], words)),
    )


def list_weightiest(context: ReplyContext, most: int) -> list[StoryLine]:
    """List what the story tells that weighs most, in its order."""
    happened = [(at, line) for at, line in enumerate(context.story) if line.part == "happened"]
    weightiest = sorted(happened, key=lambda one: one[1].cut_key)[-most:]
    return [line for _, line in sorted(weightiest, key=lambda one: one[0])]


def _tell_happened(context: ReplyContext, words: ModuleType) -> Iterator[str]:
    """Yield the weightiest points by month, in their order."""
    weightiest = list_weightiest(context, HAPPENED_MOST)
    for month, lines in groupby(weightiest, key=lambda line: _name_month(line, words)):
        yield f"{month}{_quote((line.text for line in lines), words)}"


def _tell_scenes(context: ReplyContext, words: ModuleType) -> Iterator[str]:
    for scene in context.scenes[-SCENES_MOST:]:
        if scene.outcomes:
            yield f"{words.DATED.format(words.DATE.format(scene.at))}{_quote(scene.outcomes[:OUTCOMES_MOST], words)}"


def _tell_talk(context: ReplyContext, wording: SayingChoice, words: ModuleType) -> Iterator[str]:
    """Yield what the user said in this talk: before the window, or in it where nothing stands before."""
    lines = [said.text for said in context.line_recaps if said.is_user]
    if not lines and not context.story and not context.scenes:
        lines = [
            sentence
            for memory in context.user_messages
            for sentence in sentences.split(memory.text)
            if not sentences.is_question(sentence) and not sentences.is_small_talk(sentence)
        ]
    if lines:
        yield wording.choose("our_story_talk", told=_quote(lines[:LINES_MOST], words))


def _name_month(line: StoryLine, words: ModuleType) -> str:
    return str(words.DATED.format(words.MONTH.format(line.at))) if line.at else ""


def _join_label(line: StoryLine) -> str:
    """Return how a thing stands: its label says what a text means that is no sentence."""
    return f"{line.label}: {line.text}" if line.label and not _SENTENCE.search(line.text) else line.text


def _quote(texts: Iterable[str], words: ModuleType) -> str:
    told = (memory_sentences.shorten(memory_sentences.address_user(" ".join(text.split()))) for text in texts)
    return memory_sentences.join(words, *(f"“{text[:1].upper()}{text[1:]}”" for text in told if text))
