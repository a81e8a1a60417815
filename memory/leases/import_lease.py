"""One worker at a time reads an import: it holds a lease, and every write checks that it still does."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.db import transaction

from memory.leases.session_lease import LeaseLost, build_lease_columns
from memory.models import Import
from memory.models.expiry import LEASE
from personas.models import Bond


@dataclass(frozen=True)
class Lease:
    import_id: int
    bond_id: int
    token: UUID

    def renew(self, now: datetime) -> None:
        """Hold on for another ten minutes. Raises LeaseLost."""
        if not Import.objects.filter(pk=self.import_id, lease_token=self.token).update(lease_until=now + LEASE):
            raise LeaseLost

    @contextmanager
    def transaction(self) -> Iterator[Import]:
        """A transaction on the locked bond and import. Raises LeaseLost before anything is written."""
        with transaction.atomic():
            bonds = Bond.objects.select_for_update(no_key=True, of=("self",)).select_related("user", "persona")
            bond = bonds.filter(pk=self.bond_id).first()
            held = Import.objects.select_for_update(no_key=True)
            imported = held.filter(pk=self.import_id, lease_token=self.token).first()
            if bond is None or imported is None:
                raise LeaseLost
            imported.bond = bond
            yield imported


def claim(*, import_id: int, now: datetime) -> Lease | None:
    """Take an import that is due, or nothing if it is not or is another's."""
    token = uuid4()
    due = Import.objects.due(now).filter(pk=import_id)
    if not due.update(state=Import.State.RUNNING, **build_lease_columns(token, now=now)):
        return None
    bond_id = Import.objects.values_list("bond", flat=True).get(pk=import_id)
    return Lease(import_id=import_id, bond_id=bond_id, token=token)
