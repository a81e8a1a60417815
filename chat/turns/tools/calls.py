"""What the tools of a turn are given, and what they answer."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from chat.models import Turn
from memory.facts import resolution
from memory.facts.drafts import FactError
from memory.models import ConceptNode, FactWrite
from personas.models import Bond


@dataclass(frozen=True)
class ToolAnswer:
    """What a model is told of its call: `code` says what was done, or what was wrong."""

    ok: bool
    code: str
    text: str

    def as_json(self) -> dict[str, object]:
        return {"ok": self.ok, "code": self.code, "text": self.text}


@dataclass(frozen=True, kw_only=True)
class CallContext:
    """The turn that a call belongs to; `offset` counts the characters of its reply before the call."""

    turn: Turn
    offset: int
    now: datetime
    by: str = FactWrite.By.TOOL
    # Contents that were refused as nearly noted already; the same call again passes.
    near: set[str] = field(default_factory=set)
    # The numbers that answers of this turn have shown; None where the prompt numbers the facts.
    shown: set[int] | None = None
    # The vector of the words that a recall searches for; None where they have none.
    vector: list[float] | None = field(default=None, repr=False)

    @property
    def bond(self) -> Bond:
        return self.turn.bond

    @property
    def is_backstop(self) -> bool:
        """Whether the small model calls, which of few numbered facts often names a wrong one."""
        return self.by == FactWrite.By.BACKSTOP

    def find_fact(self, ref: str, *, fresh: Collection[int] = ()) -> ConceptNode:
        """Find the fact that a call means. Of numbers only those count that it has been shown: a model that counts the lines of its
        prompt means another fact. Raises FactError.
        """
        number = resolution.read_number(ref)
        if number is not None and self.shown is not None and number not in self.shown:
            raise FactError("not_found", "No list has shown this number. Name the fact by words that it contains.")
        return resolution.resolve(bond=self.bond, ref=ref, fresh=fresh)

    def needs_name(self, node: ConceptNode) -> bool:
        """Whether only words that name a fact act on it: an allergy, or for the small model; of few facts each is among the nearest."""
        return node.grave or self.is_backstop
