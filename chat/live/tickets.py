"""Tickets that let a client without cookies open a socket: one use, 30 seconds."""

import hashlib
import secrets
import time
from dataclasses import asdict

from django.core.cache import cache

from personas.accounts.credentials import Credential

LIFETIME_SECONDS = 30


def issue(credential: Credential) -> str:
    """A ticket for who came in by this; what it opens lasts no longer than that does."""
    ticket = secrets.token_urlsafe(32)
    cache.set(build_cache_key(ticket), (time.time(), asdict(credential)), LIFETIME_SECONDS)
    return ticket


def redeem(ticket: str) -> Credential | None:
    """By what its holder came in, once; nothing if it is unknown, used or too old."""
    known = cache.get(build_cache_key(ticket))
    # Of several that redeem it at once only one finds it there to delete.
    if known is None or not cache.delete(build_cache_key(ticket)):
        return None
    issued_at, opens = known
    # A clock that was set back would keep it in the cache until then.
    return Credential(**opens) if abs(time.time() - issued_at) <= LIFETIME_SECONDS else None


def build_cache_key(ticket: str) -> str:
    """Not the ticket itself: who can read the cache must not be able to use it."""
    return f"ticket:{hashlib.sha256(ticket.encode('utf-8', 'surrogatepass')).hexdigest()}"
