"""Tickets that let a client without cookies open a socket: one use, 30 seconds."""

import hashlib
import secrets

from django.core.cache import cache

from personas.models import User

LASTS_SECONDS = 30


def issue(user: User) -> str:
    ticket = secrets.token_urlsafe(32)
    cache.set(key(ticket), user.pk, LASTS_SECONDS)
    return ticket


def redeem(ticket: str) -> User | None:
    """Whose ticket it is, once; nothing if it is unknown, used or too old."""
    user_id = cache.get(key(ticket))
    # Of several that redeem it at once only one finds it there to delete.
    if user_id is None or not cache.delete(key(ticket)):
        return None
    return User.objects.filter(pk=user_id, is_active=True).first()


def key(ticket: str) -> str:
    """Not the ticket itself: who can read the cache must not be able to use it."""
    return f"ticket:{hashlib.sha256(ticket.encode('utf-8', 'surrogatepass')).hexdigest()}"
