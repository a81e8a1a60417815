"""Puts sentences that speak of one thing together: "We have a white cat", "He is called 小黑", "He jumps on my face"."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from echovessel.llm.offline import lexicon, names
from echovessel.llm.offline.names import Name

_SENTENCE = re.compile(r"[^。！？；!?\n.]+(?:[.](?=\S)[^。！？；!?\n.]+)*[。！？；!?.…]*[”\"'’」』）)]*")
_NEAR_LINES = 3
# Longer ones are no sentences, and patterns would take long over them.
_SENTENCE_MOST = 1000
_WORTH = 2


@dataclass(frozen=True)
class Sentence:
    text: str
    line: int


@dataclass
class Topic:
    sentences: list[Sentence] = field(default_factory=list)
    names: dict[str, Name] = field(default_factory=dict)

    @property
    def text(self) -> str:
        chosen = self._chosen()
        gap = "" if lexicon.is_chinese("".join(sentence.text for sentence in chosen)) else " "
        return gap.join(_ended(sentence.text) for sentence in chosen)

    @property
    def lines(self) -> list[int]:
        return sorted({sentence.line for sentence in self._chosen()})

    @property
    def concepts(self) -> set[str]:
        return set().union(*(lexicon.concepts(sentence.text) for sentence in self.sentences))

    @property
    def feelings(self) -> list[lexicon.Feeling]:
        """Of all its sentences, the strongest first, each tag once."""
        found: dict[str, lexicon.Feeling] = {}
        everything = [feeling for sentence in self.sentences for feeling in lexicon.feelings(sentence.text)]
        for feeling in sorted(everything, key=lambda feeling: -abs(feeling.impact)):
            found.setdefault(feeling.tag, feeling)
        return list(found.values())

    @property
    def impact(self) -> int:
        if self.feelings:
            return max(-10, min(10, self.feelings[0].impact))
        if "pet" in lexicon.widened(self.concepts) or any(name.kind == "pet" for name in self.names.values()):
            return 2
        return 1

    def _chosen(self) -> list[Sentence]:
        """At most three sentences, those that say most, in the order they were said."""
        best = sorted(self.sentences, key=self._weight, reverse=True)[:3]
        return [sentence for sentence in self.sentences if sentence in best]

    def _weight(self, sentence: Sentence) -> tuple[bool, int, int]:
        strongest = max((abs(feeling.impact) for feeling in lexicon.feelings(sentence.text)), default=0)
        return any(name in sentence.text for name in self.names), strongest, min(len(sentence.text), 80)


def group(lines: Iterable[tuple[int, str]]) -> list[Topic]:
    """What was said, as topics worth remembering; small talk and questions are none."""
    topics: list[Topic] = []
    for number, text in lines:
        for raw in split(text):
            _place(Sentence(raw, number), topics)
    return [topic for topic in topics if topic.sentences]


def split(text: str) -> list[str]:
    parts = (part.strip()[:_SENTENCE_MOST] for part in _SENTENCE.findall(text))
    return [part for part in parts if lexicon.has_words(part)]


def is_question(sentence: str) -> bool:
    return lexicon.matches("QUESTION", sentence)


def _place(sentence: Sentence, topics: list[Topic]) -> None:
    if lexicon.matches("SMALL_TALK", sentence.text) or _is_idle_question(sentence.text):
        return
    latest = topics[-1] if topics and sentence.line - topics[-1].sentences[-1].line <= _NEAR_LINES else None
    before = " ".join(said.text for said in latest.sentences) if latest else ""
    found = names.find(sentence.text, before=before)
    home = _home(sentence, found, latest, topics)
    if home is None:
        if not _is_worth_it(sentence.text, found):
            return
        home = Topic()
        topics.append(home)
    home.sentences.append(sentence)
    for name in found:
        home.names.setdefault(name.text, name)


def _home(sentence: Sentence, found: list[Name], latest: Topic | None, topics: list[Topic]) -> Topic | None:
    """The topic the sentence goes on with."""
    for topic in reversed(topics):
        if any(name in sentence.text for name in topic.names):
            return topic
    own = lexicon.pets(sentence.text) | lexicon.kin(sentence.text)
    for topic in reversed(topics):
        same = lexicon.pets(sentence.text) & topic.concepts
        if same and not (found and topic.names):
            return topic
    if latest and own and own <= latest.concepts and not found:
        return latest
    if latest and not own and _goes_on(sentence, found, latest):
        return latest
    return None


def _goes_on(sentence: Sentence, found: list[Name], latest: Topic) -> bool:
    """Whether a sentence that names nothing of its own speaks of, or reacts to, what was said just before."""
    if lexicon.matches("REFERS_BACK", sentence.text):
        return True
    if found:
        return False
    if latest.concepts and lexicon.matches("THIRD_PERSON", sentence.text):
        return True
    felt = lexicon.feelings(sentence.text)
    is_next = sentence.line - latest.sentences[-1].line <= 1
    return bool(felt) and is_next and (felt[0].impact < 0) == (latest.impact < 0)


def _is_worth_it(text: str, found: list[Name]) -> bool:
    strongest = max((abs(feeling.impact) for feeling in lexicon.feelings(text)), default=0)
    if strongest >= _WORTH or found or lexicon.matches("LIFE", text):
        return True
    return bool(lexicon.concepts(text)) and lexicon.matches("MYSELF", text)


def _is_idle_question(text: str) -> bool:
    if not is_question(text) or lexicon.matches("CRY_FOR_HELP", text):
        return False
    return not any(feeling.impact <= -6 for feeling in lexicon.feelings(text))


def _ended(text: str) -> str:
    if re.search(r"[。！？；!?.…”\"'’」』）)]$", text):
        return text
    return text + ("。" if lexicon.is_chinese(text) else ".")
