"""The trace of a turn: what recall found and why, as ids and numbers.

Stored traces, exports and the API have the keys of the first version: `items`, `words` for quotes, and in `cut` the names of
`CUT_NAMES`. What is forgotten for good leaves the traces, too (`chat.erasure.purged_turns`).
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, Field

from chat.models import Turn
from chat.turns.prompting.selection.section_selection import Rule, Section, Selection
from echovessel.llm.inputs import Certainty
from memory.knowing.confidence import Knowing
from memory.knowing.topics import Step
from memory.story.inclusion.included import Inclusion
from memory.transfer.shapes import Number, Period, Whole

# Where a stored trace holds ids, as paths of PostgreSQL.
NODE_PATH, MESSAGE_PATH = "$.items[*].node", "$.words[*].message"
TOPIC_PATH, CARD_PATH = "$.topic.entities[*]", "$.cards.entities[*]"
ENTITY_PATH = '$.items[*].anchored_by[*] ? (@.type() == "number")'
# The names of those lists of a prompt that are stored under another one.
CUT_NAMES = {"quotes": "words", "recent_messages": "lines", "sessions": "talks", "line_recaps": "recaps"}

# The lists of a prompt that the pieces about talks are cut from, where their names differ.
INPUT_NAMES = {"recaps": "line_recaps", "window": "recent_messages"}

# An export has their names, where other values are read strictly.
TracedSection = Annotated[Section, BeforeValidator(Section)]
TracedRule = Annotated[Rule, BeforeValidator(Rule)]
TracedCertainty = Annotated[Certainty, BeforeValidator(Certainty)]
EvidenceName = Literal["shift", "names", "likeness", "brief"]
IdMap = Callable[[int], int | None]


class TracedMemory(BaseModel):
    """A candidate of a recall; `terms` are those of its score by name, before their weights."""

    node: Whole
    score: Number
    terms: dict[str, Number]
    # Ids of entities, and periods.
    anchored_by: list[Whole | Period]
    kept: bool
    reason: str | None


class TracedQuote(BaseModel):
    message: Whole
    score: Number


class TracedSignals(BaseModel):
    """What the burst showed by its words."""

    mark: bool
    interrogative: bool
    greeting: bool
    bare: bool
    feedback: Whole
    reference: bool
    shift: bool
    stay: bool
    crisis: bool
    density: Number
    tokens: Whole
    asks: bool
    asks_past: bool


class TracedKnowing(BaseModel):
    """How sure memory was: each term, what came of them, and whether it was looked for again."""

    g: Number
    fok: Number
    f: Number
    warmth: Number
    stock: Number
    confidence: Number
    state: TracedCertainty | None
    widened: bool

    @classmethod
    def describe(cls, knowing: Knowing) -> Self:
        terms = vars(knowing).items()
        return cls.model_validate(
            {name: round(value, 3) if isinstance(value, float) else value for name, value in terms}
        )


class TracedTopic(BaseModel):
    """Where the subject of the talk moved, and the evidence for a change; `entities` are its ids."""

    is_new: bool
    is_resumed: bool
    entities: list[Whole]
    turns: Whole
    streak: Whole
    acc: Number
    evidence: dict[EvidenceName, Number]
    likeness: Number | None
    focus: Literal["", "explicit", "inferred"]

    @classmethod
    def describe(cls, step: Step) -> Self:
        topic = step.topic
        return cls.model_validate(
            {
                "is_new": step.is_new,
                "is_resumed": step.is_resumed,
                "entities": [*topic.entity_ids],
                "turns": topic.turn_count,
                "streak": topic.streak,
                "acc": round(topic.acc, 3),
                "evidence": asdict(step.evidence),
                "likeness": None if step.likeness is None else round(step.likeness, 3),
                "focus": topic.focus,
            }
        )


class TracedSections(BaseModel):
    """The sections of memory that were left out, and those that came back, each with the rule that left it out."""

    out: dict[TracedSection, TracedRule]
    back: dict[TracedSection, TracedRule]

    @classmethod
    def describe(cls, selection: Selection) -> Self:
        return cls(out=dict(selection.out), back=dict(selection.back))


class TracedPiece(BaseModel):
    """A piece of a prompt that tells talks: how many items and tokens it has."""

    count: Whole
    tokens: Whole


class TracedStory(TracedPiece):
    """The story: the number of its version, and how many points of it the prompt holds."""

    version: Whole


class TracedCards(TracedPiece):
    """The cards of people and things, with the ids of these."""

    entities: list[Whole]


class TracedStep(BaseModel):
    """A tool that the model called while it replied, what came of it, and how long that took."""

    tool: Annotated[str, Field(max_length=64)]
    code: Annotated[str, Field(max_length=64)]
    ms: Whole


class TracedTalks(BaseModel):
    """What a prompt told of the talks before its recent messages."""

    # None where there is no story yet.
    story: TracedStory | None
    scenes: TracedPiece
    recaps: TracedPiece
    window: TracedPiece
    # Messages that nothing told, as there was no room.
    uncovered: Whole

    @classmethod
    def describe(cls, inclusion: Inclusion, cut: Mapping[str, int]) -> Self:
        """Describe what was included, without what was cut from the prompt."""
        tokens = inclusion.tokens
        pieces = {
            name: TracedPiece(count=count - cut.get(INPUT_NAMES.get(name, name), 0), tokens=tokens[name])
            for name, count in inclusion.counts.items()
        }
        version = inclusion.version
        return cls(
            story=None if version is None else TracedStory(version=version, **pieces["story"].model_dump()),
            scenes=pieces["scenes"],
            recaps=pieces["recaps"],
            window=pieces["window"],
            uncovered=inclusion.uncovered,
        )


class Trace(BaseModel):
    memories: list[TracedMemory] = Field([], alias="items")
    quotes: list[TracedQuote] = Field([], alias="words")
    # How many items of each list were cut from the prompt.
    cut: dict[str, Whole] = Field({})
    prompt_tokens: Whole | None = None
    # Whether recall had to do without the burst's vector.
    without_vector: bool = False
    # None in traces from before they were kept.
    signals: TracedSignals | None = None
    knowing: TracedKnowing | None = None
    # The silence before the burst; None before the first message.
    gap_seconds: Whole | None = None
    # None off the record, and in older traces.
    topic: TracedTopic | None = None
    sections: TracedSections | None = None
    # None where prompts hold no story.
    story: TracedStory | None = None
    scenes: TracedPiece | None = None
    recaps: TracedPiece | None = None
    window: TracedPiece | None = None
    uncovered: Whole | None = None
    cards: TracedCards | None = None
    # In their order; none where the model has no tools.
    steps: list[TracedStep] = Field([])

    @classmethod
    def read(cls, turn: Turn) -> Self:
        return cls.model_validate(turn.trace)

    def as_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)

    def replace_ids(self, *, node: IdMap, message: IdMap, entity: IdMap) -> None:
        """Replace each id by what these functions return for it; what they return None for drops out."""
        memories = [(memory, node(memory.node)) for memory in self.memories]
        quotes = [(quote, message(quote.message)) for quote in self.quotes]
        self.memories = [
            memory.model_copy(update={"node": new, "anchored_by": map_anchors(memory, entity)})
            for memory, new in memories
            if new is not None
        ]
        self.quotes = [quote.model_copy(update={"message": new}) for quote, new in quotes if new is not None]
        if self.topic is not None:
            self.topic = self.topic.model_copy(update={"entities": map_entities(self.topic.entities, entity)})
        if self.cards is not None:
            self.cards = self.cards.model_copy(update={"entities": map_entities(self.cards.entities, entity)})


def get_elapsed_ms(since: float) -> int:
    return round((time.perf_counter() - since) * 1000)


def map_entities(ids: Iterable[int], entity: IdMap) -> list[int]:
    return [new for old in ids if (new := entity(old)) is not None]


def map_anchors(memory: TracedMemory, entity: IdMap) -> list[int | str]:
    anchors = [entity(anchor) if isinstance(anchor, int) else anchor for anchor in memory.anchored_by]
    return [anchor for anchor in anchors if anchor is not None]
