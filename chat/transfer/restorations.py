"""Large exports: stored when uploaded and restored by a worker, all of it or nothing, with progress.

The zip waits in the database (ADR 21), so that any worker can restore it. If a worker is killed, the next one starts
again.
"""

import logging
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from typing import IO

from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.utils import timezone

from chat.models import Restoration, RestorationPiece
from chat.transfer import restoring
from echovessel.archives import zip_files
from echovessel.archives.zip_files import ArchiveError, ArchiveReader, RowProgress
from echovessel.materials import MaterialError, unpacking
from echovessel.postgres.rows import fetch_all
from memory.jobs.queue import enqueue
from personas.models import Bond, User

# What is restored within a request: at most so many rows, from a file that unpacks to so much.
AT_ONCE_ROWS, AT_ONCE_BYTES = 2000, 16 * 2**20
PIECE_BYTES = 2**20
ATTEMPTS_MOST = 3
# One that says nothing for so long may have lost its worker, since it tells its progress several times a second.
SILENCE = timedelta(minutes=1)
# A restoration without progress for so long has no worker any more.
LOST_AFTER = timedelta(hours=1)
NAME_MOST = 200
INTERRUPTED = "The worker stopped before the restore was done. Restore the same file again."
BOUNDED = partial(ArchiveReader, most=restoring.UNPACKED_MOST)
State = Restoration.State
logger = logging.getLogger("echovessel.restoring")


def restore_or_queue(file: IO[bytes], *, name: str, user: User, now: datetime) -> list[Bond] | Restoration:
    """Restore an export at once, or queue a large one. Raises ArchiveError."""
    total = count_rows_if_large(file)
    if total is None:
        return restoring.restore(file, user=user, now=now, reader=BOUNDED)
    return queue_restoration(file, name=name, total=total, user=user, now=now)


def count_rows_if_large(file: IO[bytes]) -> int | None:
    """Return how many rows an export has if they are too many to restore at once. Raises ArchiveError."""
    try:
        with unpacking.open_zip(file) as archive:
            source = BOUNDED(archive)
    except MaterialError as error:
        raise zip_files.to_archive_error(error) from error
    rows = source.count_rows()
    return rows if rows > AT_ONCE_ROWS or source.get_unpacked_size() > AT_ONCE_BYTES else None


def queue_restoration(file: IO[bytes], *, name: str, total: int, user: User, now: datetime) -> Restoration:
    try:
        with transaction.atomic():
            kept = Restoration.objects.create(
                user=user, name=name[:NAME_MOST], total=total, created_at=now, touched_at=now
            )
            file.seek(0)
            for number, content in enumerate(iter(lambda: file.read(PIECE_BYTES), b"")):
                RestorationPiece.objects.create(of=kept, number=number, content=content)
            enqueue("chat.tasks.restore", kept.pk)
    except IntegrityError as error:
        raise ArchiveError("conflict", "Another export of yours is being restored. Wait until it is done.") from error
    return kept


def run(*, restoration_id: int, now: datetime) -> None:
    """Restore an export that waits, or whose worker was killed."""
    kept = claim(restoration_id, now=now)
    if kept is None:
        return
    try:
        with open_zip(kept) as file, transaction.atomic():
            if not try_lock(kept):
                return
            with report_progress(kept) as tell:
                bonds = restoring.restore(file, user=kept.user, now=now, reader=partial(BOUNDED, tell=tell))
            finish(kept, State.DONE, now=timezone.now(), done=kept.total, restored=[bond.pk for bond in bonds])
    except ArchiveError as error:
        fail(kept, code=error.code, detail=error.detail)


def claim(restoration_id: int, *, now: datetime) -> Restoration | None:
    """Mark a restoration as running; None if it is over or was tried too often."""
    mine = Restoration.objects.filter(pk=restoration_id, state__in=Restoration.OPEN)
    mine.update(state=State.RUNNING, attempt_count=F("attempt_count") + 1, touched_at=now)
    kept = mine.select_related("user").first()
    if kept is not None and kept.attempt_count > ATTEMPTS_MOST:
        fail(kept, code="interrupted", detail=INTERRUPTED)
        return None
    return kept


def try_lock(kept: Restoration) -> bool:
    """Whether no other worker restores it; the lock lasts until the end of the transaction."""
    [(is_locked,)] = fetch_all("SELECT pg_try_advisory_xact_lock(hashtext('restoration'), %s)", [kept.pk % 2**31])
    return bool(is_locked)


@contextmanager
def open_zip(kept: Restoration) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as file:
        for content in kept.pieces.order_by("number").values_list("content", flat=True).iterator(chunk_size=8):
            file.write(content)
        file.seek(0)
        yield file


@contextmanager
def report_progress(kept: Restoration) -> Iterator[RowProgress]:
    """Return a callback that stores progress on a connection of its own, visible before the import commits."""
    with ThreadPoolExecutor(1) as thread:
        yield lambda count: thread.submit(save_progress, kept.pk, min(count, kept.total)).result()


def save_progress(restoration_id: int, done: int) -> None:
    try:
        Restoration.objects.filter(pk=restoration_id).update(done=done, touched_at=timezone.now())
    finally:
        connection.close()


def fail(kept: Restoration, *, code: str, detail: str) -> None:
    logger.info("restoration %s failed: %s", kept.pk, code)
    finish(kept, State.FAILED, now=timezone.now(), failure_code=code, failure_detail=detail[:500])


@transaction.atomic
def finish(kept: Restoration, state: Restoration.State, *, now: datetime, **columns: object) -> None:
    kept.pieces.all().delete()
    Restoration.objects.filter(pk=kept.pk).update(state=state, touched_at=now, **columns)


@transaction.atomic
def requeue(*, now: datetime) -> int:
    """Queue restorations again whose worker was killed: nobody has their lock. The queue itself waits for a quarter of an hour."""
    silent = Restoration.objects.filter(state=State.RUNNING, touched_at__lt=now - SILENCE)
    killed = [kept.pk for kept in silent if try_lock(kept)]
    Restoration.objects.filter(pk__in=killed).update(touched_at=now)
    for restoration_id in killed:
        enqueue("chat.tasks.restore", restoration_id)
    return len(killed)


def prune(*, now: datetime) -> int:
    """Fail restorations whose worker is gone for good. Returns how many."""
    lost = list(Restoration.objects.filter(state__in=Restoration.OPEN, touched_at__lt=now - LOST_AFTER))
    for kept in lost:
        fail(kept, code="interrupted", detail=INTERRUPTED)
    return len(lost)
