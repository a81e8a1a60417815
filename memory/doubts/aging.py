"""Open doubts about what time makes uncertain: what was read and never told, and threads that nobody took up again."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import islice

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Greatest

from memory import sessions
from memory.models import ConceptNode, Doubt, Filling, NodeSource
from memory.models.doubts import SEVERITY
from memory.models.nodes import ConceptNodeQuerySet
from personas.models import Bond, User

# An import's row about who the user is, that no chat bore out.
UNVERIFIED_FOR = timedelta(days=30)
# An unresolved event that nobody touched.
UNTOUCHED_FOR = timedelta(days=45)
# So many rows are read at a time.
CHUNK = 100
Kind = Doubt.Kind


def open_due(*, now: datetime) -> int:
    """Open the doubts that are due, bond by bond. Returns how many."""
    return sum(
        open_of_bond(bond, kind=kind, now=now)
        for kind, find in FINDERS.items()
        for bond in Bond.objects.filter(pk__in=find(now).values("bond")).select_related("user").order_by("id")
    )


@transaction.atomic
def open_of_bond(bond: Bond, *, kind: str, now: datetime) -> int:
    """Open the due doubts of one kind in a bond, the oldest first, as long as there is room beside those that are as severe.
    Returns how many.
    """
    sessions.lock_bond(bond)
    as_severe = Doubt.objects.for_bond(bond).open().filter(severity__gte=SEVERITY[kind])
    room = max(0, Doubt.OPEN_MOST - as_severe.count())
    due = FINDERS[kind](now).for_bond(bond).select_related("bond").without_heavy_columns().order_by("created_at", "id")
    # Read as far as there is room: a long life has thousands of them.
    may_open = (
        node
        for node in due.iterator(chunk_size=CHUNK)
        if kind != Kind.STALE or not is_plan_over(node, user=bond.user, now=now)
    )
    found = [*islice(may_open, room)]
    for node in found:
        Doubt.objects.open_about_nodes(kind=kind, this=node, that=None, by=Doubt.BY_CLOCK, now=now)
    return len(found)


def find_unverified(now: datetime) -> ConceptNodeQuerySet:
    """Find imported memories of who the user is that are 30 days old, that no line bore out, and were never in doubt.

    A fact of the same words says whether they were: the user told, confirmed or changed it.
    """
    imported = ConceptNode.objects.not_deleted().filter(
        origin=ConceptNode.Origin.IMPORT,
        state=ConceptNode.State.LIVE,
        stale=False,
        created_at__lte=now - UNVERIFIED_FOR,
        relational_tags__contains=["identity-bearing"],
    )
    told = NodeSource.objects.filter(node=OuterRef("pk"))
    cited = Filling.objects.filter(child=OuterRef("pk"), parent__type=ConceptNode.Type.FACT)
    borne_out = cited.exclude(parent__state=ConceptNode.State.LIVE, parent__last_confirmed_at=None)
    doubted = Doubt.objects.filter(Q(a_node=OuterRef("pk")) | Q(b_node=OuterRef("pk")))
    return imported.filter(~Exists(told), ~Exists(borne_out), ~Exists(doubted))


def find_untouched(now: datetime) -> ConceptNodeQuerySet:
    """Find unresolved events that were neither told of nor settled as a doubt for 45 days, and are in no doubt."""
    events = (
        ConceptNode.objects.not_deleted()
        .events()
        .filter(
            state=ConceptNode.State.LIVE, created_at__lte=now - UNTOUCHED_FOR, relational_tags__contains=["unresolved"]
        )
    )
    about = Doubt.objects.filter(a_node=OuterRef("pk")).order_by()
    told = NodeSource.objects.filter(node=OuterRef("pk")).order_by().values("node")
    last_told = told.annotate(at=Max("message__created_at")).values("at")
    last_settled = about.values("a_node").annotate(at=Max("settled_at")).values("at")
    touched = Greatest(
        "created_at", Coalesce(Subquery(last_told), "created_at"), Coalesce(Subquery(last_settled), "created_at")
    )
    # What was let go is asked about no more.
    pending = about.filter(~Q(state=Doubt.State.SETTLED))
    return events.annotate(touched_at=touched).filter(~Exists(pending), touched_at__lte=now - UNTOUCHED_FOR)


def is_plan_over(node: ConceptNode, *, user: User, now: datetime) -> bool:
    """Whether a plan was taken up when its day came: "An interview on 5 December" is no question in January."""
    day = node.event_time_start
    return day is not None and user.get_day(node.created_at) < day < user.get_day(now)


FINDERS: dict[str, Callable[[datetime], ConceptNodeQuerySet]] = {
    Kind.UNVERIFIED: find_unverified,
    Kind.STALE: find_untouched,
}
