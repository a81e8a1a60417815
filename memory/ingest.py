from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Case, F, Value, When
from django.db.models.functions import Greatest

from echovessel import tokens
from memory import lexemes
from memory.models import Message, Session
from memory.sessions import SessionError


@transaction.atomic(savepoint=False)
def ingest(
    *,
    session: Session,
    role: str,
    content: str,
    turn_id: UUID,
    now: datetime,
    client_id: str | None = None,
    variant: int = 0,
    cut_off: bool = False,
    held_until: datetime | None = None,
) -> Message:
    """Store one line verbatim (L2) and count it in its session, which is held until then where a turn is to add its reply.

    The session row is changed first, so ids within a session are in the order of commit and the extraction watermark can skip
    nothing. Raises SessionError for a user line where the session is no longer open; a reply goes to its turn's session always.
    """
    token_count = tokens.estimate(content)
    is_counted = variant == 0 or role == Message.Role.USER
    changes: dict[str, Any] = {
        # An empty session may have waited for hours.
        "started_at": Case(When(message_count=0, then=Value(now)), default=F("started_at")),
        "last_message_at": Greatest("last_message_at", Value(now)),
    }
    if is_counted:
        changes |= {"message_count": F("message_count") + 1, "token_count": F("token_count") + token_count}
    if held_until is not None:
        changes["held_until"] = held_until
    there = Session.objects.filter(pk=session.pk)
    takes_it = there.filter(status=Session.Status.OPEN) if role == Message.Role.USER else there
    if not takes_it.update(**changes):
        raise SessionError("conflict", f"This session is {there.values_list('status', flat=True).get()}.")
    if role == Message.Role.PERSONA:
        variants = Message.objects.filter(bond=session.bond_id, turn_id=turn_id, role=role, chosen=True)
        variants.update(chosen=False)
    return Message.objects.create(
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
        day=now.astimezone(session.bond.user.zone).date(),
        created_at=now,
        # No index finds what is said off the record.
        search=lexemes.of(session.bond_id, "" if session.off_record else content),
    )
