"""A scripted model that tells scenes by what the stories contain, as a good model would, and leaves the rest to the rules."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from echovessel.llm.inputs import (
    AnswerInputs,
    ExtractionInputs,
    LineRecapInputs,
    SceneBreakInputs,
    SceneRecapInputs,
    StoryCompactInputs,
    StoryMergeInputs,
    TranscriptLine,
)
from echovessel.llm.offline import rules
from echovessel.llm.offline.story import scene_break, scene_recap
from memory.answers.schemas import EVENTS_MOST
from memory.evaluation.scripted_model import ScriptedModel
from memory.evaluation.stories import scripted as told_stories
from memory.evaluation.stories.parts import StoryEntity
from memory.evaluation.storytelling.scene_borders import NEAR
from memory.evaluation.storytelling.weaving import WovenFact, WovenTalk
from memory.story import grounding, sentences
from memory.story.recaps.content import OUTCOMES_MOST

NOTHING: Mapping[str, Any] = {"thoughts": []}


class ScriptedTeller(ScriptedModel):
    """Ends scenes where they end, and recaps each by the facts that its lines tell. `moments` are the times of the lines."""

    def __init__(self, talk: WovenTalk, moments: Sequence[datetime]) -> None:
        self.talk = talk
        self.places = {at.timestamp(): place for place, at in enumerate(moments)}
        self.names = [(one.name, *one.also) for scene in talk.scenes for one in scene.session.names]
        self.replaced = {(fact.story.name, old) for fact in talk.facts for old in fact.memory.replaces}

    def build_answer(self, feature: str, inputs: AnswerInputs | None, *, prompt: str) -> Mapping[str, Any]:
        if isinstance(inputs, ExtractionInputs):
            return self.build_extraction(inputs)
        if isinstance(inputs, SceneBreakInputs):
            return self.choose_break(inputs)
        if isinstance(inputs, SceneRecapInputs):
            return self.build_recap(inputs)
        if isinstance(inputs, LineRecapInputs | StoryMergeInputs | StoryCompactInputs):
            return rules.ANSWERS[type(inputs)](inputs)
        return NOTHING

    def choose_break(self, inputs: SceneBreakInputs) -> Mapping[str, Any]:
        """Choose the first candidate within two lines of an end; where none is and one must be, as the rules do."""
        for line in inputs.lines:
            if line.number and any(abs(end - self.find_place(line)) <= NEAR for end in self.talk.ends):
                quote = line.text.split(" … ", maxsplit=1)[0][:60]
                return {"break_after": line.number, "quote": quote, "reason": "They turn to another subject."}
        return scene_break.choose_break(inputs) if inputs.forced else {"break_after": None}

    def build_recap(self, inputs: SceneRecapInputs) -> Mapping[str, Any]:
        """Recap by the weightiest facts; what replaces another, or is replaced, is how things stand."""
        told = list(self.find_told(inputs.lines))
        happened = [one for one in told if not self.is_of_state(one[0])] or told
        if not told:
            return scene_recap.recap(inputs)
        weighty = sorted(happened, key=lambda one: -abs(one[0].memory.impact))[:OUTCOMES_MOST]
        worded = {fact.memory.id: self.word(fact, numbers, inputs.lines) for fact, numbers in told}
        return {
            "title": "",
            "outcomes": [worded[one[0].memory.id] for one in told if one in weighty],
            "open": [],
            "state": [
                {"label": self.find_root(fact), **worded[fact.memory.id]} for fact, _ in told if self.is_of_state(fact)
            ],
            "quotes": [],
            "entities": [
                {"name": one.name, "kind": one.kind, "aliases": one.also, "remarks": []}
                for one in self.list_names(inputs.lines)
            ],
        }

    def build_extraction(self, inputs: ExtractionInputs) -> Mapping[str, Any]:
        near = [(event.number, event.text) for event in inputs.remembered]
        messages = {line.number: line.text for line in inputs.lines}
        told = sorted(self.find_told(inputs.lines), key=lambda one: -abs(one[0].memory.impact))[:EVENTS_MOST]
        events = [
            told_stories.ScriptedLLM(fact.story).build_event(
                fact.memory, lines={at: messages[at] for at in numbers}, near=near
            )
            for fact, numbers in told
        ]
        return {
            "events": events,
            "facts": [],
            "session_summary": "",
            "mentioned_entities": told_stories.build_entities(
                self.list_names(inputs.lines), [event["description"] for event in events]
            ),
        }

    def find_told(self, lines: Sequence[TranscriptLine]) -> Iterator[tuple[WovenFact, list[int]]]:
        """Find the facts that lines tell, each with the numbers of these lines."""
        numbers = {self.find_place(line): line.number for line in lines}
        for fact in self.talk.facts:
            cited = sorted(numbers[at] for at in fact.lines if at in numbers)
            if cited:
                yield fact, cited

    def list_names(self, lines: Sequence[TranscriptLine]) -> list[StoryEntity]:
        scenes = dict.fromkeys(self.talk.lines[self.find_place(line)].scene for line in lines)
        return [one for scene in scenes for one in self.talk.scenes[scene].session.names]

    def word(self, fact: WovenFact, numbers: Sequence[int], lines: Sequence[TranscriptLine]) -> Mapping[str, Any]:
        """Word a fact as the story does, and cite the lines that hold its names and numbers, too; where none of the scene do,
        in the words of its own line.
        """
        cited, missing = {*numbers}, self.find_missing(fact, numbers, lines)
        for line in reversed(lines):
            left = self.find_missing(fact, {*cited, line.number}, lines)
            if left < missing:
                cited, missing = {*cited, line.number}, left
        if not missing:
            return {"text": fact.memory.text, "lines": sorted(cited)}
        own = next(line for line in lines if line.number == numbers[-1])
        said = (one for one in sentences.split(own.text) if any(piece in one for piece in fact.memory.pieces))
        return {"text": next(said, own.text), "lines": [own.number]}

    def find_missing(self, fact: WovenFact, cited: Collection[int], lines: Sequence[TranscriptLine]) -> set[str]:
        heard = "\n".join(line.text for line in lines if line.number in cited)
        return set(grounding.find_missing(fact.memory.text, heard, known_names=self.names))

    def find_place(self, line: TranscriptLine) -> int:
        return self.places[line.said_at.timestamp()]

    def is_of_state(self, fact: WovenFact) -> bool:
        return bool(fact.memory.replaces) or (fact.story.name, fact.memory.id) in self.replaced

    def find_root(self, fact: WovenFact) -> str:
        """Find what is known longest of that which a fact says anew: the label of both."""
        memory = fact.memory
        while memory.replaces:
            memory = fact.story.remembered[memory.replaces[0]]
        return memory.id
