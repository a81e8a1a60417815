import pytest

from chat.evaluation.facts import talks
from echovessel.embeddings import embedding, wishes


def list_asking(lines):
    vectors = embedding.embed(lines, of_question=True)
    return [one for one, vector in zip(lines, vectors, strict=True) if embedding.may_ask_to_forget(vector, text=one)]


@pytest.mark.parametrize(
    ("lang", "asking"),
    [
        ("en", ["Do not carry the freezer story with you.", "I don't want any memory of the freezer kept."]),
        ("zh", ["冰箱那笔钱，最好从你那边消失。", "藏钱的事，别让它留在你那里了。"]),
    ],
)
def test_wishes_to_forget_are_told_from_small_talk(settings, lang, asking):
    settings.EMBEDDING_BACKEND = "bundled"

    assert list_asking(asking) == asking
    assert len(list_asking(talks.load_neutral_lines(lang, half="kept back"))) <= 1


def test_a_message_that_is_longer_than_a_wish_is_none(settings):
    settings.EMBEDDING_BACKEND = "bundled"
    wish = "Do not carry the freezer story with you."
    longest = wish + " " * (wishes.LONGEST["en"] - len(wish))

    assert [len(one) for one in list_asking([longest, longest + " "])] == [wishes.LONGEST["en"]]


@pytest.mark.parametrize("backend", ["hash", "e5"])
def test_other_models_vectors_say_nothing_of_an_english_wish(settings, backend):
    settings.EMBEDDING_BACKEND = backend

    assert list_asking(["Do not carry the freezer story with you."]) == []
