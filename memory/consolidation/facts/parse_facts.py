"""Parse the facts of an extraction's answer: keep each that may be noted with its messages, drop the rest with a note."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from memory.answers.fact_schemas import FACTS_MOST, FactAnswer
from memory.answers.schemas import parse_indexed_parts
from memory.consolidation.transcript import Chunk
from memory.facts import drafts
from memory.facts.checks import left_open
from memory.facts.drafts import FactDraft, FactError, PreparedFact
from memory.facts.rules import changed, days, reading
from memory.messages import secrets
from memory.models import ConceptNode, Message

Facet = ConceptNode.Facet


@dataclass(frozen=True)
class ExtractedFact:
    """A fact of an answer: its place there, what it says, its messages, and the noted fact it is about."""

    index: int
    # The node's unique key: writing an answer twice writes the node once.
    key: str
    prepared: PreparedFact
    # How it goes with its target, or without one with the text about the user: see `FactAnswer`.
    how: str
    target: ConceptNode | None
    # Whether it names a fact, be it one that was sent or not.
    names_target: bool
    sources: list[Message]

    @property
    def draft(self) -> FactDraft:
        return self.prepared.draft

    @property
    def user_lines(self) -> set[int]:
        return {message.pk for message in self.sources if message.role == Message.Role.USER}


def parse(
    answer: dict[str, Any], *, chunk: Chunk, offered: Sequence[ConceptNode], notes: list[str]
) -> list[ExtractedFact]:
    """Parse the facts of an answer and make their vectors, with notes on the dropped ones. No transaction may be open."""
    parts, dropped = parse_indexed_parts(answer.get("facts"), FactAnswer, what="fact", most=FACTS_MOST)
    notes += dropped
    told: list[tuple[int, FactAnswer, FactDraft, list[Message]]] = []
    for index, part in parts.items():
        if part.op == "skip":
            continue
        sources = find_sources(part, chunk=chunk)
        try:
            right, sources = put_right(part, sources, chunk=chunk)
            told.append((index, right, build_draft(right, sources), sources))
        except FactError as error:
            notes.append(f"fact {index} dropped: {error.detail}")
    prepared = drafts.prepare([draft for _, _, draft, _ in told]) if told else []
    return [
        ExtractedFact(
            index=index,
            key=f"extraction:{chunk.session_id}:{chunk.last_message_id}:{chunk.part}:fact{index}",
            prepared=fact,
            how=(part.how or "") if part.op == "update" or part.how == "contradicts" else "",
            target=find_target(part, offered),
            names_target=part.target is not None,
            sources=sources,
        )
        for (index, part, _, sources), fact in zip(told, prepared, strict=True)
    ]


def find_sources(part: FactAnswer, *, chunk: Chunk) -> list[Message]:
    """Return the sent messages that a fact cites; without any, all of the user's."""
    return chunk.find_messages(part.source_lines) or chunk.user_messages


def put_right(part: FactAnswer, sources: list[Message], *, chunk: Chunk) -> tuple[FactAnswer, list[Message]]:
    """Return a fact with what the user's later lines put in the place of a word of it, and these lines among its sources."""
    last = max((message.pk for message in sources), default=0)
    for line in (line for line in chunk.user_messages if line.pk > last):
        for change in filter(None, (act.change for act in reading.read_told([line.content]))):
            if change.denied and change.instead and changed.find_denied(part.content, change):
                content = changed.put_right(part.content, change)
                value = part.value and changed.put_right(part.value, replace(change, of=""))
                part, sources = part.model_copy(update={"content": content, "value": value}), [*sources, line]
    return part, sources


def build_draft(part: FactAnswer, sources: Sequence[Message]) -> FactDraft:
    """Build a valid draft. Raises FactError where it is no fact, is a secret, or no line of who it is about holds it."""
    speakers = {message.role for message in sources}
    if part.facet == Facet.PERSONA_CANON.value and Message.Role.PERSONA not in speakers:
        raise FactError("invalid", "no line of the companion to rest on")
    if part.facet in drafts.OF_USER and Message.Role.USER not in speakers:
        raise FactError("invalid", "no line of the user to rest on")
    content = part.content
    if part.facet in drafts.OF_USER:
        content = left_open.turn_first_person(content)
        check_told(content, sources)
    if secrets.MASK in f"{part.content}\n{part.detail}\n{part.value}":
        raise FactError("secret", "it was a secret")
    has_slot = part.slot and part.value and part.facet in drafts.OF_USER
    return drafts.validate(
        FactDraft(
            content=days.write_out(content, today=sources[-1].day),
            facet=part.facet,
            detail=part.detail,
            slot=part.slot or "" if has_slot else "",
            value=part.value if has_slot else "",
            since=part.since,
            until=part.until,
            confidence=part.certainty,
        )
    )


def check_told(content: str, sources: Sequence[Message]) -> None:
    """Raise FactError where the user's lines only ask or imagine it, or tell it of somebody else."""
    lines = [message.content for message in sources if message.role == Message.Role.USER]
    bond = sources[0].bond
    if left_open.is_only_asked(content, lines, speakers=[bond.user.shown_name, bond.persona.name]):
        raise FactError("invalid", "the user only asked or imagined this")
    if left_open.is_of_others(content, burst=lines, before=[], user_name=bond.user.shown_name):
        raise FactError("invalid", "the user said this of somebody else")


def find_target(part: FactAnswer, offered: Sequence[ConceptNode]) -> ConceptNode | None:
    """Return the fact that was sent under the number."""
    number = part.target
    return offered[number - 1] if number is not None and 1 <= number <= len(offered) else None
