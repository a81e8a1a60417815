"""The parts of the benchmark, and what each of them measures."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.test.utils import override_settings
from django.utils import timezone

from chat.benchmark import comparison, consolidating, overhead, searching, seeding, site, starting, talking
from chat.benchmark.comparison import Compared
from chat.benchmark.figures import Figure
from chat.benchmark.seeding import Say, Scale

# Parts that need what is seeded, in the order in which they are measured.
SEEDED = ("turns", "consolidation", "search")
PARTS = (*SEEDED, "sockets", "start", "libraries")


@dataclass(frozen=True)
class Plan:
    """What is measured, how often, and in which folder with a running database."""

    folder: Path
    scale: Scale
    runs: int
    turns: int
    conversations: int
    say: Say
    parts: Collection[str] = PARTS


@dataclass
class Measured:
    figures: list[Figure] = field(default_factory=list)
    side_by_side: list[Compared] = field(default_factory=list)


def measure(plan: Plan) -> Measured:
    """Everything of the plan, part by part. Raises SiteError."""
    found = Measured()
    if set(plan.parts) & set(SEEDED):
        seeding.seed(plan.scale, now=timezone.now(), say=plan.say)
    for part in PARTS:
        if part in plan.parts:
            plan.say(f"Measuring: {part}")
            _PARTS[part](plan, found)
    return found


def _turns(plan: Plan, found: Measured) -> None:
    with as_in_the_web_process():
        found.figures += overhead.measure(runs=plan.runs)


def _consolidation(plan: Plan, found: Measured) -> None:
    found.figures.append(consolidating.measure(runs=plan.runs))


def _search(plan: Plan, found: Measured) -> None:
    with as_in_the_web_process():
        found.figures += searching.measure(runs=plan.runs)


def _sockets(plan: Plan, found: Measured) -> None:
    seeding.make_cache()
    with site.served(plan.folder) as served:
        found.figures += talking.measure(served, runs=plan.runs, turns=plan.turns, conversations=plan.conversations)


def _start(plan: Plan, found: Measured) -> None:
    found.figures.append(starting.measure(plan.folder / "started"))


def _libraries(plan: Plan, found: Measured) -> None:
    found.side_by_side += comparison.measure(plan.folder, memories=plan.scale.nodes, runs=plan.runs, say=plan.say)


_PARTS: dict[str, Callable[[Plan, Measured], None]] = {
    "turns": _turns,
    "consolidation": _consolidation,
    "search": _search,
    "sockets": _sockets,
    "start": _start,
    "libraries": _libraries,
}


@contextmanager
def as_in_the_web_process() -> Iterator[None]:
    """Its warm connections, and its threads of the hot path."""
    connection.close()
    options = connection.settings_dict.setdefault("OPTIONS", {})
    options["pool"] = settings.WEB_POOL
    try:
        with override_settings(DATABASE_THREADS=settings.WEB_THREADS):
            yield
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL's alone
        del options["pool"]
