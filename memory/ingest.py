from datetime import datetime
from uuid import UUID

from django.db import transaction

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
) -> Message:
    """Store one line verbatim (L2) and count it in its session.

    The session row is locked first, so ids within a session are in the order of commit and the extraction watermark can skip
    nothing. Raises SessionError for a user line where the session is no longer open; a reply goes to its turn's session always.
    """
    locked = Session.objects.select_for_update(no_key=True).select_related("bond__user").get(pk=session.pk)
    if role == Message.Role.USER and locked.status != Session.Status.OPEN:
        raise SessionError("conflict", f"This session is {locked.status}.")
    if role == Message.Role.PERSONA:
        variants = Message.objects.filter(bond=locked.bond_id, turn_id=turn_id, role=role, chosen=True)
        variants.update(chosen=False)
    message = Message.objects.create(
        bond=locked.bond,
        session=locked,
        role=role,
        content=content,
        channel=locked.channel,
        turn_id=turn_id,
        client_id=client_id,
        variant=variant,
        cut_off=cut_off,
        token_count=tokens.estimate(content),
        day=now.astimezone(locked.bond.user.zone).date(),
        created_at=now,
        # No index finds what is said off the record.
        search=lexemes.of(locked.bond_id, "" if locked.off_record else content),
    )
    if locked.message_count == 0:
        # An empty session may have waited for hours.
        locked.started_at = now
    if variant == 0 or role == Message.Role.USER:
        locked.message_count += 1
        locked.token_count += message.token_count
    locked.last_message_at = max(locked.last_message_at, now)
    locked.save(update_fields=["message_count", "token_count", "started_at", "last_message_at"])
    return message
