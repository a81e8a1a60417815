"""The trace of a turn: what recall found and why, as ids and numbers.

Stored traces, exports and the API have the keys of the first version: `items`, `words` for quotes, and in `cut` the names of
`CUT_NAMES`. What is forgotten for good leaves the traces, too (`chat.erasure.purged_turns`).
"""

from collections.abc import Callable
from typing import Any, Self

from pydantic import BaseModel, Field

from chat.models import Turn
from memory.transfer.shapes import Number, Period, Whole

# Where a stored trace holds ids, as paths of PostgreSQL.
NODE_PATH, MESSAGE_PATH = "$.items[*].node", "$.words[*].message"
ENTITY_PATH = '$.items[*].anchored_by[*] ? (@.type() == "number")'
# The names of those lists of a prompt that are stored under another one.
CUT_NAMES = {"quotes": "words", "recent_messages": "lines", "sessions": "talks"}

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


class Trace(BaseModel):
    memories: list[TracedMemory] = Field([], alias="items")
    quotes: list[TracedQuote] = Field([], alias="words")
    # How many items of each list were cut from the prompt.
    cut: dict[str, Whole] = Field({})
    prompt_tokens: Whole | None = None
    # Whether recall had to do without the burst's vector.
    without_vector: bool = False

    @classmethod
    def read(cls, turn: Turn) -> Self:
        return cls.model_validate(turn.trace)

    def as_json(self) -> dict[str, Any]:
        return self.model_dump(by_alias=True, exclude_unset=True)

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


def map_anchors(memory: TracedMemory, entity: IdMap) -> list[int | str]:
    anchors = [entity(anchor) if isinstance(anchor, int) else anchor for anchor in memory.anchored_by]
    return [anchor for anchor in anchors if anchor is not None]
