"""Earlier messages of a session for the offline voice, so that it does not repeat itself and uses what it was told."""

from collections.abc import Sequence
from dataclasses import replace

from chat.models import Turn
from chat.turns.trace import TracedQuote
from echovessel.llm.inputs import ReplyInputs, SaidMessage
from echovessel.llm.offline.reply.recall import memory_sentences
from memory.facts import history
from memory.messages import window
from memory.models import Message
from memory.recall import query_intent

# Only the end of a long session is read, which bounds the cost of a reply.
MAX_MESSAGES = 200


def load_messages(turn: Turn) -> list[Message]:
    """Return the messages of both sides, oldest first, including other variants of replies."""
    messages = Message.objects.for_bond(turn.bond).not_deleted().in_prompts(turn.bond).filter(session=turn.session_id)
    if turn.continues:
        # It says again how its reply begins, and that is cut.
        messages = messages.exclude(turn_id=turn.pk)
    others = messages.exclude(role=Message.Role.SYSTEM).exclude(pk__in=[message.pk for message in turn.burst])
    return window.load_last(others, MAX_MESSAGES)


def list_over(turn: Turn) -> list[str]:
    """List the facts that hold no longer, but for a burst that asks how it once was."""
    asked = "\n".join(message.content for message in turn.burst)
    return [] if query_intent.asks_of_past(asked) else history.list_over(turn.bond)


def add_to(inputs: ReplyInputs, before: Sequence[Message], over: list[str]) -> ReplyInputs:
    said = [SaidMessage(message.role == Message.Role.USER, message.content, message.created_at) for message in before]
    return replace(inputs, session_messages=said, over=over)


def find_quotes(reply: str, before: Sequence[Message]) -> list[TracedQuote]:
    """Return the user's messages that an offline reply quotes, for the trace.

    This cannot be known of a model's reply.
    """
    said = [
        message
        for message in before
        if message.role == Message.Role.USER and memory_sentences.is_quoted(reply, message.content)
    ]
    return [TracedQuote(message=message.pk, score=1.0) for message in said]
