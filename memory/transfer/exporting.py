"""Export a bond's memory as files, layer by layer, without deleted rows, sessions off the record, and vectors."""

from collections.abc import Iterable, Iterator
from typing import Any

from echovessel.archives.zip_files import ArchiveWriter
from memory.transfer.layers import LAYERS, Layer
from personas.models import Bond

Ids = dict[str, set[Any]]


def write(bond: Bond, *, to: ArchiveWriter, folder: str, also: Iterable[Layer] = ()) -> None:
    """Write each layer, and these others, into a folder. The caller holds one snapshot of the database for all."""
    kept: Ids = {}
    ahead = {layer.references[name].related_model for layer in LAYERS for name in layer.ahead}
    for layer in LAYERS:
        if layer.to_itself or layer.model in ahead:
            # Rows may refer to later ones.
            kept.setdefault(layer.group, set()).update(layer.filter_rows(bond).values_list("pk", flat=True).iterator())
    for layer in (*LAYERS, *also):
        to.write_rows(f"{folder}/{layer.name}.jsonl", iterate_rows(layer, bond, kept))


def iterate_rows(layer: Layer, bond: Bond, kept: Ids) -> Iterator[dict[str, Any]]:
    """Iterate over the rows of a layer whose references are exported too; an optional reference is emptied instead."""
    ids = kept.setdefault(layer.group, set())
    for row in layer.read(bond):
        gone = [name for name, column in layer.references.items() if is_dangling(row[name], column, kept)]
        if any(not layer.references[name].null for name in gone):
            continue
        ids.add(row["id"])
        yield row | dict.fromkeys(gone)


def is_dangling(value: Any, column: Any, kept: Ids) -> bool:
    return value is not None and value not in kept[str(column.related_model._meta.model_name)]
