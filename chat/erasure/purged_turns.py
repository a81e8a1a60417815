"""Remove purged memories from turns: their ids from traces, and turns that have no message left."""

from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import BooleanField, Q
from django.db.models.expressions import RawSQL

from chat.models import Turn
from echovessel.models import LedgerEntry
from memory.forgetting.purging import PurgedRows
from memory.models import Message

# Where a turn's trace holds ids.
NODE_PATH, MESSAGE_PATH = "$.items[*].node", "$.words[*].message"
ENTITY_PATH = '$.items[*].anchored_by[*] ? (@.type() == "number")'


def purge_turns(gone: PurgedRows) -> None:
    """Remove the ids from the traces of the bond's turns, and delete turns without any message left."""
    turns = Turn.objects.filter(bond=gone.bond)
    paths = ((NODE_PATH, gone.node_ids), (MESSAGE_PATH, gone.lines), (ENTITY_PATH, gone.entities))
    traced = reduce(or_, [build_trace_filter(path, ids) for path, ids in paths if ids], Q(pk__in=[]))
    for turn in turns.filter(traced, created_at__gte=gone.since):
        turn.trace = strip_trace(turn.trace, gone)
        turn.save(update_fields=["trace"])
    messages = Message.objects.for_bond(gone.bond).filter(turn_id__isnull=False)
    over = [pk for pk in set(messages.filter(pk__in=gone.lines).values_list("turn_id", flat=True)) if pk is not None]
    left = set(messages.filter(turn_id__in=over).exclude(pk__in=gone.lines).values_list("turn_id", flat=True))
    over = [pk for pk in over if pk not in left]
    turns.filter(pk__in=over).delete()
    LedgerEntry.objects.filter(user_id=gone.bond.user_id, turn_id__in=over).update(turn_id=None)


def build_trace_filter(path: str, ids: Collection[int]) -> Q:
    """Match turns whose trace holds one of these ids at a path."""
    holds = f"EXISTS (SELECT FROM jsonb_path_query(trace, '{path}') AS traced WHERE traced::bigint = ANY(%s))"
    return Q(RawSQL(holds, [list(ids)], output_field=BooleanField()))


def strip_trace(trace: dict[str, Any], gone: PurgedRows) -> dict[str, Any]:
    items = [
        item | {"anchored_by": [anchor for anchor in item["anchored_by"] if anchor not in gone.entities]}
        for item in trace.get("items", [])
        if item["node"] not in gone.node_ids
    ]
    words = [word for word in trace.get("words", []) if word["message"] not in gone.lines]
    return trace | {"items": items, "words": words}
