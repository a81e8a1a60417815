"""Start, cancel, retry and clean up imports."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.shortcuts import get_object_or_404

from echovessel.errors import CodedError
from memory import sessions
from memory.importing.chunk_extraction import announce
from memory.jobs.lease import expire_dead_leases
from memory.jobs.queue import enqueue, enqueue_once
from memory.models import Import, ImportChunk
from memory.models.leased import LEASE, filter_expired

State = Import.State
# The texts of a stopped import are kept for so long, so that it can be resumed without the file.
TEXT_KEPT_FOR = timedelta(days=7)
UNREAD_STATES = (ImportChunk.State.WAITING, ImportChunk.State.FAILED)


class ImportRefused(CodedError):
    """An import that cannot be used as asked."""


@transaction.atomic
def start(imported: Import, *, now: datetime) -> Import:
    """Start an import, or resume it with the failed chunks; one that runs or is done stays as it is.

    Raises ImportRefused where the remaining texts were dropped.
    """
    locked = lock(imported)
    if locked.state in (State.RUNNING, State.DONE):
        return locked
    left = locked.chunks.filter(state__in=UNREAD_STATES)
    if left.filter(text="").exists():
        raise ImportRefused("conflict", "The text of this file is no longer stored. Import the file again.")
    left.update(state=ImportChunk.State.WAITING, error="")
    locked.reset_failures()
    locked.release()
    set_state(locked, State.RUNNING, now=now)
    enqueue("memory.tasks.read_import", locked.pk)
    return locked


@transaction.atomic
def cancel(imported: Import, *, now: datetime) -> Import:
    """Stop an import; its memories stay, and the rest can be resumed. One that is done stays as it is."""
    locked = lock(imported)
    if locked.state in (State.CANCELLED, State.DONE):
        return locked
    locked.reset_failures()
    locked.release()
    set_state(locked, State.CANCELLED, now=now)
    return locked


@transaction.atomic
def erase(imported: Import) -> None:
    """Erase an import: its name, its suggestions and what is left of its text. Its memories stay. Raises ImportRefused while it is read."""
    locked = lock(imported)
    if locked.state == State.RUNNING:
        raise ImportRefused("conflict", "This file is being read. Stop the import first.")
    locked.delete()
    enqueue_once("memory.tasks.vacuum")


def lock(imported: Import) -> Import:
    """Lock an import with its bond. Raises Http404 where another press erased it meanwhile."""
    sessions.lock_bond(imported.bond)
    return get_object_or_404(Import.objects.select_for_update(no_key=True), pk=imported.pk)


def set_state(locked: Import, state: Import.State, *, now: datetime) -> None:
    locked.state = state
    locked.touched_at = now
    locked.save()
    announce(locked, now=now)


def requeue(*, now: datetime) -> int:
    """Queue imports that are stuck or due for a retry. Returns how many."""
    expire_dead_leases(Import.objects.filter(state=State.RUNNING), now=now)
    # An import without a lease is in the queue since `touched_at`, unless its task was lost
    # or the clock was set back.
    lost = filter_expired("touched_at", now=now - LEASE, most=LEASE)
    stuck = Import.objects.due(now).filter(Q(lease_until__isnull=False) | Q(state=State.FAILED) | lost)
    due = list(stuck.order_by("id").values_list("pk", flat=True))
    Import.objects.filter(pk__in=due).update(touched_at=now)
    for import_id in due:
        enqueue("memory.tasks.read_import", import_id)
    return len(due)


def drop_texts(*, now: datetime) -> int:
    """Empty the chunks of imports stopped for days. Returns how many chunks."""
    old = Import.objects.filter(touched_at__lt=now - TEXT_KEPT_FOR).exclude(state__in=[State.RUNNING, State.DONE])
    return ImportChunk.objects.filter(of__in=old).exclude(text="").update(text="")
