import math
import threading
import time
import warnings

import pytest

from echovessel import embedding

# What torch and transformers warn of among themselves is not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def real_model(settings):
    settings.EMBEDDING_BACKEND = "sentence-transformers"
    settings.EMBEDDING_MODEL = "bundled"


def test_bundled_model_knows_english_and_owns_up_to_chinese(real_model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        embedding.warm_up()
        deadline = time.monotonic() + 120
        while not embedding.is_ready() and time.monotonic() < deadline:
            embedding.embed(["wait for the background load"])

    assert embedding.embed(["我妈妈去世了"]) == [None]
    cat, kitten, tax, chinese, long = embedding.embed(
        ["We have a white cat", "My kitten is white", "The tax office wrote", "我妈妈去世了", "word " * 2000]
    )

    assert chinese is None
    assert [len(vector) for vector in (cat, kitten, tax, long)] == [embedding.DIMENSIONS] * 4
    assert math.isclose(math.hypot(*cat), 1, abs_tol=1e-5)
    assert math.dist(cat, kitten) < math.dist(cat, tax)


def test_background_load_that_fails_is_told_and_does_no_harm(settings, tmp_path, caplog):
    settings.EMBEDDING_BACKEND = "sentence-transformers"
    settings.EMBEDDING_MODEL = str(tmp_path)

    embedding.warm_up()
    for thread in threading.enumerate():
        if thread.name == "embedding-load":
            thread.join(60)

    assert not embedding.is_ready()
    assert [record.levelname for record in caplog.records if record.name == "echovessel.embedding"] == ["ERROR"]


def test_missing_model_is_an_error_of_ours(settings, tmp_path):
    settings.EMBEDDING_BACKEND = "sentence-transformers"
    settings.EMBEDDING_MODEL = str(tmp_path)

    with pytest.raises(embedding.EmbeddingError):
        embedding.embed(["a"])
