"""Recompute the mood (L6) after a session or what it is worded by was forgotten, or a session restored."""

from collections.abc import Collection
from datetime import datetime

from echovessel import events, text
from memory.models import Message, MoodChange, Session
from personas.models import NEUTRAL_ENERGY, NEUTRAL_MOOD, Bond

NEUTRAL = {"mood": NEUTRAL_MOOD, "energy": NEUTRAL_ENERGY, "last_user_signal": None, "mood_updated_at": None}


def refresh_mood(bond: Bond, *, left: Session, now: datetime) -> None:
    """Set the bond's mood to the newest change that is left, where the session had one."""
    if left.mood_changes.exists():
        show_newest(bond, now=now)


def withdraw(bond: Bond, *, lines: Collection[int], now: datetime) -> None:
    """Delete the moods in the words of these messages of their sessions: a model may name what worries it. A restore does
    without them.
    """
    said = Message.objects.for_bond(bond).filter(pk__in=lines).values_list("session_id", "content")
    terms: dict[int, set[str]] = {}
    for session_id, content in said:
        terms.setdefault(session_id, set()).update(text.extract_terms(content))
    felt = MoodChange.objects.for_bond(bond).filter(session__in=terms).values_list("pk", "session_id", "mood")
    gone = [pk for pk, session_id, mood in felt if not terms[session_id].isdisjoint(text.extract_terms(mood))]
    if gone:
        MoodChange.objects.filter(pk__in=gone).delete()
        show_newest(bond, now=now)


def show_newest(bond: Bond, *, now: datetime) -> None:
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
