from datetime import datetime

from memory.models import Message, Session
from personas.models import Bond

SUMMARIES = 5


def recent(*, bond: Bond, most: int, before: int | None = None) -> list[Message]:
    """The bond's newest lines over all sessions and channels, oldest first; those below message id `before` only."""
    lines = Message.objects.of(bond).live().exclude(role=Message.Role.SYSTEM)
    if before is not None:
        lines = lines.filter(id__lt=before)
    return list(reversed(lines.order_by("-id")[:most]))


def earlier_talks(*, bond: Bond) -> list[Session]:
    """The newest sessions that have a summary, oldest first."""
    newest = Session.objects.of(bond).exclude(summary="").order_by("-last_message_at", "-id")[:SUMMARIES]
    return list(reversed(newest))


def bucket(*, at: datetime, now: datetime) -> str:
    """In which stretch of the past a moment lies, in words; both moments in the user's zone."""
    days = (now.date() - at.date()).days
    if days <= 0:
        return "just now" if (now - at).total_seconds() < 600 else "earlier today"
    if days == 1:
        return "yesterday"
    return "earlier this week" if days < 7 else "older"
