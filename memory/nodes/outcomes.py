"""Settle expectations and intentions: by the slow tick, a person or the clock, each with a reason."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

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
# The zone furthest ahead of UTC.
FURTHEST_AHEAD = timedelta(hours=14)


class SettlingError(CodedError):
    """An outcome that a node cannot have."""


def build_slow_tick_reason(shown_by: Sequence[int]) -> str:
    """Build the reason of an outcome that a slow tick found, from the ids of its events."""
    events = f"{'event' if len(shown_by) == 1 else 'events'} {', '.join(map(str, shown_by))}"
    return f"slow tick: {events}"[:REASON_CHARACTERS] if shown_by else "slow tick"


def settle(node: ConceptNode, *, outcome: str, reason: str, now: datetime) -> None:
    """Settle an expectation or intention; the caller has locked its bond."""
    node.state = outcome
    node.state_reason = reason
    # The clock may have been set back since the node was created.
    node.valid_until = max(now, node.valid_from)
    node.save(update_fields=["state", "state_reason", "valid_until"])
    node.announce_update("state", now=now)


def can_become(node: ConceptNode, outcome: str) -> bool:
    """Whether a node can take an outcome: it has none, or the clock or a person gave it up."""
    if node.deleted_at is not None or outcome not in OUTCOMES.get(node.type, ()):
        return False
    return node.state in UNSETTLED or (node.state == State.EXPIRED and outcome != State.EXPIRED)


def list_possible(node: ConceptNode) -> list[State]:
    return [outcome for outcome in OUTCOMES.get(node.type, ()) if can_become(node, outcome)]


@transaction.atomic
def settle_by_hand(*, node: ConceptNode, outcome: str, now: datetime) -> None:
    """Settle a node by a person's decision. Raises SettlingError."""
    known = OUTCOMES.get(node.type, ())
    if not known:
        raise SettlingError("invalid", "Only promises and expectations have an outcome.")
    if outcome not in (*known, *UNSETTLED):
        raise SettlingError(
            "invalid",
            "The outcome of an %(type)s is one of %(known)s.",
            type=ConceptNode.Type(node.type),
            known=", ".join(known),
        )
    sessions.lock_bond(node.bond)
    node.refresh_from_db(fields=["state", "deleted_at"])
    if not can_become(node, outcome):
        raise SettlingError(
            "conflict",
            "This %(type)s is %(state)s; it cannot become %(outcome)s.",
            type=ConceptNode.Type(node.type),
            state=ConceptNode.State(node.state),
            outcome=ConceptNode.State(outcome),
        )
    settle(node, outcome=outcome, reason=BY_HAND, now=now)


def expire(*, now: datetime) -> int:
    """Expire expectations whose day is over in their user's zone, and undated nodes after 60 days. Returns how many.

    A promise with a day stays open: it is overdue until it is settled.
    """
    return sum(expire_one(node, now=now) for node in find_possibly_over(now).order_by("id"))


def find_possibly_over(now: datetime) -> ConceptNodeQuerySet:
    """Find nodes that are over in the zone furthest ahead."""
    day_is_over = Q(state=State.PENDING, event_time_end__lt=(now + FURTHEST_AHEAD).date())
    lasted_long = Q(event_time_end=None, created_at__lte=now - UNDATED_LASTS)
    unsettled = ConceptNode.objects.not_deleted().filter(day_is_over | lasted_long, state__in=UNSETTLED)
    return unsettled.select_related("bond__user").without_heavy_columns("terms")


@transaction.atomic
def expire_one(node: ConceptNode, *, now: datetime) -> bool:
    reason = find_expiry_reason(node, now=now)
    if not reason:
        return False
    sessions.lock_bond(node.bond)
    node.refresh_from_db(fields=["state", "deleted_at"])
    if not can_become(node, State.EXPIRED):
        return False
    settle(node, outcome=State.EXPIRED, reason=reason, now=now)
    return True


def find_expiry_reason(node: ConceptNode, *, now: datetime) -> str:
    """Return why a node expires, or an empty string. The day of an expectation counts to its end."""
    is_promise = node.type == ConceptNode.Type.INTENTION
    if node.event_time_end is None:
        lasted_long = OPEN_LONG if is_promise else AWAITED_LONG
        return lasted_long if now - node.created_at >= UNDATED_LASTS else ""
    return DAY_IS_OVER if not is_promise and node.event_time_end < node.bond.user.get_day(now) else ""
