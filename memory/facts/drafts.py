"""What a writer wants a fact to say, before it is one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.errors import CodedError
from echovessel.text import strip_unstorable
from echovessel.times import FIRST_DAY, LAST_DAY
from memory.answers.coercion import one_line
from memory.facts.checks import screening
from memory.models import ConceptNode
from memory.models.fact_columns import CONTENT_MOST, DETAIL_MOST, VALUE_MOST

Facet = ConceptNode.Facet
# The facets that speak of the user, of whom slots ask.
OF_USER = (Facet.ABOUT_YOU, Facet.HOW_TO_TALK)
CLEARABLE = ("detail", "slot", "since", "until")
# Models leave the article out: "User has a dog".
_WITHOUT_ARTICLE = re.compile(
    r"^User(?='s \w| (?!(?:interface|experience|research|group|manual|name|account)s?\b)[a-z])"
)
LENGTHS = {"content": CONTENT_MOST, "detail": DETAIL_MOST, "value": VALUE_MOST}


class FactError(CodedError):
    """A refused act on a fact: `invalid`, `secret`, `unsafe`, `near`, `full`, `changed`, `not_found`, `ambiguous`,
    `not_asked` or `unavailable`; with the facts that were meant or are near, at most five.
    """

    def __init__(self, code: str, sentence: str, *, candidates: Sequence[ConceptNode] = (), **values: object) -> None:
        super().__init__(code, sentence, **values)
        self.candidates = tuple(candidates)


@dataclass(frozen=True, kw_only=True)
class FactDraft:
    """The text of a fact; `since` and `until` are the days it holds in the world.

    A draft that replaces a fact may leave facet, detail, slot and days empty: the fact's stay, but for those `cleared`.
    """

    content: str
    facet: str = ""
    detail: str = ""
    slot: str = ""
    value: str = ""
    since: date | None = None
    until: date | None = None
    # What the fact shall have no more: names of `CLEARABLE`.
    cleared: frozenset[str] = frozenset()
    # None where the writer gave none that can be read.
    confidence: float | None = None
    # The ids of events that tell the same: the fact cites them.
    filling: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PreparedFact:
    """A valid draft with the vector of its content, None where the embedding model cannot read it."""

    draft: FactDraft
    vector: list[float] | None
    # Whether there was no vector to be had: one is made later.
    is_unembedded: bool = False


def prepare(drafts: Sequence[FactDraft]) -> list[PreparedFact]:
    """Validate drafts and make their vectors, outside any transaction; no vectors where the embedding fails.

    Raises FactError: `invalid`, `secret`, `unsafe`.
    """
    valid = [validate(draft) for draft in drafts]
    try:
        vectors = embedding.embed([draft.content for draft in valid])
    except EmbeddingError:
        return [PreparedFact(draft=draft, vector=None, is_unembedded=True) for draft in valid]
    return [PreparedFact(draft=draft, vector=vector) for draft, vector in zip(valid, vectors, strict=True)]


def validate(draft: FactDraft) -> FactDraft:
    """Clean a draft: one line of content, a known facet and slot, days in order. Raises FactError: `invalid`, `secret`,
    `unsafe`.
    """
    cleaned = replace(
        draft,
        content=_WITHOUT_ARTICLE.sub("The user", one_line(draft.content)),
        detail=strip_unstorable(draft.detail).strip(),
        slot=draft.slot if draft.value.strip() else "",
        value=one_line(draft.value) if draft.slot else "",
    )
    if fault := find_fault(cleaned):
        raise fault
    said = "\n".join([cleaned.content, cleaned.detail, cleaned.value])
    if screening.is_secret(said):
        raise FactError("secret", "Passwords, card numbers and keys are not kept in memory.")
    if screening.is_unsafe(said):
        raise FactError("unsafe", "This would keep help, honesty or protection away from someone. It is not kept.")
    return cleaned


def find_fault(draft: FactDraft) -> FactError | None:
    """Say why a draft is no fact, or nothing."""
    too_long = next((name for name, most in LENGTHS.items() if len(getattr(draft, name)) > most), None)
    if not draft.content:
        return FactError("invalid", "The content is empty.")
    if too_long is not None:
        return FactError(
            "invalid", "The %(name)s has more than %(most)s characters.", name=too_long, most=LENGTHS[too_long]
        )
    if draft.facet and draft.facet not in Facet.values:
        return FactError("invalid", "The facet is one of %(known)s.", known=", ".join(Facet.values))
    if draft.slot and draft.slot not in ConceptNode.Slot.values:
        return FactError("invalid", "The slot is one of %(known)s.", known=", ".join(ConceptNode.Slot.values))
    if draft.slot and draft.facet and draft.facet not in OF_USER:
        return FactError("invalid", "Only a fact about the user has a slot.")
    if draft.since and draft.until and draft.since > draft.until:
        return FactError("invalid", "It ends before it begins.")
    if any(day and not FIRST_DAY <= day <= LAST_DAY for day in (draft.since, draft.until)):
        return FactError("invalid", "A day is between %(first)s and %(last)s.", first=FIRST_DAY, last=LAST_DAY)
    return None
