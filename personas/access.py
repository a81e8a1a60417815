"""Whose memory somebody may see, and the log of what was seen of others: `AccessLog.objects.for_user(user)` is what that person reads."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import AnonymousUser

from personas.models import AccessLog, User

PERMISSION = "personas.see_others_memory"


def can_see_others(user: User | AnonymousUser) -> bool:
    return user.has_perm(PERMISSION)


def log_access(*, reader: User, people: Iterable[int | None], section: str, now: datetime) -> None:
    """Write down whose rows of a section somebody read; one's own are not worth a line, nor is the second look within an hour."""
    others = {person for person in people if person is not None} - {reader.pk}
    hour = now.replace(minute=0, second=0, microsecond=0)
    AccessLog.objects.bulk_create(
        [
            AccessLog(person_id=person, reader=reader, reader_name=reader.username, section=section, hour=hour)
            for person in sorted(others)
        ],
        ignore_conflicts=True,
    )
