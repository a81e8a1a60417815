from datetime import timedelta

import pytest

from memory.facts import decay, undoing
from memory.models import ConceptNode, FactWrite, Mention
from tests.support.factories import NOW, EntityFactory, FactFactory
from tests.support.fakes import FakeLLM
from tests.support.prompt_reader import read_sections
from tests.support.talking import say

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)


def fact(**columns):
    return FactFactory(**({"tier": "extracted", "confidence": 0.9} | columns))


def confidence():
    return ConceptNode.objects.get().confidence


def test_a_fact_that_was_told_once_loses_a_tenth_a_month():
    fact()

    found = {}
    for day in range(1, 122):
        decay.decay(now=NOW + day * DAY)
        found[day] = confidence()

    assert {day: found[day] for day in (29, 30, 59, 60, 89, 90, 120)} == {
        29: 0.9,
        30: 0.8,
        59: 0.8,
        60: 0.7,
        89: 0.7,
        90: 0.6,
        120: 0.5,
    }


@pytest.mark.parametrize(("passed", "left"), [(30 * DAY - MICROSECOND, 0.9), (30 * DAY, 0.8)])
def test_it_fades_from_the_thirtieth_day_on(passed, left):
    fact()

    assert decay.decay(now=NOW + passed) == (left == 0.8)
    assert confidence() == left


def test_a_run_that_comes_late_or_again_takes_one_step():
    fact()

    ran = [decay.decay(now=NOW + 300 * DAY), decay.decay(now=NOW + 300 * DAY), decay.decay(now=NOW + 329 * DAY)]

    assert (ran, confidence()) == ([1, 0, 0], 0.8)
    assert ConceptNode.objects.get().last_decay_at == NOW + 300 * DAY


@pytest.mark.parametrize(("count", "left"), [(1, 0.8), (2, 0.837), (3, 0.85), (7, 0.867), (1023, 0.89)], ids=str)
def test_what_was_told_more_often_loses_less(count, left):
    fact(mention_count=count)

    decay.decay(now=NOW + 30 * DAY)

    assert confidence() == left


@pytest.mark.parametrize(("before", "after"), [(0.41, 0.31), (0.4, 0.3), (0.35, 0.3), (0.3, 0.3), (0.25, 0.25)])
def test_it_fades_down_to_the_floor(before, after):
    fact(confidence=before)

    decay.decay(now=NOW + 30 * DAY)

    assert confidence() == after


def test_recall_neither_confirms_nor_counts_a_fact():
    fact = FactFactory(tier="extracted", confidence=0.9, description="The user owns a red kayak.", created_at=NOW)
    before = ConceptNode.objects.filter(pk=fact.pk).values().get()

    for at in range(3):
        llm = FakeLLM("Yes.")
        say(fact.bond, "Where is my red kayak?", now=NOW + timedelta(days=1, minutes=at), llm=llm)
        assert "red kayak." in read_sections(llm.calls[0].messages)

    assert ConceptNode.objects.filter(pk=fact.pk).values().get() == before
    decay.decay(now=NOW + timedelta(days=30))
    assert ConceptNode.objects.get(pk=fact.pk).confidence == 0.8


def test_a_confirmation_begins_the_month_anew():
    fact(last_confirmed_at=NOW + 20 * DAY)

    ran = [decay.decay(now=NOW + day * DAY) for day in (30, 49, 50)]

    assert ran == [0, 0, 1]


@pytest.mark.parametrize(
    ("columns", "fades"),
    [
        ({"tier": "inferred"}, True),
        ({"slot": "birthday", "value": "14 March"}, False),
        ({"grave": True}, False),
        ({"facet": "how_to_talk"}, False),
        ({"facet": "how_to_talk", "tier": "inferred"}, True),
        ({"tier": "stated"}, False),
        ({"state": "uncertain"}, False),
        ({"state": "superseded"}, False),
        ({"deleted_at": NOW}, False),
    ],
    ids=str,
)
def test_only_what_holds_and_was_not_stated_fades(columns, fades):
    fact(**columns)

    assert decay.decay(now=NOW + 30 * DAY) == int(fades)


@pytest.mark.parametrize(("kind", "days", "fades"), [("person", 89, False), ("person", 91, True), ("place", 1, True)])
def test_what_is_known_of_those_who_are_spoken_of_stays(kind, days, fades):
    ellie = fact(description="The user's sister is called Ellie.")
    entity = EntityFactory(bond=ellie.bond, kind=kind, last_mentioned_at=NOW + (30 - days) * DAY)
    Mention.objects.create(bond=ellie.bond, node=ellie, entity=entity)

    assert decay.decay(now=NOW + 30 * DAY) == int(fades)


def test_what_had_a_last_day_is_history_a_month_after_it_and_an_undo_stands():
    scan = FactFactory(description="The scan is on 3 March 2026.", event_time_end=(NOW - 31 * DAY).date())
    FactFactory(bond=scan.bond, description="The trip is on 4 May 2026.", event_time_end=(NOW - 29 * DAY).date())

    assert (decay.end_past(now=NOW), ConceptNode.objects.get(pk=scan.pk).state_reason) == (1, "ended")

    undoing.undo(write=FactWrite.objects.get(node=scan), now=NOW)
    assert (decay.end_past(now=NOW), ConceptNode.objects.get(pk=scan.pk).state) == (0, "live")
