"""The facts of a chunk: what holds of the user until further notice, each with its quote."""

from collections.abc import Mapping
from dataclasses import replace as with_changes
from datetime import datetime
from typing import Any

from echovessel import text
from memory.answers.import_schemas import FACTS_MOST, ImportedFact
from memory.answers.schemas import parse_indexed_parts
from memory.facts import changing, drafts, standing, writing
from memory.facts.drafts import OF_USER, FactDraft, FactError, PreparedFact
from memory.facts.writers import Writer
from memory.importing.parse_answer import ChunkSource, ParsedChunk, count_lost, find_quote
from memory.messages import secrets
from memory.models import ConceptNode, FactWrite, ImportChunk

Tier = ConceptNode.Tier


def parse(reading: ParsedChunk, value: Any, *, source: ChunkSource) -> None:
    """Keep the facts of an answer that are valid and have a quote in what the user says; drop the others with a note."""
    facts, notes = parse_indexed_parts(value, ImportedFact, what="fact", most=FACTS_MOST)
    count_lost(reading, value, kept=facts, notes=notes)
    for at, fact in facts.items():
        quote = find_quote(fact.source_quote, source.of_user)
        try:
            reading.facts[at] = (quote, build_draft(fact, quote=quote))
        except FactError as error:
            reading.drop(f"fact {at}", error.detail)


def build_draft(fact: ImportedFact, *, quote: str) -> FactDraft:
    """Build a valid draft. Raises FactError."""
    if not quote:
        raise FactError("invalid", "its quote is not in what the user says here")
    if secrets.MASK in f"{fact.content}\n{fact.value}":
        raise FactError("secret", "it was a secret")
    has_slot = fact.slot and fact.value and fact.facet in OF_USER
    return drafts.validate(
        FactDraft(
            content=fact.content,
            facet=fact.facet,
            slot=fact.slot or "" if has_slot else "",
            value=fact.value if has_slot else "",
            since=fact.since,
            until=fact.until,
        )
    )


def prepare(reading: ParsedChunk) -> dict[int, PreparedFact]:
    """Make the vectors of the facts, by their places in the answer. No transaction may be open."""
    prepared = drafts.prepare([draft for _, draft in reading.facts.values()]) if reading.facts else []
    return dict(zip(reading.facts, prepared, strict=True))


class ChunkFactWriter:
    """Writes the facts of a chunk, in the caller's transaction; `placed` are the nodes of its events, by their places."""

    def __init__(
        self, *, chunk: ImportChunk, reading: ParsedChunk, placed: Mapping[int, ConceptNode], now: datetime
    ) -> None:
        self.bond = chunk.bond
        self.chunk = chunk
        self.reading = reading
        self.placed = placed
        self.now = now

    def write(self, at: int, fact: PreparedFact, *, answer_key: str) -> bool:
        """Write a fact that cites the events of its words. Returns whether it is new. Raises FactError."""
        quote, draft = self.reading.facts[at]
        writer = Writer(by=FactWrite.By.IMPORT, tier=Tier.EXTRACTED, now=self.now, quote=quote, answer_key=answer_key)
        self.require_free_slot(draft, writer)
        cited = with_changes(draft, filling=tuple(self.find_events(quote, draft)))
        return writing.save(bond=self.bond, fact=with_changes(fact, draft=cited), writer=writer) is not None

    def require_free_slot(self, draft: FactDraft, writer: Writer) -> None:
        """Raises FactError where the slot holds another value that was told later, or by the user themselves.

        A file is older than what is known, unless it names a later day.
        """
        holder = standing.load_live(self.bond).filter(slot=draft.slot).first() if draft.slot else None
        if holder is None or standing.is_same_value(draft.value, holder.value):
            return
        told_on, known_on = self.chunk.said_on, self.bond.user.get_day(holder.created_at)
        if not standing.can_touch(writer, holder) or told_on is None or told_on <= known_on:
            raise FactError("changed", f"another {draft.slot} is noted already")

    def find_events(self, quote: str, draft: FactDraft) -> list[int]:
        """Find the events of this chunk that rest on the same words and tell the same."""
        terms, said = text.extract_terms(draft.content), text.fold(quote)
        return [
            node.pk
            for at, node in self.placed.items()
            if shares_words(said, text.fold(self.reading.events[at].source_quote))
            and changing.tells_same(terms, node.terms)
        ]


def shares_words(one: str, other: str) -> bool:
    return one in other or other in one
