from django.db import connection
from django.db.models import Case, F, Func, Q, QuerySet, When

from echovessel.postgres.rows import list_columns
from memory import text
from memory.models import Entity
from personas.models import Bond

# How often the persona asks about one uncertain pair.
MAX_TIMES_ASKED = 3


_ENTITY = list_columns(Entity, "embedding", "embedding_model")
# Raw SQL, as in the rest of the hot path. The database finds the few candidates.
_OCCURRING = f"""
    SELECT {", ".join(f"entity.{name}" for name in _ENTITY)}, alias.name, alias.folded
    FROM memory_entityalias AS alias JOIN memory_entity AS entity ON entity.id = alias.entity_id
    WHERE alias.bond_id = %s AND alias.deleted_at IS NULL AND entity.deleted_at IS NULL AND strpos(%s, alias.folded) > 0
    ORDER BY entity.id, alias.id
"""


def find_named(*, bond: Bond, said: str) -> list[tuple[Entity, str]]:
    """Find the bond's entities that a text names, each with that name, ordered by id."""
    folded = text.fold(said)
    with connection.cursor() as cursor:
        cursor.execute(_OCCURRING, [bond.pk, folded])
        rows = cursor.fetchall()
    found: dict[int, tuple[Entity, str]] = {}
    for *values, name, its_fold in rows:
        # Python decides whether it is a whole name there.
        if values[0] not in found and text.contains_name(folded, its_fold):
            found[values[0]] = (Entity.from_db(connection.alias, _ENTITY, values), name)
    return list(found.values())


def find_uncertain_pair(*, bond: Bond, among: list[int], session_id: int) -> Entity | None:
    """Find the uncertain pair (one entity, its target loaded) that a session may resolve.

    The pair asked about in it comes first, then one with an entity among these.
    """
    in_talk = Q(asked_in__contains=[session_id])
    pairs = filter_uncertain(bond).filter(in_talk | filter_pairs_among(among))
    return pairs.order_by(Case(When(in_talk, then=0), default=1), "id").first()


def choose_pair_to_ask(*, bond: Bond, session_id: int, named: list[int]) -> Entity | None:
    """Choose the uncertain pair to ask about: one of the two was named, once a session, three times in all."""
    if not named:
        return None
    due = filter_uncertain(bond).filter(filter_pairs_among(named), asked_in__len__lt=MAX_TIMES_ASKED)
    return due.exclude(asked_in__contains=[session_id]).order_by("id").first()


def filter_uncertain(bond: Bond) -> QuerySet[Entity]:
    pairs = Entity.objects.for_bond(bond).not_deleted_or_merged().filter(merge_status=Entity.MergeStatus.UNCERTAIN)
    there = pairs.filter(merge_target__isnull=False, merge_target__deleted_at=None, merge_target__merged_into=None)
    return there.select_related("merge_target")


def filter_pairs_among(ids: list[int]) -> Q:
    return Q(pk__in=ids) | Q(merge_target__in=ids)


def mark_asked(*, entity_id: int, session_id: int) -> None:
    """Store that the persona was told to ask about a pair, for the limits of `choose_pair_to_ask`."""
    pair = Entity.objects.filter(pk=entity_id).exclude(asked_in__contains=[session_id])
    pair.update(asked_in=Func(F("asked_in"), session_id, function="array_append"))
