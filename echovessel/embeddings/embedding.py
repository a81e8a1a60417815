"""Texts as unit vectors of 384 dimensions. The model is loaded once per process, never at import.

A vector is usable only if at most 20 % of the text's tokens are unknown to its model: all-MiniLM-L6-v2 turns most Chinese
characters into one and the same unknown token, and would find that everything in Chinese means the same. So what is said in Chinese
goes to another model, where that is installed.

Of a long text only what fits the model's window makes the vector: the first 256 tokens (about 1 000 characters) where all-MiniLM-L6-v2
reads it, and the first 512 (about 700 characters of Chinese) where multilingual-e5-small does. Whose text is next, `EmbeddingQueue` says.
"""

import asyncio
import hashlib
import logging
import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future

from django.conf import settings

from echovessel.embeddings.e5 import E5Encoder
from echovessel.embeddings.models import (
    DIMENSIONS,
    BundledEncoder,
    EmbeddingError,
    Encoder,
    HashEncoder,
    OnnxEncoder,
    SentenceTransformersEncoder,
    truncate_text,
)
from echovessel.embeddings.queue import EmbeddingQueue, Steps, Vectors

__all__ = [
    "DIMENSIONS",
    "EmbeddingError",
    "embed",
    "embed_question",
    "get_cosine_baseline",
    "get_model_name",
    "is_cross_lingual",
    "is_ready",
    "prefetch",
    "warm_up",
]

UNKNOWN_SHARE = 0.2
BUNDLED_NAME = "all-MiniLM-L6-v2"
# Backends that run certain models alone.
MODEL_NAMES = {
    "hash": "hash",
    "e5": "multilingual-e5-small centred",
    "bundled": f"{BUNDLED_NAME} with multilingual-e5-small",
}
# The cosine that two unrelated texts have on average, for models where it is far from 0.
_BASELINES = {"intfloat/multilingual-e5-small": 0.86}
_logger = logging.getLogger("echovessel.embeddings")
_loading = threading.Lock()
_loaded: dict[tuple[str, str], Encoder] = {}
_queue = EmbeddingQueue()
# Vectors that were begun, one a person; where more are waited for, the oldest are made again when they are asked for.
PREFETCHED_MOST = 64
_prefetched: dict[Hashable, tuple[bytes, Future[Vectors]]] = {}


def embed(texts: Sequence[str], *, of_question: bool = False) -> Vectors:
    """A unit vector for each text, or None where the model does not know its words. Raises EmbeddingError.

    `of_question`: the texts are what is asked or said now, to be compared with what was told. Turns are served first.
    """
    if not texts:
        return []
    steps = _encode(texts, of_question=of_question)
    return _queue.submit(steps, size=sum(map(len, texts)), is_turn=False, person=None).result()


def prefetch(question: str, *, person: Hashable) -> None:
    """Begin on the vector of what will be asked for soon: a line's is made while the line is stored and waits for its turn."""
    if not is_ready():
        return
    _drop_prefetched(person)
    while len(_prefetched) >= PREFETCHED_MOST:
        _drop_prefetched(next(iter(_prefetched), None))
    _prefetched[person] = _digest(question), _submit_question(question, person)


def _drop_prefetched(person: Hashable) -> None:
    _, vectors = _prefetched.pop(person, (b"", None))
    if vectors is not None:
        vectors.cancel()


async def embed_question(text: str, *, person: Hashable) -> list[float] | None:
    """The vector of what is asked or said now, made on a thread of its own: neither the event loop nor a database thread waits for it.

    Raises EmbeddingError.
    """
    expected = _prefetched.pop(person, None)
    if expected is not None and expected[0] != _digest(text):
        # Of a line that came meanwhile, for the turn after this one.
        _prefetched.setdefault(person, expected)
        expected = None
    [vector] = await asyncio.wrap_future(_submit_question(text, person) if expected is None else expected[1])
    return vector


def _submit_question(question: str, person: Hashable) -> Future[Vectors]:
    return _queue.submit(_encode([question], of_question=True), size=len(question), is_turn=True, person=person)


def _encode(texts: Sequence[str], *, of_question: bool) -> Steps:
    encoder = _get_encoder()
    read = [truncate_text(text, tokens=encoder.window) for text in texts]
    usable = [is_embeddable(unknown, count) for unknown, count in encoder.count_unknown(read)]
    known = [text for text, is_usable in zip(read, usable, strict=True) if is_usable]
    vectors = iter((yield from encoder.encode(known, of_question=of_question)) if known else [])
    return [next(vectors) if is_usable else None for is_usable in usable]


def _digest(text: str) -> bytes:
    # Not the text itself: what is said off the record or erased must not lie here.
    return hashlib.blake2b(f"{_get_key()} {text}".encode(), digest_size=16).digest()


def get_model_name() -> str:
    """What rows are marked with. The bundled model has one name with either backend: its int8 weights give the same vectors
    but for a cosine of 0.999."""
    if settings.EMBEDDING_BACKEND in MODEL_NAMES:
        return MODEL_NAMES[settings.EMBEDDING_BACKEND]
    return BUNDLED_NAME if settings.EMBEDDING_MODEL == "bundled" else settings.EMBEDDING_MODEL


def is_cross_lingual() -> bool:
    """Whether a question in one language is near to what answers it in another."""
    return get_model_name() not in {BUNDLED_NAME, MODEL_NAMES["bundled"], MODEL_NAMES["hash"]}


def get_cosine_baseline() -> float:
    """What to rescale cosines by, so that thresholds hold for every model."""
    return _BASELINES.get(get_model_name(), 0.0)


def warm_up() -> None:
    """Load the model in the background; the first `embed` waits for it."""
    if not is_ready():
        # No daemon: cut off within the libraries' own code, it would end the program with an abort.
        threading.Thread(target=_load_quietly, name="embedding-load").start()


def is_ready() -> bool:
    return settings.EMBEDDING_BACKEND == "hash" or _get_key() in _loaded


def is_embeddable(unknown_count: int, count: int) -> bool:
    """Whether a text of `count` tokens, of which so many are unknown, has a usable vector."""
    return count > 0 and unknown_count <= UNKNOWN_SHARE * count


def _load_quietly() -> None:
    try:
        _get_encoder()
    except EmbeddingError:
        _logger.exception("The embedding model did not load; memories are found by words alone.")


def _get_key() -> tuple[str, str]:
    return settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL


def _get_encoder() -> Encoder:
    with _loading:
        if _get_key() not in _loaded:
            _loaded[_get_key()] = _create_encoder(*_get_key())
        return _loaded[_get_key()]


def _create_encoder(backend: str, model: str) -> Encoder:
    if backend == "sentence-transformers":
        return SentenceTransformersEncoder(model)
    alone: dict[str, Callable[[], Encoder]] = {
        "hash": HashEncoder,
        "bundled": BundledEncoder,
        "onnx": OnnxEncoder,
        "e5": E5Encoder,
    }
    try:
        return alone[backend]()
    except ImportError as error:
        raise EmbeddingError(f"The embedding backend {backend} cannot be loaded: {error}") from error
