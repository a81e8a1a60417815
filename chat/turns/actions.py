"""What a person can do with a turn: stop, retry, regenerate, choose among replies, forget a message."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from chat.models import Turn
from echovessel import events
from echovessel.errors import CodedError
from memory import sessions
from memory.forgetting import removal
from memory.models import Message, Session
from memory.models.leased import HOLD
from personas.models import Bond


class TurnError(CodedError):
    """An action that is not possible for a turn now."""


@transaction.atomic
def request_stop(*, bond: Bond, now: datetime, turn_id: UUID | None = None) -> Turn | None:
    """Ask the running turn (this one, if given) to stop. Returns it, or None if none runs.

    A pending turn is not stopped.
    """
    sessions.lock_bond(bond)
    running = Turn.objects.for_bond(bond).filter(status=Turn.Status.RUNNING)
    turn = (running if turn_id is None else running.filter(pk=turn_id)).first()
    if turn is not None:
        turn.stop_requested = True
        turn.save(update_fields=["stop_requested"])
        events.wake_after_commit(bond.pk, "bond.stop")
    return turn


@transaction.atomic
def retry(*, turn: Turn, now: datetime) -> Turn:
    """Make a failed, interrupted or stopped turn pending again, with the same messages. Raises TurnError."""
    turn = lock(turn)
    if turn.status not in (Turn.Status.FAILED, Turn.Status.INTERRUPTED, Turn.Status.STOPPED):
        raise TurnError(
            "conflict", "This turn is %(status)s; only a failed or interrupted turn can be retried.", status=turn.status
        )
    if turn.status == Turn.Status.STOPPED and turn.replies().not_deleted().exists():
        raise TurnError("conflict", "This turn has a stopped reply. Regenerate it instead.")
    return make_pending(turn=turn, now=now)


@transaction.atomic
def regenerate(*, turn: Turn, now: datetime) -> Turn:
    """Make another reply for the newest turn and keep the earlier ones. Raises TurnError."""
    turn = lock(turn)
    if turn.status not in (Turn.Status.DONE, Turn.Status.STOPPED):
        raise TurnError(
            "conflict", "This turn is %(status)s; only a finished turn can be regenerated.", status=turn.status
        )
    require_newest(turn)
    return make_pending(turn=turn, now=now)


@transaction.atomic
def continue_reply(*, turn: Turn, now: datetime) -> Turn:
    """Go on with the newest turn's reply, which was stopped or cut off, as another variant. Raises TurnError."""
    turn = lock(turn)
    if turn.status in (Turn.Status.PENDING, Turn.Status.RUNNING):
        raise TurnError("turn_running", "A reply is being written. Wait until it is done.")
    if not turn.replies().visible().filter(cut_off=True).exists():
        raise TurnError("conflict", "This reply was not cut off, so there is nothing to continue.")
    require_newest(turn)
    return make_pending(turn=turn, now=now, continues=True)


@transaction.atomic
def choose_reply(*, message: Message, now: datetime) -> Message:
    """Choose another variant of the newest turn's reply. Raises TurnError."""
    sessions.lock_bond(message.bond)
    turns = Turn.objects.filter(bond=message.bond_id).select_related("session")
    turn = turns.filter(pk=message.turn_id).first() if message.turn_id else None
    if turn is None or message.role != Message.Role.PERSONA:
        raise TurnError("conflict", "Only a reply can be chosen.")
    if turn.status in (Turn.Status.PENDING, Turn.Status.RUNNING):
        raise TurnError("turn_running", "A reply is being written. Wait until it is done.")
    require_newest(turn)
    turn.replies().exclude(pk=message.pk).update(chosen=False)
    if not turn.replies().not_deleted().filter(pk=message.pk).update(chosen=True):
        raise TurnError("conflict", "Only a reply can be chosen.")
    message.chosen = True
    refs = {"turn": str(turn.pk), "message": message.pk, "variant": message.variant}
    off_record = turn.session.off_record
    events.announce(bond_id=turn.bond_id, type="chat.message.chosen", refs=refs, now=now, off_record=off_record)
    return message


@transaction.atomic
def forget_message(*, message: Message, now: datetime) -> list[Any]:
    """Forget a message. Returns the memories that have no message left, as serialized.

    Raises TurnError while its turn runs.
    """
    sessions.lock_bond(message.bond)
    running = Turn.objects.filter(bond=message.bond_id, status=Turn.Status.RUNNING).values_list("pk", flat=True).first()
    if running is not None and running == message.turn_id:
        raise TurnError("turn_running", "This message is being answered. Stop the reply, or wait until it is done.")
    if message.session.off_record:
        events.wake_after_commit(message.bond_id)
    return removal.forget_message(message=message, now=now)


def lock(turn: Turn) -> Turn:
    """Lock the turn's bond and load the turn as it is then. Raises TurnError where it was erased with its session."""
    sessions.lock_bond(turn.bond)
    locked = Turn.objects.select_related("bond", "session").filter(pk=turn.pk).first()
    if locked is None:
        raise TurnError("not_found", "Turn not found.")
    return locked


def require_newest(turn: Turn) -> None:
    """Raise TurnError unless the turn is the bond's newest and nothing of it is extracted."""
    newer = Turn.objects.filter(bond=turn.bond_id, created_at__gt=turn.created_at).with_messages()
    if newer.exists() or not is_changeable(turn):
        raise TurnError("too_late", "This reply is already part of what came after it and can no longer be changed.")


def is_changeable(turn: Turn) -> bool:
    """Whether nothing of the turn is extracted or may be at this moment."""
    # A worker may be reading a session in any other state.
    if turn.session.status not in (Session.Status.OPEN, Session.Status.CLOSED):
        return False
    messages = Message.objects.filter(bond=turn.bond_id, turn_id=turn.pk)
    return not messages.filter(id__lte=turn.session.watermark).exists()


@dataclass(frozen=True)
class Replies:
    """The replies of the newest turn, oldest first, and whether another may be made."""

    turn_id: UUID
    message_ids: list[int]
    may_have_another: bool


def get_newest_replies(turn: Turn) -> Replies | None:
    """Return the replies of the bond's newest turn, or None if it can no longer be changed.

    The turn must come with its session.
    """
    if not is_changeable(turn):
        return None
    ids = list(turn.replies().not_deleted().order_by("variant").values_list("pk", flat=True))
    return Replies(turn.pk, ids, may_have_another=turn.status in (Turn.Status.DONE, Turn.Status.STOPPED))


def make_pending(*, turn: Turn, now: datetime, continues: bool = False) -> Turn:
    if Turn.objects.active().filter(bond=turn.bond_id).exists():
        raise TurnError("turn_running", "Another reply is being written. Wait until it is done.")
    turn.status = Turn.Status.PENDING
    turn.continues = continues
    turn.due_at = now
    turn.finished_at = None
    turn.error_code = turn.error_detail = ""
    turn.save()
    sessions.hold(session_id=turn.session_id, until=now + HOLD)
    return turn
