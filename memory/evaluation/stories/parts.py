"""The parts of a story file: its sessions, their memories, and the questions afterwards."""

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from memory.answers.coercion import RelationalTag

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
