"""Texts as unit vectors of 384 dimensions. The model is loaded once per process, never at import.

A vector is usable only if the model knows at least 80 % of the text's tokens: all-MiniLM-L6-v2 maps most Chinese
characters to one unknown token, so that all Chinese texts would mean the same, and other scripts to their letters. Therefore
another model encodes texts that are not English, if it is installed.

Only the beginning of a long text makes its vector: the first 256 tokens (about 1 000 characters) for all-MiniLM-L6-v2, the first
512 (about 700 Chinese characters) for multilingual-e5-small. `EmbeddingQueue` decides whose text is next.
"""

import asyncio
import hashlib
import logging
import threading
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from django.conf import settings

from echovessel import chinese_script
from echovessel.embeddings import changes, feelings, lasting, narrations, wishes
from echovessel.embeddings.e5 import E5Encoder, detect_language
from echovessel.embeddings.feelings import Felt
from echovessel.embeddings.models import (
    DIMENSIONS,
    BundledEncoder,
    EmbeddingError,
    Encoder,
    HashEncoder,
    OnnxEncoder,
    SentenceTransformersEncoder,
    is_english,
    truncate_text,
)
from echovessel.embeddings.queue import EmbeddingQueue, Steps, Vectors
from echovessel.languages import detection

__all__ = [
    "DIMENSIONS", "EmbeddingError", "centre_narration", "embed", "embed_question", "get_cosine_baseline", "get_model_name", "is_cross_lingual", "is_ready",
    "may_ask_to_forget", "may_end", "prefetch", "read_feeling", "read_messages", "warm_up",
]  # fmt: skip

MEND = "Check EMBEDDING_MODEL: `bundled`, which needs no network, or the name or folder of a model for sentence-transformers."
UNKNOWN_SHARE = 0.2
BUNDLED_NAME = "all-MiniLM-L6-v2"
# Backends that run only one model.
MODEL_NAMES = {
    "hash": "hash",
    "e5": "multilingual-e5-small centred",
    "bundled": f"{BUNDLED_NAME} with multilingual-e5-small",
}
# The mean cosine of unrelated texts, for models where it is far from 0.
_BASELINES = {"intfloat/multilingual-e5-small": 0.86}
# That of texts in other languages than English and Chinese, for which the bundled models are not calibrated: of 218 unrelated pairs in
# nine languages it is 0.52.
_BASELINE_OF_OTHERS = 0.5


@dataclass(frozen=True)
class MessageReading:
    """What the vector of a message tells: how its writer feels, and how much of something lasting in their life; None where it tells nothing."""

    felt: Felt | None = None
    lasting: float | None = None


_logger = logging.getLogger("echovessel.embeddings")
_loading = threading.Lock()
_loaded: dict[tuple[str, str], Encoder] = {}
_queue = EmbeddingQueue()
# Prefetched vectors, one per person. Beyond this number the oldest are dropped and computed when they are needed.
PREFETCHED_MOST = 64
_prefetched: dict[Hashable, tuple[bytes, Future[Vectors]]] = {}


def embed(texts: Sequence[str], *, of_question: bool = False) -> Vectors:
    """Return a unit vector for each text, or None if the model does not know its words. Raises EmbeddingError.

    `of_question`: the texts are current messages, to be compared with memories. Turns are served first.
    """
    if not texts:
        return []
    steps = _encode(texts, of_question=of_question)
    return _queue.submit(steps, size=sum(map(len, texts)), is_turn=False, person=None).result()


def prefetch(question: str, *, person: Hashable) -> None:
    """Start the vector of a message while the message is stored and waits for its turn."""
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
    """Return the vector of a current message without blocking the event loop or a database thread.

    Raises EmbeddingError.
    """
    expected = _prefetched.pop(person, None)
    if expected is not None and expected[0] != _digest(text):
        # It belongs to a message that came meanwhile, for the next turn.
        _prefetched.setdefault(person, expected)
        expected = None
    [vector] = await asyncio.wrap_future(_submit_question(text, person) if expected is None else expected[1])
    return vector


def _submit_question(question: str, person: Hashable) -> Future[Vectors]:
    return _queue.submit(_encode([question], of_question=True), size=len(question), is_turn=True, person=person)


def _encode(texts: Sequence[str], *, of_question: bool) -> Steps:
    encoder = _get_encoder()
    # What is told in traditional characters is found when it is asked in simplified ones.
    read = [truncate_text(chinese_script.simplify(text), tokens=encoder.window) for text in texts]
    usable = [is_embeddable(unknown, count) for unknown, count in encoder.count_unknown(read)]
    known = [text for text, is_usable in zip(read, usable, strict=True) if is_usable]
    vectors = iter((yield from encoder.encode(known, of_question=of_question)) if known else [])
    return [next(vectors) if is_usable else None for is_usable in usable]


def _digest(text: str) -> bytes:
    # A hash, not the text: off-the-record or erased messages must not stay here.
    return hashlib.blake2b(f"{_get_key()} {text}".encode(), digest_size=16).digest()


def get_model_name() -> str:
    """Return the name that is stored with vectors. The bundled model has one name for both backends: its int8 weights give the same vectors
    (cosine 0.999)."""
    if settings.EMBEDDING_BACKEND in MODEL_NAMES:
        return MODEL_NAMES[settings.EMBEDDING_BACKEND]
    return BUNDLED_NAME if settings.EMBEDDING_MODEL == "bundled" else settings.EMBEDDING_MODEL


def is_cross_lingual() -> bool:
    """Whether a question in one language is close to its answer in another."""
    return get_model_name() not in {BUNDLED_NAME, MODEL_NAMES["bundled"], MODEL_NAMES["hash"]}


def centre_narration(vector: Sequence[float], *, text: str) -> list[float] | None:
    """Subtract from the vector of a message that narrates what all of them have in common; None for a model for which this is not known."""
    if get_model_name() not in {BUNDLED_NAME, MODEL_NAMES["bundled"]} or not is_english(text):
        return None
    return [value - common for value, common in zip(vector, narrations.load_mean(), strict=True)]


def may_ask_to_forget(vector: Sequence[float] | None, *, text: str, least: float = 0.0) -> bool:
    """Whether a current message may be a wish to forget, by its vector; False for a model for which this is not known."""
    lang = detect_language(text)
    is_brief = len(text) <= wishes.LONGEST[lang]
    return vector is not None and _is_weighed(text) and is_brief and wishes.weigh(vector, lang=lang) > least


def may_end(vector: Sequence[float] | None, *, text: str, about: Sequence[float]) -> bool:
    """Whether a current message tells that a fact holds no longer, by its vector and by what it has to do with the fact; False for a
    model for which this is not known.
    """
    lang = detect_language(text)
    is_brief = len(text) <= changes.LONGEST.get(lang, 0)
    return vector is not None and _is_weighed(text) and is_brief and changes.weigh(vector, about, lang=lang) > 0


def read_feeling(vector: Sequence[float] | None, *, text: str) -> Felt | None:
    """Read from the vector of a current message what it tells of how its writer feels; None for a model for which this is not known."""
    return feelings.read(vector, lang=detect_language(text)) if vector is not None and _may_tell_feeling(text) else None


def read_messages(texts: Sequence[str]) -> list[MessageReading]:
    """Read what each message tells of how its writer feels, and how much that lasts. Raises EmbeddingError."""
    weighed = [text for text in texts if _may_tell_feeling(text)]
    # The weights are of vectors made like this.
    found = dict(zip(weighed, embed(weighed, of_question=True), strict=True))
    return [_read_message(found.get(text), text=text) for text in texts]


def _read_message(vector: list[float] | None, *, text: str) -> MessageReading:
    lasting_weight = None if vector is None else lasting.weigh(vector, lang=detect_language(text))
    return MessageReading(read_feeling(vector, text=text), lasting_weight)


def _may_tell_feeling(text: str) -> bool:
    return len(text) <= feelings.LONGEST[detect_language(text)] and _is_weighed(text)


def _is_weighed(text: str) -> bool:
    """Whether the weights of wishes, changes and feelings were made with this model's vectors, and of the language of a text."""
    name = get_model_name()
    is_made = name == MODEL_NAMES["bundled"] or (name, detect_language(text)) in {
        (BUNDLED_NAME, "en"),
        (MODEL_NAMES["e5"], "zh"),
    }
    return is_made and not detection.is_foreign(text)


def get_cosine_baseline(text: str = "") -> float:
    """Return the model's mean cosine of unrelated texts, by which cosines are rescaled so that thresholds fit every model; with a text,
    that of texts in its language.
    """
    name = get_model_name()
    is_of_others = name in (MODEL_NAMES["bundled"], MODEL_NAMES["e5"]) and detection.is_foreign(text)
    return _BASELINE_OF_OTHERS if is_of_others else _BASELINES.get(name, 0.0)


def warm_up() -> None:
    """Load the model in the background; the first `embed` waits for it."""
    if not is_ready():
        # No daemon thread: killed inside the libraries' code, it would abort the program.
        threading.Thread(target=_load_quietly, name="embedding-load").start()


def is_ready() -> bool:
    return settings.EMBEDDING_BACKEND == "hash" or _get_key() in _loaded


def is_embeddable(unknown_count: int, count: int) -> bool:
    """Whether a text with `unknown_count` unknown of `count` tokens has a usable vector."""
    return count > 0 and unknown_count <= UNKNOWN_SHARE * count


def _load_quietly() -> None:
    try:
        _get_encoder()
    except EmbeddingError as error:
        _logger.error("Memories are found by words alone. %s", error)  # noqa: TRY400 - the sentence says it all


def _get_key() -> tuple[str, str]:
    return settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL


def _get_encoder() -> Encoder:
    # Read once: while a model loads, a test may set another.
    key = _get_key()
    with _loading:
        if key not in _loaded:
            _loaded[key] = _create_encoder(*key)
        return _loaded[key]


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
        raise EmbeddingError(
            "The embedding backend %(backend)s cannot be loaded: %(reason)s", backend=backend, reason=error
        ) from error
