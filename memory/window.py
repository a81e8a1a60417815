from uuid import UUID

from memory.models import Message, Session
from personas.models import Bond

SUMMARIES = 5


def recent(*, bond: Bond, most: int, turn_id: UUID, up_to: int) -> list[Message]:
    """The bond's newest lines over all sessions and channels, oldest first, without those of the turn itself.

    User lines after message id `up_to` belong to turns that come later and are left out, too.
    """
    lines = Message.objects.of(bond).live().exclude(role=Message.Role.SYSTEM).exclude(turn_id=turn_id)
    lines = lines.exclude(role=Message.Role.USER, id__gt=up_to).defer("embedding", "search")
    return list(reversed(lines.order_by("-id")[:most]))


def earlier_talks(*, bond: Bond) -> list[Session]:
    """The newest sessions that have a summary, oldest first."""
    newest = Session.objects.of(bond).exclude(summary="").order_by("-last_message_at", "-id")[:SUMMARIES]
    return list(reversed(newest))
