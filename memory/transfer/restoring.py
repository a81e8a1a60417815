"""Restore a bond's memory from files: every row under a new id, or nothing at all."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from graphlib import CycleError, TopologicalSorter
from heapq import merge
from itertools import groupby, islice
from typing import Any

from django.db import models

from echovessel.archives import columns
from echovessel.archives.zip_files import ArchiveError, ArchiveReader
from echovessel.postgres import copying
from memory.entities import pairs
from memory.models import ConceptNode, FactWrite, Message, Session, SlowTickRun, Story
from memory.transfer.adapters import ADAPTERS, Adapt
from memory.transfer.layers import LAYERS, Layer
from memory.transfer.restored_ids import RestoredIds, build_broken_error, build_missing_error
from personas.models import Bond

BATCH = 500


# A line of a file and its layer.
Row = tuple[Layer, dict[str, Any]]


def restore(bond: Bond, *, source: ArchiveReader, folder: str, now: datetime) -> RestoredIds:
    """Restore the layers of a folder into an empty bond, within the caller's transaction. Raises ArchiveError."""
    restored = RestoredIds(bond)
    for _, layers in groupby(LAYERS, key=lambda layer: layer.model):
        write_rows(read_rows(layers, source, folder), restored)
    fill_later_references(restored)
    require_no_cycles(restored)
    move_watermarks(restored, Session, "watermark", Message)
    move_watermarks(restored, SlowTickRun, "last_event_id", ConceptNode)
    move_watermarks(restored, Story, "scanned_to", Message)
    # Exports of before the doubts have uncertain pairs alone.
    pairs.follow(bond, by=FactWrite.By.CLOSE, now=now)
    return restored


def read_rows(layers: Iterable[Layer], source: ArchiveReader, folder: str) -> Iterator[Row]:
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
            filled_later = [name for name in layer.filled_later if line.get(name) is not None]
            restored.later.extend((layer, row.pk, name, line[name]) for name in filled_later)
            note_links(layer, line, restored)


def adapt_row(layer: Layer, line: Mapping[str, Any], restored: RestoredIds, adapt: Adapt | None) -> Any:
    row = build_row(layer, line, restored)
    adapt = adapt or ADAPTERS.get(layer.model)
    if adapt is not None:
        adapt(row, restored)
    return row


def build_row(layer: Layer, line: Mapping[str, Any], restored: RestoredIds) -> Any:
    """Build a row whose columns hold what their table allows; do not save it."""
    unknown = line.keys() - layer.names - layer.unread
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
    if column.null and (old is None or column.attname in layer.filled_later):
        return None
    new = restored.get_new_id(column.related_model, old)
    if new is None:
        raise build_broken_error(layer, f"{column.attname} names {old!r:.40}, which is missing")
    return new


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
                "invalid",
                "This export is broken: %(name)s leads from %(first)s back to itself.",
                name=name,
                first=error.args[1][0],
            ) from error


def fill_later_references(restored: RestoredIds) -> None:
    changed: dict[tuple[type[models.Model], str], list[Any]] = {}
    for layer, pk, column, old in restored.later:
        model = layer.model
        new = restored.get_new_id(layer.references[column].related_model, old)
        if new is None:
            raise build_missing_error(column, f"{old!r:.40}")
        changed.setdefault((model, column), []).append(model(pk=pk, **{column: new}))
    for (model, column), rows in changed.items():
        model._base_manager.bulk_update(rows, [column.removesuffix("_id")], batch_size=BATCH)


def move_watermarks(restored: RestoredIds, rows: type[models.Model], column: str, kind: type[models.Model]) -> None:
    """Move watermarks to the new ids, or to the last earlier row that exists."""
    marked = list(rows._base_manager.filter(bond=restored.bond, **{f"{column}__gt": 0}).only(column))
    for row in marked:
        setattr(row, column, restored.get_new_id_or_before(kind, getattr(row, column)))
    rows._base_manager.bulk_update(marked, [column], batch_size=BATCH)
