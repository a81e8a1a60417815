"""Restore a bond's memory from files: every row under a new id, or nothing at all."""

import uuid
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from heapq import merge
from itertools import groupby, islice
from typing import Any

from django.db import models

from echovessel.archives import columns
from echovessel.archives.zip_files import ArchiveError, ArchiveReader
from echovessel.postgres import copying
from memory import text
from memory.models import (
    ConceptNode,
    Doubt,
    Entity,
    EntityAlias,
    EntityMerge,
    FactWrite,
    Mention,
    Message,
    NodeLink,
    Separation,
    Session,
    SlowTickRun,
    lexemes,
)
from memory.transfer.layers import LAYERS, Layer, find_group
from personas.models import Bond

BATCH = 500


@dataclass(frozen=True)
class RestoredIds:
    """The new id of each old id, by kind of row."""

    bond: Bond
    ids: dict[str, dict[Any, Any]] = field(default_factory=dict)
    # References within a table: model, row, column, and old id.
    later: list[tuple[type[models.Model], Any, str, Any]] = field(default_factory=list)
    # Links from row to row by old ids, for each kind of link.
    ways: dict[str, dict[Any, list[Any]]] = field(default_factory=dict)
    turns: uuid.UUID = field(default_factory=uuid.uuid4)

    def get_new_id(self, kind: type[models.Model], old: Any) -> Any:
        """Return the new id of a row; None where it is not in the export."""
        return self.ids.get(find_group(kind), {}).get(old) if isinstance(old, int | str) else None

    def get_new_ids(self, kind: type[models.Model], old: Any) -> list[Any]:
        return [new for one in old if (new := self.get_new_id(kind, one)) is not None]

    def get_turn_id(self, old: uuid.UUID | str | None) -> uuid.UUID | None:
        """Return the new id of a turn. Turn ids are unique in the install, and an export may be restored twice."""
        return uuid.uuid5(self.turns, str(old)) if old else None


# A line of a file and its layer.
Row = tuple[Layer, dict[str, Any]]
# Adapts a row to its new place.
Adapt = Callable[[Any, RestoredIds], None]


def restore(bond: Bond, *, source: ArchiveReader, folder: str) -> RestoredIds:
    """Restore the layers of a folder into an empty bond, within the caller's transaction. Raises ArchiveError."""
    restored = RestoredIds(bond)
    for _, layers in groupby(LAYERS, key=lambda layer: layer.model):
        write_rows(read_rows(layers, source, folder), restored)
    fill_self_references(restored)
    require_no_cycles(restored)
    move_watermarks(restored, Session, "watermark", Message)
    move_watermarks(restored, SlowTickRun, "last_event_id", ConceptNode)
    return restored


def read_rows(layers: Iterable[Layer], source: ArchiveReader, folder: str) -> Iterator[Row]:
    """Read the rows of one table by id, from all its files."""
    named = [(layer, f"{folder}/{layer.name}.jsonl") for layer in layers]
    files = [
        number_rows(layer, source.read_rows(name)) for layer, name in named if not layer.is_new or source.has_rows(name)
    ]
    return merge(*files, key=lambda row: row[1]["id"])


def number_rows(layer: Layer, lines: Iterator[dict[str, Any]]) -> Iterator[Row]:
    kind = str if isinstance(layer.model._meta.pk, models.UUIDField) else int
    for line in lines:
        if type(line.get("id")) is not kind:
            raise build_broken_error(layer, "a row has no id")
        yield layer, line


def write_rows(rows: Iterator[Row], restored: RestoredIds, adapt: Adapt | None = None) -> None:
    while batch := list(islice(rows, BATCH)):
        made = [adapt_row(*row, restored, adapt) for row in batch]
        if made[0].pk is None:
            copying.assign_ids(made)
        copying.copy_rows(type(made[0]), made, with_ids=True)
        for (layer, line), row in zip(batch, made, strict=True):
            known = restored.ids.setdefault(layer.group, {})
            if known.setdefault(line["id"], row.pk) != row.pk:
                raise build_broken_error(layer, "it has a row twice")
            note_self_references(layer, line, row.pk, restored)
            note_links(layer, line, restored)


def adapt_row(layer: Layer, line: Mapping[str, Any], restored: RestoredIds, adapt: Adapt | None) -> Any:
    row = build_row(layer, line, restored)
    adapt = adapt or ADAPTERS.get(layer.model)
    if adapt is not None:
        adapt(row, restored)
    return row


def build_row(layer: Layer, line: Mapping[str, Any], restored: RestoredIds) -> Any:
    """Build a row whose columns hold what their table allows; do not save it."""
    unknown = line.keys() - layer.names
    if unknown:
        raise build_broken_error(layer, f"it has an unknown column: {min(unknown):.40}")
    row: Any = layer.model(bond=restored.bond)
    if isinstance(layer.model._meta.pk, models.UUIDField):
        row.pk = restored.get_turn_id(line["id"])
    for column in layer.columns:
        if column.attname in layer.references:
            setattr(row, column.attname, resolve_reference(layer, column, line, restored))
        elif column.attname in line:
            setattr(row, column.attname, parse_value(layer, column, line[column.attname]))
        elif not column.has_default() and not column.null and not column.blank:
            raise build_broken_error(layer, f"{column.attname} is missing")
    return row


def parse_value(layer: Layer, column: Any, given: Any) -> Any:
    try:
        return columns.clean_value(column, given, shapes=layer.shapes)
    except columns.ColumnError as error:
        raise build_broken_error(layer, str(error)) from error


def resolve_reference(layer: Layer, column: Any, line: Mapping[str, Any], restored: RestoredIds) -> Any:
    """Return the new id that a column refers to; references within a table are filled in at the end."""
    old = line.get(column.attname)
    if column.null and (old is None or column.attname in layer.to_itself):
        return None
    new = restored.get_new_id(column.related_model, old)
    if new is None:
        raise build_broken_error(layer, f"{column.attname} names {old!r:.40}, which is missing")
    return new


def note_self_references(layer: Layer, line: Mapping[str, Any], pk: Any, restored: RestoredIds) -> None:
    for name in layer.to_itself:
        if line.get(name) is not None:
            restored.later.append((layer.model, pk, name, line[name]))


def note_links(layer: Layer, line: Mapping[str, Any], restored: RestoredIds) -> None:
    if layer.edge is not None:
        start, end = layer.edge
        restored.ways.setdefault(layer.name, {}).setdefault(line[start], []).append(line[end])
    for name in layer.to_itself:
        # Two entities may be paired with each other, but none with itself.
        if line.get(name) is not None and (name != "merge_target_id" or line[name] == line["id"]):
            restored.ways.setdefault(name, {})[line["id"]] = [line[name]]


def require_no_cycles(restored: RestoredIds) -> None:
    """Refuse links that form a circle: code that follows them would never end."""
    for name, way in restored.ways.items():
        try:
            TopologicalSorter(way).prepare()
        except CycleError as error:
            raise ArchiveError(
                "invalid", f"This export is broken: {name} leads from {error.args[1][0]} back to itself."
            ) from error


def fill_self_references(restored: RestoredIds) -> None:
    """Fill in the references within a table."""
    changed: dict[tuple[type[models.Model], str], list[Any]] = {}
    for model, pk, column, old in restored.later:
        new = restored.get_new_id(model, old)
        if new is None:
            raise ArchiveError("invalid", f"This export is broken: {column} names {old!r:.40}, which is missing.")
        changed.setdefault((model, column), []).append(model(pk=pk, **{column: new}))
    for (model, column), rows in changed.items():
        model._base_manager.bulk_update(rows, [column.removesuffix("_id")], batch_size=BATCH)


def move_watermarks(restored: RestoredIds, rows: type[models.Model], column: str, kind: type[models.Model]) -> None:
    """Move watermarks to the new ids, or to the last earlier row that exists."""
    known = restored.ids.get(find_group(kind), {})
    before = sorted(known)
    marked = list(rows._base_manager.filter(bond=restored.bond, **{f"{column}__gt": 0}).only(column))
    for row in marked:
        at = bisect_right(before, getattr(row, column))
        setattr(row, column, known[before[at - 1]] if at else 0)
    rows._base_manager.bulk_update(marked, [column], batch_size=BATCH)


def adapt_message(message: Message, restored: RestoredIds) -> None:
    message.search = lexemes.format_lexemes(restored.bond.pk, message.content)
    message.turn_id = restored.get_turn_id(message.turn_id)


def adapt_node(node: ConceptNode, restored: RestoredIds) -> None:
    node.terms = sorted(set(text.extract_terms(node.description)))
    # Answer keys hold ids of sessions and runs; those of imports hash a text and stay.
    if not (node.answer_key or "").startswith("import:"):
        node.answer_key = None


def adapt_entity(entity: Entity, restored: RestoredIds) -> None:
    entity.asked_in = restored.get_new_ids(Session, entity.asked_in)


def adapt_alias(alias: EntityAlias, restored: RestoredIds) -> None:
    alias.folded = text.fold(alias.name)


def adapt_merge(merge: EntityMerge, restored: RestoredIds) -> None:
    moved = merge.moved
    for name, kind in MOVED_MODELS.items():
        moved[name] = restored.get_new_ids(kind, moved[name])
    for name in ("pairs_moved", "pairs_settled"):
        pairs = [restored.get_new_ids(Entity, pair[:2]) for pair in moved[name]]
        moved[name] = [pair for pair in pairs if len(pair) == 2]


def adapt_doubt(doubt: Doubt, restored: RestoredIds) -> None:
    doubt.asked_in = restored.get_new_ids(Session, doubt.asked_in)


def adapt_write(write: FactWrite, restored: RestoredIds) -> None:
    """Adapt a write, so that it can be undone here as there."""
    write.old = restored.get_new_ids(ConceptNode, write.old)
    write.turn_id = restored.get_turn_id(write.turn_id)
    before = write.before
    if not BEFORE_UNDO.get(FactWrite.Op(write.op), frozenset()) <= before.keys():
        raise ArchiveError(
            "invalid", f"This export is broken: fact_writes: a write {write.op:.10} has nothing before it."
        )
    if "link" in before:
        before["link"] = restored.get_new_id(NodeLink, before["link"])
    if "doubt" in before:
        before["doubt"] = restored.get_new_id(Doubt, before["doubt"])
    moved = [(restored.get_new_id(NodeLink, link), end, node) for link, end, node in before.get("moved", [])]
    nodes = {old: restored.get_new_id(ConceptNode, old) for _, _, old in moved}
    if "moved" in before:
        before["moved"] = [[link, end, nodes[node]] for link, end, node in moved if link and nodes[node]]
    if "states" in before:
        states = {restored.get_new_id(ConceptNode, int(pk)): state for pk, state in before["states"].items()}
        before["states"] = {str(pk): state for pk, state in states.items() if pk is not None}


def adapt_slow_tick(run: SlowTickRun, restored: RestoredIds) -> None:
    run.lease_until = run.created_at


def build_broken_error(layer: Layer, what: str) -> ArchiveError:
    return ArchiveError("invalid", f"This export is broken: {layer.name}: {what}.")


# The lists of moved rows of a merge, by kind of row.
MOVED_MODELS = {"aliases": EntityAlias, "mentions": Mention, "separations": Separation}
# What a write of each kind has in `before`.
BEFORE_UNDO = {
    FactWrite.Op.CONFIRMED: frozenset({"tier", "confidence", "mention_count", "last_confirmed_at"}),
    FactWrite.Op.LINKED: frozenset({"link"}),
    FactWrite.Op.MERGED: frozenset({"confidence", "mention_count", "moved"}),
    FactWrite.Op.SETTLED: frozenset({"doubt", "states"}),
}
ADAPTERS: dict[type[models.Model], Adapt] = {
    Message: adapt_message,
    ConceptNode: adapt_node,
    Entity: adapt_entity,
    EntityAlias: adapt_alias,
    EntityMerge: adapt_merge,
    Doubt: adapt_doubt,
    FactWrite: adapt_write,
    SlowTickRun: adapt_slow_tick,
}
