"""Moments that a person keeps: messages of either side, with a star and a note of the person's own."""

from datetime import datetime

from django.db import transaction

from echovessel import events
from memory.models import Message
from memory.models.messages import MessageQuerySet
from personas.models import Bond


def filter_kept(bond: Bond) -> MessageQuerySet:
    """Filter the messages that are kept, and neither deleted nor replaced by another reply."""
    return Message.objects.for_bond(bond).visible().filter(kept_at__isnull=False)


def filter_keepable(bond: Bond) -> MessageQuerySet:
    """Filter the messages that may be kept: what is off the record is erased when it ends."""
    return Message.objects.for_bond(bond).visible().not_off_record().exclude(role=Message.Role.SYSTEM)


@transaction.atomic
def keep(*, message: Message, note: str | None, now: datetime) -> None:
    """Keep a message, and write its note; None leaves the note as it is. One that is kept stays in its place."""
    change(message, kept_at=message.kept_at or now, note=message.kept_note if note is None else note, now=now)


@transaction.atomic
def let_go(*, message: Message, now: datetime) -> None:
    """No longer keep a message; its note goes."""
    change(message, kept_at=None, note="", now=now)


def change(message: Message, *, kept_at: datetime | None, note: str, now: datetime) -> None:
    """Write what differs, and tell open pages."""
    if (message.kept_at, message.kept_note) == (kept_at, note):
        return
    message.kept_at, message.kept_note = kept_at, note
    message.save(update_fields=["kept_at", "kept_note"])
    events.record(bond_id=message.bond_id, type="chat.message.kept", refs={"message": message.pk}, now=now)
