"""Put chats away that nobody has written in for long, where the operator set how long that is."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from memory.models import Session
from memory.sessions import lifecycle


def archive_silent(*, now: datetime) -> int:
    """Archive closed sessions that were silent for ARCHIVE_AFTER_DAYS. Returns how many; none where it is 0."""
    if settings.ARCHIVE_AFTER is None:
        return 0
    since = now - settings.ARCHIVE_AFTER
    found = Session.objects.silent_since(since).order_by("id").values_list("pk", flat=True)
    return [archive(session_id=pk, since=since, now=now) for pk in found].count(True)


@transaction.atomic
def archive(*, session_id: int, since: datetime, now: datetime) -> bool:
    """Archive a session that is still silent since then. Returns whether it was: a message may have come meanwhile."""
    silent = Session.objects.silent_since(since).select_for_update(no_key=True)
    session = silent.filter(pk=session_id).first()
    if session is None:
        return False
    lifecycle.update(session=session, columns={"archived_at": now}, now=now)
    return True
