from datetime import timedelta

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from echovessel.llm import connection, provider
from echovessel.llm.connection import Connection
from echovessel.llm.errors import ModelUnavailableError
from memory import tasks
from memory.consolidation.fact_sweep import clusters, gate, run
from memory.consolidation.slow_tick import run as slow_tick
from memory.facts import undoing
from memory.forgetting import removal
from memory.models import ConceptNode, FactWrite, SlowTickRun
from tests.support.factories import NOW, BondFactory, FactFactory
from tests.support.fakes import FakeLLM

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(hours=7)
TEA = [
    "The user likes green tea.",
    "The user likes to drink green tea.",
    "Green tea is what the user likes.",
    "The user is fond of green tea.",
    "The user enjoys green tea.",
]


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def fact(bond, text, **columns):
    made = FactFactory(
        **(
            {"bond": bond, "description": text, "tier": "extracted", "origin": "extraction", "confidence": 0.8}
            | columns
        )
    )
    FactWrite.objects.create(bond=bond, node=made, op="saved", by="close", created_at=NOW)
    return made


def others(bond, count):
    return [fact(bond, f"The user has been to town number {number}.") for number in range(count)]


def sweep(bond, *answers, now=LATER):
    """Run the sweep with an answer for each call."""
    llm = FakeLLM(
        answers={"fact_sweep": [one if isinstance(one, Exception | str) else {"ops": one} for one in answers]}
    )
    return run.run(bond_id=bond.pk, llm=llm, clock=lambda: now), llm


def live(bond):
    facts = ConceptNode.objects.for_bond(bond).live_facts().order_by("id")
    return list(facts.values_list("description", flat=True))


def writes(bond):
    return list(FactWrite.objects.for_bond(bond).filter(by="sweep").order_by("id"))


def test_five_wordings_become_one_and_come_back_when_it_is_undone(bond):
    wordings = [fact(bond, text, confidence=0.5 + at / 10) for at, text in enumerate(TEA)]
    rest = [one.description for one in others(bond, 3)]

    done, llm = sweep(bond, [{"op": "merge", "targets": [one.pk for one in wordings]}])

    assert live(bond) == [TEA[4], *rest]
    assert (done.outcome, done.trigger, len(llm.calls)) == ("done", "sweep", 1)
    assert all(f"[{one.pk}] (gathered, 2026-11-21) {one.description}" in done.prompt for one in wordings)
    survivor = ConceptNode.objects.get(pk=wordings[4].pk)
    assert (survivor.mention_count, survivor.confidence) == (5, 0.9)
    [write] = writes(bond)
    assert (write.op, sorted(write.old)) == ("merged", sorted(one.pk for one in wordings[:4]))
    undoing.undo(write=write, now=LATER)
    assert live(bond) == [*TEA, *rest]


def test_what_was_stated_survives_and_is_never_retired_or_rewritten(bond):
    told = fact(bond, TEA[0], tier="stated", confidence=1.0)
    also_told = fact(bond, TEA[1], tier="stated", confidence=1.0)
    gathered = fact(bond, TEA[2], confidence=0.95)
    others(bond, 8)
    before = live(bond)

    done, _ = sweep(
        bond,
        [
            {"op": "merge", "targets": [told.pk, also_told.pk]},
            {"op": "supersede", "targets": [told.pk, gathered.pk]},
            {"op": "reshape", "targets": [told.pk], "content": "The user likes tea."},
            {"op": "refacet", "targets": [told.pk], "facet": "about_us"},
            {"op": "merge", "targets": [gathered.pk, told.pk, also_told.pk]},
        ],
    )

    assert live(bond) == [text for text in before if text != TEA[2]]
    assert ConceptNode.objects.get(pk=gathered.pk).superseded_by_id == told.pk
    assert len(done.notes.splitlines()) == 4


def test_what_was_replaced_ends_and_what_is_clumsy_is_said_anew_with_its_confidence(bond):
    old = fact(bond, "The user lives in Leeds.")
    new = fact(bond, "The user lives in York.")
    clumsy = fact(bond, "The user, as was told, plays the old violin of her grandmother on Sundays.", confidence=0.65)
    moved = fact(bond, "The user wants to be asked before advice is given.")
    guess = fact(bond, "The user, it seems, may sing.", tier="inferred", confidence=0.4)
    others(bond, 5)

    sweep(
        bond,
        [
            {"op": "reshape", "targets": [guess.pk], "content": "The user may sing."},
            {"op": "supersede", "targets": [old.pk, new.pk]},
            {"op": "reshape", "targets": [clumsy.pk], "content": "The user plays her grandmother's old violin."},
            {"op": "refacet", "targets": [moved.pk], "facet": "how_to_talk"},
        ],
    )

    assert ConceptNode.objects.get(pk=old.pk).state_reason == "ended"
    guessed = ConceptNode.objects.get(description="The user may sing.")
    assert (guessed.confidence, guessed.tier, guessed.state) == (0.4, "inferred", "live")
    said_anew = ConceptNode.objects.get(description="The user plays her grandmother's old violin.")
    assert (said_anew.confidence, said_anew.tier, said_anew.state) == (0.65, "extracted", "live")
    assert ConceptNode.objects.live_facts().get(description=moved.description).facet == "how_to_talk"
    assert [write.op for write in writes(bond)] == ["changed", "ended", "changed", "changed"]


def test_what_is_told_to_all_companions_stays_as_it_is(bond):
    shared, alike = fact(bond, TEA[0], shared=True, confidence=0.7), fact(bond, TEA[1])
    later = others(bond, 7)[0]

    done, _ = sweep(
        bond,
        [
            {"op": "reshape", "targets": [shared.pk], "content": "The user likes tea."},
            {"op": "supersede", "targets": [shared.pk, later.pk]},
            {"op": "merge", "targets": [shared.pk, alike.pk]},
        ],
    )

    assert (TEA[0] in live(bond), TEA[1] in live(bond), len(done.notes.splitlines())) == (True, False, 2)


def test_nothing_new_is_learned_and_nobody_elses_fact_is_touched(bond):
    own = others(bond, 8)
    foreign = fact(BondFactory(), TEA[0])

    done, _ = sweep(
        bond,
        [
            {"op": "reshape", "targets": [own[0].pk], "content": "The user has been to Paris in 1987."},
            {"op": "merge", "targets": [own[0].pk, foreign.pk]},
            {"op": "merge", "targets": [own[0].pk]},
            {"op": "supersede", "targets": [own[1].pk, own[0].pk]},
            {"op": "dance", "targets": [own[0].pk]},
        ],
    )

    assert (done.outcome, len(live(bond)), writes(bond)) == ("empty", 8, [])
    assert len(done.notes.splitlines()) == 5


@pytest.mark.parametrize(("extracted", "is_due"), [(7, False), (8, True)])
def test_eight_facts_that_were_picked_up_are_enough(bond, extracted, is_due):
    others(bond, extracted)
    fact(bond, TEA[0], tier="stated")

    with CaptureQueriesContext(database) as queries:
        one_is_due = gate.is_due(bond, now=LATER)

    assert (gate.find_due(now=LATER), one_is_due) == ([bond.pk] if is_due else [], is_due)
    # The worker holds the bond's lock while it asks: it reads no other bond.
    assert f'"memory_conceptnode"."bond_id" = {bond.pk}' in queries[0]["sql"]


def test_a_bond_is_due_again_after_a_change_only(bond):
    facts = others(bond, 8)
    sweep(bond, [])
    after_sweep = gate.find_due(now=LATER)
    FactWrite.objects.create(bond=bond, node=facts[0], op="merged", by="sweep", created_at=LATER + timedelta(hours=1))
    after_own = gate.find_due(now=LATER + timedelta(hours=2))
    FactWrite.objects.create(bond=bond, node=facts[0], op="ended", by="rule", created_at=LATER + timedelta(hours=1))

    assert (after_sweep, after_own, gate.find_due(now=LATER + timedelta(hours=2))) == ([], [], [bond.pk])


@pytest.mark.parametrize(
    "answer", [ModelUnavailableError("Away.", transient=False), "no JSON"], ids=["away", "no JSON"]
)
def test_what_fails_is_shown_and_tried_again_the_next_night(bond, answer):
    others(bond, 8)

    failed, _ = sweep(bond, *[answer] * 2)
    done, _ = sweep(bond, [], now=LATER + timedelta(days=1))

    assert (failed.outcome, bool(failed.error), done.outcome) == ("failed", True, "empty")


def test_a_run_that_was_killed_gives_its_bond_back(bond):
    others(bond, 8)
    run.begin(bond_id=bond.pk, now=NOW)

    busy, _ = sweep(bond, [], now=NOW + timedelta(minutes=10))
    done, _ = sweep(bond, [], now=NOW + timedelta(minutes=11, seconds=1))

    assert (busy, done.outcome) == (None, "empty")


def test_the_gate_of_slow_ticks_does_not_count_sweeps(bond):
    others(bond, 8)
    sweep(bond, [])

    assert slow_tick.find_last_run(bond) is None
    spent = slow_tick.sum_spent_today(bond=bond, session_id=0, last=None, now=LATER)
    assert (spent.runs, spent.tokens_in) == (0, 0)


def test_a_forgotten_fact_is_in_no_stored_prompt_or_answer(bond):
    [first, *_] = others(bond, 8)
    sweep(bond, [])

    removal.forget_node(node=first, now=LATER)

    swept = SlowTickRun.objects.get()
    assert (swept.prompt, swept.answer, swept.notes) == ("", "", "")


def test_each_facet_is_one_call(bond):
    others(bond, 8)
    for text in TEA[:2]:
        fact(bond, text, facet="about_us", subject="shared")

    _, llm = sweep(bond, [], [])

    assert [text in llm.calls[1].text for text in TEA[:2]] == [True, True]
    assert not any(text in llm.calls[0].text for text in TEA[:2])


def test_the_offline_voice_and_a_switch_leave_facts_alone(bond, settings):
    others(bond, 8)

    assert run.run(bond_id=bond.pk, llm=provider.get_fallback_llm(), clock=lambda: LATER) is None
    settings.FACT_SWEEP_ENABLED = False
    assert sweep(bond)[0] is None


def test_bonds_are_queued_at_night_where_a_model_is_connected(bond, monkeypatch):
    others(bond, 8)
    FactWrite.objects.update(created_at=tasks.timezone.now())
    without = tasks.queue_fact_sweeps()
    monkeypatch.setattr(connection, "get_active", lambda: Connection(address="http://x", key="", main="m"))

    assert (without, tasks.queue_fact_sweeps()) == (0, 1)
    assert [entry.task["args"] for entry in OrmQ.objects.all()] == [(bond.pk,)]


def test_more_than_fits_a_call_is_read_by_what_is_alike(bond):
    tea = [fact(bond, text, terms=["tea", "green", str(at)]) for at, text in enumerate(TEA)]
    towns = [fact(bond, f"Town {at}", terms=["town", str(at + 10)]) for at in range(3)]
    sizes = sum(len(one.description) for one in tea)

    assert clusters.divide([*tea, *towns], most=sizes) == [tea]
    assert clusters.divide([*tea, *towns], most=10_000) == [[*tea, *towns]]
    assert clusters.divide(tea[:1]) == []
