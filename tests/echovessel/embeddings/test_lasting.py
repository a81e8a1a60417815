import pytest

from chat.evaluation.facts import talks
from echovessel.embeddings import embedding
from echovessel.llm.offline.extraction.statements import LASTS_FROM


def weigh(*lines):
    return [one.lasting for one in embedding.read_messages(lines)]


@pytest.mark.parametrize(
    ("lasting", "of_the_day"),
    [
        ("I teach maths to the year nines down at Hillview", "the kettle is boiling over again"),
        ("our eldest went off to Leeds for uni so the house is quiet", "that film was far too long"),
        ("我在镇上的中学教了二十年数学", "水又烧开溢出来了"),
        ("老大去年去了广州读书，家里冷清了", "那部电影太长了"),
    ],
)
def test_what_lasts_weighs_more_than_what_is_of_the_day(settings, lasting, of_the_day):
    settings.EMBEDDING_BACKEND = "bundled"

    of_life, of_now = weigh(lasting, of_the_day)

    assert of_life > 0 > LASTS_FROM > of_now


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_most_lines_of_small_talk_do_not_last(settings, lang):
    settings.EMBEDDING_BACKEND = "bundled"
    neutral = talks.load_neutral_lines(lang, half="kept back")

    assert len([weight for weight in weigh(*neutral) if weight > 0.2]) <= len(neutral) / 4


@pytest.mark.parametrize("backend", ["hash", "e5"])
def test_other_models_vectors_say_nothing_of_an_english_message(settings, backend):
    settings.EMBEDDING_BACKEND = backend

    assert weigh("I teach maths to the year nines down at Hillview") == [None]
