"""Events that tell open pages about changed fields of a companion."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import QuerySet

from echovessel import events
from personas.models import Bond


def announce_changes(bonds: QuerySet[Bond], *, changed: Sequence[str], now: datetime) -> None:
    """Record the changed fields for each of these bonds, within the running transaction."""
    ids = sorted(bonds.values_list("pk", flat=True))
    events.record_each(bond_ids=ids, type="chat.settings.updated", refs={"changed_fields": list(changed)}, now=now)
