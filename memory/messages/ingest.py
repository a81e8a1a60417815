from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from echovessel import tokens
from echovessel.postgres.rows import fetch_all
from memory.models import Message, Session, lexemes
from memory.sessions import SessionError

# An empty session may have waited for hours; it begins now. What a person says brings a session out of the
# archive, and shows that they are there.
_COUNT = f"""
    UPDATE {Session._meta.db_table} SET message_count = message_count + %(lines)s, token_count = token_count + %(tokens)s,
        started_at = CASE WHEN message_count = 0 THEN %(now)s ELSE started_at END,
        last_message_at = greatest(last_message_at, %(now)s), held_until = coalesce(%(held_until)s, held_until),
        archived_at = CASE WHEN %(is_of_user)s THEN NULL ELSE archived_at END,
        left_at = CASE WHEN %(is_of_user)s THEN NULL ELSE left_at END
    WHERE id = %(session)s AND (status = 'open' OR NOT %(is_of_user)s)
"""
# The message after its session, so that ids within a session are in the order of commits.
_STORED = [column for column in Message._meta.concrete_fields if not (column.primary_key or column.generated)]
_STORE = f"""
    WITH counted AS ({_COUNT} RETURNING id)
    INSERT INTO {Message._meta.db_table} ({", ".join(column.attname for column in _STORED)})
    SELECT {", ".join(f"%(message_{column.name})s" for column in _STORED)} FROM counted RETURNING id
"""


@transaction.atomic(savepoint=False)
def ingest(
    *,
    session: Session,
    role: str,
    content: str,
    turn_id: UUID | None,
    now: datetime,
    client_id: str | None = None,
    variant: int = 0,
    cut_off: bool = False,
    held_until: datetime | None = None,
    about_id: int | None = None,
    greeting: bool = False,
) -> Message:
    """Store one message verbatim (L2) and count it in its session, which is held where a turn will reply.

    The session row is updated first, so ids within a session are in the order of commits and the watermark skips
    nothing. Raises SessionError for a user message where the session is not open; a reply always goes to its turn's
    session.
    """
    token_count = tokens.estimate(content)
    is_of_user = role == Message.Role.USER
    is_counted = variant == 0 or is_of_user
    counted: dict[str, Any] = {
        "session": session.pk,
        "now": now,
        "lines": int(is_counted),
        "tokens": token_count if is_counted else 0,
        "held_until": held_until,
        "is_of_user": is_of_user,
    }
    if variant:
        variants = Message.objects.filter(bond=session.bond_id, turn_id=turn_id, role=role, chosen=True)
        variants.update(chosen=False)
    message = Message(
        bond=session.bond,
        session=session,
        role=role,
        content=content,
        channel=session.channel,
        turn_id=turn_id,
        client_id=client_id,
        variant=variant,
        cut_off=cut_off,
        token_count=token_count,
        about_id=about_id,
        greeting=greeting,
        day=session.bond.user.get_day(now),
        created_at=now,
        # No index holds messages off the record.
        search=lexemes.format_lexemes(session.bond_id, "" if session.off_record else content),
    )
    if not insert(message, counted):
        there = Session.objects.filter(pk=session.pk)
        raise SessionError(
            "conflict", "This session is %(status)s.", status=there.values_list("status", flat=True).get()
        )
    return message


def insert(message: Message, counted: dict[str, Any]) -> bool:
    """Insert a message and count it by one statement. Return whether its session takes it."""
    values = {
        f"message_{column.name}": column.get_db_prep_save(getattr(message, column.attname), connection)
        for column in _STORED
    }
    stored = fetch_all(_STORE, counted | values)
    if not stored:
        return False
    [(message.pk,)] = stored
    message._state.adding, message._state.db = False, connection.alias
    return True
