"""Group messages into bursts: which messages belong to a turn, and which wait behind it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection
from django.db.models import Count, Sum
from django.db.models.functions import Coalesce, Length

from chat.models import Turn
from echovessel.postgres.rows import build_model, fetch_all, list_columns
from memory.models import Message, Session
from memory.models.messages import MessageQuerySet
from personas.models import Bond

BURST_MESSAGES = 50
BURST_CHARACTERS = 20_000


def is_gathering(session: Session) -> bool:
    """Whether the bond's pending turn belongs to this session."""
    return Turn.objects.filter(bond=session.bond_id, session=session, status=Turn.Status.PENDING).exists()


def assign_turn(*, session: Session, content: str, now: datetime, debounce: bool) -> UUID:
    """Return the id of the turn a message belongs to: the pending one, if it is of the same session and has room.

    If the pending turn is of another session, full or a retry, the message waits under a new id until `promote` gives
    it a row.
    """
    bond = session.bond
    due_at = Burst(messages=1, characters=len(content)).get_due_at(now=now, debounce=debounce)
    begun = Turn(bond=bond, session=session, created_at=now, due_at=due_at)
    pending = get_or_create_pending(begun)
    if pending.pk == begun.pk:
        return begun.pk
    if pending.session_id == session.pk and pending.started_at is None:
        burst = Burst.load(bond=bond, turn_id=pending.pk).with_message(content)
        if burst.fits():
            Turn.objects.filter(pk=pending.pk).update(due_at=burst.get_due_at(now=now, debounce=debounce))
            return pending.pk
    Turn.objects.filter(pk=pending.pk).update(due_at=now)
    waiting = [message.turn_id for message in list_waiting_messages(pending, session_id=session.pk)]
    if not waiting or waiting[-1] is None:
        return uuid4()
    has_room = Burst.load(bond=bond, turn_id=waiting[-1]).with_message(content).fits()
    return waiting[-1] if has_room else uuid4()


_TURN_COLUMNS = list_columns(Turn)
_INSERT_PENDING = f"""
    INSERT INTO chat_turn ({", ".join(_TURN_COLUMNS)})
    VALUES ({", ".join(["%s"] * len(_TURN_COLUMNS))})
    ON CONFLICT (bond_id) WHERE status = 'pending' DO UPDATE SET due_at = chat_turn.due_at
    RETURNING id, bond_id, session_id, created_at, due_at, started_at
"""


def get_or_create_pending(begun: Turn) -> Turn:
    """Return the bond's pending turn; if there is none, store this one. One statement does both."""
    values = [
        column.get_db_prep_save(getattr(begun, column.attname), connection) for column in Turn._meta.concrete_fields
    ]
    [row] = fetch_all(_INSERT_PENDING, values)
    # In the order of the model's columns.
    return build_model(Turn, ("id", "bond_id", "session_id", "created_at", "due_at", "started_at"), row)


@dataclass(frozen=True)
class Burst:
    """How many messages and characters a turn has gathered."""

    messages: int
    characters: int

    @classmethod
    def load(cls, *, bond: Bond, turn_id: UUID) -> "Burst":
        messages = Message.objects.filter(bond=bond, turn_id=turn_id, role=Message.Role.USER)
        return cls(**messages.aggregate(messages=Count("id"), characters=Coalesce(Sum(Length("content")), 0)))

    def with_message(self, content: str) -> "Burst":
        return Burst(messages=self.messages + 1, characters=self.characters + len(content))

    def fits(self) -> bool:
        return self.messages <= BURST_MESSAGES and self.characters <= BURST_CHARACTERS

    def get_due_at(self, *, now: datetime, debounce: bool) -> datetime:
        is_full = self.messages == BURST_MESSAGES or self.characters == BURST_CHARACTERS
        return now if is_full or not debounce else now + settings.DEBOUNCE


_MESSAGE_COLUMNS = list_columns(Message, *MessageQuerySet.HEAVY_COLUMNS)
_SELECT_MESSAGES = f"""
    SELECT {", ".join(_MESSAGE_COLUMNS)} FROM memory_message AS message WHERE bond_id = %s AND role = 'user' AND id >= %s AND deleted_at IS NULL
        AND (turn_id = %s OR turn_id IS NOT NULL AND NOT EXISTS (SELECT FROM chat_turn WHERE id = message.turn_id))
    ORDER BY id
"""


def list_messages_from(turn: Turn, *, first: int) -> list[Message]:
    """Return the user's messages of an active turn, whose first one has this id, and those that wait behind it."""
    found = fetch_all(_SELECT_MESSAGES, [turn.bond_id, first, turn.pk])
    return [build_model(Message, _MESSAGE_COLUMNS, row) for row in found]


def list_waiting_messages(turn: Turn, *, session_id: int) -> list[Message]:
    """Return the messages of a session that wait behind an active turn."""
    messages = Message.objects.filter(bond=turn.bond_id, turn_id=turn.pk, role=Message.Role.USER)
    first = messages.order_by("id").values_list("id", flat=True).first()
    if first is None:
        return []
    found = list_messages_from(turn, first=first)
    return [message for message in found if message.turn_id != turn.pk and message.session_id == session_id]
