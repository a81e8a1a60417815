from datetime import timedelta

import pytest

from memory.forgetting import removal
from memory.models import ConceptNode, Entity, SlowTickRun
from tests.memory.consolidation.test_changed_meanwhile import Interrupted
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory, MessageFactory, SessionFactory
from tests.support.ticks import ended, tick, ticking

pytestmark = pytest.mark.django_db
EMPTY: tuple[str, str, list[str], str] = ("", "", [], "")


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def texts(bond):
    runs = SlowTickRun.objects.filter(bond=bond).order_by("id")
    return [(run.prompt, run.answer, run.questions, run.notes) for run in runs]


def test_what_was_given_a_forgotten_event_is_emptied_with_all_that_came_after(bond):
    other = ConceptNodeFactory(bond=bond, description="A walk.")
    tick(bond, {"salient_questions": ["Where?"]}, now=NOW)
    leak = ConceptNodeFactory(bond=bond, description="A leak.")
    tick(bond, {"salient_questions": ["What leaks?"]}, now=NOW + timedelta(hours=1))
    ConceptNodeFactory(bond=bond, description="A cat.")
    llm = ticking({})
    tick(bond, llm, now=NOW + timedelta(hours=2))
    before = texts(bond)
    charlie = ended(BondFactory(user__username="charlie"), prompt=f"[{leak.pk}] (2026-11-21) A leak.", notes="x")

    removal.forget_node(node=leak, now=NOW)

    assert "What leaks?" in llm.calls[0].text
    assert f"[{other.pk}] (" in before[0][0]
    assert texts(bond) == [before[0], EMPTY, EMPTY]
    assert texts(charlie.bond) == [(charlie.prompt, "", [], "x")]
    assert SlowTickRun.objects.filter(bond=bond, tokens_in=100).count() == 3


def test_what_wrote_a_forgotten_thought_is_emptied(bond):
    event = ConceptNodeFactory(bond=bond)
    tick(bond, {"thoughts": [{"description": "A thought.", "filling": [event.pk]}]})

    removal.forget_node(node=ConceptNode.objects.thoughts().get(), now=NOW)

    assert texts(bond) == [EMPTY]


def test_the_next_run_is_asked_without_what_was_forgotten(bond):
    leak = ConceptNodeFactory(bond=bond, description="A leak.")
    tick(bond, {"salient_questions": ["What leaks?"]})
    removal.forget_node(node=leak, now=NOW)
    ConceptNodeFactory(bond=bond, description="A cat.")
    llm = ticking({})

    tick(bond, llm, now=NOW + timedelta(hours=1))

    assert "leak" not in llm.calls[0].text


def test_what_was_given_a_forgotten_name_is_emptied(bond):
    cat = EntityFactory(bond=bond, canonical_name="Nimbus")
    run = ended(bond, prompt=f"Who:\nentity {cat.pk}: Nimbus (pet)\n", notes="Nimbus")
    ended(bond, prompt=f"entity {cat.pk}1: Inky (pet)", notes="Inky")
    kept = ended(BondFactory(user__username="charlie"), prompt=run.prompt)

    removal.forget_entity(entity=cat, now=NOW)

    assert texts(bond) == [EMPTY, EMPTY]
    assert texts(kept.bond) == [(kept.prompt, "", [], "")]


def test_a_run_is_given_anew_what_is_left_of_its_names(bond):
    nodes = ConceptNodeFactory.create_batch(3, bond=bond, description="Nimbus jumps.")
    cat = EntityFactory(bond=bond, canonical_name="Nimbus", nodes=nodes)
    described = {"entity_descriptions": [{"entity": cat.pk, "description": "A cat."}]}
    llm = Interrupted(0, lambda: removal.forget_entity(entity=cat, now=NOW), slow_tick=[described, described])

    run = tick(bond, llm)

    assert [f"entity {cat.pk}:" in call.text for call in llm.calls] == [True, False]
    assert f"entity {cat.pk}:" not in run.prompt
    assert Entity.objects.get().description == ""


def test_what_a_talk_came_to_is_given_until_a_line_of_it_is_forgotten(bond):
    talk = SessionFactory(bond=bond, status="closed", summary="Nora was reminded <of it>.")
    ConceptNodeFactory(bond=bond, session=talk)
    said = MessageFactory(session=talk)
    llm = Interrupted(0, lambda: removal.forget_message(message=said, now=NOW), slow_tick=[{}, {}])

    run = tick(bond, llm)

    line = f"talk {talk.pk} ({talk.last_message_at:%Y-%m-%d}): Nora was reminded &lt;of it>."
    assert [line in call.text for call in llm.calls] == [True, False]
    assert f"talk {talk.pk}" not in run.prompt


@pytest.mark.parametrize(
    "forget",
    [
        lambda said: removal.forget_message(message=said, now=NOW),
        lambda said: removal.forget_session(session=said.session, now=NOW),
    ],
    ids=["line", "chat"],
)
def test_what_was_given_what_a_talk_came_to_is_emptied_with_it(bond, forget):
    said = MessageFactory(session__bond=bond)
    run = ended(bond, prompt=f"talk {said.session_id}1 (2026-11-21): Of rain.")
    ended(bond, prompt=f"Talks:\ntalk {said.session_id} (2026-11-21): Of rain.")

    forget(said)

    assert texts(bond) == [(run.prompt, "", [], ""), EMPTY]


def test_nothing_is_emptied_where_nothing_was_given(bond):
    run = ended(bond, prompt="[1] (2026-11-21) x", questions=["Why?"])

    removal.forget_node(node=ConceptNodeFactory(bond=bond, pk=11), now=NOW)

    assert texts(bond) == [(run.prompt, "", ["Why?"], "")]
