from datetime import timedelta

import pytest

from memory.consolidation.slow_tick import run
from memory.models import ConceptNode, SlowTickRun
from memory.nodes import outcomes
from memory.nodes.outcomes import SettlingError
from tests.memory.test_races import at_once
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, SessionFactory
from tests.support.ticks import tick, ticking

pytestmark = pytest.mark.django_db(transaction=True)


def test_sessions_that_end_together_are_thought_over_once():
    bond = BondFactory(user__username="mara")
    event = ConceptNodeFactory(bond=bond, emotional_impact=9)
    talks = [SessionFactory(bond=bond, status="closed") for _ in range(4)]
    answer = {"thoughts": [{"description": "Once.", "filling": [event.pk]}]}
    llm = ticking(*[answer] * 4)

    at_once(*[lambda pk=talk.pk: run.run(session_id=pk, llm=llm, clock=lambda: NOW) for talk in talks])

    assert (len(llm.calls), SlowTickRun.objects.get().outcome) == (1, "done")
    assert ConceptNode.objects.thoughts().get().description == "Once."


def test_a_dead_run_is_begun_again_by_one_scanner():
    bond = BondFactory(user__username="mara")
    ConceptNodeFactory(bond=bond)
    talk = SessionFactory(bond=bond, status="closed")
    run.begin(session_id=talk.pk, now=NOW)
    later = NOW + timedelta(minutes=11)

    begun = at_once(*[lambda: run.requeue_dead_runs(now=later)] * 3)

    assert sum(begun) == 1


def settled_by_hand(node, outcome):
    try:
        outcomes.settle_by_hand(node=ConceptNode.objects.get(pk=node.pk), outcome=outcome, now=NOW)
    except SettlingError:
        return None
    return outcome


def test_an_expectation_ends_once_whoever_ends_it():
    bond = BondFactory(user__username="mara")
    ConceptNodeFactory(bond=bond)
    awaited = ConceptNodeFactory(
        bond=bond, type="expectation", description="Rain.", created_at=NOW - timedelta(days=60)
    )
    llm = ticking({"resolved": [{"node": awaited.pk, "outcome": "fulfilled"}]})

    given = at_once(
        lambda: settled_by_hand(awaited, "missed"),
        lambda: settled_by_hand(awaited, "missed"),
        lambda: tick(bond, llm),
    )

    awaited.refresh_from_db()
    assert given[:2].count("missed") <= 1
    assert (awaited.state, awaited.state_reason) in {("missed", "by hand"), ("fulfilled", "slow tick")}


def test_many_clocks_end_an_expectation_once():
    awaited = ConceptNodeFactory(type="expectation", created_at=NOW - timedelta(days=60))

    ended = at_once(*[lambda: outcomes.expire(now=NOW)] * 3)

    awaited.refresh_from_db()
    assert (sum(ended), awaited.state) == (1, "expired")
