import math

import pytest
from asgiref.sync import async_to_sync

from echovessel.embeddings import embedding


def _vectors(*texts):
    return embedding.embed(texts)


def _cosine(one, two):
    return sum(a * b for a, b in zip(one, two, strict=True))


def test_hashed_vectors_have_unit_length_and_are_alike_where_words_are():
    cat, same, weather = _vectors("We have a white cat", "a white cat", "The weather is nice")

    assert len(cat) == embedding.DIMENSIONS
    assert math.isclose(math.hypot(*cat), 1)
    assert _cosine(cat, same) > 0.99
    assert _cosine(cat, weather) < 0.3


@pytest.mark.parametrize(
    ("text", "is_usable"),
    [
        ("We have a white cat", True),
        ("We have a white cat and he is called 小黑", True),
        ("He is called 小黑", False),
        ("妈妈去世了", False),
        ("", False),
        ("?!", False),
    ],
)
def test_vector_is_usable_only_where_most_words_are_known(text, is_usable):
    [vector] = embedding.embed([text])

    assert (vector is not None) is is_usable


@pytest.mark.parametrize(("unknown", "count", "known"), [(1, 5, True), (2, 9, False), (0, 1, True), (0, 0, False)])
def test_at_most_a_fifth_of_the_tokens_may_be_unknown(unknown, count, known):
    assert embedding.is_embeddable(unknown, count) is known


def test_nothing_to_embed_needs_no_model(settings):
    settings.EMBEDDING_BACKEND = "onnx"

    assert embedding.embed([]) == []


def test_a_question_gets_the_same_vector():
    assert async_to_sync(embedding.embed_question)("a white cat", person=1) == embedding.embed(["a white cat"])[0]


def test_what_was_expected_is_made_once(monkeypatch):
    encoded = []

    def steps(texts, *, of_question):
        encoded.append(texts)
        yield
        return [None]

    monkeypatch.setattr(embedding, "_encode", steps)

    embedding.prefetch("a white cat", person=1)
    async_to_sync(embedding.embed_question)("a white cat", person=1)
    async_to_sync(embedding.embed_question)("a black cat", person=1)

    assert encoded == [["a white cat"], ["a black cat"]]


def test_of_a_persons_messages_only_the_newest_is_expected(monkeypatch):
    monkeypatch.setattr(embedding, "_prefetched", {})
    for said in ("one", "two"):
        embedding.prefetch(said, person=1)
    embedding.prefetch("three", person=2)

    first = async_to_sync(embedding.embed_question)("one", person=1)

    assert first == embedding.embed(["one"], of_question=True)[0]
    assert [digest for digest, _ in embedding._prefetched.values()] == [
        embedding._digest(said) for said in ("three", "two")
    ]


def test_only_so_much_is_expected(monkeypatch):
    monkeypatch.setattr(embedding, "_prefetched", {})

    for number in range(embedding.PREFETCHED_MOST + 1):
        embedding.prefetch(f"line {number}", person=number)

    assert len(embedding._prefetched) == embedding.PREFETCHED_MOST


def test_nothing_is_expected_of_a_model_that_is_still_loading(monkeypatch):
    monkeypatch.setattr(embedding, "_prefetched", {})
    monkeypatch.setattr(embedding, "is_ready", lambda: False)

    embedding.prefetch("a white cat", person=1)

    assert embedding._prefetched == {}


@pytest.mark.parametrize(
    ("backend", "model", "name", "baseline"),
    [
        ("hash", "bundled", "hash", 0.0),
        ("e5", "bundled", "multilingual-e5-small centred", 0.0),
        ("bundled", "bundled", "all-MiniLM-L6-v2 with multilingual-e5-small", 0.0),
        ("onnx", "bundled", "all-MiniLM-L6-v2", 0.0),
        ("sentence-transformers", "bundled", "all-MiniLM-L6-v2", 0.0),
        ("sentence-transformers", "intfloat/multilingual-e5-small", "intfloat/multilingual-e5-small", 0.86),
    ],
)
def test_model_has_a_name_and_a_baseline(settings, backend, model, name, baseline):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = backend, model

    assert (embedding.get_model_name(), embedding.get_cosine_baseline()) == (name, baseline)


@pytest.mark.parametrize(
    ("text", "baseline"), [("Vivo en Lima con mis dos gatos.", 0.5), ("I live in Lima.", 0.0), ("我住在利马。", 0.0)]
)
def test_texts_of_a_language_for_which_it_is_not_calibrated_have_a_baseline_of_their_own(settings, text, baseline):
    settings.EMBEDDING_BACKEND = "bundled"

    assert embedding.get_cosine_baseline(text) == baseline


@pytest.mark.parametrize(("backend", "compares"), [("hash", False), ("bundled", False), ("onnx", False), ("e5", True)])
def test_only_a_multilingual_model_compares_languages(settings, backend, compares):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = backend, "bundled"

    assert embedding.is_cross_lingual() is compares


def test_hash_backend_is_always_ready():
    embedding.warm_up()

    assert embedding.is_ready()


def test_a_model_stays_under_the_name_it_was_loaded_for(settings, monkeypatch):
    class SlowEncoder(embedding.HashEncoder):
        def __init__(self):
            settings.EMBEDDING_BACKEND = "onnx"

    monkeypatch.setattr(embedding, "_loaded", {})
    monkeypatch.setattr(embedding, "HashEncoder", SlowEncoder)
    embedding.embed(["a white cat"])

    assert type(embedding._loaded["hash", settings.EMBEDDING_MODEL]) is SlowEncoder
