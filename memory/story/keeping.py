"""Keep a message, or keep it no longer: what the story tells of it weighs otherwise from then on."""

from datetime import datetime

from django.db import transaction

from echovessel import events
from memory import sessions
from memory.models import Message
from memory.story.versions import weights


def keep(*, message: Message, note: str | None, now: datetime) -> None:
    """Keep a message, and write its note; None leaves the note as it is. One that is kept stays in its place."""
    change(message, kept_at=message.kept_at or now, note=message.kept_note if note is None else note, now=now)


def let_go(*, message: Message, now: datetime) -> None:
    """No longer keep a message; its note goes."""
    change(message, kept_at=None, note="", now=now)


@transaction.atomic
def change(message: Message, *, kept_at: datetime | None, note: str, now: datetime) -> None:
    """Write what differs, and tell open pages."""
    if (message.kept_at, message.kept_note) == (kept_at, note):
        return
    sessions.lock_bond(message.bond)
    message.kept_at, message.kept_note = kept_at, note
    message.save(update_fields=["kept_at", "kept_note"])
    events.record(bond_id=message.bond_id, type="chat.message.kept", refs={"message": message.pk}, now=now)
    weights.weigh_anew(message.bond)
