"""Choose what the persona asks about: one doubt a session over all kinds, each in three sessions in all."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Func

from echovessel import text
from memory import sessions
from memory.models import ConceptNode, Doubt
from memory.nodes import corrections, staleness
from memory.nodes.doubt_updates import SETTLED
from memory.recall.open_doubts import OpenDoubt
from personas.models import Bond

MOST_SESSIONS = 3
# The share of a side's terms that makes a text touch it.
SHARED_TERMS = 0.5
# So long after it was noted, what nobody settled is history.
UNSETTLED_FOR = timedelta(days=60)


def choose(
    doubts: Iterable[OpenDoubt], *, session_id: int, said: str, nodes: Collection[int], entities: Collection[int]
) -> OpenDoubt | None:
    """Choose of these, which come most severe and oldest first, the doubt to ask about: one of which a side came up.

    A side came up where recall brought it (`nodes`), where one of the `entities` named is it or is named in it, and where
    what was said has its value or half of its terms. None once this session asked about one.
    """
    doubts = list(doubts)
    if any(session_id in doubt.asked_in for doubt in doubts):
        return None
    folded, terms = text.fold(said), set(text.extract_terms(said))
    for doubt in doubts:
        is_due = doubt.is_open and len(doubt.asked_in) < MOST_SESSIONS
        is_near = doubt.nodes.intersection(nodes) or doubt.entities.intersection(entities)
        if is_due and (is_near or touches(doubt, folded=folded, terms=terms)):
            return doubt
    return None


def touches(doubt: OpenDoubt, *, folded: str, terms: Collection[str]) -> bool:
    """Whether a text, folded and as terms, has a value of a doubt about memories, or half of the terms of one side."""
    if any(text.contains_name(folded, text.fold(value)) for value in doubt.values):
        return True
    sides = [set(text.extract_terms(side)) for side in (doubt.this, doubt.that) if doubt.nodes]
    return any(side and len(side & set(terms)) >= SHARED_TERMS * len(side) for side in sides)


def mark_asked(*, doubt_id: int, session_id: int) -> None:
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
    corrections.retire(node, reason=SETTLED, now=now)
    node.announce_update("state", "superseded_by", now=now)
    staleness.refresh(bond=node.bond, nodes=[node.pk], now=now)
    return 1
