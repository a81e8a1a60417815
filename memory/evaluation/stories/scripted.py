"""A scripted model that answers from a story, as a good model would, using only what its call offered."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from echovessel.llm.inputs import AnswerInputs, ExtractionInputs, ReflectionInputs
from echovessel.prompts import unescape
from memory.evaluation.scripted_model import ScriptedModel
from memory.evaluation.stories.parts import (
    StoryEntity,
    StoryExpectation,
    StoryIntention,
    StoryMemory,
    StorySameEntity,
    StorySession,
    StoryThought,
)
from memory.evaluation.stories.story import Story

NUMBERED = re.compile(r"^\s*(?:- )?\[(\d+)\] (.*)$")


class ScriptedLLM(ScriptedModel):
    """Answers for one session after the other; `unoffered` lists what the story wanted to cite and was not offered."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.talk: StorySession | None = None
        self.unoffered: list[str] = []

    def build_answer(self, feature: str, inputs: AnswerInputs | None, *, prompt: str) -> dict[str, Any]:
        assert self.talk is not None
        if isinstance(inputs, ExtractionInputs):
            return self.build_extraction(self.talk, inputs)
        if isinstance(inputs, ReflectionInputs):
            return self.build_reflection(self.talk, inputs)
        return self.build_slow_tick(self.talk, prompt)

    def build_extraction(self, talk: StorySession, inputs: ExtractionInputs) -> dict[str, Any]:
        messages = {message.number: message.text for message in inputs.lines}
        near = [(event.number, event.text) for event in inputs.remembered]
        found = [one for one in talk.remembered if find_cited(one.pieces[-1:], messages)]
        return {
            "events": [self.build_event(one, lines=messages, near=near) for one in found],
            "session_summary": talk.summary,
            "mentioned_entities": build_entities(talk.names, [event.text for event in found]),
            "possible_same": [
                {"a": same.a, "b": same.b, "stated_in": find_stating_number(same, messages)} for same in talk.same
            ],
            "entity_clarification": self.build_clarification(talk, inputs.pair),
            "session_mood_signal": talk.mood
            and {"mood": talk.mood.mood, "energy": talk.mood.energy, "last_user_signal": talk.mood.signal},
            "self_check_notes": "",
        }

    def build_event(
        self, one: StoryMemory, *, lines: dict[int, str], near: Sequence[tuple[int, str]]
    ) -> dict[str, Any]:
        return {
            "description": one.text,
            "emotional_impact": one.impact,
            "emotion_tags": one.tags,
            "relational_tags": one.relational,
            "subject": one.subject,
            "event_time": one.when and {"start": one.when[0].isoformat(), "end": one.when[1].isoformat()},
            "source_lines": find_cited(one.pieces, lines),
            "supersedes": self.find_offered(one.replaces, near, by=one.id),
        }

    def build_clarification(self, talk: StorySession, offered: tuple[str, str] | None) -> dict[str, Any] | None:
        if talk.cleared is None:
            return None
        a, b = talk.cleared.a, talk.cleared.b
        if {a, b} != {*(offered or ())}:
            self.unoffered.append(f"day {talk.day}: the pair {a} / {b}, but {offered}")
            return None
        return {"canonical_a": a, "canonical_b": b, "same": talk.cleared.same}

    def build_reflection(self, talk: StorySession, inputs: ReflectionInputs) -> dict[str, Any]:
        given = [(event.id, event.text) for event in inputs.events]
        return {
            "thoughts": [self.build_thought(one, given) | {"emotional_impact": one.impact} for one in talk.thoughts]
        }

    def build_thought(self, one: StoryThought, given: Sequence[tuple[int, str]]) -> dict[str, Any]:
        return {"description": one.text, "filling": self.find_evidence(one, given)}

    def build_slow_tick(self, talk: StorySession, prompt: str) -> dict[str, Any]:
        given, mind = list(parse_numbered(prompt)), talk.between
        return {
            "salient_questions": mind.questions,
            "thoughts": [self.build_thought(one, given) | {"subject": one.subject} for one in mind.thoughts],
            "expectations": [
                {
                    "about": one.about,
                    "prediction": one.text,
                    "due_at": one.due and one.due.isoformat(),
                    "filling": self.find_evidence(one, given),
                }
                for one in mind.expects
            ],
            "intentions": [self.build_intention(one, given) for one in mind.intends],
            "entity_descriptions": [{"entity": one.name, "description": one.text} for one in mind.describes],
            "resolved": [
                {"node": number, "outcome": outcome}
                for id, outcome in mind.resolved.items()
                for number in self.find_offered([id], given, by="resolved")
            ],
        }

    def build_intention(self, one: StoryIntention, given: Sequence[tuple[int, str]]) -> dict[str, Any]:
        return {
            "description": one.text,
            "due_at": one.due and one.due.isoformat(),
            "filling": self.find_evidence(one, given),
        }

    def find_evidence(
        self, one: StoryThought | StoryExpectation | StoryIntention, given: Sequence[tuple[int, str]]
    ) -> list[int]:
        """Find the offered evidence of a thought: a prompt holds only what is new."""
        found = [number for id in one.rests_on for number in self.find_numbers(id, given)]
        if not found:
            self.unoffered.append(f"any evidence for {one.id}")
        return found

    def find_offered(self, ids: Sequence[str], given: Sequence[tuple[int, str]], *, by: str) -> list[int]:
        """Find the prompt's numbers of everything that the story calls by these ids."""
        self.unoffered += [f"{id}, for {by}" for id in ids if not self.find_numbers(id, given)]
        return [number for id in ids for number in self.find_numbers(id, given)]

    def find_numbers(self, id: str, given: Sequence[tuple[int, str]]) -> list[int]:
        """Find the prompt's number of one item, if it is offered."""
        text = self.story.find_text(id)
        return [number for number, offered in given if text in offered][:1]


def parse_numbered(text: str) -> Iterator[tuple[int, str]]:
    """Parse the `[3] …` lines of a text, their further lines joined to them."""
    number, parts = 0, [""]
    for line in text.splitlines():
        if match := NUMBERED.match(line):
            if number:
                yield number, unescape("\n".join(parts))
            number, parts = int(match[1]), [match[2]]
        elif line.startswith("    "):
            parts.append(line[4:])
    if number:
        yield number, unescape("\n".join(parts))


def build_entities(names: Iterable[StoryEntity], events: Sequence[str]) -> list[dict[str, Any]]:
    """Build what an extraction says of the people and things, each with the events that name it."""
    return [
        {
            "canonical_name": one.name,
            "kind": one.kind,
            "aliases": one.also,
            "in_events": [
                at for at, event in enumerate(events) if any(name in event for name in (one.name, *one.also))
            ],
            "description": None,
        }
        for one in names
    ]


def find_cited(pieces: Sequence[str], lines: dict[int, str]) -> list[int]:
    return sorted({number for number, text in lines.items() if any(piece in text for piece in pieces)})


def find_stating_number(same: StorySameEntity, lines: dict[int, str]) -> int | None:
    return next(iter(find_cited([same.stated], lines)), None) if same.stated else None
