"""Puts sentences that speak of one thing together: "We have a white cat", "He is called 小黑", "He jumps on my face"."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from echovessel.llm.offline import changes, lexicon, names, parties, weighing
from echovessel.llm.offline.cues import Party
from echovessel.llm.offline.names import Name
from echovessel.llm.offline.parties import Known
from echovessel.llm.offline.weighing import PEAK, Feeling, Scene

_SENTENCE = re.compile(r"[^。！？；!?\n.]+(?:[.](?=\S)[^。！？；!?\n.]+)*[。！？；!?.…]*[”\"'’」』）)]*")
_NEAR_LINES = 3
# Longer ones are no sentences, and patterns would take long over them.
_SENTENCE_MOST = 1000
_WORTH = 2


@dataclass(frozen=True)
class Sentence:
    text: str
    line: int
    feelings: tuple[Feeling, ...] = ()

    @property
    def impact(self) -> int:
        return self.feelings[0].impact if self.feelings else 0


@dataclass
class Topic:
    sentences: list[Sentence] = field(default_factory=list)
    names: dict[str, Name] = field(default_factory=dict)

    @property
    def text(self) -> str:
        gap = "" if lexicon.is_chinese("".join(sentence.text for sentence in self.chosen)) else " "
        return gap.join(_ended(sentence.text) for sentence in self.chosen)

    @property
    def lines(self) -> list[int]:
        return sorted({sentence.line for sentence in self.chosen})

    @property
    def chosen(self) -> list[Sentence]:
        """At most three sentences, those that say most, in the order they were said."""
        best = sorted(self.sentences, key=self._weight, reverse=True)[:3]
        return [sentence for sentence in self.sentences if sentence in best]

    @property
    def concepts(self) -> set[str]:
        return set().union(*(lexicon.concepts(sentence.text) for sentence in self.sentences))

    @property
    def feelings(self) -> list[Feeling]:
        """Of all its sentences, the strongest first, each tag once."""
        found: dict[str, Feeling] = {}
        everything = [feeling for sentence in self.sentences for feeling in sentence.feelings]
        for feeling in sorted(everything, key=lambda feeling: -abs(feeling.impact)):
            found.setdefault(feeling.tag, feeling)
        return list(found.values())

    @property
    def impact(self) -> int:
        if self.feelings:
            return self.feelings[0].impact
        if "pet" in lexicon.widened(self.concepts) or any(name.kind == "pet" for name in self.names.values()):
            return 2
        return 1

    def _weight(self, sentence: Sentence) -> tuple[bool, bool, int, int]:
        is_named = any(name in sentence.text for name in self.names)
        return abs(sentence.impact) >= PEAK, is_named, abs(sentence.impact), min(len(sentence.text), 80)


@dataclass
class _Talk:
    """What has been heard so far: the topics, who is who, and whether a story is being told."""

    topics: list[Topic] = field(default_factory=list)
    names: dict[str, Party] = field(default_factory=dict)
    referent: Party | None = None
    referent_line: int = 0
    told_until: int = -1
    last_line: int = -1

    def hear(self, text: str, line: int) -> Sentence:
        is_told = weighing.is_fiction(text)
        scene = Scene(self.known(line), is_told=is_told or line <= self.told_until)
        if is_told:
            self.told_until = line + 1
        self._learn(text, line)
        return Sentence(text, line, tuple(weighing.feelings(text, scene)))

    def known(self, line: int) -> Known:
        is_near = line - self.referent_line <= _NEAR_LINES
        return Known(self.names, self.referent if is_near else None)

    def _learn(self, text: str, line: int) -> None:
        in_chinese = lexicon.is_chinese(text)
        spoken = [
            person.party
            for person in parties.mentions(lexicon.plain(text), in_chinese=in_chinese, known=self.known(line))
            if person.party not in (Party.SELF, Party.NOBODY, Party.STRANGER)
        ]
        if spoken:
            self.referent, self.referent_line = spoken[0], line
        of_concepts = parties.of_concepts(lexicon.pets(text) | lexicon.kin(text))
        for name in names.find(text):
            if name.kind in ("pet", "person"):
                self.names.setdefault(name.text, Party.PET if name.kind == "pet" else of_concepts or Party.NAMED)


def group(
    lines: Iterable[tuple[int, str]], *, known: Mapping[str, Party] | None = None, told: Collection[int] = ()
) -> list[Topic]:
    """What was said, as topics worth remembering; small talk and questions are none.

    `known` are names said in other talks; `told` the lines that answer somebody who spoke of a film or a book.
    """
    talk = _Talk(names=dict(known or {}))
    for at, (number, text) in enumerate(lines):
        if number in told:
            talk.told_until = max(talk.told_until, at)
        for raw in split(text):
            heard = talk.hear(raw, at)
            _place(Sentence(raw, number, heard.feelings), talk.topics)
    return [topic for topic in talk.topics if topic.sentences]


def split(text: str) -> list[str]:
    parts = (part.strip()[:_SENTENCE_MOST] for part in _SENTENCE.findall(text))
    return [part for part in parts if lexicon.has_words(part)]


def is_question(sentence: str) -> bool:
    return lexicon.matches("QUESTION", sentence)


def _place(sentence: Sentence, topics: list[Topic]) -> None:
    if not _is_peak(sentence) and (lexicon.matches("SMALL_TALK", sentence.text) or _is_idle_question(sentence)):
        return
    latest = topics[-1] if topics and sentence.line - topics[-1].sentences[-1].line <= _NEAR_LINES else None
    before = " ".join(said.text for said in latest.sentences) if latest else ""
    found = names.find(sentence.text, before=before)
    home = _home(sentence, found, latest, topics)
    if home is None or _is_another_peak(sentence, home):
        if not _is_worth_it(sentence, found):
            return
        home = Topic()
        topics.append(home)
    home.sentences.append(sentence)
    for name in found:
        home.names.setdefault(name.text, name)


def _is_peak(sentence: Sentence) -> bool:
    return abs(sentence.impact) >= PEAK


def _is_another_peak(sentence: Sentence, home: Topic) -> bool:
    """Whether it tells of something as strong as its topic, and other: a death and an engagement are two events."""
    strongest = max(home.sentences, key=lambda said: abs(said.impact))
    if not (_is_peak(sentence) and _is_peak(strongest)):
        return False
    return (sentence.impact < 0) != (strongest.impact < 0)


def _home(sentence: Sentence, found: list[Name], latest: Topic | None, topics: list[Topic]) -> Topic | None:
    """The topic the sentence goes on with."""
    for topic in reversed(topics):
        if any(name in sentence.text for name in topic.names):
            return topic
    if (
        latest
        and _is_peak(sentence)
        and sentence.line == latest.sentences[-1].line
        and not _is_another_peak(sentence, latest)
    ):
        return latest
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
    is_next = sentence.line - latest.sentences[-1].line <= 1
    return bool(sentence.feelings) and is_next and (sentence.impact < 0) == (latest.impact < 0)


def _is_worth_it(sentence: Sentence, found: list[Name]) -> bool:
    if (
        abs(sentence.impact) >= _WORTH
        or found
        or lexicon.matches("LIFE", sentence.text)
        or changes.is_correction(sentence.text)
    ):
        return True
    return bool(lexicon.concepts(sentence.text)) and lexicon.matches("MYSELF", sentence.text)


def _is_idle_question(sentence: Sentence) -> bool:
    return is_question(sentence.text) and not any(feeling.impact <= -PEAK for feeling in sentence.feelings)


def _ended(text: str) -> str:
    if re.search(r"[。！？；!?.…”\"'’」』）)]$", text):
        return text
    return text + ("。" if lexicon.is_chinese(text) else ".")
