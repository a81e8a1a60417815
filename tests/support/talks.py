"""Sessions for memory's tests: messages, closed and consolidated with a scripted model."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from memory import sessions
from memory.consolidation import run
from memory.consolidation.asking import Asker
from memory.messages.ingest import ingest
from memory.models import ConsolidationStep, Message, Session
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM

CAT = ("We have a white cat.", "He is called Nimbus.", "He jumps on my face at night.")


def event(description="The user's cat Nimbus jumps on their face at night.", *, impact=3, lines=(3,), **more):
    return {"description": description, "emotional_impact": impact, "source_lines": list(lines)} | more


def extraction(*events, **more) -> dict[str, Any]:
    return {"events": list(events), "session_summary": "A cat at night."} | more


def thoughts(*written) -> dict[str, Any]:
    return {"thoughts": list(written)}


def model(*extractions, reflections=(), **more) -> FakeLLM:
    """A model with one answer for each extraction; it has nothing to say when it reflects, unless told."""
    return FakeLLM(
        answers={"extraction": list(extractions), "reflection": list(reflections) or [thoughts()] * 9, **more}
    )


def talk(*lines, bond=None, now=NOW, channel="web") -> Session:
    """Lines said in the open session; those of the companion begin with `persona: `."""
    bond = bond or BondFactory(user__username="mara")
    session = sessions.get_session_for_message(bond=bond, channel=channel, now=now)
    for line in lines:
        is_reply = line.startswith("persona: ")
        ingest(
            session=session,
            role=Message.Role.PERSONA if is_reply else Message.Role.USER,
            content=line.removeprefix("persona: "),
            turn_id=uuid.uuid4(),
            now=now,
        )
    session.refresh_from_db()
    return session


def closed_talk(*lines, bond=None, now=NOW, channel="web") -> Session:
    """A talk that waits to be consolidated."""
    session = talk(*lines, bond=bond, now=now, channel=channel)
    return sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=now)


def consolidate(session: Session, llm, *, now=NOW, pause: Callable[[float], None] = lambda _: None) -> Session:
    run.consolidate(session_id=session.pk, llm=llm, clock=lambda: now, asker=partial(Asker, pause=pause))
    session.refresh_from_db()
    return session


def remember(*lines, answer, bond=None, now=NOW, **more) -> Session:
    """A talk, consolidated with one extraction."""
    return consolidate(closed_talk(*(lines or CAT), bond=bond, now=now), model(answer, **more), now=now)


def outcomes(session) -> list[tuple[str, str]]:
    steps = ConsolidationStep.objects.filter(session=session).order_by("id")
    return [(step.phase, step.outcome) for step in steps]


def step(session, phase) -> ConsolidationStep:
    return ConsolidationStep.objects.get(session=session, phase=phase)
