"""Open a doubt in the transaction of its cause. The caller has locked the bond."""

from collections.abc import Mapping
from datetime import datetime

from django.db.models import F

from echovessel import events
from memory.models import ConceptNode, Doubt, Entity
from personas.models import Bond

OPEN_MOST = 20
Kind = Doubt.Kind
SEVERITY: Mapping[str, float] = {Kind.CONTRADICTION: 1.0, Kind.AMBIGUOUS: 0.8, Kind.UNVERIFIED: 0.5, Kind.STALE: 0.4}


def open_about_nodes(
    *, kind: str, this: ConceptNode, that: ConceptNode | None, by: str, reason: str = "", now: datetime
) -> Doubt:
    """Open a doubt whether `this`, the newer, holds against `that`; one that is open about the two stays as it is."""
    known = Doubt.objects.for_bond(this.bond).open().filter(a_node=this, b_node=that).first()
    made = Doubt(bond=this.bond, kind=kind, a_node=this, b_node=that, opened_by=by, reason=reason)
    return known or create(made, now=now)


def open_about_entities(*, this: Entity, that: Entity, by: str, reason: str = "", now: datetime) -> Doubt:
    """Open a doubt whether two entities are one; one that is open about the two stays as it is."""
    known = Doubt.objects.for_bond(this.bond).open().filter(a_entity=this, b_entity=that).first()
    made = Doubt(bond=this.bond, kind=Kind.AMBIGUOUS, a_entity=this, b_entity=that, opened_by=by, reason=reason)
    return known or create(made, now=now)


def create(doubt: Doubt, *, now: datetime) -> Doubt:
    doubt.severity, doubt.opened_at = SEVERITY[doubt.kind], now
    doubt.save(force_insert=True)
    events.record(bond_id=doubt.bond_id, type="memory.doubt.opened", refs={"doubt": doubt.pk}, now=now)
    let_go_of_least(doubt.bond)
    return doubt


def let_go_of_least(bond: Bond) -> None:
    """Let go of what exceeds twenty open doubts: the least severe, of these the oldest."""
    ranked = Doubt.objects.for_bond(bond).open().order_by(F("severity").desc(), "-id")
    beyond = list(ranked.values_list("pk", flat=True)[OPEN_MOST:])
    Doubt.objects.filter(pk__in=beyond).update(state=Doubt.State.LET_GO)
