"""Edit one's own message: the chat goes back to before it, and the new text is sent in its place."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from chat.models import Turn
from chat.turns import receiving
from chat.turns.actions import TurnError
from chat.turns.receiving import ReceivedMessage
from memory import sessions
from memory.forgetting import rest_of_chat, trash
from memory.forgetting.rest_of_chat import RestOfChat
from memory.models import Forgotten, Message, Session
from personas.models import Bond


@dataclass(frozen=True, kw_only=True)
class Edit:
    """What a person wants to say in place of one of their messages."""

    message: Message
    content: object
    client_id: str | None = None


def find_going(message: Message) -> RestOfChat:
    """Find what an edit of the message would take back. Raises TurnError."""
    require_own(message)
    return rest_of_chat.find(message)


@transaction.atomic
def edit(*, bond: Bond, wanted: Edit, channel: str, now: datetime) -> ReceivedMessage:
    """Take a message back with all that came after it in its session, and send the new text there.

    It is one act of the trash, which `undo` reverses. A closed session is reopened. While a reply is written there it
    is refused, and nothing is changed; sent again under its client id, it changes nothing. Raises TurnError, TextError, SessionError.
    """
    sessions.lock_bond(bond)
    if known := receiving.find_received(bond, wanted.client_id):
        return known
    message = Message.objects.select_related("bond", "session").filter(pk=wanted.message.pk).first()
    if message is None:
        raise TurnError("not_found", "Message not found.")
    require_own(message)
    require_idle(bond, session_id=message.session_id)
    act = rest_of_chat.forget(message, now=now)
    received = receiving.receive(
        bond=bond,
        content=wanted.content,
        channel=channel,
        now=now,
        client_id=wanted.client_id,
        session_id=message.session_id,
        debounce=False,
    )
    if act is not None:
        act.taken["replaced_by"] = [received.message.pk]
        act.save(update_fields=["taken"])
    return received


@transaction.atomic
def undo(*, message: Message, now: datetime) -> None:
    """Restore what the edit of a message took back, and take back what was sent in its place.

    Raises TurnError where it was not edited, or while a reply is written there, and TrashError.
    """
    bond = message.bond
    sessions.lock_bond(bond)
    acts = Forgotten.objects.for_bond(bond).filter(kind=Forgotten.Kind.MESSAGE, object_id=message.pk)
    act = acts.select_related("bond__user").first()
    if act is None or "replaced_by" not in act.taken:
        raise TurnError("conflict", "This message was not edited, or the edit is undone already.")
    sent = Message.objects.for_bond(bond).not_deleted().select_related("session")
    replacement = sent.filter(pk__in=act.taken["replaced_by"]).first()
    if replacement is not None:
        require_idle(bond, session_id=replacement.session_id)
        rest_of_chat.forget(replacement, now=now)
    trash.restore(act=act, now=now)


def require_own(message: Message) -> None:
    """Raise TurnError unless this is a message that its user wrote and that is still there."""
    if message.role != Message.Role.USER or message.deleted_at is not None:
        raise TurnError("conflict", "Only a message of your own can be edited.")
    if message.session.status not in (Session.Status.OPEN, Session.Status.CLOSED):
        raise TurnError("conflict", "This chat is being remembered. Try again in a moment.")


def require_idle(bond: Bond, *, session_id: int) -> None:
    """Raise TurnError while a reply in the session is written, or about to be made again."""
    active = Turn.objects.for_bond(bond).active().filter(session=session_id)
    if active.exclude(status=Turn.Status.PENDING, started_at=None).exists():
        raise TurnError("turn_running", "A reply in this chat is being written. Stop it, or wait until it is done.")
