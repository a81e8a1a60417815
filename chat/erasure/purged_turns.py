"""What turns know of what is purged from memory: their traces hold its ids, and a turn whose lines are all gone goes too."""

from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import BooleanField, Q
from django.db.models.expressions import RawSQL

from chat.models import Turn
from echovessel.models import LedgerEntry
from memory.forgetting.purging import Gone
from memory.models import Message

# Where the trace of a turn holds ids.
NODE, LINE = "$.items[*].node", "$.words[*].message"
ENTITY = '$.items[*].anchored_by[*] ? (@.type() == "number")'


def empty_turns(gone: Gone) -> None:
    """Take the ids out of the traces of the bond's turns, and delete the turns of which no line is left."""
    turns = Turn.objects.filter(bond=gone.bond)
    paths = ((NODE, gone.node_ids), (LINE, gone.lines), (ENTITY, gone.entities))
    traced = reduce(or_, [holding(path, ids) for path, ids in paths if ids], Q(pk__in=[]))
    for turn in turns.filter(traced, created_at__gte=gone.since):
        turn.trace = without(turn.trace, gone)
        turn.save(update_fields=["trace"])
    said = Message.objects.of(gone.bond).filter(turn_id__isnull=False)
    over = [pk for pk in set(said.filter(pk__in=gone.lines).values_list("turn_id", flat=True)) if pk is not None]
    left = set(said.filter(turn_id__in=over).exclude(pk__in=gone.lines).values_list("turn_id", flat=True))
    over = [pk for pk in over if pk not in left]
    turns.filter(pk__in=over).delete()
    LedgerEntry.objects.filter(user_id=gone.bond.user_id, turn_id__in=over).update(turn_id=None)


def holding(path: str, ids: Collection[int]) -> Q:
    """That a turn's trace holds one of these ids at a path."""
    holds = f"EXISTS (SELECT FROM jsonb_path_query(trace, '{path}') AS traced WHERE traced::bigint = ANY(%s))"
    return Q(RawSQL(holds, [list(ids)], output_field=BooleanField()))


def without(trace: dict[str, Any], gone: Gone) -> dict[str, Any]:
    items = [
        item | {"anchored_by": [anchor for anchor in item["anchored_by"] if anchor not in gone.entities]}
        for item in trace.get("items", [])
        if item["node"] not in gone.node_ids
    ]
    words = [word for word in trace.get("words", []) if word["message"] not in gone.lines]
    return trace | {"items": items, "words": words}
