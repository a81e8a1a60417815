"""Parse a slow tick's answer: keep what rests on events of the prompt, drop the rest with a note."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, TypeVar

from pydantic import BaseModel

from echovessel import text
from memory.answers.schemas import parse_indexed_parts, parse_part
from memory.answers.slow_tick_schemas import (
    EXPECTATIONS_MOST,
    INTENTIONS_MOST,
    THOUGHTS_MOST,
    EntityDescription,
    Questions,
    Resolved,
    TickExpectation,
    TickIntention,
    TickThought,
)
from memory.consolidation import asking
from memory.consolidation.slow_tick.gather_input import ENTITIES_MOST, Material
from memory.consolidation.slow_tick.render_prompt import PROMPT
from memory.models import ConceptNode, Entity
from memory.nodes import outcomes as node_outcomes

Type = ConceptNode.Type
Part = TypeVar("Part", bound=BaseModel)
# How many outcomes one answer may tell; more are waiting hardly ever.
RESOLVED_MOST = 40
FURTHEST_YEARS = 20


@dataclass(frozen=True, kw_only=True)
class FoundNode:
    """A node to create; `place` names it within the answer."""

    place: str
    type: str
    subject: str
    description: str
    emotional_impact: int = 0
    due: date | None = None
    filling: list[int]


@dataclass(frozen=True)
class FoundOutcome:
    node_id: int
    state: str
    reason: str


@dataclass(frozen=True)
class FoundDescription:
    entity_id: int
    text: str


@dataclass
class ParsedSlowTick:
    found: list[FoundNode] = field(default_factory=list)
    outcomes: list[FoundOutcome] = field(default_factory=list)
    descriptions: list[FoundDescription] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.found or self.outcomes or self.descriptions or self.questions)


def parse(answer: Mapping[str, Any], *, material: Material, today: date) -> ParsedSlowTick:
    return SlowTickParser(answer, material=material, today=today).parse()


class SlowTickParser:
    """Parses the parts of one answer against the material of the prompt."""

    def __init__(self, answer: Mapping[str, Any], *, material: Material, today: date) -> None:
        self.answer = answer
        self.material = material
        self.today = today
        self.events = material.collect_evidence()
        self.citable = self.events | material.collect_nodes("thoughts")
        known = [node for node in material.collect_all_nodes().values() if not node.stale]
        self.known_texts = {text.fold(node.description) for node in known}
        self.reading = ParsedSlowTick()

    def parse(self) -> ParsedSlowTick:
        self.parse_thoughts()
        self.parse_expectations()
        self.parse_intentions()
        self.parse_outcomes()
        self.parse_descriptions()
        asked, notes = parse_part(dict(self.answer), Questions, what="questions")
        self.reading.questions = asked.salient_questions if asked else []
        self.reading.notes += notes
        return self.reading

    def parse_part_list(self, name: str, shape: type[Part], most: int) -> Mapping[int, Part]:
        parts, notes = parse_indexed_parts(self.answer.get(name), shape, what=name, most=most)
        self.reading.notes += notes
        return parts

    def parse_thoughts(self) -> None:
        for at, thought in self.parse_part_list("thoughts", TickThought, THOUGHTS_MOST).items():
            self.keep_node(
                FoundNode(
                    place=f"thoughts {at}",
                    type=Type.THOUGHT,
                    subject=thought.subject,
                    description=thought.description,
                    filling=thought.filling,
                )
            )

    def parse_expectations(self) -> None:
        for at, awaited in self.parse_part_list("expectations", TickExpectation, EXPECTATIONS_MOST).items():
            place = f"expectations {at}"
            self.keep_node(
                FoundNode(
                    place=place,
                    type=Type.EXPECTATION,
                    subject=ConceptNode.Subject.USER,
                    description=prepend_topic(awaited.about, awaited.prediction),
                    due=self.check_due_day(awaited.due_at, place=place),
                    filling=awaited.filling,
                )
            )

    def parse_intentions(self) -> None:
        for at, meant in self.parse_part_list("intentions", TickIntention, INTENTIONS_MOST).items():
            place = f"intentions {at}"
            self.keep_node(
                FoundNode(
                    place=place,
                    type=Type.INTENTION,
                    subject=ConceptNode.Subject.PERSONA,
                    description=meant.description,
                    due=self.check_due_day(meant.due_at, place=place),
                    filling=meant.filling,
                )
            )

    def keep_node(self, found: FoundNode) -> None:
        """Keep a node that cites an event of the prompt and repeats no other."""
        filling = [pk for pk in found.filling if pk in self.citable]
        if len(filling) < len(found.filling):
            self.reading.notes.append(f"{found.place}: {len(found.filling) - len(filling)} cited that were not given")
        events = [self.events[pk] for pk in filling if pk in self.events]
        said = text.fold(found.description)
        if not events:
            self.reading.notes.append(f"{found.place} dropped: it cites no event that was given")
        elif asking.is_copied(found.description.rpartition(": ")[2], PROMPT):
            self.reading.notes.append(f"{found.place} dropped: it is the prompt's example")
        elif said in self.known_texts:
            self.reading.notes.append(f"{found.place} dropped: it is known already")
        else:
            self.known_texts.add(said)
            felt = compute_mean_impact(events) if found.type == Type.THOUGHT else 0
            self.reading.found.append(replace(found, filling=filling, emotional_impact=felt))

    def check_due_day(self, due: date | None, *, place: str) -> date | None:
        if due is None or (self.today <= due and due.year <= self.today.year + FURTHEST_YEARS):
            return due
        self.reading.notes.append(
            f"{place}: the day {due} is {'over' if due < self.today else 'too far off'}, left out"
        )
        return None

    def parse_outcomes(self) -> None:
        awaited = self.material.collect_nodes("expectations", "intentions")
        for at, resolved in self.parse_part_list("resolved", Resolved, RESOLVED_MOST).items():
            node = awaited.pop(resolved.node, None)
            if node is None:
                self.reading.notes.append(f"resolved {at} dropped: {resolved.node} is not among what is awaited")
            elif not node_outcomes.can_become(node, resolved.outcome):
                self.reading.notes.append(f"resolved {at} dropped: an {node.type} cannot end so")
            else:
                shown_by = [pk for pk in resolved.filling if pk in self.events]
                self.reading.outcomes.append(
                    FoundOutcome(node.pk, resolved.outcome, node_outcomes.build_slow_tick_reason(shown_by))
                )

    def parse_descriptions(self) -> None:
        offered = self.material.collect_entities()
        for at, described in self.parse_part_list("entity_descriptions", EntityDescription, ENTITIES_MOST).items():
            entity = find_entity(described.entity, offered.values())
            if entity is None or entity.pk not in offered:
                self.reading.notes.append(f"entity_descriptions {at} dropped: nobody who was to be described")
                continue
            del offered[entity.pk]
            self.reading.descriptions.append(FoundDescription(entity.pk, described.description))


def find_entity(name: int | str, entities: Iterable[Entity]) -> Entity | None:
    wanted = str(name).removeprefix("entity").strip(" []:")
    return next(
        (one for one in entities if wanted == str(one.pk) or text.fold(wanted) == text.fold(one.canonical_name)), None
    )


def prepend_topic(about: str, prediction: str) -> str:
    """Put the topic before a prediction that does not name it."""
    if not about or text.fold(about) in text.fold(prediction):
        return prediction
    return f"{about}：{prediction}" if text.has_cjk(prediction) else f"{about}: {prediction}"


def compute_mean_impact(events: Sequence[ConceptNode]) -> int:
    """Return the mean impact of the cited events; facts have none."""
    felt = [event.emotional_impact for event in events if event.type != Type.FACT]
    return round(sum(felt) / len(felt)) if felt else 0
