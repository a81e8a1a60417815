import pytest

from echovessel.embeddings import embedding
from memory.recall import query_vectors
from tests.support.factories import BondFactory


def build_text(query, *, user="mara", persona="Luna"):
    bond = BondFactory.build(user__display_name=user, persona__name=persona)
    return query_vectors.build_text(bond, query)


@pytest.mark.parametrize(
    ("query", "built"),
    [
        ("What did Mara plant in spring?", "What did I plant in spring?"),
        ("Is Luna's brother older than Mara’s?", "Is my brother older than my?"),
        ("Luna, where did I leave it?", "where did I leave it?"),
        ("Where did I leave it, Luna?", "Where did I leave it?"),
        ("Did Marathon Lunar open?", "Did Marathon Lunar open?"),
        ("What did mara plant?", "What did mara plant?"),
        ("Luna!", "Luna!"),
        ("", ""),
    ],
    ids=["name", "whose", "addressed first", "addressed last", "part of a word", "no capital", "nothing else", "empty"],
)
def test_the_names_of_the_two_are_i(query, built):
    assert build_text(query) == built


def test_chinese_names_are_i_too():
    assert build_text("小美的弟弟叫什么？阿榛知道吗", user="小美", persona="阿榛") == "我的弟弟叫什么？我知道吗"
    assert build_text("美丽的花", user="美", persona="Luna") == "美丽的花"


def test_who_is_called_will_may_ask_what_will_be():
    assert build_text("What will Will's dog eat?", user="will") == "What will my dog eat?"


def test_who_has_no_name_asks_as_they_wrote():
    assert build_text("What did I plant?", user="", persona="") == "What did I plant?"


def test_embedded_is_what_was_built():
    bond = BondFactory.build(user__display_name="Mara", persona__name="Luna")

    found = query_vectors.embed(bond, ["What did Mara plant?", "Hello"])

    assert found == embedding.embed(["What did I plant?", "Hello"], of_question=True)
