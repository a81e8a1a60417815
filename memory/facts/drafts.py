"""What a writer wants a fact to say, before it is one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db import models

from echovessel.errors import CodedError
from echovessel.texts import strip_unstorable
from memory.answers.coercion import one_line
from memory.models import ConceptNode
from memory.models.fact_columns import CONTENT_MOST, DETAIL_MOST, VALUE_MOST

Facet = ConceptNode.Facet
# The facets that speak of the user, of whom slots ask.
OF_USER = (Facet.ABOUT_YOU, Facet.HOW_TO_TALK)


class FactError(CodedError):
    """A refused act on a fact: `invalid`, `secret`, `unsafe`, `near`, `full`, `changed`, `not_found`, `ambiguous`,
    `not_asked` or `unavailable`; with the facts that were meant or are near, at most five.
    """

    def __init__(self, code: str, detail: str, *, candidates: Sequence[ConceptNode] = ()) -> None:
        super().__init__(code, detail)
        self.candidates = tuple(candidates)


@dataclass(frozen=True, kw_only=True)
class FactDraft:
    """The text of a fact, cleaned; `since` and `until` are the days it holds in the world."""

    content: str
    facet: str = Facet.ABOUT_YOU
    detail: str = ""
    slot: str = ""
    value: str = ""
    since: date | None = None
    until: date | None = None
    confidence: float = 1.0
    # What it also rests on: the ids of events it cites.
    filling: tuple[int, ...] = field(default=())


def validate(draft: FactDraft) -> FactDraft:
    """Clean a draft from outside: one line of content, known facet and slot, days in order. Raises FactError `invalid`."""
    cleaned = FactDraft(
        content=one_line(draft.content),
        facet=draft.facet or Facet.ABOUT_YOU,
        detail=strip_unstorable(draft.detail).strip(),
        slot=draft.slot if draft.value.strip() else "",
        value=one_line(draft.value) if draft.slot else "",
        since=draft.since,
        until=draft.until,
        confidence=min(1.0, max(0.0, draft.confidence)),
        filling=draft.filling,
    )
    if refused := find_fault(cleaned):
        raise FactError("invalid", refused)
    return cleaned


def find_fault(draft: FactDraft) -> str:
    """Say why a draft is no fact, or nothing."""
    lengths = {"content": CONTENT_MOST, "detail": DETAIL_MOST, "value": VALUE_MOST}
    too_long = next((name for name, most in lengths.items() if len(getattr(draft, name)) > most), None)
    if not draft.content:
        return "The content is empty."
    if too_long is not None:
        return f"The {too_long} has more than {lengths[too_long]} characters."
    if draft.facet not in Facet.values:
        return f"The facet is one of {list_values(Facet)}."
    if draft.slot and draft.slot not in ConceptNode.Slot.values:
        return f"The slot is one of {list_values(ConceptNode.Slot)}."
    if draft.slot and draft.facet not in OF_USER:
        return "Only a fact about the user has a slot."
    if draft.since and draft.until and draft.since > draft.until:
        return "It ends before it begins."
    return ""


def list_values(choices: type[models.TextChoices]) -> str:
    return ", ".join(choices.values)
