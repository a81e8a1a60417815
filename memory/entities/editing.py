"""Entities as a person edits them: create, update, rename."""

from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict

from django.db import transaction

from echovessel import events, text
from echovessel.embeddings import embedding
from echovessel.errors import CodedError
from memory import sessions
from memory.entities import matching, merging
from memory.entities.mentions import relink
from memory.entities.names import add_names, find_by_names, fold_usable_names, list_own_names
from memory.messages import tombstones
from memory.models import Entity, EntityAlias
from personas.models import Bond


class NameRefused(CodedError):
    """A name that an entity cannot have."""


class EntityChanges(TypedDict, total=False):
    """The wanted values of an entity; values left out stay."""

    canonical_name: str
    kind: str
    # All names, with or without the canonical one.
    aliases: list[str]
    # An empty text: the owner wants no description. Null: the companion may write one again.
    description: str | None


def create(*, bond: Bond, wanted: EntityChanges, now: datetime) -> Entity:
    """Create an entity and link it to all memories that name it. Raises NameRefused, EmbeddingError."""
    names = validate_names(bond, [wanted["canonical_name"], *wanted.get("aliases", [])])
    description = wanted.get("description") or ""
    [vector] = matching.embed_names([list(names.values())])
    with transaction.atomic():
        sessions.lock_bond(bond)
        require_free_names(bond, names)
        entity = Entity.objects.create(
            bond=bond,
            canonical_name=wanted["canonical_name"],
            kind=wanted["kind"],
            description=description,
            description_by=Entity.Author.OWNER if description else "",
            last_mentioned_at=now,
            created_at=now,
            embedding=vector,
            embedding_model=embedding.get_model_name(),
        )
        add_names(entity=entity, names=names)
        tombstones.clear_names(bond=bond, names=names)
        relink(entity)
        merging.confirm(entity, now=now)
    return entity


def validate_names(bond: Bond, names: Iterable[str]) -> dict[str, str]:
    """Fold names. Raises NameRefused for one that cannot mean a third party."""
    names = list(names)
    usable = fold_usable_names(names, own=list_own_names(bond))
    for name in names:
        if text.fold(name) not in usable:
            raise NameRefused("invalid", "“%(name)s” cannot be used as a name.", name=name)
    return usable


def require_free_names(bond: Bond, names: dict[str, str], *, by: Entity | None = None) -> None:
    """Raise NameRefused where another entity has one of the names."""
    for folded, name in names.items():
        if any(one != by for one in find_by_names(bond=bond, names=[folded])):
            raise NameRefused("name_taken", "Someone or something else already has the name “%(name)s”.", name=name)


def update(*, entity: Entity, wanted: EntityChanges, now: datetime) -> None:
    """Update an entity; its former canonical name stays an alias unless `aliases` leaves it out.

    Raises NameRefused, EmbeddingError, and Entity.DoesNotExist where it is gone.
    """
    names = collect_wanted_names(entity, wanted)
    [vector] = matching.embed_names([list(names.values())])
    with transaction.atomic():
        sessions.lock_bond(entity.bond)
        locked = Entity.objects.not_deleted_or_merged().get(pk=entity.pk)
        locked.bond = entity.bond
        if names:
            locked.embedding, locked.embedding_model = vector, embedding.get_model_name()
            # Read again: it may have learned a name meanwhile.
            rename(locked, collect_wanted_names(locked, wanted), now=now)
        locked.kind = wanted.get("kind", locked.kind)
        if "description" in wanted:
            set_description(locked, wanted["description"], now=now)
        locked.save()


def collect_wanted_names(entity: Entity, wanted: EntityChanges) -> dict[str, str]:
    """Return all wanted names, or none where the names stay."""
    if not wanted.keys() & {"canonical_name", "aliases"}:
        return {}
    present = entity.aliases.not_deleted().order_by("id").values_list("name", flat=True)
    canonical_name = wanted.get("canonical_name", entity.canonical_name)
    return validate_names(entity.bond, [canonical_name, *wanted.get("aliases", present)])


def rename(entity: Entity, names: dict[str, str], *, now: datetime) -> None:
    """Give an entity exactly these names; the first is canonical."""
    require_free_names(entity.bond, names, by=entity)
    entity.canonical_name = next(iter(names.values()))
    live = entity.aliases.not_deleted()
    live.exclude(folded__in=names).update(deleted_at=now)
    for alias in live:
        EntityAlias.objects.filter(pk=alias.pk).update(name=names[alias.folded])
    add_names(entity=entity, names=names)
    tombstones.clear_names(bond=entity.bond, names=names)
    relink(entity)


def set_description(entity: Entity, description: str | None, *, now: datetime) -> None:
    after = ("", "") if description is None else (description, Entity.Author.OWNER)
    if after == (entity.description, entity.description_by):
        return
    entity.description, entity.description_by = after
    entity.described_at = now
    refs = {"entity": entity.pk}
    events.record(bond_id=entity.bond_id, type="memory.entity.description_updated", refs=refs, now=now)
