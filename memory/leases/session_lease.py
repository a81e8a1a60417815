"""One worker at a time consolidates a session: it holds a lease, and every write checks that it still does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, QuerySet

from memory.leases import workers
from memory.models import Session
from memory.models.expiry import LEASE
from personas.models import Bond


class LeaseLost(Exception):
    """Another worker has taken the session over, or it is gone; what this one found is dropped."""


@dataclass(frozen=True)
class Lease:
    session_id: int
    token: UUID

    def renew(self, now: datetime) -> None:
        """Hold on for another ten minutes. Raises LeaseLost."""
        held = Session.objects.not_deleted().filter(pk=self.session_id, lease_token=self.token)
        if not held.update(lease_until=now + LEASE):
            raise LeaseLost

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A transaction on the locked session. Raises LeaseLost before anything is written.

        The bond is locked first, as by everything that locks both: sessions of one bond write one after another, so that what
        is unique in a bond (a name, a reflection in its time) is found by the second when the first has written it.
        """
        with transaction.atomic():
            bonds = Bond.objects.select_for_update(no_key=True, of=("self",)).select_related("user", "persona")
            bond = bonds.filter(sessions=self.session_id).first()
            held = Session.objects.select_for_update(no_key=True)
            session = held.not_deleted().filter(pk=self.session_id, lease_token=self.token).first()
            if bond is None or session is None:
                raise LeaseLost
            session.bond = bond
            yield session


def claim(*, session_id: int, now: datetime) -> Lease | None:
    """Take a session that is due, or nothing if it is not, is held, or is another's."""
    token = uuid4()
    due = Session.objects.due(now).filter(pk=session_id)
    claimed = due.update(status=Session.Status.CONSOLIDATING, **build_lease_columns(token, now=now))
    return Lease(session_id=session_id, token=token) if claimed else None


def build_lease_columns(token: UUID, *, now: datetime) -> dict[str, Any]:
    """What a row says of the lease on it, once this process has taken it."""
    return {
        "lease_token": token,
        "lease_until": now + LEASE,
        "lease_holder": workers.identify_process(),
        "attempt_count": F("attempt_count") + 1,
    }


def expire_dead_leases(running: QuerySet[Any], *, now: datetime) -> None:
    """End the leases of workers of this machine that were killed, so that what they worked on need not wait for ten minutes."""
    for pk, token, holder in running.filter(lease_until__gte=now).values_list("pk", "lease_token", "lease_holder"):
        if workers.is_dead(holder):
            running.filter(pk=pk, lease_token=token).update(lease_until=now - timedelta(seconds=1))
