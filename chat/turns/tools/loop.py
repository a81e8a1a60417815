"""The loop in which a model replies, calls tools, reads their answers and goes on; bounded in every direction."""

import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from chat.turns.tools.calls import ToolAnswer
from echovessel import tokens
from echovessel.llm.errors import EmptyAnswerError, ToolsRefusedError
from echovessel.llm.protocol import ChatMessage
from echovessel.llm.tool_messages import build_answer_message, build_call_message
from echovessel.llm.tools import Tool, ToolCall

STEPS_MOST = 5
LOOP_SECONDS = 60.0
RESULT_TOKENS_MOST = 4_000
STEP_CALLS_MOST = 8
# The number of equal calls, and of calls with bad arguments, at which the loop ends.
ALIKE_MOST = 3
INVALID_MOST = 3
TOO_MANY = "At most 8 calls at once. This one was not made."
ANSWERED = "You have called your tools. Call no more, and reply. They answered:"


@dataclass(frozen=True)
class StepReply:
    """What a model said and called in one step."""

    text: str
    calls: Sequence[ToolCall]


class Toolbox(Protocol):
    @property
    def tools(self) -> Sequence[Tool]:
        """The tools on offer."""

    async def execute(self, call: ToolCall) -> ToolAnswer:
        """Execute a call. A failure is an answer, too; only the loss of the turn's lease is raised."""


def begin_step(text: str, *, after: str) -> str:
    """Return the first text of a step with a blank line between it and the steps before; "" while it is white space."""
    text = text.lstrip()
    line_ends = len(after) - len(after.rstrip("\n"))
    return "\n\n"[line_ends:] + text if text else ""


Ask = Callable[[Sequence[ChatMessage], Sequence[Tool]], Awaitable[StepReply]]


class ToolLoop:
    """Asks a model by `ask`, which streams the text of each step, until it calls no more tools or a bound is reached."""

    def __init__(self, *, messages: Sequence[ChatMessage], toolbox: Toolbox, ask: Ask) -> None:
        self.prompt = messages
        self.messages = [*messages]
        self.toolbox = toolbox
        self.ask = ask
        self.began = time.monotonic()
        self.has_text = False
        self.answers: list[tuple[ToolCall, ToolAnswer]] = []
        self._alike: Counter[str] = Counter()
        self._invalid = 0
        self._result_tokens = 0
        self._is_over = False

    async def run(self) -> None:
        """Run the steps; where they bring no text, ask once more without tools. Raises LLMError."""
        try:
            for _ in range(STEPS_MOST):
                calls = await self._ask_step()
                if not calls:
                    return
                await self._execute(calls)
                if self._is_over or time.monotonic() - self.began >= LOOP_SECONDS:
                    break
        except ToolsRefusedError:
            # The model can still reply, without tools.
            pass
        except EmptyAnswerError:
            if not self.answers:
                raise
        if not self.has_text:
            await self.ask(self._build_plain_messages(), ())

    async def _ask_step(self) -> Sequence[ToolCall]:
        said = await self.ask(self.messages, self.toolbox.tools)
        self.has_text = self.has_text or bool(said.text.strip())
        if said.calls:
            self.messages.append(build_call_message(said.text, said.calls))
        return said.calls

    async def _execute(self, calls: Sequence[ToolCall]) -> None:
        """Execute the calls of a step one after another; each gets an answer, as the protocol wants it."""
        for number, call in enumerate(calls):
            if self._is_over:
                return
            answer = ToolAnswer(ok=False, code="unavailable", text=TOO_MANY)
            if number < STEP_CALLS_MOST:
                if self._is_alike(call):
                    self._is_over = True
                    return
                answer = await self.toolbox.execute(call)
            self._add_answer(call, answer)

    def _is_alike(self, call: ToolCall) -> bool:
        """Whether a call is made once too often."""
        made = f"{call.name} {json.dumps(call.parse_arguments(), sort_keys=True)}"
        self._alike[made] += 1
        return self._alike[made] >= ALIKE_MOST

    def _add_answer(self, call: ToolCall, answer: ToolAnswer) -> None:
        self.answers.append((call, answer))
        message = build_answer_message(call, answer.as_json())
        self.messages.append(message)
        self._result_tokens += tokens.estimate(message["content"])
        self._invalid += answer.code == "invalid"
        if self._invalid >= INVALID_MOST or self._result_tokens >= RESULT_TOKENS_MOST:
            self._is_over = True

    def _build_plain_messages(self) -> list[ChatMessage]:
        """Return the prompt with what came of the calls in its last message.

        Servers that refuse tools refuse their messages, too.
        """
        *before, last = self.prompt
        if not self.answers:
            return [*before, last]
        told = "\n".join(f"{call.name}: {'ok' if a.ok else 'not done'}. {a.text}" for call, a in self.answers)
        content = f"{last['content']}\n\n<notes>\n{ANSWERED}\n{told}\n</notes>"
        return [*before, {**last, "content": content}]
