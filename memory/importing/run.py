"""Read an import chunk by chunk for a while, then queue the next task, so that other work has its turn.

One transaction writes a chunk and its memories. A worker may be killed between any two statements; the next one goes on
with the first unread chunk.
"""

import logging
from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import LLM, Origin
from memory.consolidation.asking import Asker
from memory.consolidation.run import ATTEMPTS_MOST, Clock
from memory.importing.chunk_extraction import announce, extract
from memory.jobs.lease import Lease, LeaseLost, claim_import
from memory.jobs.queue import enqueue
from memory.models import Import, ImportChunk

# How long one task reads.
SLICE = timedelta(seconds=60)
# After so many failed chunks in a row the next ones would fail too.
FAILED_MOST = 5
State = ImportChunk.State
logger = logging.getLogger("echovessel.importing")


def run(*, import_id: int, llm: LLM, clock: Clock = timezone.now, asker: Callable[..., Asker] = Asker) -> Import | None:
    """Read an import that is due for a minute. Returns it, or None where it is not due or another worker has it."""
    held = claim_import(import_id=import_id, now=clock())
    if held is None:
        return None
    imported = held.row
    origin = Origin(user_id=imported.bond.user_id, bond_id=imported.bond_id)
    asks = asker(llm=llm, origin=origin, before_call=lambda: held.renew(clock()))
    reader = ImportReader(imported=imported, held=held, asker=asks, clock=clock)
    with held.released_on_failure(clock):
        try:
            if imported.attempt_count > ATTEMPTS_MOST:
                detail = f"It was taken up {ATTEMPTS_MOST} times, and each time the worker ended before it came on."
                reader.fail(code="interrupted", detail=detail)
            else:
                reader.read_on()
        except LeaseLost:
            logger.info("import %s was cancelled or taken over by another worker", import_id)
    return Import.objects.filter(pk=import_id).first()


class ImportReader:
    """Reads the chunks of one import in order, counting the failures in a row."""

    def __init__(self, *, imported: Import, held: Lease[Import], asker: Asker, clock: Clock) -> None:
        self.imported = imported
        self.held = held
        self.asker = asker
        self.clock = clock
        self.last_number = 0
        self.failed_just_before = 0

    def read_on(self) -> None:
        """Read until no chunk is left, the time is over, or the model fails. Raises LeaseLost."""
        until = self.clock() + SLICE
        try:
            while (chunk := self.next_chunk()) is not None:
                if self.clock() > until:
                    self.queue_next_slice()
                    return
                is_read = extract(
                    imported=self.imported, chunk=chunk, lease=self.held, asker=self.asker, now=self.clock()
                )
                self.last_number = chunk.number
                self.failed_just_before = 0 if is_read else self.failed_just_before + 1
                if self.failed_just_before >= FAILED_MOST:
                    break
        except (LLMError, EmbeddingError) as error:
            self.fail(code=error.code, detail=str(error), again=True)
            return
        self.finish()

    def next_chunk(self) -> ImportChunk | None:
        left = ImportChunk.objects.filter(of=self.imported, number__gt=self.last_number, state=State.WAITING)
        return left.order_by("number").first()

    def queue_next_slice(self) -> None:
        """Queue the next task, so that other work has its turn."""
        with self.held.transaction() as imported:
            imported.release()
            imported.save()
            enqueue("memory.tasks.read_import", imported.pk)

    def fail(self, *, code: str, detail: str, again: bool = False) -> None:
        """Mark the import as failed; with `again` the scanner retries it a few times."""
        now = self.clock()
        with self.held.transaction() as imported:
            imported.state = Import.State.FAILED
            imported.fail(code=code, detail=detail, now=now, again=again)
            imported.touched_at = now
            imported.save()
            announce(imported, now=now)

    def finish(self) -> None:
        """End the import: done, or failed where chunks failed, which a person may retry."""
        chunks = ImportChunk.objects.filter(of=self.imported)
        failed = chunks.filter(state=State.FAILED).order_by("-read_at", "-number")
        last = failed.first()
        if last is not None:
            code, _, sentence = last.error.partition(": ")
            total = chunks.count()
            pieces = f"{total} piece" if total == 1 else f"{total} pieces"
            self.fail(code=code, detail=f"{failed.count()} of {pieces} could not be read. {sentence}")
            return
        now = self.clock()
        with self.held.transaction() as imported:
            imported.state = Import.State.DONE
            imported.reset_failures()
            imported.release()
            imported.touched_at = now
            imported.save()
            announce(imported, now=now)
