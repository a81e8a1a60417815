"""One worker at a time consolidates a session: it holds a lease, and every write checks that it still does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F

from memory.models import Session

LEASE = timedelta(minutes=10)


class LeaseLost(Exception):
    """Another worker has taken the session over, or it is gone; what this one found is dropped."""


@dataclass(frozen=True)
class Lease:
    session_id: int
    token: UUID

    def renew(self, now: datetime) -> None:
        """Hold on for another ten minutes. Raises LeaseLost."""
        held = Session.objects.filter(pk=self.session_id, lease_token=self.token, deleted_at=None)
        if not held.update(lease_until=now + LEASE):
            raise LeaseLost

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A transaction on the locked session. Raises LeaseLost before anything is written."""
        with transaction.atomic():
            held = Session.objects.select_for_update(no_key=True, of=("self",)).select_related("bond__user", "bond__persona")
            session = held.filter(pk=self.session_id, lease_token=self.token, deleted_at=None).first()
            if session is None:
                raise LeaseLost
            yield session


def claim(*, session_id: int, now: datetime) -> Lease | None:
    """Take a session that is due, or nothing if it is not, is held, or is another's."""
    token = uuid4()
    claimed = (
        Session.objects.due(now)
        .filter(pk=session_id)
        .update(
            status=Session.Status.CONSOLIDATING,
            lease_token=token,
            lease_until=now + LEASE,
            attempt_count=F("attempt_count") + 1,
        )
    )
    return Lease(session_id=session_id, token=token) if claimed else None
