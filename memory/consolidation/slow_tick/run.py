"""The slow tick: between two sessions the persona thinks about new events, expectations and promises.

The row of a run claims its bond; its lease is renewed before each call. The transaction that ends a run writes
everything it found, so a kill at any moment leaves all of it or none, and no run touches a session.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from echovessel import tokens
from echovessel.embeddings import embedding
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import LLM, Origin
from memory import sessions
from memory.answers.slow_tick_schemas import SlowTickAnswer
from memory.consolidation.asking import Asker, StructuredAnswer
from memory.consolidation.slow_tick import gate, gather_input, parse_answer, render_prompt, write_answer
from memory.consolidation.slow_tick.gate import NewMaterial, SlowTickDecision, Spending
from memory.consolidation.slow_tick.gather_input import Material
from memory.jobs.lease import Lease, LeaseLost
from memory.jobs.queue import enqueue
from memory.messages import tombstones
from memory.models import ConceptNode, Entity, Session, SlowTickRun
from memory.models.leased import LEASE
from personas.models import Bond

KEPT_FOR = timedelta(days=14)
MAX_RESTARTS = 5
# The limit of one pass; the next one follows in an hour.
CAUGHT_UP_MOST = 50
Outcome = SlowTickRun.Outcome
Clock = Callable[[], datetime]
logger = logging.getLogger("echovessel.consolidation")


class MaterialChanged(Exception):
    """Some of the material was forgotten or corrected since; the answer is dropped."""


def run(
    *, session_id: int, llm: LLM, clock: Clock = timezone.now, asker: Callable[..., Asker] = Asker
) -> SlowTickRun | None:
    """Run a slow tick after a session. Returns the ended run, or None where the gate did not let it begin.

    The offline voice does not think between sessions.
    """
    if llm.offline or not settings.SLOW_TICK_ENABLED:
        return None
    begun = begin(session_id=session_id, now=clock())
    if begun is None:
        return None
    origin = Origin(user_id=begun.bond.user_id, bond_id=begun.bond_id, session_id=session_id)
    asks = asker(llm=llm, origin=origin, before_call=lambda: get_lease(begun).renew(clock()))
    try:
        think(begun, asker=asks, clock=clock)
    except (LLMError, EmbeddingError) as error:
        fail(begun, error=str(error), now=clock())
    except LeaseLost:
        logger.info("slow tick %s is not this worker's any more", begun.pk)
    return SlowTickRun.objects.filter(pk=begun.pk).first()


@transaction.atomic
def begin(*, session_id: int, now: datetime) -> SlowTickRun | None:
    """Claim the session's bond for a run. Returns None where the gate is shut or another run is on."""
    session = Session.objects.select_related("bond__user", "bond__persona").not_deleted().filter(pk=session_id).first()
    if session is None:
        return None
    bond = session.bond
    if not lock_if_free(bond, now=now):
        return None
    decision = decide(bond=bond, session_id=session_id, now=now)
    if not decision.trigger:
        logger.info("no slow tick after session %s: %s", session_id, decision.reason)
        return None
    return create_run(bond, trigger=decision.trigger, session=session, now=now)


def lock_if_free(bond: Bond, *, now: datetime) -> bool:
    """Lock a bond. Returns whether no run claims it; one whose worker died is ended."""
    sessions.lock_bond(bond)
    end_dead_run(bond=bond, now=now)
    return not SlowTickRun.objects.running().filter(bond=bond).exists()


def create_run(bond: Bond, *, trigger: str, now: datetime, session: Session | None = None) -> SlowTickRun:
    day = bond.user.get_day(now)
    return SlowTickRun.objects.create(
        bond=bond, session=session, trigger=trigger, day=day, created_at=now, lease_until=now + LEASE
    )


def decide(*, bond: Bond, session_id: int, now: datetime) -> SlowTickDecision:
    last = find_last_run(bond)
    fresh = gather_input.load_fresh_events(bond, last=last, now=now).values_list("emotional_impact", "relational_tags")
    new = NewMaterial(
        impacts=[impact for impact, _ in fresh],
        has_correction=any("correction" in tags for _, tags in fresh),
        has_undescribed=gather_input.find_undescribed(bond).exists(),
    )
    spent = sum_spent_today(bond=bond, session_id=session_id, last=last, now=now)
    return gate.decide(new=new, spent=spent, last_run_at=last.created_at if last else None, now=now)


def find_last_run(bond: Bond) -> SlowTickRun | None:
    """Find the last run that succeeded: the next one begins after it, also when others failed since."""
    return SlowTickRun.objects.succeeded().filter(bond=bond).order_by("-id").first()


def sum_spent_today(*, bond: Bond, session_id: int, last: SlowTickRun | None, now: datetime) -> Spending:
    runs = SlowTickRun.objects.ticks().filter(bond=bond)
    today = runs.filter(day=bond.user.get_day(now))
    sums = today.aggregate(tokens_in=Coalesce(Sum("tokens_in"), 0), tokens_out=Coalesce(Sum("tokens_out"), 0))
    failed = runs.filter(session=session_id, outcome=Outcome.FAILED, pk__gt=last.pk if last else 0)
    return Spending(runs=today.count(), failures=failed.count(), **sums)


def get_lease(begun: SlowTickRun) -> Lease[SlowTickRun]:
    """A worker holds a run while it is running; a worker that finds its time over ends it."""
    return Lease(row=begun, held={"outcome": Outcome.RUNNING})


def think(begun: SlowTickRun, *, asker: Asker, clock: Clock) -> None:
    """Ask the model and write its answer; repeat where the material changed meanwhile."""
    for _ in range(MAX_RESTARTS):
        given = prepare_material(begun, now=clock())
        asked = asker.ask(given.prompt, feature="slow_tick", schema=SlowTickAnswer)
        try:
            write(begun, given=given, asked=asked, now=clock())
        except MaterialChanged:
            logger.info("what slow tick %s was given has changed meanwhile; it is given anew", begun.pk)
            continue
        return
    fail(begun, error="What it was given changed again and again while the model was being asked.", now=clock())


@dataclass(frozen=True)
class GivenMaterial:
    material: Material
    prompt: str
    tokens_estimated: int
    # The newest event; the next run begins after it.
    last_event_id: int
    questions: list[str]
    notes: list[str] = field(default_factory=list)


@transaction.atomic
def prepare_material(begun: SlowTickRun, *, now: datetime) -> GivenMaterial:
    """Gather the material, render the prompt, and store it in the run with its estimated tokens.

    The bond is locked, so nothing is stored that was forgotten meanwhile.
    """
    sessions.lock_bond(begun.bond)
    bond, last = begun.bond, find_last_run(begun.bond)
    newest = ConceptNode.objects.for_bond(bond).events().order_by("-id").values_list("pk", flat=True).first()
    whole = gather_input.gather(bond=bond, last=last, now=now)
    fixed, notes = render_prompt.load_blocks(bond)
    bare = render_prompt.render_prompt(bond=bond, texts=fixed, material=Material(), now=now)
    material, cut = gather_input.cut_to_fit(whole, fixed_tokens=tokens.estimate(bare))
    prompt = render_prompt.render_prompt(bond=bond, texts=fixed, material=material, now=now)
    # A failed call reports no usage: the estimate stands until an answer replaces it.
    may_cost = tokens.estimate(prompt)
    get_lease(begun).rows.update(prompt=prompt, tokens_in=F("tokens_in") + may_cost)
    questions = last.questions if last else []
    return GivenMaterial(material, prompt, may_cost, newest or 0, questions, [*notes, *cut])


def write(begun: SlowTickRun, *, given: GivenMaterial, asked: StructuredAnswer, now: datetime) -> None:
    """Write the answer and end the run. Raises LeaseLost, MaterialChanged."""
    today = begun.bond.user.get_day(now)
    reading = parse_answer.parse(asked.parsed, material=given.material, today=today)
    answer = drop_forgotten(begun.bond, reading, answer=asked.parsed)
    vectors = embedding.embed([found.description for found in reading.found])
    with get_lease(begun).transaction() as run:
        check_unchanged(run.bond, given)
        notes = [asked.note, *given.notes, *reading.notes]
        notes += write_answer.write(run=run, reading=reading, vectors=vectors, now=now)
        run.outcome = Outcome.EMPTY if reading.is_empty else Outcome.DONE
        run.last_event_id = given.last_event_id
        run.answer = json.dumps(answer, ensure_ascii=False)
        run.questions = reading.questions
        run.notes = "\n".join(note for note in notes if note)
        run.tokens_in += asked.tokens_in - given.tokens_estimated
        run.tokens_out += asked.tokens_out
        run.finished_at = now
        run.save()
        if run.session_id and decide(bond=run.bond, session_id=run.session_id, now=now).trigger:
            # Another session told something strong while this run held the bond.
            enqueue("memory.tasks.slow_tick", run.session_id)


def drop_forgotten(bond: Bond, reading: parse_answer.ParsedSlowTick, *, answer: dict[str, Any]) -> dict[str, Any]:
    """Drop forgotten thoughts that cite nothing new. Returns the answer to be stored."""
    left = [
        found
        for found in reading.found
        if not tombstones.is_forgotten_thought(bond=bond, said=found.description, filling=found.filling)
    ]
    if len(left) == len(reading.found):
        return answer
    reading.notes.append(f"{len(reading.found) - len(left)} dropped: forgotten, and resting on nothing new")
    reading.found = left
    return {}


def check_unchanged(bond: Bond, given: GivenMaterial) -> None:
    """Raise MaterialChanged where some of the material is gone or no longer true."""
    ids = given.material.collect_all_nodes().keys()
    there = ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=ids)
    count = there.exclude(state=ConceptNode.State.SUPERSEDED).count()
    talks = given.material.collect_summaries()
    summaries = dict(Session.objects.not_deleted().filter(pk__in=talks).values_list("pk", "summary"))
    known = given.material.collect_entities()
    names = Entity.objects.for_bond(bond).not_deleted().filter(pk__in=known).count()
    last = find_last_run(bond)
    if (
        talks != summaries
        or count != len(ids)
        or names != len(known)
        or given.questions != (last.questions if last else [])
    ):
        raise MaterialChanged


def fail(begun: SlowTickRun, *, error: str, now: datetime) -> None:
    """Mark the run as failed; the next one reads its events."""
    get_lease(begun).rows.update(outcome=Outcome.FAILED, error=error[:500], finished_at=now)


def end_dead_run(*, bond: Bond, now: datetime) -> bool:
    """End the bond's run whose lease ran out. Returns whether there was one."""
    error = "The worker ended before it was done."
    dead = SlowTickRun.objects.dead(now).filter(bond=bond)
    return bool(dead.update(outcome=Outcome.FAILED, error=error, finished_at=now))


def requeue_dead_runs(*, now: datetime) -> int:
    """End the runs whose leases ran out and queue them anew. Returns how many."""
    dead = SlowTickRun.objects.dead(now).select_related("bond").order_by("id")
    return sum(requeue(run, now=now) for run in dead)


@transaction.atomic
def requeue(dead: SlowTickRun, *, now: datetime) -> bool:
    sessions.lock_bond(dead.bond)
    if not end_dead_run(bond=dead.bond, now=now):
        return False
    if dead.session_id is not None:
        enqueue("memory.tasks.slow_tick", dead.session_id)
    return True


def catch_up(*, now: datetime) -> int:
    """Queue a run for each bond that missed one: no model answered, or the last run was too recent. Returns how many.

    A bond missed a run if a session of the last days brought events and no run began since.
    """
    since = SlowTickRun.objects.ticks().filter(bond=OuterRef("bond"), created_at__gte=OuterRef("created_at"))
    drawn = ConceptNode.objects.current().events().filter(origin=ConceptNode.Origin.EXTRACTION)
    lately = drawn.filter(created_at__gt=now - gather_input.FIRST_LOOKS_BACK).exclude(Exists(since))
    missed = lately.filter(session__status=Session.Status.CLOSED, session__deleted_at=None)
    newest = missed.values("bond").annotate(session=Max("session")).order_by("bond").values_list("session", flat=True)
    session_ids = list(newest[:CAUGHT_UP_MOST])
    for session_id in session_ids:
        enqueue("memory.tasks.slow_tick", session_id)
    return len(session_ids)


def prune(now: datetime) -> int:
    """Delete runs older than 14 days but each bond's last one, after which the next begins. Returns how many."""
    runs = SlowTickRun.objects
    last = runs.succeeded().filter(bond=OuterRef("bond")).order_by("-id").values("pk")[:1]
    old = runs.filter(created_at__lt=now - KEPT_FOR).annotate(last=Coalesce(Subquery(last), 0))
    return old.exclude(pk=F("last")).delete()[0]
