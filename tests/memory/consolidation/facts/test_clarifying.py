import copy

import pytest

from echovessel.llm import provider
from memory.models import Doubt, FactWrite
from tests.support import worlds
from tests.support.doubts import ambiguous
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory
from tests.support.facts import LEEDS, YORK, live, save
from tests.support.fakes import FakeLLM
from tests.support.talks import closed_talk, consolidate, extraction, model, remember, step, thoughts

pytestmark = pytest.mark.django_db

ASKED = ("Hello again.", "persona: Is it Leeds or York where you live?", "York.")


@pytest.fixture(scope="module")
def doubtful(django_db_setup, django_db_blocker):
    with worlds.shared(made, database=django_db_blocker) as bond:
        yield bond


@pytest.fixture
def bond(doubtful):
    """A bond in which a chat told another home than the user had stated."""
    return copy.deepcopy(doubtful)


def made():
    bond = BondFactory(user__username="lin")
    save(bond, LEEDS, slot="home", value="Leeds")
    york = {"op": "add", "content": YORK, "slot": "home", "value": "York", "certainty": 0.9, "source_lines": [1]}
    remember("The train to York.", "I was late.", "Home at last.", bond=bond, answer=extraction(facts=[york]))
    return bond


def clear(bond, **clarified):
    answer = extraction(clarified=[{"doubt": 1, "holds": "this", "source_lines": [3]} | clarified])
    return remember(*ASKED, bond=bond, answer=answer)


def test_the_doubt_is_sent_by_number_and_none_of_a_thought(bond):
    llm = model(extraction())
    thought = ConceptNodeFactory(bond=bond, type="thought", description="They love the sea.")
    Doubt.objects.open_about_nodes(kind="stale", this=thought, that=None, by="change", now=NOW)

    consolidate(closed_talk(*ASKED, bond=bond), llm)

    assert f"[1] this: {YORK} / that: {LEEDS}" in llm.calls[0].text
    assert "They love the sea." not in llm.calls[0].text


@pytest.mark.parametrize(
    ("holds", "left"),
    [("this", [YORK]), ("that", [LEEDS]), ("both", [LEEDS, YORK]), ("neither", [])],
)
def test_what_the_user_said_settles_it(bond, holds, left):
    clear(bond, holds=holds)

    doubt = Doubt.objects.get()
    assert (live(bond), doubt.state, doubt.outcome) == (left, "settled", holds)
    assert FactWrite.objects.filter(op="settled", by="close").count() == 1


@pytest.mark.parametrize("wrong", [{"source_lines": [2]}, {"source_lines": []}, {"doubt": 2}, {"doubt": 0}])
def test_only_lines_of_the_user_and_doubts_that_were_sent_count(bond, wrong):
    session = clear(bond, **wrong)

    assert (Doubt.objects.get().state, live(bond)) == ("open", [LEEDS])
    assert "no line of the user clears it up" in step(session, "extraction").notes


def test_an_unknown_outcome_is_dropped_with_a_note(bond):
    session = clear(bond, holds="perhaps")

    assert Doubt.objects.get().state == "open"
    assert step(session, "extraction").notes.startswith("clarified 0 dropped")


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        (("Hi.", "persona: Are Scott and Yiyang the same person?", "Yes, they are.", "Bye."), "same"),
        (("Hi.", "persona: Are Scott and Yiyang the same person?", "No, they are two people.", "Bye."), "different"),
        (("Hi.", "persona: Are Scott and Yiyang the same person?", "Why do you ask?", "Bye."), ""),
        (("你好", "persona: Scott和Yiyang是同一个人吗？", "是的，就是他", "再见"), "same"),
        (("你好", "persona: Scott和Yiyang是同一个人吗？", "不是，两个人", "再见"), "different"),
    ],
)
def test_without_a_model_server_an_answer_about_two_names_settles_their_doubt(offline, lines, outcome):
    bond = BondFactory(user__username="mara")
    doubt = ambiguous(bond)
    session = closed_talk(*lines, bond=bond)
    Doubt.objects.filter(pk=doubt.pk).update(asked_in=[session.pk])

    consolidate(session, offline)

    doubt.refresh_from_db()
    assert doubt.outcome == outcome


@pytest.mark.parametrize(
    ("stated", "other", "lines", "left"),
    [
        ("The user lives in Leeds.", "I live in York.", ("Hi.", "persona: Leeds or York?", "York."), ["York"]),
        ("The user lives in Leeds.", "I live in York.", ("Hi.", "persona: Leeds or York?", "Leeds."), ["Leeds"]),
        ("The user lives in Leeds.", "I live in York.", ("Hi.", "persona: Leeds or York?", "Not York."), ["Leeds"]),
        ("用户住在上海。", "我住在苏州", ("你好", "persona: 上海还是苏州？", "苏州"), ["苏州"]),
        ("用户住在上海。", "我住在苏州", ("你好", "persona: 上海还是苏州？", "上海"), ["上海"]),
    ],
)
def test_without_a_model_server_it_is_told_gathered_doubted_and_settled(offline, stated, other, lines, left):
    bond = BondFactory(user__username="mara")
    value = "Leeds" if "Leeds" in stated else "上海"
    save(bond, stated, slot="home", value=value)

    consolidate(closed_talk(other, bond=bond), offline)
    between = (live(bond), Doubt.objects.for_bond(bond).get().state)
    consolidate(closed_talk(*lines, bond=bond), offline)

    values = [node.value for node in bond.nodes.live_facts()]
    assert (between, values) == (([stated], "open"), left)
    assert Doubt.objects.for_bond(bond).get().state == ("open" if lines[-1] == "Not York." else "settled")


@pytest.fixture
def offline():
    return provider.get_fallback_llm()


def test_the_third_session_without_an_answer_lets_it_go(bond):
    Doubt.objects.update(asked_in=[1, 2])
    session = closed_talk(*ASKED, bond=bond)
    doubt = Doubt.objects.get()
    doubt.asked_in = [1, 2, session.pk]
    doubt.save()

    consolidate(session, FakeLLM(answers={"extraction": extraction(), "reflection": thoughts()}))

    doubt.refresh_from_db()
    assert (doubt.state, live(bond)) == ("let_go", [LEEDS])
