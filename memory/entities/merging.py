"""Merge and separate entities, and undo merges.

A merge moves rows to the kept entity and lists them, so that undoing it moves exactly these back. The merged entity's
row stays with its own columns; the two swap descriptions where the merged one has the better, so the list holds no
text.
"""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from echovessel import events, text
from echovessel.errors import CodedError
from memory import sessions
from memory.entities import lookup, pairs
from memory.models import Doubt, Entity, EntityAlias, EntityMerge, EntityRemark, Mention, Separation

Author = EntityMerge.Author
Status = Entity.MergeStatus


class MergeError(CodedError):
    """Entities that cannot be merged, separated or unmerged."""


@transaction.atomic
def merge_entities(*, kept: Entity, merged: Entity, by: str, now: datetime) -> EntityMerge:
    """Merge two entities of a bond into the first. Raises MergeError."""
    kept, merged = lock_pair(kept, merged)
    moved: dict[str, Any] = {
        "aliases": move_rows(merged.aliases.not_deleted(), to=kept),
        "mentions": move_rows(merged.mentions.exclude(node__in=kept.mentions.values("node")), to=kept),
        "separations": move_separations(merged, to=kept),
        "remarks": move_rows(merged.remarks.all(), to=kept),
    }
    moved |= move_pairs(kept, merged, now=now)
    kept.refresh_from_db()
    moved |= move_columns(kept, merged)
    merged.merged_into = kept
    merged.save()
    kept.save()
    pairs.follow(kept.bond, now=now)
    merge = EntityMerge.objects.create(
        bond=kept.bond, kept=kept, merged=merged, decided_by=by, moved=moved, created_at=now
    )
    refs = {"entity": kept.pk, "merged": merged.pk}
    events.record(bond_id=kept.bond_id, type="memory.entity.merged", refs=refs, now=now)
    return merge


def lock_pair(a: Entity, b: Entity) -> tuple[Entity, Entity]:
    """Lock the bond and load both. Raises MergeError."""
    sessions.lock_bond(a.bond)
    if a.pk == b.pk:
        raise MergeError("conflict", "These are already merged.")
    live = Entity.objects.for_bond(a.bond).not_deleted_or_merged().select_related("bond").in_bulk([a.pk, b.pk])
    if len(live) < 2:
        raise MergeError("not_found", "One of the two no longer exists.")
    return live[a.pk], live[b.pk]


def move_rows(rows: QuerySet[Any], *, to: Entity) -> list[int]:
    """Move aliases, mentions or remarks to another entity. Returns their ids."""
    ids = sorted(rows.values_list("pk", flat=True))
    rows.model._default_manager.filter(pk__in=ids).update(entity=to)
    return ids


def move_separations(merged: Entity, *, to: Entity) -> list[int]:
    """Move separations to the kept entity. Returns their ids."""
    known = {get_other_id(row, to.pk) for row in load_separations(to)} | {to.pk}
    moving = [row for row in load_separations(merged) if get_other_id(row, merged.pk) not in known]
    for row in moving:
        replace_side(row, merged.pk, by=to.pk)
    return [row.pk for row in moving]


def load_separations(entity: Entity) -> QuerySet[Separation]:
    return Separation.objects.filter(Q(a=entity) | Q(b=entity)).order_by("id")


def get_other_id(row: Separation, entity_id: int) -> int:
    return row.b_id if row.a_id == entity_id else row.a_id


def replace_side(row: Separation, entity_id: int, *, by: int) -> None:
    row.a_id, row.b_id = sorted((get_other_id(row, entity_id), by))
    row.save(update_fields=["a", "b"])


def move_pairs(kept: Entity, merged: Entity, *, now: datetime) -> dict[str, list[list[int]]]:
    """Move uncertain pairs to the kept entity, and settle those that are decided now.

    Returns each entity whose pair was moved or settled, with its former target.
    """
    uncertain = lookup.filter_uncertain(kept.bond).filter(Q(merge_target__in=[kept, merged]) | Q(pk=kept.pk))
    moved: list[list[int]] = []
    settled: list[list[int]] = []
    for one in uncertain.exclude(pk=merged.pk).order_by("id"):
        before = one.merge_target_id
        assert before is not None  # by the filter above
        after = kept.pk if before == merged.pk else before
        if after == one.pk or are_separate(one.pk, after):
            confirm(one, now=now)
            settled.append([one.pk, before])
        elif after != before:
            Entity.objects.filter(pk=one.pk).update(merge_target=after)
            moved.append([one.pk, before])
    return {"pairs_moved": moved, "pairs_settled": settled}


def move_columns(kept: Entity, merged: Entity) -> dict[str, Any]:
    """Give the kept entity the better description, a vector, and the later mention. Returns the taken and former
    values.
    """
    moved: dict[str, Any] = {
        "description": None,
        "vector": None,
        "last_mentioned_at": kept.last_mentioned_at.isoformat(),
    }
    if describes_better(merged, kept):
        exchange_descriptions(kept, merged)
        moved["description"] = hash_description(kept.description)
    # The vector of its own name; where the model cannot read that name, the other's vector.
    if kept.embedding is None and merged.embedding is not None:
        moved["vector"] = kept.embedding_model
        kept.embedding, kept.embedding_model = merged.embedding, merged.embedding_model
    kept.last_mentioned_at = max(kept.last_mentioned_at, merged.last_mentioned_at)
    return moved


def describes_better(merged: Entity, kept: Entity) -> bool:
    """Whether one description is better: a person's text first, then the longer."""
    by_owner = [one.description_by == Entity.Author.OWNER for one in (merged, kept)]
    if by_owner[0] != by_owner[1]:
        return by_owner[0]
    return len(merged.description) > len(kept.description)


def hash_description(description: str) -> str:
    """Hash a text, to recognise it without keeping it."""
    return hashlib.blake2b(description.encode(), digest_size=16).hexdigest()


def exchange_descriptions(a: Entity, b: Entity) -> None:
    a.description, b.description = b.description, a.description
    a.description_by, b.description_by = b.description_by, a.description_by
    a.described_at, b.described_at = b.described_at, a.described_at


@transaction.atomic
def undo(*, merge: EntityMerge, now: datetime) -> Entity:
    """Undo a merge. Returns the restored entity. Raises MergeError."""
    sessions.lock_bond(merge.bond)
    merge.refresh_from_db()
    check_undoable(merge)
    kept, merged = merge.kept, merge.merged
    moved = merge.moved
    merged.merged_into = None
    merged.save(update_fields=["merged_into"])
    # The kept entity keeps its current canonical name, wherever that came from.
    own = EntityAlias.objects.filter(entity=kept, folded=text.fold(kept.canonical_name))
    move_rows(EntityAlias.objects.filter(pk__in=moved["aliases"], entity=kept).exclude(pk__in=own), to=merged)
    move_rows(Mention.objects.filter(pk__in=moved["mentions"], entity=kept), to=merged)
    # Merges of before the story moved none.
    move_rows(EntityRemark.objects.filter(pk__in=moved.get("remarks", []), entity=kept), to=merged)
    for row in load_separations(kept).filter(pk__in=moved["separations"]):
        replace_side(row, kept.pk, by=merged.pk)
    restore_pairs(moved, kept=kept)
    kept.refresh_from_db()
    restore_columns(moved, kept=kept, merged=merged)
    merge.undone_at = now
    merge.save(update_fields=["undone_at"])
    pairs.follow(merge.bond, now=now)
    events.record(bond_id=merge.bond_id, type="memory.entity.restored", refs={"entity": merged.pk}, now=now)
    return merged


def check_undoable(merge: EntityMerge) -> None:
    if merge.undone_at is not None:
        raise MergeError("conflict", "This merge is already undone.")
    if merge.kept.deleted_at is not None or merge.merged.deleted_at is not None:
        raise MergeError("conflict", "What was merged has been forgotten since.")
    later = EntityMerge.objects.filter(pk__gt=merge.pk, undone_at=None)
    if later.filter(Q(kept=merge.kept_id) | Q(merged=merge.kept_id)).exists():
        raise MergeError("conflict", "A later merge is based on this one. Undo that one first.")


def restore_pairs(moved: dict[str, Any], *, kept: Entity) -> None:
    """Restore uncertain pairs that were not decided since."""
    live = Entity.objects.not_deleted_or_merged()
    for pk, before in moved["pairs_moved"]:
        live.filter(pk=pk, merge_target=kept).update(merge_target=before)
    for pk, before in moved["pairs_settled"]:
        if not are_separate(pk, before):
            live.filter(pk=pk, merge_status=Status.CONFIRMED).update(merge_status=Status.UNCERTAIN, merge_target=before)


def restore_columns(moved: dict[str, Any], *, kept: Entity, merged: Entity) -> None:
    """Return the columns the kept entity took, unless they were overwritten since."""
    if moved["description"] == hash_description(kept.description):
        exchange_descriptions(kept, merged)
    elif moved["description"]:
        # Overwritten since: the description that the merged entity got is out of date.
        merged.description = merged.description_by = ""
    if moved["vector"] is not None:
        kept.embedding, kept.embedding_model = None, moved["vector"]
    if kept.last_mentioned_at == merged.last_mentioned_at:
        kept.last_mentioned_at = datetime.fromisoformat(moved["last_mentioned_at"])
    kept.save()
    merged.save()


@transaction.atomic
def separate_entities(*, a: Entity, b: Entity, by: str, now: datetime) -> None:
    """Store that two entities differ, so they are never asked about again. Raises MergeError."""
    a, b = lock_pair(a, b)
    smaller, larger = sorted((a.pk, b.pk))
    decided = {"bond": a.bond, "decided_by": by, "created_at": now}
    Separation.objects.get_or_create(a_id=smaller, b_id=larger, defaults=decided)
    for one, other in ((a, b), (b, a)):
        if one.merge_target_id == other.pk:
            confirm(one, now=now)
    pairs.follow(a.bond, now=now)


@transaction.atomic
def undo_separation(*, a: Entity, b: Entity, now: datetime) -> None:
    """Take back that two entities differ: they are an uncertain pair again. Raises MergeError where they are none."""
    a, b = lock_pair(a, b)
    smaller, larger = sorted((a.pk, b.pk))
    Separation.objects.filter(a=smaller, b=larger).delete()
    if not open_uncertain_pair(a=a, b=b, now=now):
        raise MergeError("conflict", "One of the two may be somebody else by now.")


def open_uncertain_pair(*, a: Entity, b: Entity, by: str = Doubt.BY_CHANGE, now: datetime) -> bool:
    """Open an uncertain pair with its doubt, which `by` opens: the newer entity may be the older. Returns whether it is one now.

    It opens none for two kinds, for separated entities, or where the newer is in another pair. The caller has locked
    the bond.
    """
    a.refresh_from_db()
    b.refresh_from_db()
    older, newer = sorted((a, b), key=lambda one: (one.created_at, one.pk))
    if newer.merge_target_id == older.pk or older.merge_target_id == newer.pk:
        return True
    if older.pk == newer.pk or older.kind != newer.kind or newer.merge_target_id or are_separate(a.pk, b.pk):
        return False
    newer.merge_status = Status.UNCERTAIN
    newer.merge_target = older
    newer.save(update_fields=["merge_status", "merge_target"])
    pairs.follow(newer.bond, by=by, now=now)
    return True


def are_separate(a: int, b: int) -> bool:
    smaller, larger = sorted((a, b))
    return Separation.objects.filter(a=smaller, b=larger).exists()


def confirm(entity: Entity, *, now: datetime) -> None:
    """Confirm an entity, which may be new, and announce it the first time."""
    is_first = entity.confirmed_at is None
    entity.merge_status = Status.CONFIRMED
    entity.merge_target = None
    entity.confirmed_at = entity.confirmed_at or now
    entity.save(update_fields=None if entity._state.adding else ["merge_status", "merge_target", "confirmed_at"])
    if is_first:
        events.record(bond_id=entity.bond_id, type="memory.entity.confirmed", refs={"entity": entity.pk}, now=now)


def collect_merged_ids(entity_ids: Iterable[int]) -> list[int]:
    found: list[int] = []
    reached = list(entity_ids)
    while reached:
        found += reached
        merged = Entity.objects.filter(merged_into__in=reached).exclude(pk__in=found)
        reached = list(merged.values_list("pk", flat=True))
    return found


def confirm_uncertain(gone: Iterable[int], *, now: datetime) -> list[list[Any]]:
    """Confirm those that were paired with an entity that is gone.

    Returns each with its former target, and whether it had been confirmed before.
    """
    settled = []
    for one in (
        Entity.objects.not_deleted_or_merged()
        .filter(merge_status=Status.UNCERTAIN, merge_target__in=list(gone))
        .order_by("id")
    ):
        settled.append([one.pk, one.merge_target_id, one.confirmed_at is not None])
        confirm(one, now=now)
    return settled
