from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.models import ConceptNode, FactWrite, Message, Session


def pass_always() -> None:
    """The check of a writer that holds no lease."""


@dataclass(frozen=True, kw_only=True)
class Writer:
    """Who writes a fact, from which lines, and where the write is shown."""

    by: str
    tier: str
    now: datetime
    session: Session | None = None
    # The turn that noted it, and the characters of its reply before that.
    turn_id: UUID | None = None
    offset: int = 0
    # The user's lines it was drawn from, or the persona's for what it said of itself.
    messages: Sequence[Message] = ()
    # What is left of them in prompts, by their ids, where they ask to forget something.
    remainders: Mapping[int, str] = field(default_factory=dict)
    # A verbatim quote of a file.
    quote: str = ""
    # No model chose it: rules wrote what was said.
    by_rules: bool = False
    # The part of the answer it came from: see `ConceptNode.answer_key`.
    answer_key: str | None = None
    # Called inside the transaction, under the bond's lock, before anything is written. It may raise LeaseLost.
    check: Callable[[], None] = pass_always

    @property
    def origin(self) -> str:
        """The origin of the facts it writes."""
        return ORIGINS[FactWrite.By(self.by)]

    @property
    def is_person(self) -> bool:
        return self.by == FactWrite.By.PERSON

    @property
    def may_replace_stated(self) -> bool:
        """Whether it speaks with the user's own words: jobs and guesses leave what was stated as it is."""
        return self.tier == ConceptNode.Tier.STATED


def build_person_writer(now: datetime) -> Writer:
    return Writer(by=FactWrite.By.PERSON, tier=ConceptNode.Tier.STATED, now=now)


ORIGINS = {
    FactWrite.By.PERSON: ConceptNode.Origin.USER,
    FactWrite.By.TOOL: ConceptNode.Origin.TOOL,
    FactWrite.By.RULE: ConceptNode.Origin.RULE,
    FactWrite.By.BACKSTOP: ConceptNode.Origin.TOOL,
    FactWrite.By.CLOSE: ConceptNode.Origin.EXTRACTION,
    FactWrite.By.SWEEP: ConceptNode.Origin.EXTRACTION,
    FactWrite.By.IMPORT: ConceptNode.Origin.IMPORT,
}
