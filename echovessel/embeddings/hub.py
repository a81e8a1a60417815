"""Whether the hub or its cache has a model, told in seconds: the library itself asks six times for each file, for a minute and a half."""

from contextlib import suppress
from pathlib import Path

_ANSWER_SECONDS = 5


def has_to_be_offline(name: str) -> bool:
    """Whether a model comes from the cache alone, since the hub does not answer. Raises LookupError, with a sentence, where there is none."""
    if Path(name).is_absolute():
        raise LookupError("There is no such folder.")
    from huggingface_hub import HfApi, errors, try_to_load_from_cache

    # What sentence-transformers takes a name without an owner for.
    names = [name] if "/" in name else [f"sentence-transformers/{name}", name]
    try:
        for each in names:
            with suppress(errors.RepositoryNotFoundError):
                HfApi().model_info(each, timeout=_ANSWER_SECONDS)
                return False
    except errors.HFValidationError as error:
        raise LookupError("This is no name of a model.") from error
    except (errors.HTTPError, OSError) as error:  # type: ignore[attr-defined]  # of httpx, or whatever the library asks with
        if any(isinstance(try_to_load_from_cache(each, "config.json"), str) for each in names):
            return True
        raise LookupError(f"It is not in the cache, and the Hugging Face hub does not answer ({error}).") from error
    raise LookupError("The Hugging Face hub has no such model, or does not show it to everybody.")
