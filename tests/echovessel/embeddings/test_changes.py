import pytest

from chat.evaluation.facts import talks
from echovessel.embeddings import changes, embedding

# It is near to a fact, and shares a word with it.
ABOUT = (0.6, 1.0, 0.0)


def list_ending(lines):
    vectors = embedding.embed(lines, of_question=True)
    return [one for one, vector in zip(lines, vectors, strict=True) if embedding.may_end(vector, text=one, about=ABOUT)]


@pytest.mark.parametrize(
    ("lang", "ending"),
    [
        ("en", ["Prakash packed up his desk and retired."]),
        ("zh", ["陶艺班关门了，以后没得去了。", "大提琴我放下了，改学吉他。"]),
    ],
)
def test_changes_are_told_from_small_talk(settings, lang, ending):
    settings.EMBEDDING_BACKEND = "bundled"
    neutral = talks.load_neutral_lines(lang, half="kept back")

    assert list_ending(ending) == ending
    assert len(list_ending(neutral)) <= 2


def test_without_anything_to_do_with_a_fact_a_change_ends_none(settings):
    settings.EMBEDDING_BACKEND = "bundled"
    said = "Prakash packed up his desk and retired."
    [vector] = embedding.embed([said], of_question=True)

    assert not embedding.may_end(vector, text=said, about=(0.0, 0.0, 0.0))


def test_a_message_that_is_longer_than_a_change_ends_nothing(settings):
    settings.EMBEDDING_BACKEND = "bundled"
    said = "Prakash packed up his desk and retired."
    longest = said + " " * (changes.LONGEST["en"] - len(said))

    assert [len(one) for one in list_ending([longest, longest + " "])] == [changes.LONGEST["en"]]


@pytest.mark.parametrize("backend", ["hash", "e5"])
def test_other_models_vectors_say_nothing_of_an_english_change(settings, backend):
    settings.EMBEDDING_BACKEND = backend

    assert list_ending(["Prakash packed up his desk and retired."]) == []
