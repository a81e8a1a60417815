import math
import os
import subprocess
import sys
import threading
import time
import warnings

import pytest

from echovessel.embeddings import e5, embedding, integers, models
from echovessel.embeddings.models import (
    TOKEN_CHARACTERS,
    EmbeddingError,
    find_package_folder,
    split_batches,
    truncate_text,
)

# What torch and transformers warn of among themselves is not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(params=["onnx", "sentence-transformers"])
def real_model(request, settings):
    settings.EMBEDDING_BACKEND = request.param
    settings.EMBEDDING_MODEL = "bundled"


def test_the_bundled_models_vectors_are_the_same_with_both_backends(settings):
    settings.EMBEDDING_MODEL = "bundled"
    said = ["We have a white cat", "My grandmother died last night.", "word " * 400, "The tax office wrote", "Yiyang"]
    vectors = {}
    for settings.EMBEDDING_BACKEND in ("onnx", "sentence-transformers"):
        vectors[settings.EMBEDDING_BACKEND] = embedding.embed(said)

    for one, other in zip(*vectors.values(), strict=True):
        assert sum(a * b for a, b in zip(one, other, strict=True)) > 0.995


@pytest.mark.parametrize("does_integers", [True, False])
def test_long_texts_are_computed_by_integers_where_the_processor_can(tmp_path, monkeypatch, does_integers):
    processor = tmp_path / "cpuinfo"
    processor.write_text("flags: sse2 avx512_vnni" if does_integers else "flags: sse2")
    monkeypatch.setattr(integers, "PROCESSOR", processor)
    encoder = models.OnnxEncoder()
    long = "We walked down to the harbour, and Ilse told me of the boat that her father had built. " * 10

    found = encoder.encode_batch([long])[0]
    encoder.session_of_long = encoder.session
    by_floats = encoder.encode_batch([long])[0]

    assert found @ by_floats > 0.98
    assert (found @ by_floats < 0.9999) == does_integers


def test_texts_keep_their_order_whatever_their_lengths(settings):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = "onnx", "bundled"
    said = [f"{'very ' * (at * 7 % 5)}large number {at}" for at in range(20)]
    alone = [embedding.embed([text])[0] for text in said]

    for one, other in zip(embedding.embed(said), alone, strict=True):
        assert sum(a * b for a, b in zip(one, other, strict=True)) > 0.99


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


def test_what_is_said_in_chinese_goes_to_the_model_that_reads_it(settings):
    said = ["We have a white cat", "我养了一只白猫", "", "He is called 小黑", "我用MacBook写代码"]
    vectors = {}
    for settings.EMBEDDING_BACKEND in ("bundled", "onnx", "e5"):
        vectors[settings.EMBEDDING_BACKEND] = embedding.embed(said)

    english, chinese = vectors["onnx"], vectors["e5"]
    assert vectors["bundled"] == [english[0], chinese[1], None, english[3], chinese[4]]


def test_background_load_that_fails_is_told_and_does_no_harm(settings, tmp_path, caplog):
    settings.EMBEDDING_BACKEND = "sentence-transformers"
    settings.EMBEDDING_MODEL = str(tmp_path)

    embedding.warm_up()
    for thread in threading.enumerate():
        if thread.name == "embedding-load":
            thread.join(60)

    assert not embedding.is_ready()
    assert [record.levelname for record in caplog.records if record.name == "echovessel.embeddings"] == ["ERROR"]


def test_a_package_that_is_not_there_is_an_error_of_ours():
    with pytest.raises(
        EmbeddingError, match="The package no-such-model, which brings the bundled model, is not installed"
    ):
        find_package_folder("no_such_model")


def test_missing_model_is_an_error_of_ours(settings, tmp_path):
    settings.EMBEDDING_BACKEND = "sentence-transformers"
    settings.EMBEDDING_MODEL = str(tmp_path)

    with pytest.raises(embedding.EmbeddingError):
        embedding.embed(["a"])


def a_model(folder, *, dimensions, tags=(), **config):
    """A model of one small layer with chance weights, as sentence-transformers stores it; its card has these tags."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    from transformers import BertConfig, BertModel, BertTokenizerFast  # noqa: PLC0415 - takes seconds

    parts = folder / "parts"
    parts.mkdir(parents=True)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "white", "cat", "tax"]
    (parts / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast(str(parts / "vocab.txt")).save_pretrained(parts)
    shape = {"hidden_size": dimensions, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    BertModel(BertConfig(vocab_size=len(words), **shape, **config)).save_pretrained(parts)
    reader = modules.Transformer(str(parts))
    model = SentenceTransformer(modules=[reader, modules.Pooling(dimensions)], device="cpu")
    model.model_card_data.tags += tags
    model.save(str(folder / "model"))
    return str(folder / "model")


@pytest.fixture
def of_folder(settings, tmp_path):
    def made(name="tiny", **told):
        settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = "sentence-transformers", a_model(tmp_path / name, **told)

    return made


@pytest.mark.parametrize(
    "told",
    [
        {"dimensions": 384},
        {"dimensions": 512, "tags": ["loss:MatryoshkaLoss"]},
        {"dimensions": 512, "matryoshka_dimensions": [512, 256, 64]},
        {"dimensions": 512, "is_matryoshka": True},
        {"dimensions": 512, "name": "Qwen3-Embedding-tiny"},
    ],
    ids=["as needed", "by its card", "by its config", "by a switch of its config", "by its family"],
)
def test_a_model_that_was_trained_to_be_cut_is_cut(told, of_folder):
    of_folder(**told)

    cat, unreadable = embedding.embed(["white cat", "zzz"])
    assert (len(cat), unreadable) == (embedding.DIMENSIONS, None)
    assert math.isclose(math.hypot(*cat), 1, abs_tol=1e-5)


@pytest.mark.parametrize(
    "told",
    [
        {"dimensions": 512},
        {"dimensions": 512, "matryoshka_dimensions": []},
        {"dimensions": 382, "is_matryoshka": True},
    ],
    ids=["not trained for it", "for nothing", "too small"],
)
def test_any_other_model_is_refused_by_name_with_what_is_allowed(told, of_folder, settings):
    of_folder(**told)

    with pytest.raises(EmbeddingError) as refused:
        embedding.embed(["white cat"])

    assert str(refused.value) == (
        f"The embedding model {settings.EMBEDDING_MODEL!r} has {told['dimensions']} dimensions; allowed: 384, or more where it was "
        "trained to be cut (Matryoshka), as its card or its config says, or one of arctic-embed-l-v2.0, arctic-embed-m-v1.5, "
        "arctic-embed-m-v2.0, embeddinggemma, gte-multilingual-base, jina-embeddings-v3, modernbert-embed, mxbai-embed-large-v1, "
        "nomic-embed-text-v1.5, nomic-embed-text-v2, qwen3-embedding."
    )


MARKET = "今天和妈妈一起去菜市场买了很多东西，她说要给我做红烧肉。"


@pytest.mark.parametrize(
    ("asked", "told", "unlike"),
    [
        ("Wie heißt meine Frau?", "Seine Frau heißt Käthe.", "Er verträgt keine Nüsse."),
        ("どこで働いてる?", "横浜で看護師として働いている。", "えびアレルギーがある。"),
        ("Где я живу?", "Живёт в Казани с мужем.", "У неё аллергия на пенициллин."),
        ("ماذا لا أستطيع أن آكل؟", "لديه حساسية من الفول السوداني.", "ابنه يلعب كرة القدم كل سبت."),
    ],
)
def test_other_languages_go_to_the_model_that_reads_them_and_their_vectors_are_no_wishes(settings, asked, told, unlike):
    settings.EMBEDDING_BACKEND = "bundled"
    [question], statements = embedding.embed([asked], of_question=True), embedding.embed([told, unlike])

    near, far = (sum(map(float.__mul__, question, one)) for one in statements)

    assert far < near - 0.1
    assert not embedding.may_ask_to_forget(question, text=asked, least=-9)
    assert embedding.read_feeling(question, text=asked) is None


@pytest.mark.parametrize("said", [MARKET, "Today I went to the market with my friend. "])
@pytest.mark.parametrize("backend", ["bundled", "e5"])
def test_of_a_long_text_only_the_models_window_is_read(settings, backend, said):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = backend, "bundled"
    # Starts the model.
    embedding.embed([said])
    began = time.process_time()
    [short] = embedding.embed([said * (4000 // len(said))])
    until_short = time.process_time()
    [long] = embedding.embed([said * (20_000 // len(said))])

    # The piece with which the window ends is not cut at the same place.
    assert sum(a * b for a, b in zip(short, long, strict=True)) > 0.99
    # Read as a whole, the time grows by the square.
    assert time.process_time() - until_short < 5 * (until_short - began)


def test_a_long_chinese_text_is_made_in_pieces_and_a_short_one_at_once():
    model = e5.E5Encoder()

    def pieces_of(text):
        return sum(1 for _ in model.encode([text]))

    assert [pieces_of(MARKET), pieces_of(MARKET * 8), pieces_of(MARKET * 800)] == [1, 2, 5]


def test_what_is_said_in_one_piece_of_a_long_text_is_found_by_it(settings):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = "bundled", "bundled"
    weather = "这几天一直在下雨，出门要带伞，路上很滑。"
    [asked] = embedding.embed(["我的猫叫什么名字？"], of_question=True)

    with_cat, without = embedding.embed([weather * 8 + "我养了一只白猫，名叫小黑。" * 4, weather * 11])

    assert sum(a * b for a, b in zip(asked, with_cat, strict=True)) > 0.1 + sum(
        a * b for a, b in zip(asked, without, strict=True)
    )


def test_blanks_of_a_long_text_do_not_count():
    assert truncate_text(" \n" * 30 + "a b", tokens=1) == "a b"
    assert truncate_text("a" * (TOKEN_CHARACTERS + 1), tokens=1) == "a" * TOKEN_CHARACTERS
    assert truncate_text(" " * TOKEN_CHARACTERS, tokens=1) == " " * TOKEN_CHARACTERS


def test_texts_of_like_length_are_read_together_and_not_too_many():
    texts = ["a" * 1000, "b", "c" * 1000, "d" * 1000, *["e"] * 16]

    assert list(split_batches(texts)) == [[1, *range(4, 19)], [19, 0], [2, 3]]
    assert list(split_batches([])) == []


def test_a_program_that_ends_while_the_model_loads_ends_cleanly():
    script = """
import sys, time
from echovessel.embeddings import embedding
embedding.warm_up()
while not any(frame.f_code.co_name == "_create_inference_session" for frame in sys._current_frames().values()):
    time.sleep(0.001)
"""
    variables = {**os.environ, "EMBEDDING_BACKEND": "onnx", "DJANGO_SETTINGS_MODULE": "echovessel.settings"}

    ended = subprocess.run([sys.executable, "-c", script], env=variables, capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (0, "")
