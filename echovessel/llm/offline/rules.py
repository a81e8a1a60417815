"""Chooses the rules for the inputs of a call, and runs them as a program of its own.

`python -m echovessel.llm.offline.rules` reads calls from its input, pickled as only the process above writes them, and writes
each answer as a line of JSON.
"""

import dataclasses
import json
import pickle
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO

from pydantic import JsonValue

from echovessel.llm.inputs import (
    DraftInputs,
    ExtractionInputs,
    ImportInputs,
    Inputs,
    LineRecapInputs,
    ReflectionInputs,
    ReplyInputs,
    SceneBreakInputs,
    SceneRecapInputs,
    StoryCompactInputs,
    StoryMergeInputs,
    TitleInputs,
)
from echovessel.llm.offline import draft, extraction, importing, reflection, reply, scripts, title
from echovessel.llm.offline.story import scene_break, scene_recap, story_compact, story_merge
from echovessel.llm.offline.text import third_person

ANSWERS: Mapping[type[Inputs], Callable[[Any], dict[str, JsonValue]]] = {
    ExtractionInputs: extraction.extract,
    ReflectionInputs: reflection.reflect,
    ImportInputs: importing.extract,
    DraftInputs: draft.write_draft,
    TitleInputs: title.write_title,
    SceneBreakInputs: scene_break.choose_break,
    SceneRecapInputs: scene_recap.recap,
    StoryMergeInputs: story_merge.merge,
    StoryCompactInputs: story_compact.compact,
    LineRecapInputs: scene_recap.recap_lines,
}

# What a reply is given of memory, in the words of whoever wrote it.
_OF_MEMORY = ("loaded", "slots", "all_known", "recalled", "noted", "over", "unmet", "checks", "due", "user_thoughts")


def answer(inputs: Inputs) -> str:
    """Return the text of a reply, or the JSON of a structured answer."""
    return scripts.answer(inputs, _answer_simplified)


def _answer_simplified(inputs: Inputs) -> str:
    if isinstance(inputs, ReplyInputs):
        return reply.compose(_speak_of_user(inputs))
    return json.dumps(ANSWERS[type(inputs)](inputs), ensure_ascii=False)


def _speak_of_user(inputs: ReplyInputs) -> ReplyInputs:
    """Return inputs whose memories say "the user" where a model wrote their name, as the rules read them."""
    names = (inputs.user_name, inputs.other_name)

    def name_nobody(text: str) -> str:
        return "\n".join(third_person.replace_user_name(line, names) for line in text.split("\n"))

    told = {field: scripts.change_texts(getattr(inputs, field), name_nobody) for field in _OF_MEMORY}
    return dataclasses.replace(inputs, **told)


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Answer each call until the input ends."""
    with suppress(EOFError):
        while True:
            inputs, seconds = pickle.load(calls)
            # The caller ends this process when the time is over; if the caller is gone, the system does.
            signal.alarm(seconds)
            answers.write(json.dumps(answer(inputs)).encode() + b"\n")
            answers.flush()
            signal.alarm(0)


if __name__ == "__main__":
    # Ctrl-C is for the parent process; when it ends, the input ends too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(sys.stdin.buffer, sys.stdout.buffer)
