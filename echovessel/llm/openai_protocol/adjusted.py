"""Replies with the settings of one companion. What the server refuses of them is left out, and the reply asked for again."""

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Unpack

from echovessel.llm.errors import OptionsRefusedError, TooLongError
from echovessel.llm.protocol import Answer, AnswerCall, ChatMessage, Piece, ReplyCall, ReplyOptions

if TYPE_CHECKING:
    from echovessel.llm.openai_protocol.server import OpenAIServer

# The newer name of the longest reply, which some servers insist on.
NEW_NAME = "max_completion_tokens"


class AdjustedServer:
    """A model server, asked for replies with options."""

    offline = False

    def __init__(self, server: "OpenAIServer", options: ReplyOptions) -> None:
        self.server = server
        self.options = options
        # What this reply is asked without, besides what the server is known to refuse.
        self.refused: set[str] = set()

    @property
    def takes_tools(self) -> bool:
        return self.server.takes_tools

    def model_of(self, feature: str) -> str:
        """Return the companion's model for replies, unless the server has no such model."""
        own = self.options.model
        is_own = feature == "reply" and own and "model" not in self.refused | self.server.refused[own]
        return own if is_own else self.server.model_of(feature)

    def get_sent(self) -> dict[str, Any]:
        """Return the parameters that are sent, without those that are refused."""
        refused = self.refused | self.server.refused[self.model_of("reply")]
        params = self.options.as_params()
        if "max_tokens" in params and "max_tokens" in refused:
            params[NEW_NAME] = params["max_tokens"]
        return {name: value for name, value in params.items() if name not in refused}

    async def stream(self, messages: Sequence[ChatMessage], **asked: Unpack[ReplyCall]) -> AsyncGenerator[Piece, None]:
        while True:
            model, sent = self.model_of("reply"), self.get_sent()
            answer = self.server.stream(messages, model=model, params=sent, **asked)
            try:
                async with aclosing(answer) as pieces:
                    async for piece in pieces:
                        yield piece
            except OptionsRefusedError as error:
                self.leave_out(error, model=model, sent=sent)
            else:
                return

    def leave_out(self, error: OptionsRefusedError, *, model: str, sent: dict[str, Any]) -> None:
        """Leave out what the server names; where it names nothing that was sent, the model or all settings.

        For a prompt that is too long the settings are left out this once. Raises TooLongError where there were none.
        """
        if error.is_too_long:
            if not sent:
                raise TooLongError(error.answered) from error
            self.refused |= {*sent, NEW_NAME}
            return
        named = {name for name in sent if re.search(rf"\b{name}\b", error.said)}
        has_own = model != self.server.model_of("reply")
        is_of_model = error.answered == "404" or re.search(rf"(?<!\w){re.escape(model)}(?!\w)", error.said) is not None
        if has_own and not named and is_of_model:
            named = {"model"}
        # Only what is named is known to be refused next time, too.
        self.server.refused[model] |= named
        self.refused |= named or ({*sent, NEW_NAME} if sent or not has_own else {"model"})

    def answer(self, messages: Sequence[ChatMessage], **asked: Unpack[AnswerCall]) -> Answer:
        return self.server.answer(messages, **asked)
