"""Named relations between facts, and of a newer memory to the fact of which it may say how it is since."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Q, QuerySet
from django.db.models.functions import Greatest
from django.utils.translation import gettext_lazy

from memory.models import ConceptNode, NodeLink
from personas.models import Bond

# The id of a link, its end that moved ("a" or "b"), and the node that was there.
Moved = tuple[int, str, int]
REFINES, SAID_SINCE = "refines", "said since"
# What consolidation calls relations; others are in the words of whoever made them.
LABELS = {REFINES: gettext_lazy("refines"), SAID_SINCE: gettext_lazy("said since")}


def load_live(bond: Bond) -> QuerySet[NodeLink]:
    """Load the links of which both ends are live."""
    live = Q(a__state=ConceptNode.State.LIVE, b__state=ConceptNode.State.LIVE, a__deleted_at=None, b__deleted_at=None)
    return NodeLink.objects.filter(live, bond=bond)


def load_linked(bond: Bond, node: ConceptNode) -> list[tuple[str, ConceptNode]]:
    """Load the relations of a fact, each with the fact at its other end."""
    own = load_live(bond).filter(Q(a=node) | Q(b=node)).select_related("a", "b").order_by("id")
    return [(str(LABELS.get(link.relation, link.relation)), link.b if link.a_id == node.pk else link.a) for link in own]


def load_said_since(bond: Bond) -> dict[int, str]:
    """Load for each fact what was said of it last, since it was told and confirmed."""
    told_at = Greatest("b__created_at", "b__last_confirmed_at")
    said = load_live(bond).filter(relation=SAID_SINCE, a__created_at__gt=told_at).order_by("a")
    return dict(said.values_list("b", "a__description"))


def find_said_of(nodes: Collection[int]) -> QuerySet[NodeLink, int]:
    """Find the ids of the facts behind which one of these nodes stands as what was said since."""
    return NodeLink.objects.filter(a__in=nodes, relation=SAID_SINCE).values_list("b", flat=True)


def create(*, a: ConceptNode, b: ConceptNode, relation: str, now: datetime) -> NodeLink | None:
    """Link two nodes of a bond; None where they are linked so already. The caller has locked the bond."""
    if NodeLink.objects.filter(a=a, b=b, relation=relation).exists():
        return None
    return NodeLink.objects.create(bond_id=a.bond_id, a=a, b=b, relation=relation, created_at=now)


def move(*, bond: Bond, old: int, new: int) -> list[Moved]:
    """Move the links of a node to another, and return them; one that the other has already goes."""
    moved: list[Moved] = []
    own = NodeLink.objects.filter(Q(a=old) | Q(b=old), bond=bond)
    for link in own.order_by("id"):
        end = "a" if link.a_id == old else "b"
        a, b = (new, link.b_id) if end == "a" else (link.a_id, new)
        if a == b or NodeLink.objects.filter(a=a, b=b, relation=link.relation).exists():
            link.delete()
            continue
        NodeLink.objects.filter(pk=link.pk).update(a=a, b=b)
        moved.append((link.pk, end, old))
    return moved


def move_back(moved: list[Moved]) -> None:
    """Move links back to where `move` found them, as far as they are still there."""
    for pk, end, node in moved:
        NodeLink.objects.filter(pk=pk).update(**{f"{end}_id": node})
