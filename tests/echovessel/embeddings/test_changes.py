import pytest

from chat.evaluation.facts import talks
from echovessel.embeddings import changes, embedding

# It is near to a fact, and shares a word with it.
ABOUT = (0.6, 1.0, 0.0)


def list_ending(lines):
    vectors = embedding.embed(lines, of_question=True)
    return [one for one, vector in zip(lines, vectors, strict=True) if embedding.may_end(vector, text=one, about=ABOUT)]


def test_changes_are_told_from_small_talk(settings):
    settings.EMBEDDING_BACKEND = "bundled"
    ending = ["陶艺班关门了，以后没得去了。", "大提琴我放下了，改学吉他。"]
    neutral = talks.load_neutral_lines("zh", half="kept back")

    assert list_ending(ending) == ending
    assert len(list_ending(neutral)) <= 2


def test_without_anything_to_do_with_a_fact_a_change_ends_none(settings):
    settings.EMBEDDING_BACKEND = "bundled"
    said = "陶艺班关门了，以后没得去了。"
    [vector] = embedding.embed([said], of_question=True)

    assert not embedding.may_end(vector, text=said, about=(0.0, 0.0, 0.0))


def test_a_message_that_is_longer_than_a_change_ends_nothing(settings):
    settings.EMBEDDING_BACKEND = "bundled"
    said = "陶艺班关门了，以后没得去了。"
    longest = said + " " * (changes.LONGEST["zh"] - len(said))

    assert [len(one) for one in list_ending([longest, longest + " "])] == [changes.LONGEST["zh"]]


@pytest.mark.parametrize("backend", ["bundled", "hash", "e5"])
def test_no_vector_says_anything_of_an_english_change(settings, backend):
    settings.EMBEDDING_BACKEND = backend

    assert list_ending(["Prakash packed up his desk and retired."]) == []
