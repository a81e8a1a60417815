"""Sessions from their first message until they wait for consolidation."""

from memory.jobs.lease import lock_bond
from memory.sessions.lifecycle import (
    SessionError,
    announce_boundary,
    announce_change,
    close,
    create,
    delete_empty,
    find_open_id,
    find_open_session,
    get_session_for_message,
    hold,
    release,
    reopen,
    retry,
    scan,
    start_new,
    update,
)

__all__ = [
    "SessionError", "announce_boundary", "announce_change", "close", "create", "delete_empty", "find_open_id",
    "find_open_session", "get_session_for_message", "hold", "lock_bond", "release", "reopen", "retry", "scan",
    "start_new", "update",
]  # fmt: skip
