from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from echovessel import text
from echovessel.postgres import prepared
from echovessel.postgres.rows import build_model, list_columns
from memory.models import Doubt, Entity
from personas.models import Bond

_ENTITY = list_columns(Entity, "embedding", "embedding_model")
# Raw SQL, as in the rest of the hot path. The database finds the few candidates.
_OCCURRING = f"""
    SELECT {", ".join(f"entity.{name}" for name in _ENTITY)}, alias.name, alias.folded, {{remarks}}
    FROM memory_entityalias AS alias JOIN memory_entity AS entity ON entity.id = alias.entity_id
    WHERE alias.bond_id = %(bond)s AND alias.deleted_at IS NULL AND entity.deleted_at IS NULL
        AND (strpos(%(said)s::text, alias.folded) > 0 OR entity.id = ANY(%(besides)s::bigint[]))
    ORDER BY entity.id, alias.id
"""
_REMARKS = """ARRAY(
        SELECT CASE WHEN label = '' THEN remark.text ELSE label || ': ' || remark.text END
        FROM memory_entityremark AS remark JOIN memory_scene AS scene ON scene.id = remark.scene_id
        WHERE remark.entity_id = entity.id AND replaced_by_id IS NULL AND absorbed_at IS NULL
        ORDER BY scene.last_message_id DESC, remark.id DESC LIMIT %(remarks)s
    )"""


class Named(NamedTuple):
    """An entity with one of its names, the index of the first text that holds that name, and the newest remarks on its card."""

    entity: Entity
    name: str
    place: int
    remarks: tuple[str, ...]


def find_named(*, bond: Bond, said: str) -> list[tuple[Entity, str]]:
    """Find the bond's entities that a text names, each with that name, ordered by id."""
    return [(found.entity, found.name) for found in find_in_any(bond=bond, texts=[said])]


def find_in_any(*, bond: Bond, texts: Sequence[str], besides: Sequence[int] = (), remarks: int = 0) -> list[Named]:
    """Find the bond's entities that one of these texts names, and those with the ids `besides`, with so many of the newest
    live remarks on each; ordered by id. The place of those that no text names is behind all texts.
    """
    folded = [text.fold(said) for said in texts]
    statement = _OCCURRING.format(remarks=_REMARKS if remarks else "ARRAY[]::text[]")
    given: dict[str, Any] = {"bond": bond.pk, "said": "\n".join(folded), "besides": list(besides), "remarks": remarks}
    found: dict[int, Named] = {}
    for *values, name, its_fold, told in prepared.fetch_all(statement, given):
        # Python decides whether it is a whole name there.
        place = next((at for at, said in enumerate(folded) if text.contains_name(said, its_fold)), len(folded))
        if place == len(folded) and values[0] not in besides:
            continue
        if values[0] not in found or place < found[values[0]].place:
            entity = build_model(Entity, _ENTITY, values)
            found[values[0]] = Named(entity, name, place, tuple(told))
    return list(found.values())


def find_uncertain_pair(*, bond: Bond, among: list[int], session_id: int) -> Entity | None:
    """Find the uncertain pair (one entity, its target loaded) that a session may resolve.

    The pair asked about in it comes first, then one with an entity among these.
    """
    pairs = list(filter_uncertain(bond).order_by("id"))
    about = Doubt.objects.filter(a_entity__in=pairs, asked_in__contains=[session_id])
    in_talk = set(about.values_list("a_entity", flat=True))
    found = [pair for pair in pairs if {pair.pk, pair.merge_target_id} & {*among} or pair.pk in in_talk]
    return min(found, key=lambda pair: pair.pk not in in_talk, default=None)


def filter_uncertain(bond: Bond) -> QuerySet[Entity]:
    pairs = Entity.objects.for_bond(bond).not_deleted_or_merged().filter(merge_status=Entity.MergeStatus.UNCERTAIN)
    there = pairs.filter(merge_target__isnull=False, merge_target__deleted_at=None, merge_target__merged_into=None)
    return there.select_related("merge_target")


def filter_pairs_among(ids: list[int]) -> Q:
    return Q(pk__in=ids) | Q(merge_target__in=ids)
