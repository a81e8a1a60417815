"""The doubts about uncertain pairs: each pair has one that is not settled, and a pair that is decided has none."""

from datetime import datetime

from memory.entities import lookup
from memory.models import Doubt, Entity, Separation
from personas.models import Bond

Outcome = Doubt.Outcome


def follow(bond: Bond, *, by: str = Doubt.BY_CHANGE, now: datetime) -> None:
    """Let doubts follow the uncertain pairs of a bond, in the transaction that changed these; `by` opens new ones.

    A pair that became uncertain opens one, or opens again the one that was settled; one that moved to another target
    takes its doubt along; one that is decided settles it. The caller has locked the bond.
    """
    pairs = {entity.pk: entity for entity in lookup.filter_uncertain(bond).select_related("merge_target", "bond")}
    unsettled = Doubt.objects.for_bond(bond).about_entities().exclude(state=Doubt.State.SETTLED)
    for doubt in unsettled.select_related("a_entity", "b_entity", "bond").order_by("id"):
        pair = pairs.pop(doubt.a_entity_id or 0, None)
        if pair is None:
            doubt.settle(outcome=find_outcome(doubt), now=now)
        elif pair.merge_target_id != doubt.b_entity_id:
            doubt.b_entity = pair.merge_target
            doubt.save(update_fields=["b_entity"])
    for pair in pairs.values():
        target = pair.merge_target
        assert target is not None  # by `lookup.filter_uncertain`
        before = Doubt.objects.for_bond(pair.bond).filter(a_entity=pair, b_entity=target).select_related("bond")
        settled = before.order_by("id").last()
        if settled is None:
            Doubt.objects.open_about_entities(this=pair, that=target, by=by, now=now)
        else:
            settled.open_again(now=now)


def find_outcome(doubt: Doubt) -> str:
    """Find how a pair was decided: by a merge, by a separation, or because one of the two was forgotten."""
    assert doubt.a_entity is not None  # as all of its kind
    assert doubt.b_entity is not None
    a, b = (find_merged_into(one) for one in (doubt.a_entity, doubt.b_entity))
    if a.pk == b.pk:
        return Outcome.SAME
    smaller, larger = sorted((a.pk, b.pk))
    is_separate = Separation.objects.filter(a=smaller, b=larger).exists()
    return Outcome.DIFFERENT if is_separate else Outcome.GONE


def find_merged_into(entity: Entity) -> Entity:
    """Find the entity that stands for this one, through all merges."""
    while entity.merged_into is not None:
        entity = entity.merged_into
    return entity
