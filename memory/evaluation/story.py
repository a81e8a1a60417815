"""The schema of a story file: its messages, their memories, and the questions afterwards."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from memory import text
from memory.answers.coercion import RelationalTag

FOLDER = Path(__file__).parent / "stories"
# The C loader is ten times as fast, where the package has it.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
PEAK_IMPACT = 6

Window = tuple[date, date]
Days = Annotated[Window | None, BeforeValidator(lambda day: (day, day) if isinstance(day, date) else day)]
Clock = Annotated[str, Field(pattern=r"^\d\d:\d\d$")]
Impact = Annotated[int, Field(ge=-10, le=10)]
Day = Annotated[int, Field(ge=1, le=60)]


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StoryMessage(Shape):
    """A message of the user (`u`) or the persona (`p`)."""

    u: str = ""
    p: str = ""

    @model_validator(mode="after")
    def said_by_one(self) -> Self:
        if bool(self.u) == bool(self.p):
            raise ValueError("a line is either u or p")
        return self

    @property
    def text(self) -> str:
        return self.u or self.p


class StoryMemory(Shape):
    """A memory that a good extraction finds in a session."""

    id: str
    text: str
    pieces: list[str] = Field(alias="from", min_length=1)
    impact: Impact
    about: list[str] = Field(min_length=1)
    # A memory of this peak holds at least one of these words.
    peak: list[str] = []
    tags: list[str] = []
    relational: list[RelationalTag] = []
    subject: Literal["user", "persona", "shared"] = "user"
    when: Days = None
    replaces: list[str] = []

    @model_validator(mode="after")
    def peaks_are_strong(self) -> Self:
        if self.peak and abs(self.impact) < PEAK_IMPACT:
            raise ValueError(f"{self.id} is a peak of impact {self.impact}")
        return self


class StoryEntity(Shape):
    name: str
    kind: Literal["person", "place", "org", "pet", "other"]
    also: list[str] = []


class StorySameEntity(Shape):
    a: str
    b: str
    stated: str = ""


class StoryClarification(Shape):
    a: str
    b: str
    same: bool


class StoryMood(Shape):
    mood: str
    energy: int = Field(ge=0, le=10)
    signal: Literal["warm", "cool", "tired", "frustrated"] | None = None


class StoryThought(Shape):
    id: str
    text: str
    impact: Impact = 0
    subject: Literal["user", "persona"] = "user"
    rests_on: list[str] = Field(min_length=1)


class StoryExpectation(Shape):
    id: str
    about: str
    text: str
    due: date | None = None
    rests_on: list[str] = Field(min_length=1)


class StoryIntention(Shape):
    id: str
    text: str
    due: date | None = None
    rests_on: list[str] = Field(min_length=1)


class StoryDescription(Shape):
    name: str
    text: str


class StorySlowTick(Shape):
    """The slow tick after the first of two sessions."""

    questions: list[str] = []
    thoughts: list[StoryThought] = []
    expects: list[StoryExpectation] = []
    intends: list[StoryIntention] = []
    describes: list[StoryDescription] = []
    resolved: dict[str, Literal["fulfilled", "missed", "kept", "broken", "cancelled"]] = {}

    @property
    def written(self) -> list[StoryThought | StoryExpectation | StoryIntention]:
        return [*self.thoughts, *self.expects, *self.intends]


class StoryMoment(Shape):
    day: Day
    at: Clock


class StorySession(StoryMoment):
    channel: Literal["web", "api"]
    lines: list[StoryMessage] = Field(min_length=1)
    remembered: list[StoryMemory] = Field(default=[], max_length=3)
    names: list[StoryEntity] = []
    same: list[StorySameEntity] = []
    cleared: StoryClarification | None = None
    mood: StoryMood | None = None
    summary: str = Field(default="", max_length=200)
    thoughts: list[StoryThought] = Field(default=[], max_length=2)
    between: StorySlowTick = StorySlowTick()

    @model_validator(mode="after")
    def pieces_are_said_once(self) -> Self:
        """Check that each cited piece of text is in exactly one message of the session."""
        stated = [same.stated for same in self.same if same.stated]
        for piece in [*stated, *(piece for one in self.remembered for piece in one.pieces)]:
            said = sum(piece in message.text for message in self.lines)
            if said != 1:
                raise ValueError(f"day {self.day}: {piece!r} is in {said} lines")
        return self

    def find_messages(self, one: StoryMemory) -> list[StoryMessage]:
        return [message for message in self.lines if any(piece in message.text for piece in one.pieces)]


class StoryForgetting(StoryMoment):
    id: str
    lines: Literal["keep", "forget"] = "keep"
    dependents: Literal["orphan", "cascade"] = "orphan"
    # Texts that no prompt may hold afterwards.
    gone: list[str] = Field(min_length=1)


class StoryQuestion(Shape):
    ask: str
    find: list[str] = Field(min_length=1)
    about: list[str] = []
    by: Literal["fact", "alias", "dated", "peak"] = "fact"
    day: Day | None = None
    at: Clock | None = None


class StoryEnd(Shape):
    """The wanted state at the end."""

    same: list[list[str]] = []
    different: list[list[str]] = []
    states: dict[str, str] = {}


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
        """All memories of the story."""
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
    told: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER)
    return Story.model_validate(told | {"name": path.stem})


def load_all(folder: Path = FOLDER) -> list[Story]:
    return [load(path) for path in sorted(folder.glob("*.yaml"))]
