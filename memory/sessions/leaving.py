"""A person closed the bond's last page. The open session ends soon, unless a page opens again or something is said."""

from datetime import datetime

from django.db import transaction

from memory.models import Session
from memory.sessions import lifecycle
from personas.models import Bond


def leave(*, session: Session, now: datetime) -> None:
    """Note that its last page is closed. A session that is over, empty or off the record is left as it is."""
    left = Session.objects.for_bond(session.bond).not_empty().filter(pk=session.pk, off_record=False)
    left.filter(status=Session.Status.OPEN).update(left_at=now)


def come_back(*, bond: Bond, channel: str) -> None:
    """Note that a page of the bond is open."""
    left = Session.objects.for_bond(bond).filter(channel=channel, status=Session.Status.OPEN)
    left.filter(left_at__isnull=False).update(left_at=None)


def close_left(*, now: datetime) -> int:
    """Close the sessions whose last page has been closed for long enough. Returns how many."""
    found = Session.objects.left(now).order_by("id").values_list("pk", flat=True)
    return [close(session_id=pk, now=now) for pk in found].count(True)


@transaction.atomic
def close(*, session_id: int, now: datetime) -> bool:
    """Lock a session and close it if it is still left and no turn holds it. Returns whether it did."""
    session = Session.objects.left(now).select_for_update(no_key=True).filter(pk=session_id).first()
    if session is None or session.is_held(now):
        return False
    lifecycle.close_locked(session, reason=Session.CloseReason.LEFT, now=now)
    return True
