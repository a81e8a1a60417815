"""Choose what the persona asks about: one doubt a session, each in three sessions in all."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Func, OuterRef, Q

from memory import sessions
from memory.doubts import settling
from memory.models import ConceptNode, Doubt, Mention
from memory.nodes import corrections, staleness
from personas.models import Bond

MOST_SESSIONS = 3
# So long after it was noted, what nobody settled is history.
UNSETTLED_FOR = timedelta(days=60)


def choose(*, bond: Bond, session_id: int, nodes: Collection[int], entities: Collection[int]) -> Doubt | None:
    """Choose the open doubt about memories to ask about: most severe, then oldest, of those of which a side came up.

    A side came up where it is one of `nodes`, or names one of `entities`. None once this session asked about one.
    """
    if not nodes and not entities:
        return None
    naming = Mention.objects.filter(bond=bond, entity__in=entities)
    came_up = (
        Q(a_node__in=nodes)
        | Q(b_node__in=nodes)
        | Exists(naming.filter(node=OuterRef("a_node")))
        | Exists(naming.filter(node=OuterRef("b_node")))
    )
    asked = Doubt.objects.for_bond(bond).filter(asked_in__contains=[session_id])
    due = Doubt.objects.for_bond(bond).open().filter(came_up, ~Exists(asked), a_node__deleted_at=None)
    due = due.filter(asked_in__len__lt=MOST_SESSIONS).select_related("a_node", "b_node")
    return due.order_by("-severity", "opened_at", "id").first()


def mark_asked(*, doubt_id: int, session_id: int) -> None:
    """Store that the persona was told to ask in a session."""
    doubt = Doubt.objects.filter(pk=doubt_id).exclude(asked_in__contains=[session_id])
    doubt.update(asked_in=Func(F("asked_in"), session_id, function="array_append"))


def let_go_unanswered(*, bond: Bond, session_id: int) -> None:
    """Let go of what was asked in three sessions, the closing one the last of them. The caller has locked the bond."""
    asked = Doubt.objects.for_bond(bond).open().filter(asked_in__len__gte=MOST_SESSIONS)
    asked.filter(asked_in__contains=[session_id]).update(state=Doubt.State.LET_GO)


def settle_old(*, now: datetime) -> int:
    """Supersede uncertain facts that nobody settled for 60 days, and settle their doubts; what they stood against stays.

    Returns how many.
    """
    old = ConceptNode.objects.facts().not_deleted().filter(state=ConceptNode.State.UNCERTAIN)
    due = old.filter(created_at__lte=now - UNSETTLED_FOR).select_related("bond").without_heavy_columns()
    return sum(settle_one(node, now=now) for node in due)


@transaction.atomic
def settle_one(node: ConceptNode, *, now: datetime) -> int:
    sessions.lock_bond(node.bond)
    still = ConceptNode.objects.not_deleted().filter(pk=node.pk, state=ConceptNode.State.UNCERTAIN)
    if not still.exists():
        return 0
    corrections.retire(node, reason=settling.SETTLED, now=now)
    corrections.announce(node, now=now)
    staleness.refresh(bond=node.bond, nodes=[node.pk], now=now)
    about = Doubt.objects.for_bond(node.bond).filter(a_node=node).exclude(state=Doubt.State.SETTLED)
    about.update(state=Doubt.State.SETTLED, outcome=Doubt.Outcome.THAT, settled_at=now)
    return 1
