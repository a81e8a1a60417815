"""Remove purged memories from turns: their ids from traces, and turns that have no message left."""

from collections.abc import Collection
from functools import reduce
from operator import or_

from django.db.models import BooleanField, Q
from django.db.models.expressions import RawSQL

from chat.models import Turn
from chat.turns.trace import CARD_PATH, ENTITY_PATH, MESSAGE_PATH, NODE_PATH, TOPIC_PATH, IdMap, Trace
from echovessel.models import LedgerEntry
from memory.forgetting.purging import PurgedRows
from memory.models import Message


def purge_turns(gone: PurgedRows) -> None:
    """Remove the ids from the traces of the bond's turns, and delete turns without any message left."""
    turns = Turn.objects.filter(bond=gone.bond)
    paths = (
        (NODE_PATH, gone.node_ids),
        (MESSAGE_PATH, gone.lines),
        (ENTITY_PATH, gone.entities),
        (TOPIC_PATH, gone.entities),
        (CARD_PATH, gone.entities),
    )
    traced = reduce(or_, [build_trace_filter(path, ids) for path, ids in paths if ids], Q(pk__in=[]))
    for turn in turns.filter(traced, created_at__gte=gone.since):
        trace = Trace.read(turn)
        trace.replace_ids(node=drop(gone.node_ids), message=drop(gone.lines), entity=drop(gone.entities))
        turn.trace = trace.as_json()
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


def drop(ids: Collection[int]) -> IdMap:
    """Keep every id but these."""
    return lambda pk: None if pk in ids else pk
