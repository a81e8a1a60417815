"""Whose vectors the one thread that makes them works on next, a piece at a time.

Turns go before everything else. Of those, who has had the fewest pieces since they began to wait goes first, so that nobody's
second piece goes before another's first; then what is short. What nobody waits for any more is dropped.
"""

from collections import Counter
from collections.abc import Generator, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

Vectors = list[list[float] | None]
# Work that can wait for other work between any two of its pieces, none of which takes long.
Steps = Generator[None, None, Vectors]


@dataclass(eq=False)
class EmbeddingJob:
    steps: Steps
    size: int
    is_turn: bool
    person: Hashable
    vectors: Future[Vectors] = field(default_factory=Future)


class EmbeddingQueue:
    def __init__(self) -> None:
        # Its thread begins with the first job: never before a worker's fork.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding")
        self._lock = Lock()
        self._waiting: list[EmbeddingJob] = []
        self._had: Counter[Hashable] = Counter()
        self._is_working = False

    def submit(self, steps: Steps, *, size: int, is_turn: bool, person: Hashable) -> Future[Vectors]:
        """What will be the vectors, unless it is cancelled."""
        job = EmbeddingJob(steps, size, is_turn, person)
        with self._lock:
            self._waiting.append(job)
            is_idle, self._is_working = not self._is_working, True
        if is_idle:
            self._start_next_piece()
        return job.vectors

    def _start_next_piece(self) -> None:
        """Have the next piece made."""
        with self._lock:
            job = self._pick_next()
            self._is_working = job is not None
        if job is None:
            return
        try:
            piece = self._thread.submit(self._make_piece, job)
        except RuntimeError:
            # The interpreter ends, and would wait for those who wait here.
            for one in self._waiting:
                one.vectors.cancel()
        else:
            piece.add_done_callback(partial(_hand_over, job))

    def _pick_next(self) -> EmbeddingJob | None:
        self._waiting = [job for job in self._waiting if not job.vectors.cancelled()]
        persons = {job.person for job in self._waiting}
        self._had = Counter({person: count for person, count in self._had.items() if person in persons})
        if not self._waiting:
            return None
        # The first of equals is the oldest.
        job = min(self._waiting, key=lambda job: (not job.is_turn, self._had[job.person], job.size))
        self._had[job.person] += 1
        return job

    def _make_piece(self, job: EmbeddingJob) -> Vectors | None:
        """Make a piece, then have the next one made whatever came of it. Returns the vectors where it was the last."""
        is_over = True
        try:
            next(job.steps)
            is_over = False
        except StopIteration as ended:
            vectors: Vectors = ended.value
            return vectors
        finally:
            if is_over:
                with self._lock:
                    self._waiting.remove(job)
            self._start_next_piece()
        return None


def _hand_over(job: EmbeddingJob, piece: Future[Vectors | None]) -> None:
    error = piece.exception()
    vectors = piece.result() if error is None else []
    if vectors is None or not job.vectors.set_running_or_notify_cancel():
        return
    if error is None:
        job.vectors.set_result(vectors)
    else:
        job.vectors.set_exception(error)
