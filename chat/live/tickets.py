"""Tickets with which a client without cookies opens a socket: for one use, within 30 seconds."""

import hashlib
import secrets
import time
from dataclasses import asdict

from django.core.cache import cache

from personas.accounts.credentials import Credential

LIFETIME_SECONDS = 30


def issue(credential: Credential) -> str:
    """Issue a ticket for a credential; the socket lasts no longer than the credential."""
    ticket = secrets.token_urlsafe(32)
    cache.set(build_cache_key(ticket), (time.time(), asdict(credential)), LIFETIME_SECONDS)
    return ticket


def redeem(ticket: str) -> Credential | None:
    """Return the credential of a ticket, once; None if it is unknown, used or expired."""
    known = cache.get(build_cache_key(ticket))
    # If several redeem it at once, only one succeeds in deleting it.
    if known is None or not cache.delete(build_cache_key(ticket)):
        return None
    issued_at, opens = known
    # If the clock was set back, the cache would keep it for longer.
    return Credential(**opens) if abs(time.time() - issued_at) <= LIFETIME_SECONDS else None


def build_cache_key(ticket: str) -> str:
    """Return a hash, not the ticket itself: reading the cache must not give usable tickets."""
    return f"ticket:{hashlib.sha256(ticket.encode('utf-8', 'surrogatepass')).hexdigest()}"
