from uuid import UUID

from memory.models import Message
from memory.models.sessions import MessageQuerySet
from personas.models import Bond


def lines_of(bond: Bond) -> MessageQuerySet:
    """What was said in a bond, in all its sessions."""
    return Message.objects.of(bond).live().exclude(role=Message.Role.SYSTEM)


def newest_ids(*, bond: Bond, most: int) -> set[int]:
    """The lines that the window would hold if a turn began now."""
    return set(lines_of(bond).order_by("-id").values_list("pk", flat=True)[:most])


def recent(*, bond: Bond, most: int, turn_id: UUID, up_to: int) -> list[Message]:
    """The bond's newest lines over all sessions and channels, oldest first, without those of the turn itself.

    Turns whose user lines came after message id `up_to` are later ones: their lines are left out, too. A line that was said while
    the reply before it was still being made stands behind that reply.
    """
    lines = lines_of(bond).exclude(turn_id=turn_id)
    later = Message.objects.of(bond).filter(role=Message.Role.USER, id__gt=up_to, turn_id__isnull=False)
    earlier = lines.exclude(turn_id__in=later.values("turn_id")).defer("embedding", "search", "sketch")
    newest = list(reversed(earlier.order_by("-id")[:most]))
    began: dict[UUID | None, int] = {}
    for line in newest:
        began.setdefault(line.turn_id, line.pk)
    return sorted(newest, key=lambda line: (began[line.turn_id], line.pk))
