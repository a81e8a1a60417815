"""The life of a session from its first message until it waits for consolidation."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from echovessel import events
from echovessel.errors import CodedError
from echovessel.postgres.rows import build_model, fetch_all, list_columns
from memory.jobs.lease import expire_dead_leases, lock_bond
from memory.jobs.queue import enqueue, enqueue_missing
from memory.models import Message, Session
from personas.models import Bond

# An unused empty session is deleted after this long.
EMPTY_LASTS = timedelta(hours=24)


class SessionError(CodedError):
    """A session that cannot be used as asked."""


@transaction.atomic(savepoint=False)
def get_session_for_message(
    *,
    bond: Bond,
    channel: str,
    now: datetime,
    session_id: int | None = None,
    gathers: Callable[[Session], bool] = lambda session: False,
) -> Session:
    """Get the open session for the next message, locked until commit; the caller has locked the bond.

    An idle or full session is closed and replaced, unless it `gathers` a burst; a closed session that is named is
    reopened. Raises SessionError where the named session cannot take a message.
    """
    if session_id is not None:
        named = reopen(bond=bond, session_id=session_id, channel=channel, now=now)
        is_over = named.off_record and named.is_full() and not gathers(named)
        return replace_full(session=named, now=now) if is_over else named
    session = find_open_session(bond, channel)
    if session is None:
        return create_announced(bond=bond, channel=channel, now=now)
    if session.message_count == 0 or not (session.is_idle(now) or session.is_full()) or gathers(session):
        return session
    if session.is_full() and not session.is_idle(now):
        return replace_full(session=session, now=now)
    close_locked(session, reason=Session.CloseReason.IDLE, now=now)
    return create_announced(bond=bond, channel=channel, now=now, closed=session)


_SESSION = list_columns(Session)
_OPEN = f"""
    SELECT {", ".join(_SESSION)} FROM {Session._meta.db_table}
    WHERE bond_id = %s AND channel = %s AND status = 'open' AND deleted_at IS NULL FOR NO KEY UPDATE
"""


def find_open_session(bond: Bond, channel: str) -> Session | None:
    """Find the channel's open session and lock it."""
    rows = fetch_all(_OPEN, [bond.pk, channel])
    return build_model(Session, _SESSION, rows[0]) if rows else None


def create(*, bond: Bond, channel: str, now: datetime, off_record: bool = False) -> Session:
    return Session.objects.create(
        bond=bond, channel=channel, started_at=now, last_message_at=now, off_record=off_record
    )


def replace_full(*, session: Session, now: datetime) -> Session:
    """Replace a full session, which is locked and open; the new one is off the record if the old one was."""
    close_locked(session, reason=Session.CloseReason.MAX_LENGTH, now=now)
    is_off = session.off_record
    return create_announced(bond=session.bond, channel=session.channel, now=now, off_record=is_off, closed=session)


def create_announced(
    *, bond: Bond, channel: str, now: datetime, off_record: bool = False, closed: Session | None = None
) -> Session:
    """Create a session and announce it; a session that ends off the record is announced when it is erased."""
    fresh = create(bond=bond, channel=channel, now=now, off_record=off_record)
    ended = closed.pk if closed is not None and not closed.off_record else None
    announce_boundary(bond_id=bond.pk, closed=ended, new=fresh.pk, now=now)
    return fresh


@transaction.atomic
def start_new(*, bond: Bond, channel: str, now: datetime, off_record: bool = False) -> Session:
    """*New chat*: close the channel's open session and create another, off the record if wanted; an empty one is
    reused.
    """
    lock_bond(bond)
    session = find_open_session(bond, channel)
    if session is not None and session.message_count:
        close_locked(session, reason=Session.CloseReason.EXPLICIT, now=now)
        session = None
    if session is not None and session.off_record == off_record:
        return session
    fresh = session or create(bond=bond, channel=channel, now=now)
    if fresh.off_record != off_record:
        fresh.off_record = off_record
        fresh.save(update_fields=["off_record"])
    announce_boundary(bond_id=bond.pk, closed=None, new=fresh.pk, now=now)
    return fresh


@transaction.atomic(savepoint=False)
def reopen(*, bond: Bond, session_id: int, channel: str, now: datetime) -> Session:
    """Reopen a closed session on this channel, and close the channel's open one."""
    lock_bond(bond)
    session = Session.objects.for_bond(bond).select_for_update(no_key=True).filter(pk=session_id).first()
    if session is None:
        raise SessionError("not_found", "Session not found.")
    if session.status == Session.Status.OPEN:
        return session
    if session.off_record:
        raise SessionError("conflict", "A session off the record cannot be continued.")
    if session.status != Session.Status.CLOSED:
        raise SessionError(
            "conflict", "This session is %(status)s; it can be continued once it is closed.", status=session.status
        )
    other = find_open_session(bond, channel)
    if other is not None and other.message_count:
        close_locked(other, reason=Session.CloseReason.EXPLICIT, now=now)
    elif other is not None:
        other.delete()
    session.status = Session.Status.OPEN
    session.channel = channel
    session.closed_at = None
    session.close_reason = ""
    # The clock may have been set back meanwhile.
    session.started_at = min(now, session.started_at)
    session.last_message_at = now
    session.save(update_fields=["status", "channel", "closed_at", "close_reason", "started_at", "last_message_at"])
    return session


@transaction.atomic(savepoint=False)
def close(*, session: Session, reason: str, now: datetime) -> Session:
    """Mark an open session `closing` and queue its consolidation. A session that is not open is left as it is.

    One off the record may be erased already, by another page or the scanner: it is given back as closed.
    """
    locked = Session.objects.select_for_update(no_key=True).filter(pk=session.pk).first()
    if locked is None:
        session.status, session.close_reason, session.closed_at = Session.Status.CLOSED, reason, now
        return session
    if locked.status == Session.Status.OPEN:
        close_locked(locked, reason=reason, now=now)
    return locked


def close_locked(session: Session, *, reason: str, now: datetime) -> None:
    """Close an open session that the caller has locked."""
    session.status = Session.Status.CLOSING
    session.close_reason = reason
    session.closed_at = now
    # The text of the loaded facts goes; their ids stay. A reopened session loads what is known then.
    session.loaded_text, session.loaded_at = "", None
    session.save(update_fields=["status", "close_reason", "closed_at", "loaded_text", "loaded_at"])
    if not session.is_held(now):
        queue_follow_up(session, now=now)


def queue_follow_up(session: Session, *, now: datetime) -> None:
    """Queue the consolidation of a closed session, or erase one off the record with all its messages."""
    if not session.off_record:
        enqueue("memory.tasks.consolidate", session.pk)
        return
    # The caller's object stays readable.
    Session.objects.filter(pk=session.pk).delete()
    session.status = Session.Status.CLOSED
    refs = {"session": session.pk}
    events.record(bond_id=session.bond_id, type="chat.session.forgotten", refs=refs, now=now)
    new = find_open_id(bond=session.bond, channel=session.channel)
    announce_boundary(bond_id=session.bond_id, closed=session.pk, new=new, now=now)


def hold(*, session_id: int, until: datetime) -> None:
    """Hold a session back from consolidation: a turn may still add its reply."""
    Session.objects.filter(pk=session_id).update(held_until=until)


_RELEASE = f"UPDATE {Session._meta.db_table} SET held_until = NULL WHERE id = %s RETURNING status"


@transaction.atomic(savepoint=False)
def release(*, session_id: int, now: datetime) -> None:
    """End a hold; a session that closed meanwhile goes to consolidation at once."""
    [(status,)] = fetch_all(_RELEASE, [session_id])
    if status == Session.Status.CLOSING:
        queue_follow_up(Session.objects.get(pk=session_id), now=now)


def scan(*, now: datetime) -> int:
    """One pass of the idle scanner: close idle sessions, queue stuck and due ones. Returns how many were found."""
    expire_dead_leases(Session.objects.filter(status=Session.Status.CONSOLIDATING), now=now)
    erase_off_record(now=now)
    due = list(Session.objects.due(now).order_by("id").values_list("pk", flat=True))
    enqueue_missing("memory.tasks.consolidate", due)
    stale = Session.objects.idle(now).not_empty().not_deleted().order_by("id")
    closed = [close_idle(session_id=session_id, now=now) for session_id in stale.values_list("pk", flat=True)]
    delete_empty(now=now)
    return len(due) + closed.count(True)


def erase_off_record(*, now: datetime) -> None:
    """Erase ended sessions off the record whose turns did not release them."""
    for session_id in Session.objects.due_for_erasure(now).order_by("id").values_list("pk", flat=True):
        with transaction.atomic():
            ended = Session.objects.due_for_erasure(now).select_for_update(no_key=True).filter(pk=session_id).first()
            if ended is not None:
                queue_follow_up(ended, now=now)


@transaction.atomic
def close_idle(*, session_id: int, now: datetime) -> bool:
    """Lock a session and close it if it is still idle and no turn holds it. Returns whether it did."""
    idle = Session.objects.idle(now).select_for_update(no_key=True)
    session = idle.not_deleted().filter(pk=session_id).first()
    if session is None or session.is_held(now):
        return False
    reason = Session.CloseReason.CATCHUP if session.is_late(now) else Session.CloseReason.IDLE
    close_locked(session, reason=reason, now=now)
    return True


@transaction.atomic
def delete_empty(*, now: datetime) -> None:
    """Delete empty sessions of yesterday. A locked one is about to get its first message and stays."""
    messages = Message.objects.filter(session=OuterRef("pk"))
    empty = Session.objects.select_for_update(skip_locked=True).filter(
        ~Exists(messages), message_count=0, status=Session.Status.OPEN, started_at__lt=now - EMPTY_LASTS
    )
    Session.objects.filter(pk__in=[session.pk for session in empty]).delete()


def find_open_id(*, bond: Bond, channel: str) -> int | None:
    return Session.objects.for_bond(bond).filter(channel=channel, status="open").values_list("pk", flat=True).first()


def retry(*, session: Session, now: datetime) -> bool:
    """Queue a failed session at once, for a person. Returns whether it was failed."""
    with transaction.atomic():
        failed = Session.objects.filter(pk=session.pk, status=Session.Status.FAILED)
        if not failed.update(status=Session.Status.CLOSING, attempt_count=0):
            return False
        enqueue("memory.tasks.consolidate", session.pk)
        announce_change(session=session, changed=["status"], now=now)
    return True


@transaction.atomic
def update(*, session: Session, columns: dict[str, Any], now: datetime) -> None:
    """Save a person's changes: a title, into the archive or out of it."""
    Session.objects.filter(pk=session.pk).update(**columns)
    if columns:
        announce_change(session=session, changed=sorted(columns), now=now)


def announce_change(*, session: Session, changed: list[str], now: datetime) -> None:
    refs = {"session": session.pk, "changed": changed}
    events.record(bond_id=session.bond_id, type="chat.session.updated", refs=refs, now=now)


def announce_boundary(
    *, bond_id: int, closed: int | None, new: int | None, now: datetime, counts: dict[str, int] | None = None
) -> None:
    refs: dict[str, int | None] = {"closed_session": closed, "new_session": new}
    refs |= counts or dict.fromkeys(("events_count", "thoughts_count"))
    events.record(bond_id=bond_id, type="chat.session.boundary", refs=refs, now=now)
