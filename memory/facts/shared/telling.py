"""Tell the other companions of a change in talk: it changed a shared fact in one bond, and its copies stand as they did."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from memory.facts import changing, drafts, writing
from memory.facts.drafts import FactError
from memory.facts.shared import sharing
from memory.facts.writers import build_person_writer
from memory.models import ConceptNode, FactWrite
from memory.nodes.doubt_updates import SETTLED
from personas.models import Bond

By, Op = FactWrite.By, FactWrite.Op
IN_TALK = (By.TOOL, By.RULE, By.BACKSTOP, By.CLOSE)
TOLD = (Op.CHANGED, Op.ENDED, Op.FORGOTTEN)


def find_untold(bond: Bond, writes: Iterable[FactWrite]) -> set[int]:
    """Find the ids of those writes whose fact stands in other bonds as it did before."""
    origins = {write.pk: get_origin(write) for write in writes if is_tellable(write)}
    if not origins:
        return set()
    asked = ConceptNode.objects.for_bond(bond).filter(Q(shared=True) | Q(copy_of__isnull=False))
    roots = {pk: root or pk for pk, root in asked.filter(pk__in=origins.values()).values_list("pk", "copy_of")}
    if not roots:
        return set()
    others = [other for other in sharing.list_bonds(bond) if other.pk != bond.pk]
    live = ConceptNode.objects.filter(bond__in=others).live_facts()
    family = live.filter(Q(pk__in=roots.values()) | Q(copy_of__in=roots.values())).values_list("pk", "copy_of")
    standing_roots = {root or pk for pk, root in family}
    return {write for write, origin in origins.items() if roots.get(origin) in standing_roots}


def is_tellable(write: FactWrite) -> bool:
    is_told = write.by in IN_TALK and write.op in TOLD
    if write.op == Op.SETTLED:
        # A press tells it after it has settled the doubt. Where nothing lost there is nothing to tell.
        is_told = bool(write.old)
    return is_told and write.undone_at is None


def get_origin(write: FactWrite) -> int:
    """Return the id of the fact that stood before the write: of what lost a doubt the last."""
    if write.op == Op.CHANGED:
        return write.old[0]
    return write.old[-1] if write.op == Op.SETTLED else write.node_id


def tell(*, write: FactWrite, now: datetime) -> int:
    """Do with all copies what was done with one in talk. Returns how many; none where nothing is left to tell.

    Raises FactError `changed` where the result does not stand any more, `invalid` where it is no change in talk.
    """
    if not is_tellable(write):
        raise FactError("invalid", "Only a change in a chat is told to the others.")
    origin = ConceptNode.objects.for_bond(write.bond).get(pk=get_origin(write))
    if not origin.is_shared:
        return 0
    is_new = write.op == Op.CHANGED or (write.op == Op.SETTLED and write.node_id not in write.old)
    prepared = drafts.prepare([sharing.build_draft(write.node)]) if is_new else []
    writer = build_person_writer(now)
    with transaction.atomic():
        bonds = sharing.lock_bonds(write.bond)
        require_result(write)
        others = [one for one in sharing.load_family(origin, bonds) if one.bond_id != write.bond_id]
        for fact in prepared:
            sharing.require_about_user(fact.draft.facet)
            for one in others:
                writing.replace(bond=one.bond, old=one, fact=fact, writer=writer)
            sharing.spread(write.node, fact, bonds=bonds, now=now)
        for one in others if not prepared else []:
            if write.op == Op.FORGOTTEN:
                changing.forget(bond=one.bond, node=one, writer=writer)
            else:
                # What lost a doubt never was so.
                reason = write.node.state_reason if write.op == Op.ENDED else changing.WRONG
                changing.end(bond=one.bond, node=one, writer=writer, reason=reason)
    return len(others)


def require_result(write: FactWrite) -> None:
    """Raise FactError `changed` where the write was undone or its fact changed since."""
    write.refresh_from_db(fields=["undone_at"])
    write.node.refresh_from_db(fields=["state", "state_reason", "superseded_by", "deleted_at"])
    node = write.node
    is_live = node.state == ConceptNode.State.LIVE
    stands = {
        Op.CHANGED: is_live,
        Op.ENDED: node.state_reason in (changing.ENDED, changing.WRONG),
        Op.SETTLED: is_live if node.pk not in write.old else node.state_reason == SETTLED,
        Op.FORGOTTEN: True,
    }
    is_hidden = node.deleted_at is not None
    if write.undone_at is not None or is_hidden != (write.op == Op.FORGOTTEN) or not stands[Op(write.op)]:
        raise FactError("changed", "This has been changed since.")
