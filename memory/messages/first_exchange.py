"""What a session began with: what the user said first, and the reply to it. Its automatic title is made of it."""

from memory.messages import tombstones
from memory.models import Message, Session


def load(session: Session) -> list[Message]:
    """Load the first burst of the user and its reply, oldest first, without what was forgotten."""
    said = Message.objects.for_bond(session.bond).visible().filter(session=session).exclude(role=Message.Role.SYSTEM)
    gone = tombstones.find_forgotten_messages(session.bond, said.only("id"))
    left = said.exclude(pk__in=gone).without_heavy_columns().order_by("id")
    first = left.filter(role=Message.Role.USER).first()
    if first is None:
        return []
    return [first] if first.turn_id is None else list(left.filter(turn_id=first.turn_id))
