from datetime import timedelta

import pytest

from echovessel import embedding
from memory import embeddings, words
from memory.models import Message, Session
from tests.factories import NOW, BondFactory
from tests.memory.talks import talk

pytestmark = pytest.mark.django_db

CAT = "My cat Nimbus jumps on my face at night."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def search(bond, query, **more):
    embeddings.embed_bond(bond_id=bond.pk)
    [vector] = embedding.embed([query])
    return words.search(bond=bond, query=query, vector=vector, **more)


def said(found):
    return [word.message.content for word in found]


def test_lines_that_share_words_are_found(bond):
    talk(CAT, "The rain never stops here.", bond=bond)

    assert said(search(bond, "What does the cat do at night?")) == [CAT]


def test_chinese_lines_are_found_by_their_characters(bond):
    talk("我的猫晚上总是跳到我脸上", "今天下雨了", bond=bond)

    assert said(search(bond, "猫晚上做什么？")) == ["我的猫晚上总是跳到我脸上"]


@pytest.mark.parametrize("query", ["hi", "ok", "Yes!", "哈哈", "好的", "…", "🙂"])
def test_small_talk_brings_none(bond, query):
    talk("hi", "ok", "哈哈", "好的", CAT, "Yes!", bond=bond)

    assert search(bond, query) == []


def test_the_session_of_the_burst_is_left_out(bond):
    session = talk(CAT, bond=bond)

    assert search(bond, "the cat at night", not_session=session.pk) == []


def test_lines_that_are_in_the_prompt_already_are_left_out(bond):
    session = talk(CAT, "Nimbus the cat sleeps at night.", bond=bond)
    first = session.messages.earliest("id")

    assert said(search(bond, "the cat at night", besides=[first.pk])) == ["Nimbus the cat sleeps at night."]


@pytest.mark.parametrize("gone", [{"deleted_at": NOW}, {"chosen": False}, {"role": "system"}], ids=str)
def test_lines_that_do_not_count_are_left_out(bond, gone):
    talk(CAT, bond=bond)
    Message.objects.update(**gone)

    assert search(bond, "the cat at night") == []


@pytest.mark.parametrize("gone", [{"deleted_at": NOW}, {"off_record": True}], ids=str)
def test_lines_of_sessions_that_do_not_count_are_left_out(bond, gone):
    talk(CAT, bond=bond)
    Session.objects.update(**gone)

    assert search(bond, "the cat at night") == []


def test_lines_of_a_stranger_are_never_found(bond):
    talk(CAT, bond=BondFactory(user__username="charlie"))

    assert search(bond, "the cat at night") == []


def test_at_most_so_many_are_found_best_first(bond):
    for day, place in enumerate(("on a shelf", "in a drawer", "under the bed", "behind the stove")):
        small_talk = [f"It rained {day} times.", "I had soup.", "Work was fine.", "So it goes."] * 3
        talk(f"Nimbus jumps and sleeps {place}.", *small_talk, bond=bond, now=NOW + timedelta(days=day))
    talk(CAT, bond=bond, now=NOW + timedelta(days=9))

    found = search(bond, "When does Nimbus jump at night?", most=3)

    assert said(found)[0] == CAT
    assert len(found) == 3
    assert [word.score for word in found] == sorted((word.score for word in found), reverse=True)
