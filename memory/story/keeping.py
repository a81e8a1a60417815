"""Keep a message, or keep it no longer: what the story tells of it weighs otherwise from then on."""

from datetime import datetime

from django.db import transaction

from memory import sessions
from memory.messages import kept
from memory.models import Message
from memory.story.versions import weights


@transaction.atomic
def keep(*, message: Message, note: str | None, now: datetime) -> None:
    """Keep a message, and write its note; None leaves the note as it is."""
    sessions.lock_bond(message.bond)
    kept.keep(message=message, note=note, now=now)
    weights.weigh_anew(message.bond)


@transaction.atomic
def let_go(*, message: Message, now: datetime) -> None:
    """No longer keep a message; its note goes."""
    sessions.lock_bond(message.bond)
    kept.let_go(message=message, now=now)
    weights.weigh_anew(message.bond)
