"""The right to work on a session, an import, a slow tick or a story: one worker at a time has it, and every write checks it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, QuerySet

from memory.jobs import workers
from memory.models import Import, Session, SlowTickRun, Story
from memory.models.leased import LEASE, filter_free
from personas.models import Bond

Row = TypeVar("Row", Session, Import, SlowTickRun, Story)


class LeaseLost(Exception):
    """Another worker has taken the row over, or it is gone; what this one found is dropped."""


@dataclass(frozen=True)
class Lease(Generic[Row]):
    """The right to write one row, for as long as the row has the values of `held`."""

    model: type[Row]
    pk: int
    bond_id: int
    held: dict[str, Any]

    @property
    def rows(self) -> "QuerySet[Row]":
        return self.model._default_manager.filter(pk=self.pk, **self.held)

    def renew(self, now: datetime) -> None:
        """Hold on for another ten minutes. Raises LeaseLost."""
        if not self.rows.update(lease_until=now + LEASE):
            raise LeaseLost

    @contextmanager
    def released_on_failure(self, clock: Callable[[], datetime]) -> Iterator[None]:
        """Give the row up where the block raises, so that the next scan takes it and nobody waits for ten minutes."""
        with ExitStack() as unless_done:
            unless_done.callback(lambda: self.rows.update(lease_until=clock() - timedelta(seconds=1)))
            yield
            unless_done.pop_all()

    @contextmanager
    def transaction(self) -> Iterator[Row]:
        """Open a transaction on the locked row. Raises LeaseLost before anything is written.

        The bond is locked first, as by everything that locks both: the sessions of one bond write one after another, so that
        the second finds what the first has written and must be unique in a bond (a name, a reflection in its time).
        """
        with transaction.atomic():
            is_there = Bond.objects.select_for_update(no_key=True).filter(pk=self.bond_id).exists()
            rows = self.rows.select_for_update(no_key=True, of=("self",)).select_related("bond__user", "bond__persona")
            row = rows.first() if is_there else None
            if row is None:
                raise LeaseLost
            yield row


def claim_session(*, session_id: int, now: datetime) -> Lease[Session] | None:
    """Take a session. Returns None where it is not due, a turn holds it, or another worker has it."""
    token = uuid4()
    due = Session.objects.due(now).filter(pk=session_id)
    if not due.update(status=Session.Status.CONSOLIDATING, **_build_columns(token, now=now)):
        return None
    return _find_lease(Session, pk=session_id, held={"lease_token": token, "deleted_at": None})


def claim_import(*, import_id: int, now: datetime) -> Lease[Import] | None:
    """Take an import. Returns None where it is not due or another worker has it."""
    token = uuid4()
    due = Import.objects.due(now).filter(pk=import_id)
    if not due.update(state=Import.State.RUNNING, **_build_columns(token, now=now)):
        return None
    return _find_lease(Import, pk=import_id, held={"lease_token": token})


def claim_story(*, bond_id: int, now: datetime) -> Lease[Story] | None:
    """Take a bond's story. Returns None where another worker has it. What woke it until now is answered by this worker."""
    token = uuid4()
    if not Story.objects.filter(filter_free(now), pk=bond_id).update(wake_at=None, **_build_columns(token, now=now)):
        return None
    return _find_lease(Story, pk=bond_id, held={"lease_token": token})


def _build_columns(token: UUID, *, now: datetime) -> dict[str, Any]:
    return {
        "lease_token": token,
        "lease_until": now + LEASE,
        "lease_holder": workers.identify_process(),
        "attempt_count": F("attempt_count") + 1,
    }


def _find_lease(model: type[Row], *, pk: int, held: dict[str, Any]) -> Lease[Row] | None:
    bond_id = model._default_manager.filter(pk=pk).values_list("bond", flat=True).first()
    return None if bond_id is None else Lease(model=model, pk=pk, bond_id=bond_id, held=held)


def expire_dead_leases(running: QuerySet[Any], *, now: datetime) -> None:
    """End the leases of workers of this machine that were killed, so that their work need not wait for ten minutes."""
    for pk, token, holder in running.filter(lease_until__gte=now).values_list("pk", "lease_token", "lease_holder"):
        if workers.is_dead(holder):
            running.filter(pk=pk, lease_token=token).update(lease_until=now - timedelta(seconds=1))
