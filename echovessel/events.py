"""The event log of a bond, and the wake-ups of its readers.

An event is written in the transaction of its change and holds ids, never text. Its number comes from a counter that
the transaction locks, so events are numbered in commit order. Only a wake-up goes through the channel
layer, after the commit; readers fetch the events above their last number, and also poll every few seconds.
"""

import json
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from asgiref.sync import async_to_sync
from django.db import connection, transaction

from echovessel.models import BondCounter, BondEvent
from echovessel.postgres.channel_layer import PostgresChannelLayer, get_current_layer
from echovessel.postgres.rows import fetch_all

RETENTION = timedelta(hours=24)
# A reader that gets this many reads again at once.
READ_MOST = 200
_RECORD = """
    WITH counted AS (
        INSERT INTO echovessel_bondcounter (bond_id, seq) VALUES (%s, 1)
        ON CONFLICT (bond_id) DO UPDATE SET seq = echovessel_bondcounter.seq + 1 RETURNING seq
    )
    INSERT INTO echovessel_bondevent (bond_id, seq, type, refs, created_at) SELECT %s, seq, %s, %s, %s FROM counted RETURNING seq
"""
_RECORD_EACH = """
    WITH counted AS (
        INSERT INTO echovessel_bondcounter (bond_id, seq) SELECT bond_id, 1 FROM unnest(%s::bigint[]) AS bond_id ORDER BY bond_id
        ON CONFLICT (bond_id) DO UPDATE SET seq = echovessel_bondcounter.seq + 1 RETURNING bond_id, seq
    )
    INSERT INTO echovessel_bondevent (bond_id, seq, type, refs, created_at) SELECT bond_id, seq, %s, %s, %s FROM counted
"""
# Readers of more bonds are not woken one by one: they poll within seconds.
WOKEN_MOST = 20


def get_group_name(bond_id: int) -> str:
    """Return the channel layer group of a bond's readers."""
    return f"bond.{bond_id}"


def record(*, bond_id: int, type: str, refs: dict[str, Any], now: datetime) -> int:
    """Write an event in the running transaction and wake its readers at commit. Returns its number.

    `refs` holds ids and other plain JSON values; texts are joined when the event is sent.
    """
    [(seq,)] = fetch_all(_RECORD, [bond_id, bond_id, type, json.dumps(refs), now])
    wake_after_commit(bond_id)
    return int(seq)


def announce(*, bond_id: int, type: str, refs: dict[str, Any], now: datetime, off_record: bool) -> None:
    """Record an event of a session; of one off the record nothing is written, and its readers are woken alone."""
    if off_record:
        wake_after_commit(bond_id)
    else:
        record(bond_id=bond_id, type=type, refs=refs, now=now)


def record_each(*, bond_ids: Collection[int], type: str, refs: dict[str, Any], now: datetime) -> None:
    """Write the same event into the logs of several bonds by one statement."""
    with connection.cursor() as cursor:
        cursor.execute(_RECORD_EACH, [list(bond_ids), type, json.dumps(refs), now])
    for bond_id in bond_ids if len(bond_ids) <= WOKEN_MOST else ():
        wake_after_commit(bond_id)


def wake_after_commit(bond_id: int, type: str = "bond.wake") -> None:
    """Wake the bond's readers once, after the running transaction is committed; that they are woken may fail."""
    wake_readers = _build_wake(bond_id, type)
    # Those of a savepoint that was rolled back are gone from the list.
    if all(entry[1] is not wake_readers for entry in connection.run_on_commit):
        transaction.on_commit(wake_readers, robust=True)


@lru_cache(maxsize=256)
def _build_wake(bond_id: int, type: str) -> Callable[[], None]:
    # Django names the function when it fails, and a `partial` has no name.
    def wake_readers() -> None:
        wake(bond_id, type)

    return wake_readers


def wake(bond_id: int, type: str = "bond.wake") -> None:
    """Tell every process that follows the bond to read its events, or send another `type`."""
    layer = get_current_layer()
    message = {"type": type, "bond": bond_id}
    if isinstance(layer, PostgresChannelLayer):
        layer.wake(get_group_name(bond_id), message)
    else:
        async_to_sync(layer.group_send)(get_group_name(bond_id), message)


def get_last_seq(bond_id: int) -> int:
    seq = BondCounter.objects.filter(bond_id=bond_id).values_list("seq", flat=True).first()
    return seq or 0


def load_since(bond_id: int, seq: int, *, most: int = READ_MOST) -> list[BondEvent]:
    return list(BondEvent.objects.filter(bond_id=bond_id, seq__gt=seq).order_by("seq")[:most])


def has_all_since(bond_id: int, seq: int) -> bool:
    """Whether no event above `seq` has been pruned. If one has, the reader must reload."""
    # Read once: another event may come between.
    last = get_last_seq(bond_id)
    if seq > last:
        return False
    oldest = BondEvent.objects.filter(bond_id=bond_id).order_by("seq").values_list("seq", flat=True).first()
    return seq == last if oldest is None else seq >= oldest - 1


def prune(now: datetime) -> int:
    """Delete events older than a day. Returns the count."""
    return BondEvent.objects.filter(created_at__lt=now - RETENTION).delete()[0]
