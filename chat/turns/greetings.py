"""What a companion says first: shown to who opens a new bond, and stored once the user answers it."""

from dataclasses import dataclass, field
from datetime import datetime

from echovessel import events
from echovessel.errors import CodedError
from memory.messages.ingest import ingest
from memory.models import Message, Session
from personas.authored import openings
from personas.authored.openings import Greeting
from personas.models import Bond


class GreetingError(CodedError):
    """An answer to a greeting that is not there."""


@dataclass(frozen=True)
class OfferedOpening:
    """The greetings to choose among and the starters, as the user of the bond reads them."""

    greetings: list[Greeting] = field(default_factory=list)
    starters: list[str] = field(default_factory=list)


def is_new(bond: Bond) -> bool:
    """Whether nothing was ever said in the bond. What is in the trash may come back, so it counts."""
    return not Message.objects.for_bond(bond).exists()


def offer(bond: Bond) -> OfferedOpening:
    """Return how a chat with the companion may begin; nothing where one has begun."""
    if not is_new(bond):
        return OfferedOpening()
    opening = openings.load(bond.persona)
    return OfferedOpening(openings.list_greetings(bond, opening), openings.list_starters(bond, opening))


def store_answered(*, session: Session, greeting_id: str, now: datetime) -> None:
    """Store the greeting that the user answers as the first message of the bond, within the caller's transaction.

    Where something was said already, on another device, nothing is stored. Raises GreetingError.
    """
    bond = session.bond
    if not is_new(bond):
        return
    content = openings.find_greeting(bond, greeting_id)
    if not content:
        raise GreetingError("not_found", "Greeting not found.")
    message = ingest(session=session, role=Message.Role.PERSONA, content=content, turn_id=None, now=now, greeting=True)
    if not session.off_record:
        events.record(bond_id=bond.pk, type="chat.message.greeted", refs={"message": message.pk}, now=now)
