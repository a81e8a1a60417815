"""A model that answers from a story, as a good model would, and only with what its prompt really offered."""

import json
import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from echovessel.llm.inputs import AnswerInputs, ReplyInputs
from echovessel.llm.protocol import Answer, ChatMessage, Origin, Usage
from echovessel.prompts import unescape
from memory.evaluation.story import Description, Expectation, Intention, Remembered, Same, Story, Talk, Thought

NUMBERED = re.compile(r"^\s*(?:- )?\[(\d+)\] (.*)$")


class Scripted:
    """Answers about one talk after the other; `unoffered` tells what the story wanted to cite and was not given."""

    offline = False

    def __init__(self, story: Story) -> None:
        self.story = story
        self.talk: Talk | None = None
        self.unoffered: list[str] = []

    def model_of(self, feature: str) -> str:
        return "story"

    async def stream(
        self, messages: Sequence[ChatMessage], *, origin: Origin, inputs: ReplyInputs | None = None
    ) -> AsyncGenerator[str | Usage, None]:
        yield Usage()

    def answer(
        self,
        messages: Sequence[ChatMessage],
        *,
        feature: str,
        schema: type[BaseModel],
        origin: Origin,
        inputs: AnswerInputs | None = None,
    ) -> Answer:
        assert self.talk is not None
        prompt = "\n".join(message["content"] for message in messages)
        answers = {"extraction": self.extraction, "reflection": self.reflection, "slow_tick": self.slow_tick}
        return Answer(json.dumps(answers[feature](self.talk, prompt), ensure_ascii=False), Usage())

    def extraction(self, talk: Talk, prompt: str) -> dict[str, Any]:
        lines = dict(numbered(inside("transcript", prompt)))
        near = list(numbered(inside("remembered", prompt)))
        found = [one for one in talk.remembered if cited(one.pieces[-1:], lines)]
        return {
            "events": [self.event(one, lines=lines, near=near) for one in found],
            "session_summary": talk.summary,
            "mentioned_entities": [
                {
                    "canonical_name": one.name,
                    "kind": one.kind,
                    "aliases": one.also,
                    "in_events": [at for at, event in enumerate(found) if holds(event.text, [one.name, *one.also])],
                    "description": None,
                }
                for one in talk.names
            ],
            "possible_same": [{"a": same.a, "b": same.b, "stated_in": stated_in(same, lines)} for same in talk.same],
            "entity_clarification": self.cleared(talk, inside("uncertain_pair", prompt)),
            "session_mood_signal": talk.mood
            and {"mood": talk.mood.mood, "energy": talk.mood.energy, "last_user_signal": talk.mood.signal},
            "self_check_notes": "",
        }

    def event(self, one: Remembered, *, lines: dict[int, str], near: Sequence[tuple[int, str]]) -> dict[str, Any]:
        return {
            "description": one.text,
            "emotional_impact": one.impact,
            "emotion_tags": one.tags,
            "relational_tags": one.relational,
            "subject": one.subject,
            "event_time": one.when and {"start": one.when[0].isoformat(), "end": one.when[1].isoformat()},
            "source_lines": cited(one.pieces, lines),
            "supersedes": self.offered(one.replaces, near, by=one.id),
        }

    def cleared(self, talk: Talk, offered: str) -> dict[str, Any] | None:
        if talk.cleared is None:
            return None
        a, b = talk.cleared.a, talk.cleared.b
        if {a, b} != set(offered.strip().split(" / ")):
            self.unoffered.append(f"day {talk.day}: the pair {a} / {b}, but {offered.strip()!r}")
            return None
        return {"canonical_a": a, "canonical_b": b, "same": talk.cleared.same}

    def reflection(self, talk: Talk, prompt: str) -> dict[str, Any]:
        return {"thoughts": [self.thought(one, prompt) | {"emotional_impact": one.impact} for one in talk.thoughts]}

    def thought(self, one: Thought, prompt: str) -> dict[str, Any]:
        return {"description": one.text, "filling": self.evidence(one, list(numbered(prompt)))}

    def slow_tick(self, talk: Talk, prompt: str) -> dict[str, Any]:
        given, mind = list(numbered(prompt)), talk.between
        return {
            "salient_questions": mind.questions,
            "thoughts": [self.thought(one, prompt) | {"subject": one.subject} for one in mind.thoughts],
            "expectations": [
                {
                    "about": one.about,
                    "prediction": one.text,
                    "due_at": one.due and one.due.isoformat(),
                    "filling": self.evidence(one, given),
                }
                for one in mind.expects
            ],
            "intentions": [self.intention(one, given) for one in mind.intends],
            "entity_descriptions": [self.description(one) for one in mind.describes],
            "resolved": [
                {"node": number, "outcome": outcome}
                for id, outcome in mind.resolved.items()
                for number in self.offered([id], given, by="resolved")
            ],
        }

    def intention(self, one: Intention, given: Sequence[tuple[int, str]]) -> dict[str, Any]:
        return {
            "description": one.text,
            "due_at": one.due and one.due.isoformat(),
            "filling": self.evidence(one, given),
        }

    def description(self, one: Description) -> dict[str, Any]:
        return {"entity": one.name, "description": one.text}

    def evidence(self, one: Thought | Expectation | Intention, given: Sequence[tuple[int, str]]) -> list[int]:
        """What a thought rests on, as far as it is offered: a prompt holds only what is new."""
        found = [number for id in one.rests_on for number in self.numbers(id, given)]
        if not found:
            self.unoffered.append(f"any evidence for {one.id}")
        return found

    def offered(self, ids: Sequence[str], given: Sequence[tuple[int, str]], *, by: str) -> list[int]:
        """The numbers under which the prompt offers all that the story calls by these ids."""
        self.unoffered += [f"{id}, for {by}" for id in ids if not self.numbers(id, given)]
        return [number for id in ids for number in self.numbers(id, given)]

    def numbers(self, id: str, given: Sequence[tuple[int, str]]) -> list[int]:
        """The number under which the prompt offers one thing, if it does."""
        text = self.story.text_of(id)
        return [number for number, offered in given if text in offered][:1]


def inside(tag: str, prompt: str) -> str:
    """What stands between a tag of the prompt and its end."""
    return prompt.partition(f"<{tag}>\n")[2].partition(f"\n</{tag}>")[0]


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """The `[3] …` lines of a text, their further lines joined to them."""
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


def cited(pieces: Sequence[str], lines: dict[int, str]) -> list[int]:
    return sorted({number for number, text in lines.items() if any(piece in text for piece in pieces)})


def stated_in(same: Same, lines: dict[int, str]) -> int | None:
    return next(iter(cited([same.stated], lines)), None) if same.stated else None


def holds(text: str, names: Sequence[str]) -> bool:
    return any(name in text for name in names)
