"""Which turns are due, and the lease of the one that runs: one turn a bond at a time."""

from datetime import datetime, timedelta
from itertools import islice
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Model, Q

from chat.models import Turn
from chat.turns.bursts import list_messages_from
from echovessel.postgres import prepared
from echovessel.postgres.rows import build_model, fetch_all, list_columns
from memory import sessions
from memory.models import Message, Session
from memory.models.leased import HOLD
from personas.models import Bond, Persona, PersonaFacts, User

LEASE = timedelta(seconds=20)
# Any process takes up a pending turn that nobody claimed for so long.
OVERDUE = timedelta(seconds=5)
# How much of the hold must be left when a turn is claimed: more than a turn may take.
HOLD_LEFT = timedelta(minutes=6)


class LeaseLost(Exception):
    """Another process ended the turn, because this one gave no sign of life."""


@prepared.retry_where_lost
@transaction.atomic
def claim(*, bond_id: int, now: datetime) -> Turn | None:
    """Make the bond's pending turn the running one, if it is due and none runs.

    Messages that wait become the next pending turn. The turn comes with its burst, and with its bond's user, persona and facts.
    """
    try:
        sessions.lock_bond(Bond(pk=bond_id))
    except Bond.DoesNotExist:
        return None
    taken = claim_pending(bond_id, now=now)
    if taken is None:
        return None
    turn, first = taken
    # The hold that its message made is long enough, unless the turn had to wait.
    if not turn.session.is_held(now + HOLD_LEFT):
        sessions.hold(session_id=turn.session_id, until=now + HOLD)
    messages = list_messages_from(turn, first=first) if first is not None else []
    turn.burst = [message for message in messages if message.turn_id == turn.pk]
    waiting = [message for message in messages if message.turn_id != turn.pk]
    if waiting:
        promote(message=waiting[0], now=now)
    return turn


# Reset each time a turn is claimed.
_RESET = """
    timings = '{}', trace = '{}', finished_at = NULL, stop_requested = false, offline = false, text = '', error_code = '', error_detail = '',
    error_retryable = false, tokens_in = NULL, tokens_out = NULL, tokens_cached = NULL
"""
_RETURNED_COLUMNS: dict[str, tuple[type[Model], list[str]]] = {
    "turn": (Turn, list_columns(Turn, "timings", "trace")),
    "session": (Session, list_columns(Session)),
    "bond": (Bond, list_columns(Bond)),
    "person": (User, list_columns(User)),
    "persona": (Persona, list_columns(Persona)),
    "facts": (PersonaFacts, list_columns(PersonaFacts)),
}
_CLAIM_PENDING = f"""
    UPDATE chat_turn AS turn
    SET status = 'running', started_at = %(now)s::timestamptz, lease_token = %(token)s::uuid, lease_until = %(until)s::timestamptz, {_RESET}
    FROM memory_session AS session JOIN personas_bond AS bond ON bond.id = session.bond_id JOIN personas_user AS person ON person.id = bond.user_id
        JOIN personas_persona AS persona ON persona.id = bond.persona_id LEFT JOIN personas_personafacts AS facts ON facts.persona_id = persona.id
    WHERE turn.bond_id = %(bond)s::bigint AND turn.status = 'pending' AND (turn.due_at <= %(now)s OR turn.due_at > %(farthest)s::timestamptz)
        AND session.id = turn.session_id AND person.is_active
        AND NOT EXISTS (SELECT FROM chat_turn AS other WHERE other.bond_id = %(bond)s AND other.status = 'running')
    RETURNING set_config('synchronous_commit', 'off', true),
        (SELECT min(id) FROM memory_message WHERE bond_id = turn.bond_id AND turn_id = turn.id AND role = 'user'),
        EXISTS (SELECT FROM memory_scene WHERE bond_id = turn.bond_id),
        {", ".join(f"{table}.{name}" for table, (_, names) in _RETURNED_COLUMNS.items() for name in names)}
"""


def claim_pending(bond_id: int, *, now: datetime) -> tuple[Turn, int | None] | None:
    """Claim the pending turn by one conditional update. Returns it with its relations, and the id of its first message.

    It does not wait for the disk: if the server crashes and loses the claim, the turn is claimed again.
    """
    times = {"now": now, "farthest": get_latest_due(now), "until": now + LEASE}
    rows = prepared.fetch_all(_CLAIM_PENDING, {"bond": bond_id, "token": uuid4()} | times)
    if not rows:
        return None
    [(_, first, has_scenes, *values)] = rows
    rest = iter(values)
    read: dict[str, Any] = {
        table: build_model(model, names, list(islice(rest, len(names))))
        for table, (model, names) in _RETURNED_COLUMNS.items()
    }
    turn: Turn = read["turn"]
    turn.timings, turn.trace, turn.has_scenes = {}, {}, has_scenes
    turn.session, turn.bond = read["session"], read["bond"]
    turn.bond.user, turn.bond.persona = read["person"], read["persona"]
    facts = read["facts"] if read["facts"].persona_id else None
    Persona._meta.get_field("facts").set_cached_value(turn.bond.persona, facts)
    return turn, first


def get_latest_due(now: datetime) -> datetime:
    """Return how far ahead a turn can be due. A later time means that the clock was set back, so that turn is due."""
    return now + settings.DEBOUNCE + OVERDUE


def promote(*, message: Message, now: datetime) -> None:
    Turn.objects.create(
        id=message.turn_id,
        bond_id=message.bond_id,
        session_id=message.session_id,
        created_at=message.created_at,
        due_at=now,
    )


def check_lease(turn: Turn) -> None:
    """Make sure that this process still has the turn, where the bond is locked. Raises LeaseLost."""
    running = Turn.objects.filter(pk=turn.pk, status=Turn.Status.RUNNING, lease_token=turn.lease_token)
    if not running.exists():
        raise LeaseLost


_KEEP_ALIVE = """
    UPDATE chat_turn AS turn SET text = %s, lease_until = %s FROM personas_bond AS bond JOIN personas_user AS person ON person.id = bond.user_id
    WHERE turn.id = %s AND status = 'running' AND turn.lease_token = %s AND bond.id = turn.bond_id
    RETURNING stop_requested OR NOT person.is_active, set_config('synchronous_commit', 'off', true)
"""


def keep_alive(*, turn: Turn, text: str, now: datetime) -> bool:
    """Save the text so far and renew the lease. Returns whether to stop: on request, or as the user was deactivated. Raises LeaseLost.

    This runs every second for each reply, so it is one statement and does not wait for the disk.
    """
    kept = fetch_all(_KEEP_ALIVE, [text, now + LEASE, turn.pk, turn.lease_token])
    if not kept:
        raise LeaseLost
    return bool(kept[0][0])


def list_overdue(*, now: datetime) -> list[int]:
    """Return the bonds whose pending turn nobody has claimed; one of a deactivated user waits until they are active again."""
    late = Q(due_at__lt=now - OVERDUE) | Q(due_at__gt=get_latest_due(now))
    waiting = Turn.objects.filter(late, status=Turn.Status.PENDING, bond__user__is_active=True)
    return list(waiting.values_list("bond_id", flat=True))


def get_next_due(bond_id: int, now: datetime) -> datetime | None:
    """Return when the bond's pending turn becomes due; None if it is due already."""
    pending = Turn.objects.filter(
        bond=bond_id, status=Turn.Status.PENDING, due_at__gt=now, due_at__lte=get_latest_due(now)
    )
    return pending.values_list("due_at", flat=True).first()
