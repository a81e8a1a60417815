"""How lines gather to a burst, and which lines belong to a turn or wait behind it."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection
from django.db.models import Count, Sum
from django.db.models.functions import Coalesce, Length

from chat.models import Turn
from echovessel.postgres.rows import list_columns
from memory.models import Message, Session
from memory.models.sessions import MessageQuerySet
from personas.models import Bond

BURST_MESSAGES = 50
BURST_CHARACTERS = 20_000


def is_gathering(session: Session) -> bool:
    """Whether the bond's pending turn is of this session."""
    return Turn.objects.filter(bond=session.bond_id, session=session, status=Turn.Status.PENDING).exists()


def assign_turn(*, session: Session, content: str, now: datetime, debounce: bool) -> UUID:
    """The turn a line belongs to: the pending one while it gathers in the same session and has room.

    While that one is of another session, full, or tried again, the line waits under an id of its own until the slot is free (`promote`).
    """
    bond = session.bond
    due_at = Burst(lines=1, characters=len(content)).get_due_at(now=now, debounce=debounce)
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
    waiting = [line.turn_id for line in list_waiting_messages(pending, session_id=session.pk)]
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
    """The bond's pending turn, or this one, stored, where there is none: told by one statement."""
    values = [
        column.get_db_prep_save(getattr(begun, column.attname), connection) for column in Turn._meta.concrete_fields
    ]
    with connection.cursor() as cursor:
        cursor.execute(_INSERT_PENDING, values)
        row = cursor.fetchone()
    # In the order of the model's columns.
    return Turn.from_db(connection.alias, ("id", "bond_id", "session_id", "created_at", "due_at", "started_at"), row)


@dataclass(frozen=True)
class Burst:
    """How much a turn has gathered."""

    lines: int
    characters: int

    @classmethod
    def load(cls, *, bond: Bond, turn_id: UUID) -> "Burst":
        lines = Message.objects.filter(bond=bond, turn_id=turn_id, role=Message.Role.USER)
        return cls(**lines.aggregate(lines=Count("id"), characters=Coalesce(Sum(Length("content")), 0)))

    def with_message(self, content: str) -> "Burst":
        return Burst(lines=self.lines + 1, characters=self.characters + len(content))

    def fits(self) -> bool:
        return self.lines <= BURST_MESSAGES and self.characters <= BURST_CHARACTERS

    def get_due_at(self, *, now: datetime, debounce: bool) -> datetime:
        is_full = self.lines == BURST_MESSAGES or self.characters == BURST_CHARACTERS
        return now if is_full or not debounce else now + settings.DEBOUNCE


_MESSAGE_COLUMNS = list_columns(Message, *MessageQuerySet.HEAVY_COLUMNS)
_SELECT_MESSAGES = f"""
    SELECT {", ".join(_MESSAGE_COLUMNS)} FROM memory_message AS line WHERE bond_id = %s AND role = 'user' AND id >= %s AND deleted_at IS NULL
        AND (turn_id = %s OR turn_id IS NOT NULL AND NOT EXISTS (SELECT FROM chat_turn WHERE id = line.turn_id))
    ORDER BY id
"""


def list_messages_from(turn: Turn, *, first: int) -> list[Message]:
    """The user's lines of an active turn, whose first has this id, and those that came later and wait behind it, without a turn's
    row of their own."""
    with connection.cursor() as cursor:
        cursor.execute(_SELECT_MESSAGES, [turn.bond_id, first, turn.pk])
        return [Message.from_db(connection.alias, _MESSAGE_COLUMNS, row) for row in cursor.fetchall()]


def list_waiting_messages(turn: Turn, *, session_id: int) -> list[Message]:
    """The lines of a session that wait behind an active turn."""
    lines = Message.objects.filter(bond=turn.bond_id, turn_id=turn.pk, role=Message.Role.USER)
    first = lines.order_by("id").values_list("id", flat=True).first()
    if first is None:
        return []
    found = list_messages_from(turn, first=first)
    return [line for line in found if line.turn_id != turn.pk and line.session_id == session_id]
