"""Writes a persona's lore. Only an explicit act of its owner may call these."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max

from echovessel.errors import CodedError
from personas import blocks
from personas.models import LoreEntry, Persona
from personas.models.lore import LORE_MOST


class LoreFull(CodedError):
    """A persona that has as many entries as it can have."""


@transaction.atomic
def add(*, persona: Persona, fields: Mapping[str, Any]) -> LoreEntry:
    """Add an entry after all others. Raises LoreFull."""
    blocks.lock(persona)
    if persona.lore.count() >= LORE_MOST:
        raise LoreFull("too_long", "A companion can have %(most)s lore entries. Delete one first.", most=LORE_MOST)
    last = persona.lore.aggregate(last=Max("place"))["last"]
    entry = LoreEntry(persona=persona, place=0 if last is None else last + 1, **fields)
    entry.fold_keys()
    entry.save()
    return entry


@transaction.atomic
def change(*, entry: LoreEntry, fields: Mapping[str, Any]) -> LoreEntry:
    locked = LoreEntry.objects.select_for_update().get(pk=entry.pk)
    for name, value in fields.items():
        setattr(locked, name, value)
    locked.fold_keys()
    locked.save()
    return locked
