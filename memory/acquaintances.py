"""Entities as a person writes them: met by hand, changed, forgotten."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from echovessel import embedding, events
from memory import identity, merging, sessions, text
from memory.mentions import relink
from memory.models import Entity, EntityAlias
from memory.names import add_names, known_by, own_names
from personas.models import Bond


class NameRefused(Exception):
    """A name that an entity cannot go by, with the contract's code and a sentence."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def meet(
    *, bond: Bond, canonical_name: str, kind: str, now: datetime, aliases: Iterable[str] = (), description: str = ""
) -> Entity:
    """Make an entity, linked to all memories that name it. Raises NameRefused and EmbeddingError."""
    names = checked(bond, [canonical_name, *aliases])
    [vector] = identity.vectors_of([list(names.values())])
    with transaction.atomic():
        sessions.lock(bond)
        refuse_taken(bond, names)
        entity = Entity.objects.create(
            bond=bond,
            canonical_name=canonical_name,
            kind=kind,
            description=description,
            description_by=Entity.Author.OWNER if description else "",
            last_mentioned_at=now,
            created_at=now,
            embedding=vector,
            embedding_model=embedding.model_name(),
        )
        add_names(entity=entity, names=names)
        relink(entity)
        merging.confirm(entity, now=now)
    return entity


def checked(bond: Bond, names: Iterable[str]) -> dict[str, str]:
    """Names by their folded form. Raises NameRefused for one that cannot mean a third party."""
    names = list(names)
    own = own_names(bond=bond, names=names)
    for name in names:
        if text.fold(name) not in own:
            raise NameRefused("invalid", f"“{name}” cannot be the name of somebody or something else.")
    return own


def refuse_taken(bond: Bond, names: dict[str, str], *, by: Entity | None = None) -> None:
    """Raise NameRefused where another entity goes by one of the names."""
    for folded, name in names.items():
        if any(one != by for one in known_by(bond=bond, names=[folded])):
            raise NameRefused("name_taken", f"Somebody or something else goes by “{name}” already.")


def change(
    *,
    entity: Entity,
    now: datetime,
    canonical_name: str | None = None,
    kind: str | None = None,
    description: str | None = None,
    aliases: Iterable[str] | None = None,
) -> None:
    """Change what is given; `aliases` are all names, a former canonical one stays a name unless they leave it out.

    Raises NameRefused, EmbeddingError, and Entity.DoesNotExist where it is not there any more.
    """
    names = None
    if canonical_name is not None or aliases is not None:
        names = wanted_names(entity, canonical_name or entity.canonical_name, aliases)
        [vector] = identity.vectors_of([list(names.values())])
    with transaction.atomic():
        sessions.lock(entity.bond)
        locked = Entity.objects.live().get(pk=entity.pk)
        if names is not None:
            locked.embedding, locked.embedding_model = vector, embedding.model_name()
            rename(locked, names, now=now)
        locked.kind = kind or locked.kind
        if description is not None:
            describe(locked, description, now=now)
        locked.save()


def wanted_names(entity: Entity, canonical_name: str, aliases: Iterable[str] | None) -> dict[str, str]:
    if aliases is None:
        aliases = entity.aliases.filter(deleted_at=None).order_by("id").values_list("name", flat=True)
    return checked(entity.bond, [canonical_name, *aliases])


def rename(entity: Entity, names: dict[str, str], *, now: datetime) -> None:
    """Let an entity go by these names and no others, the first of them its canonical one."""
    refuse_taken(entity.bond, names, by=entity)
    entity.canonical_name = next(iter(names.values()))
    live = entity.aliases.filter(deleted_at=None)
    live.exclude(folded__in=names).update(deleted_at=now)
    for alias in live:
        EntityAlias.objects.filter(pk=alias.pk).update(name=names[alias.folded])
    add_names(entity=entity, names=names)
    relink(entity)


def describe(entity: Entity, description: str, *, now: datetime) -> None:
    by = Entity.Author.OWNER if description else ""
    if (description, by) == (entity.description, entity.description_by):
        return
    entity.description, entity.description_by = description, by
    refs = {"entity": entity.pk}
    events.record(bond_id=entity.bond_id, type="memory.entity.description_updated", refs=refs, now=now)


@transaction.atomic
def forget(*, entity: Entity, now: datetime) -> None:
    """Forget an entity with its names and links, and those that were merged into it; the memories stay."""
    sessions.lock(entity.bond)
    gone = merging.with_merged([entity.pk])
    EntityAlias.objects.filter(entity__in=gone, deleted_at=None).update(deleted_at=now)
    Entity.objects.filter(pk__in=gone, deleted_at=None).update(deleted_at=now)
    merging.settle_doubts_about(gone, now=now)
    events.record(bond_id=entity.bond_id, type="memory.entity.forgotten", refs={"forgotten": entity.pk}, now=now)
