"""What a user says, stored and added to a turn."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from chat.models import Turn
from chat.turns import greetings
from chat.turns.bursts import assign_turn, is_gathering
from echovessel import events, text
from echovessel.embeddings import embedding
from echovessel.errors import CodedError
from memory import sessions
from memory.messages.ingest import ingest
from memory.models import ConceptNode, Message
from memory.models.leased import HOLD
from memory.recall import query_vectors
from personas.models import Bond

MESSAGE_CHARACTERS = 20_000
CLIENT_ID_CHARACTERS = 64


class AboutError(CodedError):
    """A message about something that is not there."""


@dataclass(frozen=True)
class ReceivedMessage:
    message: Message
    turn_id: UUID
    is_new: bool


@transaction.atomic
def receive(
    *,
    bond: Bond,
    content: object,
    channel: str,
    now: datetime,
    client_id: str | None = None,
    session_id: int | None = None,
    about: int | None = None,
    greeting: str | None = None,
    debounce: bool = True,
) -> ReceivedMessage:
    """Store a user's message and add it to the bond's next turn.

    A message sent again under its client id returns the stored one; `about` is the id of a fact that it asks to change, and
    `greeting` the id of the greeting that the first message of a bond answers. Raises TextError, SessionError,
    AboutError, GreetingError.
    """
    content = text.check(content, most=MESSAGE_CHARACTERS)
    embedding.prefetch(query_vectors.build_text(bond, content), person=bond.user_id)
    if client_id is not None:
        text.check(client_id, most=CLIENT_ID_CHARACTERS)
    sessions.lock_bond(bond)
    if known := find_received(bond, client_id):
        return known
    if about is not None and not ConceptNode.objects.for_bond(bond).facts().not_deleted().filter(pk=about).exists():
        raise AboutError("not_found", "Fact not found.")
    session = sessions.get_session_for_message(
        bond=bond, channel=channel, now=now, session_id=session_id, gathers=is_gathering
    )
    session.bond = bond
    if greeting is not None:
        greetings.store_answered(session=session, greeting_id=greeting, now=now)
    turn_id = assign_turn(session=session, content=content, now=now, debounce=debounce)
    message = ingest(
        session=session,
        role=Message.Role.USER,
        content=content,
        turn_id=turn_id,
        now=now,
        client_id=client_id,
        held_until=now + HOLD,
        about_id=about,
    )
    refs = {"message": message.pk, "client_id": client_id}
    off_record = session.off_record
    events.announce(bond_id=bond.pk, type="chat.message.user_appended", refs=refs, now=now, off_record=off_record)
    return ReceivedMessage(message=message, turn_id=turn_id, is_new=True)


def find_received(bond: Bond, client_id: str | None) -> ReceivedMessage | None:
    if client_id is None:
        return None
    known = Message.objects.for_bond(bond).filter(client_id=client_id).first()
    if known is None or known.turn_id is None:
        return None
    return ReceivedMessage(message=known, turn_id=known.turn_id, is_new=False)


def find_turn(*, bond: Bond, turn_id: UUID) -> Turn | None:
    """Return a turn of the bond; for waiting messages, the pending turn that they will have."""
    turn = Turn.objects.for_bond(bond).filter(pk=turn_id).first()
    if turn is not None:
        return turn
    message = Message.objects.for_bond(bond).not_deleted().filter(turn_id=turn_id).order_by("id").first()
    if message is None:
        return None
    return Turn(
        id=turn_id, bond=bond, session_id=message.session_id, created_at=message.created_at, due_at=message.created_at
    )
