"""The tour of the conversation for a new user: once, in their first bond, and again only if they ask."""

from datetime import datetime, timedelta

from django.contrib.sessions.backends.base import SessionBase

from personas.models import Bond

STEPS = 3
# A tour begins only in a bond younger than this, and ends when left alone for so long.
NEW_BOND_AGE = timedelta(days=1)
LIFETIME = timedelta(hours=1)


def get_step(*, bond: Bond, session: SessionBase, now: datetime) -> int | None:
    """Return the reader's step of the tour, from 1; None if there is no tour."""
    toured_at = bond.user.toured_at
    if toured_at is None:
        return 1 if is_first_bond(bond, now=now) else None
    return session.get(build_session_key(bond)) if now - toured_at < LIFETIME else None


def is_first_bond(bond: Bond, *, now: datetime) -> bool:
    is_new = now - bond.created_at < NEW_BOND_AGE
    return is_new and not Bond.objects.for_user(bond.user).filter(pk__lt=bond.pk).exists()


def build_session_key(bond: Bond) -> str:
    return f"tour-{bond.pk}"


def go_to(number: int, *, bond: Bond, session: SessionBase, now: datetime) -> None:
    """Set the step in this browser; past the last step, the tour is over everywhere."""
    bond.user.toured_at = now
    bond.user.save(update_fields=["toured_at"])
    if 1 <= number <= STEPS:
        session[build_session_key(bond)] = number
    else:
        session.pop(build_session_key(bond), None)
