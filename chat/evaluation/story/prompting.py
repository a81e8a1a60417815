"""Make the prompts that a message would be answered with: as they are, with notes in the other place, and in other ways."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

from django.conf import settings

from chat.models import Turn
from chat.turns.prompting import base_context, prompt, prompt_context
from chat.turns.prompting.prompt import Prompt
from chat.turns.prompting.prompt_context import PromptContext
from echovessel import text, tokens
from echovessel.llm.inputs import SaidMessage
from echovessel.prompts import unescape
from memory.models import Message, Session

ENDLESS = 10**9


@dataclass(frozen=True)
class MadePrompt:
    context: PromptContext
    made: Prompt

    @property
    def text(self) -> str:
        """All that it says, folded."""
        return text.fold(unescape("\n".join(message["content"] for message in self.made.messages)))

    @property
    def bytes(self) -> bytes:
        return "\n".join(message["content"] for message in self.made.messages).encode()


def make(session: Session, message: Message, vector: Sequence[float] | None) -> MadePrompt:
    now = message.created_at
    turn = Turn(id=message.turn_id or uuid4(), bond=session.bond, session=session, created_at=now, due_at=now)
    turn.burst = [message]
    context = prompt_context.load(base_context.load(turn, now), vector)
    return MadePrompt(context, context.assemble_prompt())


def move_notes(one: MadePrompt, *, last: bool) -> MadePrompt:
    """Make a prompt with its notes last, or before the window."""
    inputs = replace(one.made.inputs, has_notes_last=last)
    made = prompt.assemble(inputs, budget=settings.PROMPT_TOKEN_BUDGET, context=settings.CONTEXT_TOKENS)
    return MadePrompt(one.context, made)


def count_stable(one: MadePrompt) -> int:
    """Count the tokens of rules, authored texts and loaded facts."""
    return sum(tokens.estimate(section) for section in prompt.render_stable_sections(one.made.inputs))


def tell_all(one: MadePrompt, said: Sequence[Message]) -> MadePrompt:
    """Make a prompt that holds the whole talk word for word in place of the story."""
    window = [SaidMessage(line.role == Message.Role.USER, line.content, line.created_at) for line in said]
    inputs = replace(
        one.made.inputs,
        has_story=False,
        has_notes_last=False,
        story=[],
        scenes=[],
        line_recaps=[],
        recent_messages=window,
    )
    return MadePrompt(one.context, prompt.assemble(inputs, budget=ENDLESS, context=ENDLESS))
