"""Sends a prompt again with less of what can be cut, where it is longer than the model's window.

CONTEXT_TOKENS says how large the window is; a server that takes less says so only when it is asked.
"""

import logging
from collections.abc import Awaitable, Callable

from chat.turns.prompting import prompt as prompts
from chat.turns.prompting.prompt import Prompt
from echovessel.llm.errors import TooLongError

logger = logging.getLogger("echovessel.turns")


async def stream(prompt: Prompt, send: Callable[[Prompt], Awaitable[None]], *, has_said: Callable[[], bool]) -> None:
    """Send a prompt, and shorter ones until the model takes one. Raises LLMError; TooLongError where nothing is left to cut."""
    while True:
        try:
            return await send(prompt)
        except TooLongError:
            shorter = prompts.shorten(prompt)
            if has_said() or shorter.token_count >= prompt.token_count:
                raise
            logger.warning(
                "a prompt of about %s tokens is too long for the model, one of %s is sent; set CONTEXT_TOKENS to its window",
                prompt.token_count,
                shorter.token_count,
            )
            prompt = shorter
