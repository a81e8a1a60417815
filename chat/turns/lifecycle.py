"""A turn in the database: received, claimed, kept alive, finished. `runner` does what happens in between."""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Max, Model, Q

from chat.models import Turn
from chat.turns.bursts import assign_turn, is_gathering, list_messages_from, list_waiting_messages
from echovessel import events, texts
from echovessel.embeddings import embedding
from echovessel.errors import CodedError
from echovessel.postgres.rows import list_columns
from memory import sessions
from memory.ingest import ingest
from memory.models import Message, Session
from memory.models.expiry import HOLD, filter_expired, is_expired
from memory.queue import enqueue
from personas.models import Bond, Persona, PersonaFacts, User

MESSAGE_CHARACTERS = 20_000
CLIENT_ID_CHARACTERS = 64
LEASE = timedelta(seconds=20)
# Any process takes up a pending turn that nobody claimed for so long.
OVERDUE = timedelta(seconds=5)
# How much of the hold must be left when a turn is claimed: more than a turn may take.
HOLD_LEFT = timedelta(minutes=6)


class TurnError(CodedError):
    """An action that is not possible for a turn now."""


class LeaseLost(Exception):
    """Another process ended the turn, because this one gave no sign of life."""


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
    debounce: bool = True,
) -> ReceivedMessage:
    """Store a user's message and add it to the bond's next turn.

    A message sent again under its client id returns the stored one. Raises TextError, SessionError.
    """
    content = texts.check(content, most=MESSAGE_CHARACTERS)
    embedding.prefetch(content, person=bond.user_id)
    if client_id is not None:
        texts.check(client_id, most=CLIENT_ID_CHARACTERS)
    sessions.lock_bond(bond)
    if client_id is not None:
        known = Message.objects.for_bond(bond).filter(client_id=client_id).first()
        if known is not None and known.turn_id is not None:
            return ReceivedMessage(message=known, turn_id=known.turn_id, is_new=False)
    session = sessions.get_session_for_message(
        bond=bond, channel=channel, now=now, session_id=session_id, gathers=is_gathering
    )
    session.bond = bond
    turn_id = assign_turn(session=session, content=content, now=now, debounce=debounce)
    message = ingest(
        session=session,
        role=Message.Role.USER,
        content=content,
        turn_id=turn_id,
        now=now,
        client_id=client_id,
        held_until=now + HOLD,
    )
    if session.off_record:
        wake_after_commit(bond.pk)
    else:
        refs = {"message": message.pk, "client_id": client_id}
        events.record(bond_id=bond.pk, type="chat.message.user_appended", refs=refs, now=now)
    return ReceivedMessage(message=message, turn_id=turn_id, is_new=True)


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
_RESET_FIELDS: dict[str, Any] = {
    "finished_at": None,
    "stop_requested": False,
    "offline": False,
    "text": "",
    "error_code": "",
    "error_detail": "",
    "error_retryable": False,
    "tokens_in": None,
    "tokens_out": None,
    "tokens_cached": None,
}
_RETURNED_COLUMNS: dict[str, tuple[type[Model], list[str]]] = {
    "turn": (Turn, list_columns(Turn, "timings", "trace")),
    "session": (Session, list_columns(Session)),
    "bond": (Bond, list_columns(Bond)),
    "person": (User, list_columns(User)),
    "persona": (Persona, list_columns(Persona)),
    "facts": (PersonaFacts, list_columns(PersonaFacts)),
}
_CLAIM_PENDING = f"""
    UPDATE chat_turn AS turn SET status = 'running', started_at = %(now)s, lease_token = %(token)s, lease_until = %(until)s,
        timings = '{{}}', trace = '{{}}', {", ".join(f"{name} = %({name})s" for name in _RESET_FIELDS)}
    FROM memory_session AS session JOIN personas_bond AS bond ON bond.id = session.bond_id JOIN personas_user AS person ON person.id = bond.user_id
        JOIN personas_persona AS persona ON persona.id = bond.persona_id LEFT JOIN personas_personafacts AS facts ON facts.persona_id = persona.id
    WHERE turn.bond_id = %(bond)s AND turn.status = 'pending' AND (turn.due_at <= %(now)s OR turn.due_at > %(farthest)s) AND session.id = turn.session_id
        AND NOT EXISTS (SELECT FROM chat_turn AS other WHERE other.bond_id = %(bond)s AND other.status = 'running')
    RETURNING set_config('synchronous_commit', 'off', true),
        (SELECT min(id) FROM memory_message WHERE bond_id = turn.bond_id AND turn_id = turn.id AND role = 'user'),
        {", ".join(f"{table}.{name}" for table, (_, names) in _RETURNED_COLUMNS.items() for name in names)}
"""


def claim_pending(bond_id: int, *, now: datetime) -> tuple[Turn, int | None] | None:
    """Claim the pending turn by one conditional update. Returns it with its relations, and the id of its first message.

    It does not wait for the disk: if the server crashes and loses the claim, the turn is claimed again.
    """
    times = {"now": now, "farthest": get_latest_due(now), "until": now + LEASE}
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM_PENDING, _RESET_FIELDS | {"bond": bond_id, "token": uuid4()} | times)
        row = cursor.fetchone()
    if row is None:
        return None
    _, first, *values = row
    rest = iter(values)
    read: dict[str, Any] = {
        table: model.from_db(connection.alias, names, list(islice(rest, len(names))))
        for table, (model, names) in _RETURNED_COLUMNS.items()
    }
    turn: Turn = read["turn"]
    turn.timings, turn.trace = {}, {}
    turn.session, turn.bond = read["session"], read["bond"]
    turn.bond.user, turn.bond.persona = read["person"], read["persona"]
    facts = read["facts"] if read["facts"].persona_id else None
    Persona._meta.get_field("facts").set_cached_value(turn.bond.persona, facts)
    return turn, first


def get_latest_due(now: datetime) -> datetime:
    """Return how far ahead a turn can be due. A later time means that the clock was set back, so that turn is due."""
    return now + settings.DEBOUNCE + OVERDUE


def promote(*, message: Message, now: datetime) -> None:
    """Create the turn of the first waiting message."""
    Turn.objects.create(
        id=message.turn_id,
        bond_id=message.bond_id,
        session_id=message.session_id,
        created_at=message.created_at,
        due_at=now,
    )


_KEEP_ALIVE = """
    UPDATE chat_turn SET text = %s, lease_until = %s WHERE id = %s AND status = 'running' AND lease_token = %s
    RETURNING stop_requested, set_config('synchronous_commit', 'off', true)
"""


def keep_alive(*, turn: Turn, text: str, now: datetime) -> bool:
    """Save the text so far and renew the lease. Returns whether a stop was requested. Raises LeaseLost.

    This runs every second for each reply, so it is one statement and does not wait for the disk.
    """
    with connection.cursor() as cursor:
        cursor.execute(_KEEP_ALIVE, [text, now + LEASE, turn.pk, turn.lease_token])
        row = cursor.fetchone()
    if row is None:
        raise LeaseLost
    return bool(row[0])


def wake_after_commit(bond_id: int) -> None:
    """Wake followers. Sessions off the record have no log; followers read their rows, see `chat.live.off_record`."""
    transaction.on_commit(partial(events.wake, bond_id), robust=True)


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a turn ended: its text, and the error if there was one."""

    status: str
    text: str
    error_code: str = ""
    error_detail: str = ""
    error_retryable: bool = False
    offline: bool = False


@transaction.atomic
def finish(*, turn: Turn, ending: Ending, now: datetime, **measured: Any) -> Message | None:
    """Store the reply if there is any text, announce the end and let the next turn start.

    `measured` holds further fields of the turn. Raises LeaseLost if another process ended the turn or its bond was
    erased.
    """
    lock_bond(turn)
    rows = Turn.objects.select_for_update(no_key=True, of=("self",)).select_related("session")
    locked = rows.filter(pk=turn.pk, status=Turn.Status.RUNNING, lease_token=turn.lease_token).first()
    if locked is None:
        raise LeaseLost
    text = texts.strip_unstorable(ending.text).strip()
    message = store_reply(turn=locked, ending=ending, text=text, now=now) if text else None
    locked.status = ending.status
    locked.text = ""
    locked.finished_at = now
    locked.lease_token = locked.lease_until = None
    locked.error_code = ending.error_code
    locked.error_detail = ending.error_detail[:500]
    locked.error_retryable = ending.error_retryable
    locked.offline = ending.offline
    for name, value in measured.items():
        setattr(locked, name, value)
    locked.save()
    announce_end(turn=locked, message=message, now=now)
    if not is_awaited(session_id=locked.session_id, bond_id=locked.bond_id):
        sessions.release(session_id=locked.session_id, now=now)
    enqueue("memory.tasks.embed_messages", locked.bond_id)
    return message


def lock_bond(turn: Turn) -> None:
    """Lock the turn's bond. Raises LeaseLost if the bond was erased, and the turn with it."""
    try:
        sessions.lock_bond(turn.bond)
    except Bond.DoesNotExist as error:
        raise LeaseLost from error


def is_awaited(*, session_id: int, bond_id: int) -> bool:
    """Whether an active turn, or messages that wait behind one, will add a reply to the session."""
    active = list(Turn.objects.active().filter(bond=bond_id))
    return any(turn.session_id == session_id or list_waiting_messages(turn, session_id=session_id) for turn in active)


def store_reply(*, turn: Turn, ending: Ending, text: str, now: datetime) -> Message:
    replies = Message.objects.filter(bond=turn.bond_id, turn_id=turn.pk, role=Message.Role.PERSONA)
    newest = replies.aggregate(newest=Max("variant"))["newest"]
    return ingest(
        session=turn.session,
        role=Message.Role.PERSONA,
        content=text,
        turn_id=turn.pk,
        now=now,
        variant=0 if newest is None else newest + 1,
        cut_off=ending.status != Turn.Status.DONE,
    )


def announce_end(*, turn: Turn, message: Message | None, now: datetime) -> None:
    """Record one `done` event if there is a reply, else one `error` event; none for a session off the record."""
    if turn.session.off_record:
        wake_after_commit(turn.bond_id)
        return
    if message is None:
        refs = {"turn": str(turn.pk), **(turn.error or {}), "stopped": turn.is_stopped}
        events.record(bond_id=turn.bond_id, type="chat.message.error", refs=refs, now=now)
        return
    refs = {
        "turn": str(turn.pk),
        "message": message.pk,
        "variant": message.variant,
        "cut_off": message.cut_off,
        "offline": turn.offline,
        "error": turn.error,
    }
    events.record(bond_id=turn.bond_id, type="chat.message.done", refs=refs, now=now)


def interrupt_dead(*, now: datetime, but: Collection[UUID] = ()) -> list[int]:
    """End running turns whose process is gone, and keep their saved text. Returns their bonds.

    `but` are turns that this process runs: they are alive even if it cannot reach the database.
    """
    running = Turn.objects.filter(status=Turn.Status.RUNNING).exclude(pk__in=but)
    dead = running.filter(filter_expired("lease_until", now=now, most=LEASE))
    return [turn.bond_id for turn in dead.select_related("bond") if interrupt(turn=turn, now=now)]


@transaction.atomic
def interrupt(*, turn: Turn, now: datetime) -> bool:
    """End a turn if its lease is still expired; its process may have returned meanwhile."""
    with suppress(LeaseLost):
        lock_bond(turn)
    rows = Turn.objects.select_for_update(no_key=True, of=("self",)).select_related("bond")
    dead = rows.filter(pk=turn.pk, status=Turn.Status.RUNNING).first()
    if dead is None or dead.lease_until is None or not is_expired(dead.lease_until, now=now, most=LEASE):
        return False
    ending = Ending(
        status=Turn.Status.INTERRUPTED,
        text=dead.text,
        error_code="interrupted",
        error_detail="The reply was interrupted. Try again.",
        error_retryable=True,
        offline=dead.offline,
    )
    finish(turn=dead, ending=ending, now=now)
    return True


def list_overdue(*, now: datetime) -> list[int]:
    """Return the bonds whose pending turn nobody has claimed."""
    late = Q(due_at__lt=now - OVERDUE) | Q(due_at__gt=get_latest_due(now))
    return list(Turn.objects.filter(late, status=Turn.Status.PENDING).values_list("bond_id", flat=True))


def get_next_due(bond_id: int, now: datetime) -> datetime | None:
    """Return when the bond's pending turn becomes due; None if it is due already."""
    pending = Turn.objects.filter(
        bond=bond_id, status=Turn.Status.PENDING, due_at__gt=now, due_at__lte=get_latest_due(now)
    )
    return pending.values_list("due_at", flat=True).first()


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
