"""What was said in a chat before a turn, for the offline voice: it says nothing twice, and answers by what it was told."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from chat.models import Turn
from echovessel.llm.inputs import ReplyInputs, SaidMessage
from echovessel.llm.offline.reply import quotes
from memory.models import Message

# Of a long chat its end, so that a reply costs no more.
MAX_MESSAGES = 200


def load_messages(turn: Turn) -> list[Message]:
    """The lines of both, the oldest first; also other replies to the same lines, which no prompt has."""
    lines = Message.objects.for_bond(turn.bond).not_deleted().filter(session=turn.session_id)
    others = lines.exclude(role=Message.Role.SYSTEM).exclude(pk__in=[line.pk for line in turn.burst])
    return list(reversed(others.order_by("-id").only("role", "content", "created_at")[:MAX_MESSAGES]))


def add_to(inputs: ReplyInputs, before: Sequence[Message]) -> ReplyInputs:
    said = [SaidMessage(line.role == Message.Role.USER, line.content, line.created_at) for line in before]
    return replace(inputs, before=said)


def find_quotes(reply: str, before: Sequence[Message]) -> list[dict[str, Any]]:
    """For a turn's trace: the user's lines that a reply by rules says again. Of a model nobody can tell."""
    said = [line for line in before if line.role == Message.Role.USER and quotes.is_quoted(reply, line.content)]
    return [{"message": line.pk, "score": 1.0} for line in said]
