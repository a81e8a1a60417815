"""The life of a turn in the database: received, claimed, kept alive, finished. See `runner` for what happens in between."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Sum
from django.db.models.functions import Length

from chat.models import Turn
from echovessel import events, texts
from memory import sessions
from memory.ingest import ingest
from memory.models import Message, Session
from memory.queue import enqueue
from personas.models import Bond

LINE_CHARACTERS = 20_000
CLIENT_ID_CHARACTERS = 64
BURST_LINES = 50
BURST_CHARACTERS = 20_000
LEASE = timedelta(seconds=20)
# A pending turn that nobody claimed is taken up by any process after this.
OVERDUE = timedelta(seconds=5)
# Longer than a turn may wait and take; a process that dies lets the hold run out.
HOLD = timedelta(minutes=5)


class TurnError(Exception):
    """Something that cannot be done with a turn now, with the contract's code and a sentence."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class LeaseLost(Exception):
    """The turn was taken for dead and is no longer this runner's."""


@dataclass(frozen=True)
class Received:
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
) -> Received:
    """Store a user's line at once and gather it into the bond's next turn.

    A line sent again under its client id is answered with the first one. Raises TextError, SessionError.
    """
    content = texts.check(content, most=LINE_CHARACTERS)
    if client_id is not None:
        texts.check(client_id, most=CLIENT_ID_CHARACTERS)
    lock(bond)
    if client_id is not None:
        known = Message.objects.of(bond).filter(client_id=client_id).first()
        if known is not None and known.turn_id is not None:
            return Received(message=known, turn_id=known.turn_id, is_new=False)
    pending = Turn.objects.of(bond).filter(status=Turn.Status.PENDING).first()
    session = sessions.open_for(
        bond=bond,
        channel=channel,
        now=now,
        session_id=session_id,
        burst_in=pending.session_id if pending else None,
    )
    turn_id = gather(bond=bond, session=session, pending=pending, content=content, now=now, debounce=debounce)
    message = ingest(
        session=session, role=Message.Role.USER, content=content, turn_id=turn_id, now=now, client_id=client_id
    )
    sessions.hold(session_id=session.pk, until=now + HOLD)
    refs = {"message": message.pk, "client_id": client_id}
    events.record(bond_id=bond.pk, type="chat.message.user_appended", refs=refs, now=now)
    return Received(message=message, turn_id=turn_id, is_new=True)


def lock(bond: Bond) -> None:
    """Let what changes the turns of one bond go one after another."""
    Bond.objects.select_for_update(no_key=True).get(pk=bond.pk)


def gather(
    *, bond: Bond, session: Session, pending: Turn | None, content: str, now: datetime, debounce: bool
) -> UUID:
    """The turn a line belongs to: the pending one while it gathers in the same session and has room.

    While that one is of another session or full, the line waits under an id of its own until the slot is free (`promote`).
    """
    due_at = now + (settings.DEBOUNCE if debounce else timedelta())
    if pending is None:
        return Turn.objects.create(bond=bond, session=session, created_at=now, due_at=due_at).pk
    lines = Message.objects.filter(bond=bond, turn_id=pending.pk, role=Message.Role.USER)
    size = lines.aggregate(characters=Sum(Length("content")))["characters"] or 0
    count = lines.count()
    has_room = count < BURST_LINES and size + len(content) <= BURST_CHARACTERS
    if pending.session_id != session.pk or not has_room:
        Turn.objects.filter(pk=pending.pk).update(due_at=now)
        waiting = waiting_lines(bond).filter(session=session).last()
        return waiting.turn_id if waiting and waiting.turn_id else uuid4()
    is_full = count + 1 >= BURST_LINES or size + len(content) >= BURST_CHARACTERS
    Turn.objects.filter(pk=pending.pk).update(due_at=now if is_full else due_at)
    return pending.pk


def waiting_lines(bond: Bond) -> Any:
    """User lines whose turn has no row yet, since another turn is pending."""
    newest = Turn.objects.of(bond).order_by("-created_at")
    lines = Message.objects.of(bond).filter(role=Message.Role.USER, deleted_at=None, turn_id__isnull=False)
    since = newest.values_list("created_at", flat=True).first()
    if since is None:
        return lines.none()
    return lines.filter(created_at__gte=since).exclude(turn_id__in=newest.values("id")[:100]).order_by("id")


@transaction.atomic
def claim(*, bond: Bond, now: datetime) -> Turn | None:
    """Make the bond's pending turn the running one, if it is due and none runs; lines that wait become the next pending turn."""
    lock(bond)
    turns = Turn.objects.of(bond)
    if turns.filter(status=Turn.Status.RUNNING).exists():
        return None
    turn = turns.filter(status=Turn.Status.PENDING, due_at__lte=now).select_related("session").first()
    if turn is None:
        return None
    turn.bond = bond
    turn.status = Turn.Status.RUNNING
    turn.started_at = now
    turn.finished_at = None
    turn.lease_token = uuid4()
    turn.lease_until = now + LEASE
    turn.stop_requested = False
    turn.text = turn.error_code = turn.error_detail = ""
    turn.error_retryable = False
    turn.save()
    sessions.hold(session_id=turn.session_id, until=now + HOLD)
    promote(bond=bond, now=now)
    return turn


def promote(*, bond: Bond, now: datetime) -> None:
    """Give the first waiting lines their turn's row."""
    first = waiting_lines(bond).first()
    if first is not None:
        Turn.objects.create(
            id=first.turn_id, bond=bond, session_id=first.session_id, created_at=first.created_at, due_at=now
        )


def keep_alive(*, turn: Turn, text: str, now: datetime) -> bool:
    """Save the text so far and hold the lease on; whether a stop was asked for. Raises LeaseLost."""
    mine = Turn.objects.filter(pk=turn.pk, status=Turn.Status.RUNNING, lease_token=turn.lease_token)
    if not mine.update(text=text, lease_until=now + LEASE):
        raise LeaseLost
    return mine.filter(stop_requested=True).exists()


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
    """Store the reply if there is any text, announce the end, and let the next turn start. `measured` holds further fields.

    Raises LeaseLost where another process has ended the turn already.
    """
    lock(turn.bond)
    mine = Turn.objects.select_for_update(no_key=True).filter(status=Turn.Status.RUNNING, lease_token=turn.lease_token)
    locked = mine.filter(pk=turn.pk).first()
    if locked is None:
        raise LeaseLost
    text = texts.storable(ending.text).strip()
    message = store(turn=locked, ending=ending, text=text, now=now) if text else None
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
    announce(turn=locked, message=message, now=now)
    if not Turn.objects.active().filter(bond=locked.bond_id, session=locked.session_id).exists():
        sessions.release(session_id=locked.session_id)
    enqueue("memory.tasks.embed_messages", locked.bond_id)
    return message


def store(*, turn: Turn, ending: Ending, text: str, now: datetime) -> Message:
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


def announce(*, turn: Turn, message: Message | None, now: datetime) -> None:
    """Exactly one `done` where there is a reply, else exactly one `error`."""
    if message is None:
        refs = {"turn": str(turn.pk), **(turn.error or {})}
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


def interrupt_dead(*, now: datetime) -> list[int]:
    """End running turns whose process gave no sign of life, keeping their saved text. Returns their bonds."""
    bonds = []
    dead = Turn.objects.filter(status=Turn.Status.RUNNING, lease_until__lt=now).select_related("bond", "session")
    for turn in dead:
        ending = Ending(
            status=Turn.Status.INTERRUPTED,
            text=turn.text,
            error_code="interrupted",
            error_detail="The reply was interrupted; try again.",
            error_retryable=True,
            offline=turn.offline,
        )
        try:
            finish(turn=turn, ending=ending, now=now)
        except LeaseLost:
            continue
        bonds.append(turn.bond_id)
    return bonds


def overdue(*, now: datetime) -> list[int]:
    """Bonds whose pending turn nobody has claimed."""
    late = Turn.objects.filter(status=Turn.Status.PENDING, due_at__lt=now - OVERDUE)
    return list(late.values_list("bond_id", flat=True))


def next_due(bond_id: int) -> datetime | None:
    pending = Turn.objects.filter(bond=bond_id, status=Turn.Status.PENDING)
    return pending.values_list("due_at", flat=True).first()


def find(*, bond: Bond, turn_id: UUID) -> Turn | None:
    """A turn of the bond; for lines that wait behind another turn, the pending one they will have."""
    turn = Turn.objects.of(bond).filter(pk=turn_id).first()
    if turn is not None:
        return turn
    line = Message.objects.of(bond).filter(turn_id=turn_id, deleted_at=None).order_by("id").first()
    if line is None:
        return None
    return Turn(id=turn_id, bond=bond, session_id=line.session_id, created_at=line.created_at, due_at=line.created_at)
