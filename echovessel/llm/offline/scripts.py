"""Lets the rules read and answer who writes traditional characters, or names in lower case, as they know neither."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from echovessel import chinese_script
from echovessel.llm.inputs import Inputs, ReflectionInputs, ReplyInputs
from echovessel.llm.offline import capitals

# What somebody said is shown as they typed it.
_QUOTES = re.compile(r"(“[^“”]*”)")
_SENTENCE = re.compile(r"[^\s“”。！？!?….][^“”。！？!?….]*")


def answer(inputs: Inputs, answer_simplified: Callable[[Inputs], str]) -> str:
    """Return the rules' answer to inputs: a reply in the user's script but for its quotes, another answer in the characters in which each was told."""
    told: list[str] = []

    def hear(text: str) -> str:
        told.append(text)
        return chinese_script.read(text)

    heard = change_texts(inputs, hear)
    write_names = capitals.learn(told)
    said = answer_simplified(change_texts(heard, write_names))
    if not isinstance(inputs, ReplyInputs):
        # A thought is the companion's own words: those of it that nobody told are of the script of most events.
        is_own = isinstance(inputs, ReflectionInputs) and _is_mostly_traditional(told)
        own = chinese_script.traditionalise if is_own else str
        return chinese_script.restore(said, told="\n".join(told), own=own)
    is_traditional = _is_asked_in_traditional(inputs)
    of_script = (text for text in told if chinese_script.is_traditional(text) == is_traditional)
    own = chinese_script.traditionalise if is_traditional else str
    own_told, all_told = "\n".join(of_script), "\n".join(told)
    return "".join(
        _restore_quote(part, all_told, write_names, own)
        if part[:1] == "“"
        else chinese_script.restore(part, told=own_told, own=own)
        for part in _QUOTES.split(said)
    )


def _is_mostly_traditional(told: list[str]) -> bool:
    return sum(map(chinese_script.is_traditional, told)) > sum(map(chinese_script.is_simplified, told))


def _restore_quote(quote: str, told: str, write_names: Callable[[str], str], own: Callable[[str], str]) -> str:
    simple = write_names(chinese_script.read(told))

    def restore(sentence: re.Match[str]) -> str:
        at = simple.find(sentence[0])
        return told[at : at + len(sentence[0])] if at >= 0 else chinese_script.restore(sentence[0], told=told, own=own)

    return _SENTENCE.sub(restore, quote)


def _is_asked_in_traditional(inputs: ReplyInputs) -> bool:
    """Whether the user's newest words that are of one script alone are traditional: 晚安 is of both."""
    said = [*inputs.burst[::-1], *(line.text for line in reversed(inputs.recent_messages) if line.is_user)]
    shown = (text for text in said if chinese_script.is_traditional(text) or chinese_script.is_simplified(text))
    return chinese_script.is_traditional(next(shown, ""))


def change_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Return a copy of inputs with each of their texts changed."""
    if type(value) is str:
        return change(value)
    if isinstance(value, Mapping):
        return {key: change_texts(each, change) for key, each in value.items()}
    if isinstance(value, list | tuple):
        changed = [change_texts(each, change) for each in value]
        return type(value)(*changed) if hasattr(value, "_fields") else type(value)(changed)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value)(**{one.name: change_texts(getattr(value, one.name), change) for one in fields(value)})
    return value
