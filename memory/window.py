from uuid import UUID

from django.db import connection

from memory.models import Message
from memory.models.messages import MessageQuerySet
from personas.models import Bond


def filter_messages(bond: Bond) -> MessageQuerySet:
    """Filter the visible messages of a bond, of all sessions."""
    return Message.objects.for_bond(bond).visible().exclude(role=Message.Role.SYSTEM)


def load_newest_ids(*, bond: Bond, most: int) -> set[int]:
    """Load the ids of the messages that the window would hold if a turn began now."""
    return set(filter_messages(bond).order_by("-id").values_list("pk", flat=True)[:most])


# Raw SQL, as in the rest of the hot path: the ORM built it in three times the time PostgreSQL took to answer.
_FIELDS = (
    "id",
    "bond_id",
    "session_id",
    "role",
    "content",
    "turn_id",
    "chosen",
    "cut_off",
    "token_count",
    "created_at",
)
_RECENT = f"""
SELECT {", ".join(f"line.{name}" for name in _FIELDS)}
FROM memory_message line JOIN memory_session session ON session.id = line.session_id
WHERE line.bond_id = %(bond)s AND line.deleted_at IS NULL AND line.chosen AND line.role <> 'system' AND session.deleted_at IS NULL
    AND line.turn_id IS DISTINCT FROM %(turn)s AND NOT EXISTS (
        SELECT FROM memory_message later WHERE later.bond_id = %(bond)s AND later.turn_id = line.turn_id
            AND later.role = 'user' AND later.id > %(up_to)s
    )
ORDER BY line.id DESC LIMIT %(most)s
"""


def load_recent(*, bond: Bond, most: int, turn_id: UUID, up_to: int) -> list[Message]:
    """Load the bond's newest messages over all sessions and channels, oldest first, without the turn's own.

    Turns whose user messages have ids above `up_to` are later ones: their messages are left out, too. A message that
    came while the previous reply was streaming goes behind that reply.
    """
    with connection.cursor() as cursor:
        cursor.execute(_RECENT, {"bond": bond.pk, "turn": turn_id, "up_to": up_to, "most": most})
        newest = [Message.from_db(connection.alias, _FIELDS, row) for row in reversed(cursor.fetchall())]
    began: dict[UUID | None, int] = {}
    for line in newest:
        began.setdefault(line.turn_id, line.pk)
    return sorted(newest, key=lambda line: (began[line.turn_id], line.pk))
