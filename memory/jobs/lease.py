"""The right to work on a session, an import, a slow tick or a story: one worker at a time has it, and every write checks it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.models import F, QuerySet

from memory.jobs import workers
from memory.models import Import, Session, SlowTickRun, Story
from memory.models.leased import LEASE, filter_free
from personas.models import Bond

Row = TypeVar("Row", Session, Import, SlowTickRun, Story)
_LOCK_BOND = f"SELECT FROM {Bond._meta.db_table} WHERE id = %s FOR NO KEY UPDATE"


class LeaseLost(Exception):
    """Another worker has taken the row over, or it is gone; what this one found is dropped."""


def lock_bond(bond: Bond) -> None:
    """Lock a bond. Always lock it before its sessions and turns, so that changes of one bond run one after another.

    Raises Bond.DoesNotExist.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_BOND, [bond.pk])
        if not cursor.rowcount:
            raise Bond.DoesNotExist


@dataclass(frozen=True)
class Lease(Generic[Row]):
    """The right to write one row, for as long as it has the values of `held`; `row` is as it was taken, with its bond."""

    row: Row
    held: dict[str, Any]

    @property
    def rows(self) -> "QuerySet[Row]":
        return type(self.row)._default_manager.filter(pk=self.row.pk, **self.held)

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
        """Open a transaction on the locked row, with the bond that is loaded. Raises LeaseLost before anything is written.

        The bond is locked first, as by everything that locks both: the sessions of one bond write one after another, so that
        the second finds what the first has written and must be unique in a bond (a name, a reflection in its time).
        """
        table, key = self.row._meta.db_table, self.row._meta.pk.column
        held = " ".join(f"AND {column} IS NOT DISTINCT FROM %s" for column in self.held)
        locking = f"SELECT * FROM {table} WHERE {key} = %s {held} FOR NO KEY UPDATE"
        with transaction.atomic():
            try:
                lock_bond(self.row.bond)
            except Bond.DoesNotExist:
                raise LeaseLost from None
            row = next(iter(type(self.row)._default_manager.raw(locking, [self.row.pk, *self.held.values()])), None)
            if row is None:
                raise LeaseLost
            row.bond = self.row.bond
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
    row = model._default_manager.select_related("bond__user", "bond__persona").filter(pk=pk).first()
    return None if row is None else Lease(row=row, held=held)


def expire_dead_leases(running: QuerySet[Any], *, now: datetime) -> None:
    """End the leases of workers of this machine that were killed, so that their work need not wait for ten minutes."""
    for pk, token, holder in running.filter(lease_until__gte=now).values_list("pk", "lease_token", "lease_holder"):
        if workers.is_dead(holder):
            running.filter(pk=pk, lease_token=token).update(lease_until=now - timedelta(seconds=1))
