"""Picks, out of what the prompt brings back, what bears on the words just said."""

import re
from dataclasses import dataclass

from echovessel.llm.offline import chinese, lexicon, names, sentences, topics
from echovessel.llm.offline.reading import Prompt

_QUOTE_MOST = 160


@dataclass(frozen=True)
class Remembered:
    quote: str
    # Whether the quote is the user's own words; a model writes memories in the third person.
    is_verbatim: bool
    # When it was said, in English as the prompt says it; "" means in this talk.
    when: str
    # A name in it that fits what was said now, if there is one.
    name: str
    fit: int


def best(prompt: Prompt, *, besides: str = "") -> list[Remembered]:
    """What fits the burst, the best first; between equals what was recalled goes before this talk's own lines."""
    found = [memory for memory in everything(prompt) if memory.fit and _is_other(memory.quote, besides)]
    return sorted(found, key=lambda memory: -memory.fit)


def everything(prompt: Prompt) -> list[Remembered]:
    recalled = [(memory.text, memory.when or "earlier") for memory in prompt.memories]
    lines = enumerate(memory.text for memory in prompt.words)
    spoken = [(topic.text, prompt.words[topic.lines[0]].when or "earlier") for topic in topics.group(lines)]
    here = [(topic.text, "") for topic in topics.group(enumerate(prompt.earlier))]
    return [_weighed(prompt.burst, text, when) for text, when in (*recalled, *spoken, *here)]


def _weighed(burst: str, text: str, when: str) -> Remembered:
    named = names.find(text)
    called = [name.text for name in named if name.text.casefold() in burst.casefold()]
    asked = lexicon.concepts(burst)
    shared = asked & lexicon.widened(lexicon.concepts(text))
    words = lexicon.content(burst) & lexicon.content(text)
    fit = 4 * len(called) + 3 * len(shared) + len(words)
    if lexicon.matches("ASKS_MY_NAME", burst) and lexicon.my_name(text):
        fit += 5
    elif not shared and not called and (asked or len(words) < _words_needed(burst)):
        fit = 0
    fitting = [name.text for name in named if not asked or (name.kind == "pet") == ("pet" in lexicon.widened(asked))]
    quote = _addressed(text)
    return Remembered(
        quote=quote if len(quote) <= _QUOTE_MOST else quote[:_QUOTE_MOST].rstrip() + "…",
        is_verbatim=quote == text,
        when=when,
        name=(called or fitting or [""])[0],
        fit=fit,
    )


def _words_needed(burst: str) -> int:
    """One common word says enough in an English question; elsewhere, and for pairs of Chinese characters, it may be chance."""
    return 1 if sentences.is_question(burst) and not lexicon.is_chinese(burst) else 2


def _addressed(text: str) -> str:
    """A memory in the third person, turned to the second."""
    for pattern, replacement in lexicon.language(text).USER:
        text = re.sub(pattern, replacement, text)
    return text


def _is_other(text: str, besides: str) -> bool:
    return text.casefold().strip(" .。!！") not in besides.casefold()


def in_chinese(when: str) -> str:
    """A relative time of the prompt; "" where it has no plain counterpart."""
    for pattern, replacement in chinese.TIMES:
        if re.fullmatch(pattern, when):
            return re.sub(pattern, replacement, when)
    return ""
