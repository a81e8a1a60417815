"""Who may see whose memory, and the log of who read somebody else's: `AccessLog.objects.for_user(user)`."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import AnonymousUser

from personas.models import AccessLog, User

PERMISSION = "personas.see_others_memory"


def can_see_others(user: User | AnonymousUser) -> bool:
    return user.has_perm(PERMISSION)


def log_access(*, reader: User, people: Iterable[int | None], section: str, now: datetime) -> None:
    """Log whose rows of a section the reader saw: once per hour, without the reader's own."""
    others = {person for person in people if person is not None} - {reader.pk}
    hour = now.replace(minute=0, second=0, microsecond=0)
    AccessLog.objects.bulk_create(
        [
            AccessLog(person_id=person, reader=reader, reader_name=reader.username, section=section, hour=hour)
            for person in sorted(others)
        ],
        ignore_conflicts=True,
    )
