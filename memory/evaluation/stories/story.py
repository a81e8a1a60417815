"""A whole story file, checked, with the times, people and threads that follow from it."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cached_property
from pathlib import Path
from typing import Literal, Self
from zoneinfo import ZoneInfo

from pydantic import Field, model_validator

from echovessel import text
from memory.evaluation.files import load_yaml
from memory.evaluation.stories.parts import (
    Shape,
    StoryEnd,
    StoryExpectation,
    StoryForgetting,
    StoryIntention,
    StoryMemory,
    StoryMoment,
    StoryQuestion,
    StorySession,
    StoryThought,
)

FOLDER = Path(__file__).parent


class Story(Shape):
    name: str
    lang: Literal["en", "zh"]
    user: str
    persona: str
    zone: str
    begin: date
    user_block: str = ""
    persona_block: str = ""
    talks: list[StorySession] = Field(min_length=1)
    forgets: list[StoryForgetting] = []
    questions: list[StoryQuestion] = []
    unrelated: list[str] = []
    # Questions that come near what was told, and whose answer was not.
    untold: list[str] = []
    ends: StoryEnd = StoryEnd()

    @model_validator(mode="after")
    def hangs_together(self) -> Self:
        ids = [one.id for one in self.written]
        twice = sorted({one for one in ids if ids.count(one) > 1})
        unknown = sorted(set(self.cited) - set(ids))
        threads = {thread for one in self.remembered.values() for thread in one.about}
        foreign = sorted({thread for question in self.questions for thread in question.about} - threads)
        moments = [self.moment(session) for session in self.talks]
        if twice or unknown or foreign:
            raise ValueError(f"twice {twice}, unknown {unknown}, threads of nothing {foreign}")
        if moments != sorted(moments):
            raise ValueError("the talks are not in the order of their times")
        if forgotten := sorted({one.id for one in self.forgets} & {id for one in self.questions for id in one.find}):
            raise ValueError(f"{forgotten} are forgotten and asked for")
        return self

    @cached_property
    def remembered(self) -> dict[str, StoryMemory]:
        return {one.id: one for session in self.talks for one in session.remembered}

    @cached_property
    def thoughts(self) -> dict[str, StoryThought]:
        return {one.id: one for session in self.talks for one in (*session.thoughts, *session.between.thoughts)}

    def find_text(self, id: str) -> str:
        return next(one.text for one in self.written if one.id == id)

    @property
    def written(self) -> Iterator[StoryMemory | StoryThought | StoryExpectation | StoryIntention]:
        for session in self.talks:
            yield from (*session.remembered, *session.thoughts, *session.between.written)

    @property
    def cited(self) -> Iterator[str]:
        for session in self.talks:
            yield from (old for one in session.remembered for old in one.replaces)
            yield from (old for one in (*session.thoughts, *session.between.written) for old in one.rests_on)
            yield from session.between.resolved
        yield from (one.id for one in self.forgets)
        yield from (one for question in self.questions for one in question.find)
        yield from self.ends.states

    def moment(self, said: StoryMoment) -> datetime:
        return self.local(said.day, said.at)

    def asked_at(self, question: StoryQuestion | None = None) -> datetime:
        """The time of a question: a day after the last session, unless it has its own day."""
        last = self.talks[-1]
        day = question.day if question and question.day else last.day + 1
        return self.local(day, (question.at if question else None) or last.at)

    def local(self, day: int, clock: str) -> datetime:
        on = self.begin + timedelta(days=day - 1)
        return datetime.combine(on, time.fromisoformat(clock), tzinfo=ZoneInfo(self.zone))

    @cached_property
    def people(self) -> list[set[str]]:
        """The people and animals of the story, each with all names."""
        named = [
            {one.name, *one.also} for session in self.talks for one in session.names if one.kind in ("person", "pet")
        ]
        found: list[set[str]] = []
        for names in [*map(set, self.ends.same), *named]:
            shared = [other for other in found if other & names]
            found = [other for other in found if not other & names] + [names.union(*shared)]
        return found

    def collect_threads(self, id: str) -> set[str]:
        """Collect the threads and the people of a story id; for a thought also those of its evidence."""
        if id in self.remembered:
            return set(self.remembered[id].about) | self.find_people(self.remembered[id].text)
        if id not in self.thoughts:
            return set()
        thought = self.thoughts[id]
        return self.find_people(thought.text).union(*(self.collect_threads(one) for one in thought.rests_on))

    def find_people(self, said: str) -> set[str]:
        """Find the people whom a text names."""
        folded = text.fold(said)
        return {
            min(names) for names in self.people if any(text.contains_name(folded, text.fold(name)) for name in names)
        }

    def collect_related(self, question: StoryQuestion) -> set[str]:
        """Collect what is related to a question: it shares a thread or a person with a wanted memory."""
        found = [self.collect_threads(id) for id in question.find]
        return {*question.about, *self.find_people(question.ask)}.union(*found)


def load(path: Path) -> Story:
    """Raises pydantic's ValidationError where the file is no story."""
    return Story.model_validate(load_yaml(path) | {"name": path.stem})


def load_all(folder: Path = FOLDER) -> list[Story]:
    return [load(path) for path in sorted(folder.glob("*.yaml"))]
