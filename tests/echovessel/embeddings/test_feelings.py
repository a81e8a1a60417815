import pytest

from chat.evaluation.facts import talks
from echovessel.embeddings import embedding, feelings


def read(*lines):
    return [one.felt for one in embedding.read_messages(lines)]


@pytest.mark.parametrize(
    ("said", "felt"),
    [
        ("mum didn't know who i was today", "heavy"),
        ("he called me mama for the first time", "glad"),
        ("my dog was put to sleep this morning", "grief"),
        ("they gave the job to someone else", "moved"),
        ("the dishwasher is on", None),
        ("我妈今天没认出我来", "heavy"),
        ("她考上北大了", "glad"),
        ("我家狗狗昨晚走了", "grief"),
        ("我在超市买了点菜", None),
    ],
)
def test_feelings_are_read_where_no_word_names_them(settings, said, felt):
    settings.EMBEDDING_BACKEND = "bundled"

    assert read(said) == [felt]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_few_lines_of_small_talk_move_anybody(settings, lang):
    settings.EMBEDDING_BACKEND = "bundled"
    neutral = talks.load_neutral_lines(lang, half="kept back")

    assert len([felt for felt in read(*neutral) if felt]) <= len(neutral) / 8


def test_the_vector_of_a_long_message_says_nothing(settings):
    settings.EMBEDDING_BACKEND = "bundled"
    said = "he called me mama for the first time"
    longest = said + " " * (feelings.LONGEST["en"] - len(said))

    assert read(longest, longest + " ") == ["glad", None]
    [vector] = embedding.embed([said], of_question=True)
    assert [embedding.read_feeling(vector, text=one) for one in (longest, longest + " ")] == ["glad", None]


@pytest.mark.parametrize("backend", ["hash", "e5"])
def test_other_models_vectors_say_nothing_of_an_english_message(settings, backend):
    settings.EMBEDDING_BACKEND = backend

    assert read("he called me mama for the first time") == [None]


def test_a_message_without_a_vector_tells_no_feeling():
    assert embedding.read_feeling(None, text="he called me mama for the first time") is None
