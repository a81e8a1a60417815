"""The worker's tasks. Each takes ids, loads rows, and calls one function; each may run twice."""

from django.conf import settings
from django.utils import timezone

from echovessel import events
from echovessel.llm import connection, provider
from memory import sessions
from memory.consolidation import run, summaries, titles
from memory.consolidation.fact_sweep import backfill as fact_backfill
from memory.consolidation.fact_sweep import gate as fact_sweep_gate
from memory.consolidation.fact_sweep import run as fact_sweep
from memory.consolidation.slow_tick import run as slow_ticks
from memory.doubts import aging, asking
from memory.facts import decay
from memory.facts.shared import sharing
from memory.forgetting import purging, vacuuming
from memory.importing import control as imports
from memory.importing import run as importing
from memory.jobs.queue import enqueue, ignore_erased_bond
from memory.models import Topic
from memory.nodes import outcomes
from memory.recall import embeddings
from memory.sessions import archiving, leaving
from memory.story.versions import writing
from memory.storytelling.work import steps, story_worker, waking
from personas import avatars
from personas.models import Bond
from personas.sign_ins import SessionStore

# About as many as the slowest backend makes in a task's time.
REEMBEDDED_MOST = 5000


@ignore_erased_bond
def consolidate(session_id: int) -> None:
    waking.end_with_session(session_id=session_id, now=timezone.now())
    run.consolidate(session_id=session_id, llm=provider.get_llm())


def scan() -> int:
    now = timezone.now()
    queued = sessions.scan(now=now) + leaving.close_left(now=now)
    outcomes.expire(now=now)
    slow_ticks.requeue_dead_runs(now=now)
    waking.close_all_silent(now=now)
    waking.requeue(now=now)
    return queued + imports.requeue(now=now)


@ignore_erased_bond
def slow_tick(session_id: int) -> None:
    slow_ticks.run(session_id=session_id, llm=provider.get_llm())


def catch_up() -> int:
    """Queue missed slow ticks, where a model is connected."""
    if not settings.SLOW_TICK_ENABLED or connection.get_active() is None:
        return 0
    return slow_ticks.catch_up(now=timezone.now())


@ignore_erased_bond
def summarise(session_id: int) -> None:
    """Rebuild the summary of a session after something of it was forgotten."""
    summaries.remake(session_id=session_id, llm=provider.get_llm())


@ignore_erased_bond
def title(session_id: int) -> None:
    titles.write(session_id=session_id, llm=provider.get_llm(), now=timezone.now())


@ignore_erased_bond
def read_import(import_id: int) -> None:
    importing.run(import_id=import_id, llm=provider.get_llm())


@ignore_erased_bond
def embed_messages(bond_id: int) -> None:
    """Make the vectors of new messages, after a turn, and wake the story."""
    waking.follow_turn(bond_id=bond_id, now=timezone.now())
    embeddings.embed_bond(bond_id=bond_id)


@ignore_erased_bond
def tell(bond_id: int) -> None:
    """Do what is due on a bond's story."""
    story_worker.tell(bond_id=bond_id, llm=provider.get_llm())


@ignore_erased_bond
def embed_restored(bond_id: int) -> None:
    embeddings.embed_restored(bond_id=bond_id)


def reembed() -> int:
    """Replace vectors of another model for a while; the next run goes on."""
    return embeddings.reembed(most=REEMBEDDED_MOST)


def purge() -> int:
    """Erase what has been in the trash for 30 days, deleted versions of the story and topics of before, at night."""
    now = timezone.now()
    Topic.objects.old(now).delete()
    writing.erase_deleted_versions()
    erased = purging.purge(now=now)
    # Also after an empty trash: sessions off the record do not pass through it.
    enqueue("memory.tasks.vacuum")
    return erased


def archive() -> int:
    """Archive sessions that have been silent for long, at night."""
    return archiving.archive_silent(now=timezone.now())


def decay_facts() -> int:
    """Let facts fade that nobody stated or confirmed for a month, end those whose day is over, and doubt what has aged, once a day."""
    now = timezone.now()
    return decay.decay(now=now) + decay.end_past(now=now) + asking.settle_old(now=now) + aging.open_due(now=now)


def queue_fact_sweeps() -> int:
    """Queue the bonds whose facts are to be drawn or put in order, at night, where a model is connected."""
    if not settings.FACT_SWEEP_ENABLED or connection.get_active() is None:
        return 0
    due = {*fact_sweep_gate.find_due(now=timezone.now()), *fact_backfill.find_due()}
    for bond_id in sorted(due):
        enqueue("memory.tasks.sweep_facts", bond_id)
    return len(due)


@ignore_erased_bond
def sweep_facts(bond_id: int) -> None:
    llm = provider.get_llm()
    fact_backfill.run(bond_id=bond_id, llm=llm)
    fact_sweep.run(bond_id=bond_id, llm=llm)


@ignore_erased_bond
def draw_facts(bond_id: int) -> None:
    """Draw a bond's first facts from what it remembered before there were any."""
    fact_backfill.run(bond_id=bond_id, llm=provider.get_llm())


@ignore_erased_bond
def copy_shared_facts(bond_id: int) -> None:
    """Copy what its user tells to all companions into a bond that has begun."""
    bond = Bond.objects.select_related("user").get(pk=bond_id)
    sharing.copy_into_new(bond=bond, now=timezone.now())


def sweep_files() -> int:
    """Delete files that no row names, at night."""
    return avatars.sweep(now=timezone.now())


def clear_sign_ins() -> None:
    """Delete expired sign-ins, at night."""
    SessionStore.clear_expired()


def vacuum() -> None:
    """Vacuum erased rows out of the tables' files."""
    vacuuming.vacuum()


def prune() -> int:
    now = timezone.now()
    return events.prune(now) + slow_ticks.prune(now) + imports.drop_texts(now=now) + steps.prune(now)
