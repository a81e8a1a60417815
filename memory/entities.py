from django.db.models import F, Q, QuerySet, TextField, Value

from memory import text
from memory.models import Entity, EntityAlias
from personas.models import Bond

# How often in all the persona asks whether two names mean the same.
ASKED_MOST = 3


def named_in(*, bond: Bond, said: str) -> list[tuple[Entity, str]]:
    """The bond's entities that a text names, each with the name it was named by, in order of their ids."""
    folded = text.fold(said)
    aliases = EntityAlias.objects.filter(bond=bond, deleted_at=None, entity__deleted_at=None)
    # The database finds the few that occur at all; whether one is a name there is decided here.
    occurring = aliases.annotate(said=Value(folded, TextField())).filter(said__contains=F("folded"))
    found: dict[int, tuple[Entity, str]] = {}
    for alias in occurring.select_related("entity").order_by("entity_id", "id"):
        if alias.entity_id not in found and text.contains_name(folded, alias.folded):
            found[alias.entity_id] = (alias.entity, alias.name)
    return list(found.values())


def uncertain_pair(*, bond: Bond, among: list[int]) -> Entity | None:
    """An uncertain entity, its target loaded, if it or its target is among these."""
    return uncertain(bond=bond, among=among).first() if among else None


def pair_to_ask(*, bond: Bond, session_id: int, named: list[int]) -> Entity | None:
    """The uncertain pair to ask about now, if one of the two was named: once a session, three times in all."""
    if not named:
        return None
    due = uncertain(bond=bond, among=named).filter(asked_count__lt=ASKED_MOST)
    return due.exclude(asked_session_id=session_id).first()


def uncertain(*, bond: Bond, among: list[int]) -> QuerySet[Entity]:
    pairs = (
        Entity.objects.of(bond).live().filter(merge_status=Entity.MergeStatus.UNCERTAIN, merge_target__deleted_at=None)
    )
    named = pairs.filter(Q(pk__in=among) | Q(merge_target__in=among), merge_target__isnull=False)
    return named.select_related("merge_target").order_by("id")


def mark_asked(*, entity_id: int, session_id: int) -> None:
    """Note that the persona was told to ask about an uncertain pair, so that it asks once a session and three times in all."""
    Entity.objects.filter(pk=entity_id).update(asked_count=F("asked_count") + 1, asked_session_id=session_id)
