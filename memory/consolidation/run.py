"""Consolidate a closed session: run all phases in order.

Every phase is idempotent: it reads from the database what is already written, and writes in one transaction. A worker
may be killed between any two statements; the next one goes on from there.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import TypeVar

from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone

from echovessel import events
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm import connection
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import LLM, Origin
from memory import sessions
from memory.answers import steps
from memory.answers.steps import Done
from memory.consolidation import entities, extraction, gate, mood, reflection
from memory.consolidation.asking import Asker
from memory.consolidation.fact_sweep import backfill
from memory.doubts import asking as doubts
from memory.jobs.lease import Lease, LeaseLost, claim_session
from memory.jobs.queue import enqueue
from memory.models import ConceptNode, ConsolidationStep, Message, Session
from memory.recall import embeddings

# After so many killed workers a session fails.
ATTEMPTS_MOST = 5
MAX_RESTARTS = 5
Outcome = TypeVar("Outcome")
logger = logging.getLogger("echovessel.consolidation")

Clock = Callable[[], datetime]


def consolidate(*, session_id: int, llm: LLM, clock: Clock = timezone.now, asker: Callable[..., Asker] = Asker) -> bool:
    """Consolidate a session that is due. Returns whether this call ended it, as `closed` or `failed`.

    It does nothing where the session is not due, a turn holds it, or another worker has it.
    """
    held = claim_session(session_id=session_id, now=clock())
    if held is None:
        return False
    session = held.row
    if session.attempt_count > ATTEMPTS_MOST:
        detail = f"It was taken up {ATTEMPTS_MOST} times, and each time the worker ended before it was done."
        fail(held=held, phase="", code="interrupted", detail=detail, now=clock())
        return True
    origin = Origin(user_id=session.bond.user_id, bond_id=session.bond_id, session_id=session.pk)
    asks = asker(llm=llm, origin=origin, before_call=lambda: held.renew(clock()))
    phases = PhaseRunner(session=session, held=held, asker=asks, clock=clock)
    with held.released_on_failure(clock):
        return phases.run_to_end()


class PhaseRunner:
    """Runs the phases in order; `phase` is the current one."""

    def __init__(self, *, session: Session, held: Lease[Session], asker: Asker, clock: Clock) -> None:
        self.session = session
        self.held = held
        self.asker = asker
        self.clock = clock
        self.phase = ""

    def run(self) -> None:
        self.phase = ConsolidationStep.Phase.GATE
        self.load()
        if self.is_worth_reading():
            self.phase = ConsolidationStep.Phase.EXTRACTION
            embeddings.embed_session(session_id=self.session.pk)
            while (extracted := self.run_phase(self.extract)) is not None:
                self.session, step = extracted
                self.done.append(step)
        self.session = extraction.skip_deleted_message(self.session, done=self.done, lease=self.held)
        if self.session.watermark:
            # Also after a trivial stretch: an earlier try may have stopped after an extraction.
            self.follow_up()
        finish(held=self.held, now=self.clock())

    def run_to_end(self) -> bool:
        """Run all phases; a model that fails ends the session as failed. Returns whether it has ended."""
        try:
            self.run()
        except LeaseLost:
            logger.info("session %s was taken over by another worker", self.session.pk)
            return False
        except (LLMError, EmbeddingError) as error:
            with suppress(LeaseLost):
                fail(held=self.held, phase=self.phase, code=error.code, detail=str(error), now=self.clock())
                return True
            return False
        return True

    def follow_up(self) -> None:
        self.phase = ConsolidationStep.Phase.ENTITIES
        self.run_phase(partial(use_answers, lease=self.held))
        self.phase = ConsolidationStep.Phase.REFLECTION
        self.run_phase(partial(reflection.reflect, lease=self.held, asker=self.asker))

    def load(self) -> None:
        """Load the steps that are done and the messages to extract: nobody else writes steps, and each phase checks its messages."""
        self.done = steps.load_done(self.session)
        self.messages = self.load_messages()

    def load_messages(self) -> list[Message]:
        return list(self.session.bond.messages.past_watermark(self.session))

    def reload_session(self) -> None:
        """Load the session anew with the bond that is loaded already. Raises LeaseLost where it was erased."""
        session = Session.objects.filter(pk=self.session.pk).first()
        if session is None:
            raise LeaseLost
        session.bond = self.session.bond
        self.session = session
        self.load()

    def extract(self, *, session: Session, done: Done, now: datetime) -> tuple[Session, ConsolidationStep] | None:
        # A reply may have been added since the last chunk.
        messages, self.messages = self.messages or self.load_messages(), []
        return extraction.extract(messages, session=session, done=done, lease=self.held, asker=self.asker, now=now)

    def is_worth_reading(self) -> bool:
        """Apply the gate to the messages past the watermark, and store its decision."""
        if not self.messages:
            return False
        last = self.messages[-1].pk
        earlier = steps.find_step(self.done, last_message_id=last, phase=self.phase)
        if earlier is not None:
            # Decided before a kill: fewer messages may be past the watermark by now.
            return earlier.outcome == ConsolidationStep.Outcome.DONE
        reason = gate.find_trivial_reason(self.messages)
        outcome = ConsolidationStep.Outcome.SKIPPED if reason else ConsolidationStep.Outcome.DONE
        with self.held.transaction() as locked:
            about = {"session": locked, "last_message_id": last, "created_at": self.clock()}
            steps.record(ConsolidationStep(phase=self.phase, outcome=outcome, reason=reason, **about))
        return not reason

    def run_phase(self, phase: Callable[..., Outcome]) -> Outcome:
        """Run a phase, and again where one of its inputs was forgotten meanwhile."""
        for _ in range(MAX_RESTARTS):
            try:
                return phase(session=self.session, done=self.done, now=self.clock())
            except steps.InputChanged:
                logger.info(
                    "something of session %s was forgotten in mid-%s; it runs again", self.session.pk, self.phase
                )
                self.reload_session()
        raise LeaseLost


def use_answers(*, session: Session, done: Done, lease: Lease[Session], now: datetime) -> None:
    """Write the entities, the mood and the summary of stored answers that were not used for them. Raises LeaseLost, InputChanged."""
    waiting = steps.list_unused_extractions(done)
    if not waiting:
        return
    named = [entities.parse(step, bond=session.bond) for step in waiting]
    with lease.transaction() as locked:
        steps.check_unchanged(*waiting)
        used = [
            entities.write_named(step, *found, bond=locked.bond, now=now)
            for step, found in zip(waiting, named, strict=True)
        ]
        used += mood.write_mood(waiting, session=locked, now=now)
        used += mood.write_summary(waiting, session=locked, now=now)
        steps.record(*used)


def finish(*, held: Lease[Session], now: datetime) -> None:
    with held.transaction() as session:
        doubts.let_go_unanswered(bond=session.bond, session_id=session.pk)
        session.status = Session.Status.CLOSED
        # A resumed session that was not trivial stays so.
        session.trivial = session.watermark == 0
        session.reset_failures()
        session.release()
        session.save()
        sessions.announce_boundary(
            bond_id=session.bond_id,
            closed=session.pk,
            new=sessions.find_open_id(bond=session.bond, channel=session.channel),
            now=now,
            counts=count_nodes(session),
        )
        has_tick = settings.SLOW_TICK_ENABLED and not session.trivial
        has_facts = settings.FACT_SWEEP_ENABLED and session.bond.facts_drawn_at is None
        if not (has_tick or has_facts) or connection.get_active() is None:
            return
        if has_tick:
            enqueue("memory.tasks.slow_tick", session.pk)
        if has_facts:
            backfill.begin(session=session, now=now)


def count_nodes(session: Session) -> dict[str, int]:
    nodes = ConceptNode.objects.not_deleted().filter(bond=session.bond_id, session=session)
    is_event = Q(type=ConceptNode.Type.EVENT)
    return nodes.not_facts().aggregate(
        events_count=Count("pk", filter=is_event), thoughts_count=Count("pk", filter=~is_event)
    )


def fail(*, held: Lease[Session], phase: str, code: str, detail: str, now: datetime) -> None:
    """Mark the session as failed, with the time of the next try."""
    with held.transaction() as session:
        session.status = Session.Status.FAILED
        session.fail(code=code, detail=detail, now=now)
        session.save()
        if phase:
            last = Message.objects.past_watermark(session).last()
            failed = ConsolidationStep(
                session=session,
                last_message_id=last.pk if last else session.watermark,
                phase=phase,
                outcome=ConsolidationStep.Outcome.FAILED,
                created_at=now,
                error=detail[:500],
            )
            steps.record(failed)
        events.record(bond_id=session.bond_id, type="chat.session.failed", refs={"session": session.pk}, now=now)
