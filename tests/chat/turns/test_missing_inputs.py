"""A turn is answered whatever is missing, and its trace tells what was."""

import itertools
from datetime import timedelta

import pytest

from chat.turns import claiming, receiving
from echovessel.embeddings import embedding
from echovessel.embeddings.models import EmbeddingError
from memory.models import Topic
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory
from tests.support.fakes import FakeLLM
from tests.support.talking import answer, say

pytestmark = pytest.mark.django_db
QUESTION = "What is my dog called?"


@pytest.fixture
def bond():
    bond = BondFactory(user__username="mara")
    MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="My dog is called Biscuit.")
    ConceptNodeFactory(bond=bond, description="The user's dog is called Biscuit.")
    return bond


def test_without_a_vector_words_alone_tell_how_sure_it_is(bond, monkeypatch):
    async def embed_question(said, *, person):
        raise EmbeddingError("Not loaded.")

    monkeypatch.setattr(embedding, "embed_question", embed_question)
    turn = say(bond, QUESTION, now=NOW, llm=FakeLLM("Biscuit."))

    assert (turn.status, turn.trace["without_vector"], turn.trace["topic"]["likeness"]) == ("done", True, None)
    assert turn.trace["knowing"]["state"] in ("here", "known", "unsure")


@pytest.mark.parametrize("burst", ["…!?", "🙂" * 9000, "?"])
def test_a_burst_without_terms_finds_nothing_and_shows_it(bond, burst):
    turn = say(bond, burst, now=NOW, llm=FakeLLM("Hm."))

    assert (turn.status, turn.trace["items"], turn.trace["words"]) == ("done", [], [])
    assert turn.trace["signals"]["density"] == 0


@pytest.mark.parametrize("filling", ["a", "word ", "我的", "My cat's dog? "])
def test_a_burst_of_20_000_characters_is_answered(bond, filling):
    burst = "".join(itertools.islice(itertools.cycle(filling), 20_000 - len(QUESTION) - 1)) + f"\n{QUESTION}"
    turn = say(bond, burst, now=NOW, llm=FakeLLM("Biscuit."))

    assert (turn.status, turn.trace["signals"]["mark"]) == ("done", True)
    assert turn.trace["signals"]["tokens"] > 1000


@pytest.mark.parametrize(
    "question", ["Как зовут мою собаку?", "¿Cómo se llama mi perro?", "犬の名前は何ですか？", "كلبي؟"]
)
def test_a_question_in_another_language_has_its_mark_and_no_state(bond, question):
    turn = say(bond, question, now=NOW, llm=FakeLLM("Hm."))

    assert (turn.status, turn.trace["knowing"]["state"]) == ("done", None)
    assert turn.trace["signals"]["tokens"] > 0


def test_off_the_record_it_is_told_how_sure_to_be_and_nothing_is_traced(bond):
    session = SessionFactory(bond=bond, off_record=True)
    llm = FakeLLM("I do not know.")
    turn = say(bond, "Which submarine did I captain?", now=NOW, llm=llm, session_id=session.pk)

    assert (turn.status, turn.trace, Topic.objects.count()) == ("done", {}, 0)
    assert "# How sure you are" in llm.calls[0].text


def test_a_lost_topic_begins_anew(bond):
    say(bond, "The kettle sings in every kitchen.", now=NOW, llm=FakeLLM("Oh."))
    Topic.objects.all().delete()
    turn = say(bond, "It sings all day.", now=NOW + timedelta(minutes=1), llm=FakeLLM("Mm."))

    assert (turn.status, turn.trace["topic"]["is_new"], turn.trace["topic"]["turns"]) == ("done", True, 1)
    assert Topic.objects.get().turn_id == turn.pk


def test_of_two_processes_one_answers_and_the_other_goes_on_with_its_topic(bond):
    receiving.receive(bond=bond, content="The kettle sings in every kitchen.", channel="web", now=NOW)
    answered = answer(bond, now=NOW, llm=FakeLLM("Oh."))
    later = NOW + timedelta(minutes=1)
    receiving.receive(bond=bond, content="And the kettle sings all day.", channel="web", now=later)
    held = claiming.claim(bond_id=bond.pk, now=later + timedelta(seconds=10))

    assert answered is not None
    assert held is not None
    assert claiming.claim(bond_id=bond.pk, now=later + timedelta(seconds=11)) is None
    assert Topic.objects.get().turn_id == answered.pk
