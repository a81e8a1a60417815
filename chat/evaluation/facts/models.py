"""Models for the suite `facts`: one that answers from a talk, and one that shows what another was given."""

import json
from collections.abc import AsyncGenerator, Iterable, Sequence
from typing import Any, Unpack

from chat.evaluation.facts.talks import Talk, TalkStep, holds
from echovessel import text
from echovessel.llm.inputs import AnswerInputs, ExtractionInputs, NumberedFact, ReplyInputs
from echovessel.llm.protocol import LLM, Answer, AnswerCall, ChatMessage, Piece, ReplyCall
from echovessel.llm.tools import ToolCall
from memory.answers.schemas import EVENTS_MOST
from memory.evaluation.scripted_model import ScriptedModel
from memory.facts.changing import tells_same
from memory.facts.rules import yes_and_no
from memory.models import FactWrite

_SHAPE = ("facet", "slot", "value")
REPLY = {"en": "I see.", "zh": "嗯，好的。"}
ASKS_TO_FORGET = {"en": "Shall I forget that {}?", "zh": "要我忘掉“{}”吗？"}
NOT_ASKED = '"not_asked"'
ASKED_TO_FORGET = {"en": "The user asked to forget {}.", "zh": "用户要求忘掉{}。"}
# What the answers of a worker's calls have where nothing is found.
_EMPTY: dict[str, dict[str, Any]] = {
    "reflection": {"thoughts": []},
    "fact_write": {"writes": []},
    "fact_sweep": {"ops": []},
}


class ScriptedLLM(ScriptedModel):
    """Calls in each turn what a good model would, unless the rules have noted it; a wish to forget that its tool does not find in the
    words it asks about, and calls again after a yes. When a session closes, it extracts each thing that was told as an event, and as
    a fact where it is shown none that tells the same: so also what was undone, and the wish to forget.
    """

    takes_tools = True

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.steps = {step.say: step for step in talk.steps if step.call is not None}
        self.asked: TalkStep | None = None

    def build_reply(self, inputs: ReplyInputs | None, *, may_call: bool, answer: str) -> Iterable[Piece]:
        assert inputs is not None
        said = "\n".join(inputs.burst)
        step = self.asked if self.asked and yes_and_no.is_assent(said) else self.steps.get(said)
        self.asked = step if step and step.forget and NOT_ASKED in answer else None
        if self.asked:
            return [ASKS_TO_FORGET[self.talk.lang].format(self.find_told(self.asked.forget))]
        call = choose_call(step, [noted.op for noted in inputs.noted if noted.is_new]) if step else None
        if call is None or not may_call:
            return [REPLY[self.talk.lang]]
        name, arguments = call
        return [ToolCall("call", name, json.dumps(arguments, ensure_ascii=False))]

    def find_told(self, words: str) -> str:
        """Find what the talk tells that holds the words of a wish."""
        return next((step.told for step in self.talk.steps if holds(step.told, [words])), words)

    def build_answer(self, feature: str, inputs: AnswerInputs | None, *, prompt: str) -> dict[str, Any]:
        return self.build_extraction(inputs) if isinstance(inputs, ExtractionInputs) else _EMPTY.get(feature, {})

    def build_extraction(self, inputs: ExtractionInputs) -> dict[str, Any]:
        told = [(number, step) for number, line in inputs.said_by_user if (step := self.steps.get(line)) is not None]
        learned = [(number, step, self.describe(step)) for number, step in told if step.told or step.forget]
        return {
            "events": [
                {"description": content, "emotional_impact": 1, "source_lines": [number]}
                for number, _, content in learned[:EVENTS_MOST]
            ],
            "facts": [
                build_fact(step, content, number)
                for number, step, content in learned
                if not is_known(content, inputs.facts)
            ],
            "session_summary": "",
            "mentioned_entities": [],
        }

    def describe(self, step: TalkStep) -> str:
        return step.told or ASKED_TO_FORGET[self.talk.lang].format(step.forget)


def build_fact(step: TalkStep, content: str, number: int) -> dict[str, Any]:
    given = step.save or step.update
    shape = {"facet": "about_you", "slot": "", "value": ""} | {key: given[key] for key in _SHAPE if key in given}
    return {"op": "add", "content": content, "certainty": 0.9, "source_lines": [number], **shape}


def is_known(content: str, facts: Sequence[NumberedFact]) -> bool:
    """Whether one of the facts that the call was shown tells the same."""
    terms = text.extract_terms(content)
    return any(tells_same(terms, text.extract_terms(fact.text)) for fact in facts)


def choose_call(step: TalkStep, noted: Sequence[str]) -> tuple[str, dict[str, Any]] | None:
    """Choose what is left to call beside what the rules noted: where they saved what is new, the old is ended or forgotten."""
    done = (
        {FactWrite.Op.FORGOTTEN} if step.forget else {FactWrite.Op.FORGOTTEN, FactWrite.Op.ENDED, FactWrite.Op.CHANGED}
    )
    if not noted or ((step.forget or step.end) and done.isdisjoint(noted)):
        return step.call
    if step.update and FactWrite.Op.SAVED in noted:
        return "memory_update", {"ref": step.update["ref"], "ended": True}
    return None


class ObservedLLM:
    """Shows what the model was given for the last reply."""

    def __init__(self, llm: LLM) -> None:
        self.llm = llm
        self.offline, self.takes_tools = llm.offline, llm.takes_tools
        self.given: ReplyInputs | None = None

    def model_of(self, feature: str) -> str:
        return self.llm.model_of(feature)

    async def stream(self, messages: Sequence[ChatMessage], **asked: Unpack[ReplyCall]) -> AsyncGenerator[Piece, None]:
        self.given = asked.get("inputs")
        async for piece in self.llm.stream(messages, **asked):
            yield piece

    def answer(self, messages: Sequence[ChatMessage], **asked: Unpack[AnswerCall]) -> Answer:
        return self.llm.answer(messages, **asked)
