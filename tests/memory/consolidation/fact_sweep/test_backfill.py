from datetime import timedelta

import pytest
from django_q.models import OrmQ

from echovessel.llm import provider
from echovessel.llm.errors import ModelUnavailableError
from memory.consolidation import run
from memory.consolidation.fact_sweep import backfill
from memory.forgetting import removal
from memory.models import ConceptNode, FactWrite, Filling
from personas.models import Bond
from tests.memory.consolidation.test_kill import walk
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory
from tests.support.facts import save, writer
from tests.support.fakes import FakeLLM
from tests.support.talks import closed_talk, extraction

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(hours=7)
NURSE = "The user is a nurse at the harbour clinic."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def event(bond, text=NURSE, **columns):
    return ConceptNodeFactory(
        **({"bond": bond, "description": text, "relational_tags": ["identity-bearing"]} | columns)
    )


def drawn(*events, content="The user is a nurse at the harbour clinic.", **more):
    return {"content": content, "facet": "about_you", "confidence": 0.7, "events": [one.pk for one in events]} | more


def draw(bond, *answers):
    answers = [one if isinstance(one, Exception) else {"facts": one} for one in answers]
    llm = FakeLLM(answers={"fact_sweep": answers})
    return backfill.run(bond_id=bond.pk, llm=llm, clock=lambda: LATER), llm


def facts(bond):
    return list(ConceptNode.objects.for_bond(bond).live_facts().order_by("id"))


def test_facts_are_drawn_from_events_once_and_cite_them(bond):
    told = event(bond)
    before = backfill.find_due()

    count, llm = draw(bond, [drawn(told, confidence=0.95)])
    again, unasked = draw(bond)

    [fact] = facts(bond)
    assert (count, again, len(llm.calls), unasked.calls) == (1, 0, 1, [])
    assert (fact.description, fact.tier, fact.confidence) == (NURSE, "extracted", 0.8)
    assert list(Filling.objects.filter(parent=fact).values_list("child", flat=True)) == [told.pk]
    assert (before, backfill.find_due(), Bond.objects.get(pk=bond.pk).facts_drawn_at) == ([bond.pk], [], LATER)


def test_killed_at_any_statement_the_facts_are_drawn_once_and_whole(bond):
    told = [event(bond), event(bond, "The user grew up in Leeds.")]
    answer = [drawn(one, content=one.description) for one in told]

    def written():
        cited = Filling.objects.filter(parent__in=facts(bond)).order_by("child").values_list("child", flat=True)
        writes = FactWrite.objects.filter(bond=bond).count()
        return [fact.description for fact in facts(bond)], list(cited), writes, backfill.find_due()

    count = walk(lambda _: draw(bond, answer), everywhere=True, written=written)

    assert count > 5
    draw(bond, answer)
    assert written() == ([NURSE, "The user grew up in Leeds."], [one.pk for one in told], 2, [])


def test_the_newest_two_hundred_are_read_forty_a_call(bond):
    for number in range(201):
        event(bond, f"The user has lived in town number {number}.", created_at=NOW + timedelta(minutes=number))

    _, llm = draw(bond, *[[]] * 5)

    assert [call.text.count("The user has lived in") for call in llm.calls] == [40] * 5
    assert "town number 0." not in llm.calls[0].text
    assert "town number 1." in llm.calls[0].text


def test_only_what_the_events_say_is_drawn(bond):
    told = event(bond)
    foreign = event(BondFactory())

    count, _ = draw(
        bond,
        [
            drawn(told, content="The user is a nurse in Paris."),
            drawn(foreign),
            drawn(told, facet="persona_canon"),
            drawn(told, confidence=0.1),
        ],
    )

    assert (count, facts(bond)) == (0, [])


@pytest.mark.parametrize("columns", [{"relational_tags": []}, {"state": "superseded"}, {"deleted_at": NOW}], ids=str)
def test_other_events_are_not_read(bond, columns):
    event(bond, **columns)

    assert (backfill.find_due(), draw(bond)[1].calls) == ([], [])


def test_a_model_that_fails_in_the_middle_writes_nothing_and_is_asked_again(bond):
    told = [event(bond, f"The user has lived in town number {number}.") for number in range(41)]
    first = drawn(told[0], content=told[0].description)

    failed, _ = draw(bond, [first], ModelUnavailableError("Away.", transient=False))
    after_failure = facts(bond)
    count, _ = draw(bond, [first], [])

    assert (failed, after_failure, count) == (0, [], 1)


def test_what_was_forgotten_meanwhile_or_before_is_not_drawn(bond):
    line = MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="I am a nurse.")
    told, other = event(bond, sources=[line]), event(bond, "The user is a nurse on night duty.", sources=[line])
    removal.forget_node(node=other, now=NOW)

    class Forgetting(FakeLLM):
        def answer(self, *args, **kwargs):
            removal.forget_node(node=gone, now=NOW)
            return super().answer(*args, **kwargs)

    gone = event(bond, "The user plays the viola.")
    llm = Forgetting(answers={"fact_sweep": {"facts": [drawn(told), drawn(gone, content=gone.description)]}})

    assert backfill.run(bond_id=bond.pk, llm=llm, clock=lambda: LATER) == 0
    assert facts(bond) == []


def test_what_tells_a_forgotten_fact_in_other_words_is_not_drawn(bond):
    session = SessionFactory(bond=bond, status="closed")
    old, other = (MessageFactory(session=session, content=said) for said in ("I nurse at night.", "Nights again!"))
    told = event(bond, "The user works nights, as a nurse.", sources=[old])
    removal.forget_node(node=save(bond, "The user is a nurse on nights.", by=writer(messages=[other])).node, now=NOW)
    llm = FakeLLM(answers={"fact_sweep": {"facts": [drawn(told, content="The user works nights, as a nurse.")]}})

    assert backfill.run(bond_id=bond.pk, llm=llm, clock=lambda: LATER) == 0
    assert facts(bond) == []


def test_the_offline_voice_draws_nothing(bond):
    event(bond)

    assert backfill.run(bond_id=bond.pk, llm=provider.get_fallback_llm(), clock=lambda: LATER) == 0
    assert Bond.objects.get(pk=bond.pk).facts_drawn_at is None


@pytest.fixture
def connected(settings):
    settings.MODEL_SERVER = True


def close(bond, *said):
    session = closed_talk(*(said or ["Nimbus jumped on my face last night.", "Oh no."]), bond=bond)
    run.consolidate(session_id=session.pk, llm=FakeLLM(answers={"extraction": [extraction()]}), clock=lambda: LATER)
    queued = [one.func() for one in OrmQ.objects.all()]
    return Bond.objects.get(pk=bond.pk).facts_drawn_at, queued.count("memory.tasks.draw_facts")


def test_the_first_close_queues_the_drawing_where_something_was_remembered_before(bond, connected):
    event(bond)

    assert close(bond) == (None, 1)


def test_the_first_close_of_a_new_companion_marks_that_there_is_nothing_to_draw(bond, connected):
    assert close(bond) == (LATER, 0)


@pytest.mark.parametrize("setting", [{"MODEL_SERVER": None}, {"FACT_SWEEP_ENABLED": False}], ids=["no model", "off"])
def test_a_close_that_can_draw_nothing_leaves_it_to_a_later_one(bond, connected, settings, setting):
    event(bond)
    for name, value in setting.items():
        setattr(settings, name, value)

    assert close(bond) == (None, 0)


def test_a_later_close_does_not_queue_it_again(bond, connected):
    told = event(bond)
    draw(bond, [drawn(told)])

    assert close(bond)[1] == 0
