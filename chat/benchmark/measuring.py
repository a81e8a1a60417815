"""The parts of the benchmark, and what each of them measures."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test.utils import override_settings
from django.utils import timezone

from chat.benchmark import comparison, seeding, site
from chat.benchmark.comparison import Comparison
from chat.benchmark.figures import Figure
from chat.benchmark.parts import consolidation, facts, mind, recall, search, sockets, start, turns
from chat.benchmark.seeding import Say, Scale
from echovessel.configuration import database

# Parts that need seeded bonds, in the order in which they are measured.
SEEDED = ("turns", "consolidation", "search", "recall", "mind")
PARTS = (*SEEDED, "facts", "sockets", "start", "libraries")
_TURN_PARTS = {"turns": turns, "search": search, "recall": recall, "mind": mind}


@dataclass(frozen=True)
class Plan:
    """What to measure, how often, and in which folder with a running database."""

    folder: Path
    scale: Scale
    runs: int
    turns: int
    conversations: int
    say: Say
    parts: Collection[str] = PARTS


@dataclass
class Results:
    figures: list[Figure] = field(default_factory=list)
    side_by_side: list[Comparison] = field(default_factory=list)


def measure(plan: Plan) -> Results:
    """Measure every part of the plan. Raises SiteError."""
    found = Results()
    if set(plan.parts) & set(SEEDED):
        seeding.seed(plan.scale, now=timezone.now(), say=plan.say)
    for part in PARTS:
        if part in plan.parts:
            plan.say(f"Measuring: {part}")
            _measure_part(part, plan, found)
    return found


def _measure_part(part: str, plan: Plan, found: Results) -> None:
    match part:
        case "turns" | "search" | "recall" | "mind":
            with use_web_process_settings():
                found.figures += _TURN_PARTS[part].measure(runs=plan.runs)
        case "facts":
            with use_web_process_settings():
                found.figures += facts.measure(runs=plan.runs, facts=plan.scale.nodes, say=plan.say)
        case "consolidation":
            found.figures.append(consolidation.measure(runs=plan.runs))
        case "sockets":
            # The cache holds tickets.
            call_command("createcachetable", verbosity=0)
            with site.serve_site(plan.folder) as served:
                found.figures += sockets.measure(
                    served, runs=plan.runs, turns=plan.turns, conversations=plan.conversations
                )
        case "start":
            found.figures.append(start.measure(plan.folder / "started"))
        case "libraries":
            found.side_by_side += comparison.measure(
                plan.folder, memories=plan.scale.nodes, runs=plan.runs, say=plan.say
            )


@contextmanager
def use_web_process_settings() -> Iterator[None]:
    connection.close()
    options = connection.settings_dict.setdefault("OPTIONS", {})
    options["pool"] = database.WEB_POOL
    try:
        with override_settings(DATABASE_THREADS=settings.WEB_THREADS):
            yield
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # of PostgreSQL's alone
        del options["pool"]
