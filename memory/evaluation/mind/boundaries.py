"""Where talks change their subject: thirty talks in English and Chinese, labelled before they were run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from echovessel import text
from echovessel.embeddings import embedding
from memory.evaluation import tally
from memory.evaluation.files import load_yaml
from memory.evaluation.tally import Evaluated, Tally
from memory.knowing import signals, topics
from memory.knowing.topics import Subject
from memory.models import Topic
from memory.recall.recent_topics import RecentTopics

FOLDER = Path(__file__).parent
FILES = {"en": "english_talks.yaml", "zh": "chinese_talks.yaml"}
NAME, KEPT_BACK = "topic boundaries F1", "topic boundaries, kept back F1"
# A boundary that is found a turn early or late is found.
WITHIN_TURNS = 1
TODAY = date(2026, 11, 21)
NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
MARK = ">"


@dataclass(frozen=True)
class LabelledTalk:
    """The user's lines of a talk, and the places of those that begin another subject."""

    names: Sequence[str]
    together: Sequence[Sequence[str]]
    lines: Sequence[str]
    boundaries: Sequence[int]

    def find_named(self, line: str) -> frozenset[int]:
        folded = text.fold(line)
        return frozenset(at for at, name in enumerate(self.names) if text.contains_name(folded, text.fold(name)))

    def find_beside(self, entity_ids: Sequence[int]) -> frozenset[int]:
        """Find the entities that share memories with one of these, and these themselves."""
        groups = [{self.names.index(name) for name in group} for group in self.together]
        return frozenset(entity_ids).union(*(group for group in groups if group.intersection(entity_ids)))


def evaluate() -> Evaluated:
    """Return the figures by language, and the misses of the half that rules were tuned on."""
    evaluated = Evaluated()
    for lang in FILES:
        counted = Tally()
        for number, talk in enumerate(load_talks(lang)):
            count_talk(talk, counted, name=KEPT_BACK if number % 2 else NAME)
        evaluated.figures += tally.build_figures({lang: counted}, names=(NAME, KEPT_BACK))
        evaluated.misses += [f"{lang}  {miss}" for miss in counted.misses[NAME]]
    return evaluated


def load_talks(lang: str) -> Iterator[LabelledTalk]:
    for talk in load_yaml(FOLDER / FILES[lang]):
        lines = talk["lines"]
        yield LabelledTalk(
            names=talk["names"],
            together=talk["together"],
            lines=[line.removeprefix(MARK).strip() for line in lines],
            boundaries=[at for at, line in enumerate(lines) if line.startswith(MARK)],
        )


def count_talk(talk: LabelledTalk, counted: Tally, *, name: str) -> None:
    left = find_boundaries(talk)
    for at in talk.boundaries:
        near = min((one for one in left if abs(one - at) <= WITHIN_TURNS), key=lambda one: abs(one - at), default=None)
        counted.count(name, found=near is not None, miss=f"not found: {talk.lines[at]}")
        left = [one for one in left if one != near]
    for at in left:
        counted.add_beside(name, miss=f"no change: {talk.lines[at]}")


def find_boundaries(talk: LabelledTalk) -> list[int]:
    """Find the lines with which another topic begins, besides the first."""
    found: list[int] = []
    current: Topic | None = None
    earlier: list[Topic] = []
    for at, line in enumerate(talk.lines):
        beside = talk.find_beside(current.entity_ids) if current else frozenset()
        known = RecentTopics(current=current, beside=beside, earlier=earlier)
        step = topics.take_step(known, build_subject(talk, line), is_return=False, now=NOW)
        if step.is_new and current is not None:
            found.append(at)
            earlier = [current, *(one for one in earlier if one is not step.topic)]
        current = step.topic
    return found


def build_subject(talk: LabelledTalk, line: str) -> Subject:
    named = talk.find_named(line)
    heard = signals.read(line, today=TODAY, names_someone=bool(named))
    [vector] = embedding.embed([line], of_question=True)
    return topics.build_subject(line, heard, named=named, vector=vector)
