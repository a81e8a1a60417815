"""The interface of a language model: it streams a reply, or gives one structured answer."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, Protocol, TypedDict, Unpack
from uuid import UUID

from pydantic import BaseModel

from echovessel.llm.inputs import AnswerInputs, ReplyInputs
from echovessel.llm.tools import Tool, ToolCall


class CalledFunction(TypedDict):
    name: str
    arguments: str


class ToolCallParam(TypedDict):
    id: str
    type: Literal["function"]
    function: CalledFunction


class ChatMessage(TypedDict):
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    # The calls of an assistant's message, and the call that a tool's message answers.
    tool_calls: NotRequired[list[ToolCallParam]]
    tool_call_id: NotRequired[str]


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Whom a call was made for, as plain ids for the ledger."""

    user_id: int | None = None
    bond_id: int | None = None
    turn_id: UUID | None = None
    session_id: int | None = None


@dataclass(frozen=True)
class Usage:
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0


@dataclass(frozen=True)
class Answer:
    text: str
    usage: Usage
    offline: bool = False


@dataclass(frozen=True, kw_only=True)
class ReplyOptions:
    """How replies of one companion are asked for. What is empty is not sent: the install's model, the server's defaults."""

    model: str = ""
    # 0 to 2, above 0 to 1, and how many tokens a reply has at most.
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None

    def as_params(self) -> dict[str, float | int]:
        """Return the set ones, without the model, by their names in the OpenAI protocol."""
        named = {"temperature": self.temperature, "top_p": self.top_p, "max_tokens": self.max_tokens}
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True)
class CutOff:
    """The model came to the longest length that was allowed."""


@dataclass(frozen=True)
class TakenBack:
    """What this answer has said so far was a thought, which is not shown: some templates begin one without its mark."""


Piece = str | ToolCall | CutOff | TakenBack | Usage


class ReplyCall(TypedDict):
    """What a reply is asked for with, besides the messages."""

    origin: Origin
    inputs: NotRequired[ReplyInputs | None]
    tools: NotRequired[Sequence[Tool]]


class AnswerCall(TypedDict):
    """What a structured answer is asked for with, besides the messages."""

    feature: str
    schema: type[BaseModel]
    origin: Origin
    inputs: NotRequired[AnswerInputs | None]
    # How long to wait for it, where the usual time is too long.
    seconds: NotRequired[float | None]


class LLM(Protocol):
    """A model reads `messages`; the offline voice reads the `inputs` from which they were rendered."""

    @property
    def offline(self) -> bool:
        """Whether the offline voice answers instead of a model."""

    def model_of(self, feature: str) -> str:
        """Return the model that answers calls of `feature`."""

    @property
    def takes_tools(self) -> bool:
        """Whether replies may be asked for with tools."""

    def stream(self, messages: Sequence[ChatMessage], **asked: Unpack[ReplyCall]) -> AsyncGenerator[Piece, None]:
        """Yield the reply as deltas, which TakenBack takes back, then the tool calls, CutOff where it is too long, then exactly one Usage. Close it when you stop early.

        Raises LLMError, also after some deltas; ToolsRefusedError before any, if the server takes no tools.
        """

    def answer(self, messages: Sequence[ChatMessage], **asked: Unpack[AnswerCall]) -> Answer:
        """Return the raw text of a structured answer; the caller parses it by `schema`. Raises LLMError."""
