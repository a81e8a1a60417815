"""What the worker runs. Tasks take ids, load, and call one function; each may run twice."""

from django.conf import settings
from django.utils import timezone

from echovessel import events
from echovessel.llm import connection, provider
from memory import sessions
from memory.consolidation import run, summaries
from memory.consolidation.slow_tick import run as between_talks
from memory.forgetting import purging, vacuuming
from memory.importing import control as imports
from memory.importing import run as importing
from memory.nodes import outcomes
from memory.queue import enqueue, ignore_erased_bond
from memory.recall import embeddings
from personas import avatars
from personas.sign_ins import SessionStore

# About as many as the slowest backend makes within a task's time.
REEMBEDDED_MOST = 5000


@ignore_erased_bond
def consolidate(session_id: int) -> None:
    run.consolidate(session_id=session_id, llm=provider.get_llm())


def scan() -> int:
    now = timezone.now()
    queued = sessions.scan(now=now)
    outcomes.expire(now=now)
    between_talks.requeue_dead_runs(now=now)
    return queued + imports.requeue(now=now)


@ignore_erased_bond
def slow_tick(session_id: int) -> None:
    between_talks.run(session_id=session_id, llm=provider.get_llm())


def catch_up() -> int:
    """Queue the slow ticks that were missed, where there are any to be had."""
    if not settings.SLOW_TICK_ENABLED or connection.get_active() is None:
        return 0
    return between_talks.catch_up(now=timezone.now())


@ignore_erased_bond
def summarise(session_id: int) -> None:
    """Make the summary anew of a session of which something was forgotten."""
    summaries.remake(session_id=session_id, llm=provider.get_llm())


@ignore_erased_bond
def read_import(import_id: int) -> None:
    importing.run(import_id=import_id, llm=provider.get_llm())


@ignore_erased_bond
def embed_messages(bond_id: int) -> None:
    embeddings.embed_bond(bond_id=bond_id)


@ignore_erased_bond
def embed_restored(bond_id: int) -> None:
    embeddings.embed_restored(bond_id=bond_id)


def reembed() -> int:
    """Make vectors of another model's rows anew for a while; what is left waits for the next time."""
    return embeddings.reembed(most=REEMBEDDED_MOST)


def purge() -> int:
    """Erase what has been in the trash for 30 days, in the night."""
    erased = purging.purge(now=timezone.now())
    # Also where the trash was empty: talks off the record are erased without it.
    enqueue("memory.tasks.vacuum")
    return erased


def sweep_files() -> int:
    """Delete files that no row names, in the night."""
    return avatars.sweep(now=timezone.now())


def clear_sign_ins() -> None:
    """Take sign-ins that have run out, in the night."""
    SessionStore.clear_expired()


def vacuum() -> None:
    """Take what was erased out of the tables' files."""
    vacuuming.vacuum()


def prune() -> int:
    now = timezone.now()
    return events.prune(now) + between_talks.prune(now) + imports.drop_texts(now=now)
