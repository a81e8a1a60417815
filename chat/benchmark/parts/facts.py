"""Measure what facts cost: the loaded set, one write, the rules, a night's decay, and the statements of a turn."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

from asgiref.sync import async_to_sync
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from chat.benchmark import figures
from chat.benchmark.competitors.task import time_each
from chat.benchmark.figures import Figure
from chat.benchmark.parts import turns
from chat.benchmark.seeding import SEED, Say, Seeder, VectorSampler, get_bond, get_username
from chat.evaluation.facts import talks
from chat.evaluation.words import SentenceGenerator
from echovessel.postgres import scratch
from echovessel.postgres.copying import copy_rows
from memory import sessions
from memory.facts import acts, decay, drafts, loaded_set, writing
from memory.facts.drafts import FactDraft
from memory.facts.rules import reading
from memory.facts.standing import LIVE_MOST
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, Session
from memory.nodes import creation
from personas.models import Bond, User

# Bonds: one as full as it may be, one with room for more, and many whose facts fade.
FULL, NOTED, FADING = "full of facts", "with facts", "fading"
NOTED_FACTS = 900
DECAYED_MOST = 100_000
MESSAGE_LENGTH = 20_000
SLOT_VALUES = {"home": "Leeds", "work": "nurse", "preferred_name": "Sam"}
LOADED_MS = WRITE_MS = 15
WRITE_STATEMENTS = 12
RULES_MS = 5
DECAY_SECONDS = 10
FIRST_TURN_QUERIES = 16


def measure(*, runs: int, facts: int, say: Say) -> list[Figure]:
    """Measure with so many facts that fade."""
    fading = min(facts, DECAYED_MOST)
    # No bond has more than it may have.
    spread = {f"{FADING} {at}": min(LIVE_MOST, fading - at) for at in range(0, fading, LIVE_MOST)}
    seed_facts({FULL: LIVE_MOST, NOTED: NOTED_FACTS, **spread}, now=timezone.now(), say=say)
    full, noted = get_bond(FULL), get_bond(NOTED)
    loaded_ms = time_runs(lambda _: loaded_set.build(full, now=timezone.now()), runs=runs)
    written, statements = measure_writes(noted, runs=runs)
    first, later = count_turn_queries(noted)
    return [
        figures.p95(f"loaded set of {LIVE_MOST} facts", loaded_ms, limit=LOADED_MS),
        figures.p95("one write without embedding", written, limit=WRITE_MS),
        figures.at_most("one write, statements", statements, limit=WRITE_STATEMENTS, unit="statements", runs=1),
        figures.p95(f"rules on {MESSAGE_LENGTH} characters", time_rules(runs=runs), limit=RULES_MS),
        figures.at_most(f"decay of {fading} facts", time_decay(), limit=DECAY_SECONDS, unit="s", runs=1),
        figures.at_most("turn beside facts, queries", later, limit=turns.QUERIES_MOST, unit="queries", runs=1),
        figures.at_most("first turn of a session, queries", first, limit=FIRST_TURN_QUERIES, unit="queries", runs=1),
    ]


def seed_facts(sizes: dict[str, int], *, now: datetime, say: Say) -> None:
    """Create the bonds that do not exist yet."""
    missing = [name for name in sizes if not User.objects.filter(username=get_username(name)).exists()]
    if not missing:
        return
    say(f"Building {sum(sizes[name] for name in missing)} facts in {len(missing)} bonds")
    words = SentenceGenerator(SEED + 5)
    seeder = Seeder(words=words, vectors=VectorSampler(words), now=now)
    for name in missing:
        with transaction.atomic():
            bond = seeder.create_bond(name, nodes_count=0, lines_count=0)
            copy_rows(ConceptNode, (build_fact(seeder, bond, at) for at in range(sizes[name])))
    scratch.update_statistics()


def build_fact(seeder: Seeder, bond: Bond, at: int) -> ConceptNode:
    """Build a fact of two months ago; every second is stated, the others fade."""
    is_stated = at % 2 == 0 and not bond.user.username.startswith(get_username(FADING))
    fact = ConceptNode(
        bond=bond,
        type=ConceptNode.Type.FACT,
        subject=ConceptNode.Subject.USER,
        description=seeder.words.make_sentence(),
        facet=ConceptNode.Facet.ABOUT_YOU,
        tier=ConceptNode.Tier.STATED if is_stated else ConceptNode.Tier.EXTRACTED,
        origin=ConceptNode.Origin.USER if is_stated else ConceptNode.Origin.EXTRACTION,
        confidence=1.0 if is_stated else 0.9,
    )
    return creation.complete(fact, vector=seeder.vectors.draw(), now=seeder.now - timedelta(days=60))


def measure_writes(bond: Bond, *, runs: int) -> tuple[list[float], int]:
    """Return the milliseconds of each write, vectors made before, and the statements of one."""
    words = SentenceGenerator(SEED + 6)
    prepared = drafts.prepare([FactDraft(content=words.make_sentence()) for _ in range(runs + 2)])

    def write(at: int) -> object:
        writer = Writer(by=FactWrite.By.RULE, tier=ConceptNode.Tier.STATED, now=timezone.now())
        with acts.open_transaction(bond, writer):
            return writing.save(bond=bond, fact=prepared[at], writer=writer, accepts_near=False)

    newest = ConceptNode.objects.for_bond(bond).latest("id").pk
    try:
        took = time_runs(write, runs=runs)
        with CaptureQueriesContext(connection) as queries:
            write(runs + 1)
    finally:
        ConceptNode.objects.for_bond(bond).filter(pk__gt=newest).delete()
    return took, sum(not query["sql"].startswith(turns.UNCOUNTED_STATEMENTS) for query in queries.captured_queries)


def time_rules(*, runs: int) -> list[float]:
    """Time the rules on long messages of both languages, made of lines that people say."""
    told = ["\n".join(talks.load_neutral_lines(lang)) * 3 for lang in ("en", "zh")]
    messages = [one[:MESSAGE_LENGTH] for one in told]
    return time_runs(lambda at: reading.read_acts([messages[at % 2]], [], SLOT_VALUES), runs=runs)


def time_decay() -> float:
    """Return the seconds of one step, which is taken back."""
    with transaction.atomic():
        started = time.perf_counter()
        decay.decay(now=timezone.now())
        took = time.perf_counter() - started
        transaction.set_rollback(True)
    return took


def count_turn_queries(bond: Bond) -> tuple[int, int]:
    """Count the statements of an open session's first turn, which builds the loaded set, and of the one after."""
    for session in Session.objects.for_bond(bond).filter(status=Session.Status.OPEN):
        sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=timezone.now())
    sessions.create(bond=bond, channel=Session.Channel.API, now=timezone.now())
    words = SentenceGenerator(SEED + 7)
    counts = []
    for _ in range(2):
        with override_settings(DATABASE_THREADS=0), CaptureQueriesContext(connection) as queries:
            async_to_sync(turns.time_turn)(bond, words.make_sentence())
        counts.append(turns.count_queries_before_model(queries))
    return counts[0], counts[1]


def time_runs(work: Callable[[int], object], *, runs: int) -> list[float]:
    """Return the milliseconds of each run but the first, which warms up."""
    return time_each(work, range(runs + 1))[1:]
