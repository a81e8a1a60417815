"""Recompute the mood (L6) after a session was forgotten or restored."""

from datetime import datetime

from echovessel import events
from memory.models import MoodChange, Session
from personas.models import NEUTRAL_ENERGY, NEUTRAL_MOOD, Bond

NEUTRAL = {"mood": NEUTRAL_MOOD, "energy": NEUTRAL_ENERGY, "last_user_signal": None, "mood_updated_at": None}


def refresh_mood(bond: Bond, *, left: Session, now: datetime) -> None:
    """Set the bond's mood to the newest change that is left, where the session had one."""
    if not left.mood_changes.exists():
        return
    there = MoodChange.objects.for_bond(bond)
    newest = there.order_by("-created_at", "-id").first()
    state = NEUTRAL if newest is None else build_columns(newest)
    if Bond.objects.filter(pk=bond.pk).exclude(**state).update(**state):
        events.record(bond_id=bond.pk, type="chat.mood.update", refs={}, now=now)


def build_columns(change: MoodChange) -> dict[str, object]:
    return {
        "mood": change.mood,
        "energy": change.energy,
        "last_user_signal": change.last_user_signal,
        "mood_updated_at": change.created_at,
    }
