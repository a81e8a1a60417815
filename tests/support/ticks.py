"""How tests make slow ticks: runs of earlier, and one after a talk with a scripted model."""

from datetime import timedelta
from functools import partial
from typing import Any

from memory.consolidation.asking import Asker
from memory.consolidation.slow_tick import run
from memory.models import ConceptNode, Session, SlowTickRun
from tests.support.factories import NOW, SessionFactory
from tests.support.fakes import FakeLLM


def ended(bond, *, at=NOW, outcome="empty", **more) -> SlowTickRun:
    """A run of earlier."""
    day = bond.user.get_day(at)
    written = {"trigger": "interval", "day": day, "lease_until": at + timedelta(minutes=10), "finished_at": at} | more
    return SlowTickRun.objects.create(bond=bond, outcome=outcome, created_at=at, **written)


def a_talk(bond) -> Session:
    """A talk that is over."""
    return Session.objects.for_bond(bond).first() or SessionFactory(bond=bond, status="closed")


def ticking(*answers) -> FakeLLM:
    return FakeLLM(answers={"slow_tick": list(answers)})


def tick(bond, llm: FakeLLM | dict[str, Any] | None = None, *, now=NOW) -> SlowTickRun | None:
    """A slow tick after a talk of the bond's; it answers with nothing, unless told."""
    llm = llm if isinstance(llm, FakeLLM) else ticking(llm or {})
    asker = partial(Asker, pause=lambda _: None)
    return run.run(session_id=a_talk(bond).pk, llm=llm, clock=lambda: now, asker=asker)


def told(bond, type="thought") -> list[tuple[str, str, list[str]]]:
    """What was written between talks: the text, the state, and the texts it rests on."""
    nodes = ConceptNode.objects.for_bond(bond).filter(type=type, origin="slow_tick").order_by("id")
    return [
        (node.description, node.state, [edge.child.description for edge in node.filling_edges.order_by("id")])
        for node in nodes
    ]
