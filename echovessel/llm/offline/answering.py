"""Answers what is asked about what was told: by the lines of the window, exact words, memories, and what the user wrote of themselves."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from echovessel.llm.offline import chinese_cues, cueing, english_cues, lexicon, names, sentences, topics
from echovessel.llm.offline.context import Memory, ReplyContext

_SUFFICIENT = 5
_NAME_FIT, _CONCEPT_FIT, _WORD_FIT, _EVIDENCE_FIT = 4, 3, 2, 3
# Who tells who they are says it by these words alone.
_OWN = ("name", "job", "home")
# A question that shows by its words what the answer must hold.
_NEEDS_EVIDENCE = ("when", "how_many", "where", "called")


@dataclass(frozen=True)
class Told:
    """Something that was told, with what of it answers the question where that can be said in a word."""

    memory: Memory
    fit: int
    answer: str = ""

    @property
    def is_written(self) -> bool:
        """Whether it is of what the user wrote about themselves."""
        return self.memory.age is None


def kind_of(question: str) -> str:
    asks = cueing.words(question).ASKS
    return next((kind for kind, pattern in asks.items() if cueing.search(pattern, question)), "")


def best(context: ReplyContext, question: str) -> list[Told]:
    """What answers the question, the best first; of equals the newest."""
    kind = kind_of(question)
    found = [told for memory in everything(context) if (told := _weighed(memory, question, kind)) and told.fit]
    newest_first = found[::-1]
    return sorted(newest_first, key=lambda told: -told.fit)


def near(context: ReplyContext, question: str) -> Memory | None:
    """What bears on a question without answering it: the cat, where its name is asked for."""
    found = [(fit(memory.text, question), memory) for memory in everything(context)]
    best_fit, memory = max(found, key=lambda one: one[0], default=(0, None))
    return memory if best_fit >= _CONCEPT_FIT else None


def everything(context: ReplyContext) -> Iterator[Memory]:
    """What was told, the oldest first: single sentences, and those that speak of one thing together."""
    for sentence in _sentences(context.account):
        yield Memory(None, sentence)
    yield from context.memories
    for lines in (context.words, context.told):
        for line in lines:
            yield from (Memory(line.age, sentence) for sentence in _sentences(line.text))
        yield from _together(lines)


def _sentences(text: str) -> Iterator[str]:
    return (sentence for sentence in sentences.split(text) if not sentences.is_question(sentence))


def _together(lines: Iterable[Memory]) -> Iterator[Memory]:
    lines = list(lines)
    for topic in topics.group(enumerate(line.text for line in lines)):
        if len(topic.chosen) > 1:
            yield Memory(lines[topic.lines[0]].age, topic.text)


def _weighed(memory: Memory, question: str, kind: str) -> Told | None:
    text = memory.text
    if text.casefold().strip(" .。!！") in question.casefold():
        return None
    if kind == "name":
        name = lexicon.my_name(text)
        return Told(memory, _SUFFICIENT, name) if name else None
    words = cueing.words(text)
    has_evidence = kind in words.EVIDENCE and bool(cueing.search(words.EVIDENCE[kind], text))
    if kind in _OWN:
        return Told(memory, _SUFFICIENT) if has_evidence else None
    named = names.find(text)
    called = [name.text for name in named if _holds(question, name.text)] or _called(question, text)
    if kind == "called":
        has_evidence = bool(named)
    fit = _fit(text, question, called)
    if not fit or (kind in _NEEDS_EVIDENCE and not has_evidence and not called):
        return None
    answer = "" if called or kind != "called" else _name_asked(named, question)
    return Told(memory, fit + _EVIDENCE_FIT * has_evidence, answer)


def fit(text: str, said: str) -> int:
    """How much something told has to do with what is said now."""
    return _fit(text, said, [name.text for name in names.find(text) if _holds(said, name.text)])


def _fit(text: str, question: str, called: list[str]) -> int:
    asked, spoken = lexicon.concepts(question), lexicon.widened(lexicon.concepts(text))
    shared = asked & spoken
    words = len(_content(question) & _content(text))
    if asked and not shared and not called and (lexicon.concepts(text) or words < 2):
        # A sister's exam is not one's own, and a cat is no dog.
        return 0
    return _NAME_FIT * len(called) + _CONCEPT_FIT * len(shared) + _WORD_FIT * words


def _content(text: str) -> set[str]:
    """Words that carry meaning, each with those that stand for it."""
    idle = chinese_cues.IDLE if lexicon.is_chinese(text) else _IDLE_STEMS
    found = lexicon.content(text) - idle
    plain = text.casefold()
    for group in _ALIKE:
        members = group.split()
        if any(re.search(rf"\b{word}", plain) if word.isascii() else word in plain for word in members):
            found.add(members[0])
    return found


_IDLE_STEMS = frozenset().union(*map(lexicon.content, english_cues.IDLE)) | english_cues.IDLE
_ALIKE = (*english_cues.ALIKE, *chinese_cues.ALIKE)


def _called(question: str, text: str) -> list[str]:
    """Capitalised words of the question that the text holds, but for its first."""
    found = [match.group() for match in re.finditer(english_cues.NAMED, question) if match.start()]
    return [name for name in found if name.casefold() not in names.NO_NAMES and _holds(text, name)]


def _holds(text: str, name: str) -> bool:
    return name.casefold() in text.casefold()


def _name_asked(named: list[names.Name], question: str) -> str:
    is_pet = "pet" in lexicon.widened(lexicon.concepts(question))
    return next((name.text for name in named if (name.kind == "pet") == is_pet), "")
