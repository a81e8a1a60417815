"""How expectations and intentions end: by the slow tick, by a person, or by the clock, each with its reason."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q

from echovessel import events
from echovessel.errors import CodedError
from memory import sessions
from memory.models import ConceptNode
from memory.models.nodes import ConceptNodeQuerySet

State = ConceptNode.State
OUTCOMES: dict[str, tuple[State, ...]] = {
    ConceptNode.Type.EXPECTATION: (State.FULFILLED, State.MISSED, State.EXPIRED),
    ConceptNode.Type.INTENTION: (State.KEPT, State.BROKEN, State.CANCELLED, State.EXPIRED),
}
UNSETTLED = (State.PENDING, State.OPEN)
UNDATED_LASTS = timedelta(days=60)
BY_HAND = "by hand"
DAY_IS_OVER = "clock: its day is over"
AWAITED_LONG = "clock: awaited for 60 days"
OPEN_LONG = "clock: open for 60 days"
REASON_CHARACTERS = 200
# The day of the zone that is furthest ahead of UTC.
FURTHEST_AHEAD = timedelta(hours=14)


class SettlingError(CodedError):
    """An outcome that a node cannot have."""


def build_slow_tick_reason(shown_by: Sequence[int]) -> str:
    """The reason of an outcome that a slow tick found, by the ids of the events that show it."""
    events = f"{'event' if len(shown_by) == 1 else 'events'} {', '.join(map(str, shown_by))}"
    return f"slow tick: {events}"[:REASON_CHARACTERS] if shown_by else "slow tick"


def settle(node: ConceptNode, *, outcome: str, reason: str, now: datetime) -> None:
    """End an expectation or intention; the caller has locked its bond."""
    node.state = outcome
    node.state_reason = reason
    # A clock may have been set back since the node was written.
    node.valid_until = max(now, node.valid_from)
    node.save(update_fields=["state", "state_reason", "valid_until"])
    refs = {"node": node.pk, "changed": ["state"]}
    events.record(bond_id=node.bond_id, type="memory.node.updated", refs=refs, now=now)


def can_become(node: ConceptNode, outcome: str) -> bool:
    """Whether it has no outcome yet; of what the clock or a person gave up it can still be said how it came out."""
    if node.deleted_at is not None or outcome not in OUTCOMES.get(node.type, ()):
        return False
    return node.state in UNSETTLED or (node.state == State.EXPIRED and outcome != State.EXPIRED)


@transaction.atomic
def settle_by_hand(*, node: ConceptNode, outcome: str, now: datetime) -> None:
    """End one by a person's word. Raises SettlingError."""
    known = OUTCOMES.get(node.type, ())
    if not known:
        raise SettlingError("invalid", "Only expectations and intentions have an outcome.")
    if outcome not in (*known, *UNSETTLED):
        raise SettlingError("invalid", f"An {node.type} ends as {', '.join(known)}.")
    sessions.lock_bond(node.bond)
    node.refresh_from_db(fields=["state", "deleted_at"])
    if not can_become(node, outcome):
        raise SettlingError("conflict", f"This {node.type} is {node.state}; it cannot become {outcome}.")
    settle(node, outcome=outcome, reason=BY_HAND, now=now)


def expire(*, now: datetime) -> int:
    """Give up the expectations whose day is over where their user lives, and after 60 days what has no day. Returns how many.

    A promise with a day stays open: it is overdue until it is settled.
    """
    return sum(expire_one(node, now=now) for node in find_possibly_over(now).order_by("id"))


def find_possibly_over(now: datetime) -> ConceptNodeQuerySet:
    """Those that are over in the zone that is furthest ahead."""
    day_is_over = Q(state=State.PENDING, event_time_end__lt=(now + FURTHEST_AHEAD).date())
    lasted_long = Q(event_time_end=None, created_at__lte=now - UNDATED_LASTS)
    unsettled = ConceptNode.objects.not_deleted().filter(day_is_over | lasted_long, state__in=UNSETTLED)
    return unsettled.select_related("bond__user").without_heavy_columns("terms")


@transaction.atomic
def expire_one(node: ConceptNode, *, now: datetime) -> bool:
    reason = find_expiry_reason(node, zone=node.bond.user.zone, now=now)
    if not reason:
        return False
    sessions.lock_bond(node.bond)
    node.refresh_from_db(fields=["state", "deleted_at"])
    if not can_become(node, State.EXPIRED):
        return False
    settle(node, outcome=State.EXPIRED, reason=reason, now=now)
    return True


def find_expiry_reason(node: ConceptNode, *, zone: ZoneInfo, now: datetime) -> str:
    """Why the clock gives it up, or nothing. The day of an expectation counts to its end."""
    is_promise = node.type == ConceptNode.Type.INTENTION
    if node.event_time_end is None:
        lasted_long = OPEN_LONG if is_promise else AWAITED_LONG
        return lasted_long if now - node.created_at >= UNDATED_LASTS else ""
    return DAY_IS_OVER if not is_promise and node.event_time_end < now.astimezone(zone).date() else ""
