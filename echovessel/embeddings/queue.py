"""Schedules embedding jobs on one thread, piece by piece.

Turns go first. Among equals the person with the fewest pieces since their jobs began to wait goes first, so that nobody gets a
second piece before another person's first one; then the shorter job. Cancelled jobs are dropped.
"""

from collections import Counter
from collections.abc import Generator, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Lock

Vectors = list[list[float] | None]
# A job that can pause between its pieces, which are short.
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
        # The thread starts with the first job, so never before a worker forks.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding")
        self._lock = Lock()
        self._waiting: list[EmbeddingJob] = []
        self._had: Counter[Hashable] = Counter()
        self._is_working = False

    def submit(self, steps: Steps, *, size: int, is_turn: bool, person: Hashable) -> Future[Vectors]:
        """Add a job. Returns the future of its vectors, which may be cancelled."""
        job = EmbeddingJob(steps, size, is_turn, person)
        with self._lock:
            self._waiting.append(job)
            is_idle, self._is_working = not self._is_working, True
        if is_idle:
            self._start_next_piece()
        return job.vectors

    def _start_next_piece(self) -> None:
        with self._lock:
            job = self._pick_next()
            self._is_working = job is not None
        if job is None:
            return
        try:
            piece = self._thread.submit(self._make_piece, job)
        except RuntimeError:
            # The interpreter is shutting down and would wait for the threads that wait for these vectors.
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
        # `min` returns the oldest of equal jobs.
        job = min(self._waiting, key=lambda job: (not job.is_turn, self._had[job.person], job.size))
        self._had[job.person] += 1
        return job

    def _make_piece(self, job: EmbeddingJob) -> Vectors | None:
        """Run one piece and start the next one, also after an error. Returns the vectors after the last piece."""
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
