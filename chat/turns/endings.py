"""The end of a turn: its reply as a message, its error, its event, and the session's hold."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from chat.models import Turn
from chat.turns import continuing
from chat.turns.bursts import list_waiting_messages
from chat.turns.claiming import LEASE, LeaseLost
from echovessel import events
from echovessel.text import strip_unstorable
from memory import sessions
from memory.jobs.queue import enqueue
from memory.messages import first_exchange, tombstones
from memory.messages.ingest import ingest
from memory.models import FactWrite, Message, Topic
from memory.models.leased import filter_expired, is_expired
from personas.models import Bond

# Messages of a session up to which a reply may end its beginning: each burst of it with its reply, some of several messages.
_BEGINNING_MOST = 4 * first_exchange.BURSTS_MOST


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a turn ended: its text, and the error if there was one."""

    status: str
    text: str
    error_code: str = ""
    error_detail: str = ""
    error_retryable: bool = False
    offline: bool = False
    # Whether the model came to the longest length that was allowed.
    is_cut: bool = False


def explain_silence(ending: Ending) -> Ending:
    """Return the ending; where a reply was stopped before it had text, with an error that says so, and may be tried again."""
    if ending.status != Turn.Status.STOPPED or ending.text.strip():
        return ending
    detail = "The reply was stopped before it started."
    return Ending(status=ending.status, text="", error_code="interrupted", error_detail=detail, error_retryable=True)


@transaction.atomic
def finish(
    *,
    turn: Turn,
    ending: Ending,
    now: datetime,
    has_writes: bool = True,
    is_unnoted: bool = False,
    topic: Topic | None = None,
    **measured: Any,
) -> Message | None:
    """Store the reply if there is any text, announce the end and let the next turn start.

    `topic` is what the talk is about, if the turn counts for it. `has_writes`: facts were written for the turn, which get its reply.
    `is_unnoted`: none were, though that was asked or is claimed. `measured` holds further fields of the turn. Raises LeaseLost where
    another process ended the turn or its bond was erased.
    """
    lock_bond(turn)
    rows = Turn.objects.select_for_update(no_key=True, of=("self",)).select_related("session")
    running = rows.filter(pk=turn.pk, status=Turn.Status.RUNNING, lease_token=turn.lease_token)
    # Not `first`: to compile an order of one row takes longer than to read it.
    locked = next(iter(running), None)
    if locked is None:
        raise LeaseLost
    locked.session.bond = turn.bond
    text = strip_unstorable(ending.text).strip()
    if locked.continues and text == continuing.load_begun(locked):
        # Nothing was added: the reply stands as it did.
        text = ""
    message = store_reply(turn=locked, ending=ending, text=text, now=now) if text else None
    if message is not None:
        tombstones.apply_to_reply(message)
    if message is not None and has_writes:
        FactWrite.objects.filter(bond=locked.bond_id, turn_id=locked.pk, message=None).update(message=message)
    save_ending(locked, ending, now=now, measured=measured)
    if topic is not None:
        topic.store(session=locked.session, turn_id=locked.pk)
    announce_end(turn=locked, message=message, is_unnoted=is_unnoted, now=now)
    if not is_awaited(session_id=locked.session_id, bond_id=locked.bond_id):
        sessions.release(session_id=locked.session_id, now=now)
    enqueue("memory.tasks.embed_messages", locked.bond_id)
    if message is not None and is_title_due(locked, message):
        enqueue("memory.tasks.title", locked.session_id)
    return message


def save_ending(turn: Turn, ending: Ending, *, now: datetime, measured: Mapping[str, Any]) -> None:
    turn.status = ending.status
    turn.text = ""
    turn.finished_at = now
    turn.lease_token = turn.lease_until = None
    turn.error_code = ending.error_code
    turn.error_detail = ending.error_detail[:500]
    turn.error_retryable = ending.error_retryable
    turn.offline = ending.offline
    for name, value in measured.items():
        setattr(turn, name, value)
    turn.save()


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
    newest = turn.replies().aggregate(newest=Max("variant"))["newest"]
    return ingest(
        session=turn.session,
        role=Message.Role.PERSONA,
        content=text,
        turn_id=turn.pk,
        now=now,
        variant=0 if newest is None else newest + 1,
        cut_off=ending.status != Turn.Status.DONE or ending.is_cut,
    )


def is_title_due(turn: Turn, reply: Message) -> bool:
    """Whether this reply ends the first exchange of a session without a title, or the next after a greeting. No title is made off the record."""
    session = turn.session
    if reply.variant or session.off_record or session.title or session.auto_title:
        return False
    # Two messages before the reply: the first one was not answered.
    is_first = turn.created_at <= session.started_at or session.message_count <= 2
    if is_first or session.message_count > _BEGINNING_MOST:
        return is_first
    begun = first_exchange.load(session)
    return bool(begun) and begun[-1].turn_id == turn.pk


def announce_end(*, turn: Turn, message: Message | None, is_unnoted: bool, now: datetime) -> None:
    """Record one `done` event if there is a reply, else one `error` event; none for a session off the record."""
    if message is None:
        name, refs = "chat.message.error", {**(turn.error or {}), "stopped": turn.is_stopped}
    else:
        name = "chat.message.done"
        refs = {
            "message": message.pk,
            "variant": message.variant,
            "cut_off": message.cut_off,
            "offline": turn.offline,
            "unnoted": is_unnoted,
            "error": turn.error,
        }
    refs = {"turn": str(turn.pk), **refs}
    events.announce(bond_id=turn.bond_id, type=name, refs=refs, now=now, off_record=turn.session.off_record)


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
