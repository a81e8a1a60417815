"""What a restore knows of the rows it has written: the new id of each old one."""

import uuid
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from django.db import models

from echovessel.archives.zip_files import BROKEN, ArchiveError
from memory.transfer.layers import Layer, find_group
from personas.models import Bond


@dataclass(frozen=True)
class RestoredIds:
    """The new id of each old id, by kind of row."""

    bond: Bond
    ids: dict[str, dict[Any, Any]] = field(default_factory=dict)
    # References to rows that are written later: layer, row, column, and old id.
    later: list[tuple[Layer, Any, str, Any]] = field(default_factory=list)
    # Links from row to row by old ids, for each kind of link.
    ways: dict[str, dict[Any, list[Any]]] = field(default_factory=dict)
    turns: uuid.UUID = field(default_factory=uuid.uuid4)
    # The old ids of tables that are whole, in order.
    order: dict[type[models.Model], list[Any]] = field(default_factory=dict)
    # The messages behind which a scene ends.
    places: set[int] = field(default_factory=set)

    def get_new_id(self, kind: type[models.Model], old: Any) -> Any:
        """Return the new id of a row; None where it is not in the export."""
        return self.ids.get(find_group(kind), {}).get(old) if isinstance(old, int | str) else None

    def get_new_ids(self, kind: type[models.Model], old: Any) -> list[Any]:
        return [new for one in old if (new := self.get_new_id(kind, one)) is not None]

    def get_new_id_or_before(self, kind: type[models.Model], old: int) -> int:
        """Return the new id of a row, or of the last earlier one that exists; 0 where there is none."""
        before = self.order.setdefault(kind, sorted(self.ids.get(find_group(kind), {})))
        at = bisect_right(before, old)
        new: int = self.ids[find_group(kind)][before[at - 1]] if at else 0
        return new

    def take_place(self, message_id: int) -> bool:
        """Take the place behind a message for a break. Returns whether it was free."""
        is_free = message_id not in self.places
        self.places.add(message_id)
        return is_free

    def get_turn_id(self, old: uuid.UUID | str | None) -> uuid.UUID | None:
        """Return the new id of a turn. Turn ids are unique in the install, and an export may be restored twice."""
        return uuid.uuid5(self.turns, str(old)) if old else None


def build_broken_error(layer: Layer, what: str) -> ArchiveError:
    return ArchiveError("invalid", BROKEN, what=f"{layer.name}: {what}")


def build_missing_error(name: str, old: object) -> ArchiveError:
    return ArchiveError(
        "invalid", "This export is broken: %(name)s names %(old)s, which is missing.", name=name, old=old
    )
