"""The task of each competitor, and how it is timed. Imported by programs that know nothing of this project."""

import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Text:
    content: str
    vector: Sequence[float]


@dataclass(frozen=True)
class Task:
    database_url: str
    folder: Path
    memories: list[Text]
    queries: list[Text]
    most: int

    def get_vectors(self) -> dict[str, Sequence[float]]:
        """Replace the embedding model: the vectors are given."""
        return {text.content: text.vector for text in (*self.memories, *self.queries)}


def read_task() -> Task:
    import numpy

    path = Path(sys.argv[1])
    asked = json.loads(path.read_text())
    vectors = numpy.load(path.with_suffix(".npy")).tolist()
    texts = [Text(content, vector) for content, vector in zip(asked["texts"], vectors, strict=True)]
    count = asked["memories"]
    return Task(asked["database_url"], path.parent, texts[:count], texts[count:], asked["most"])


def time_each(act: Callable[[T], object], items: Iterable[T]) -> list[float]:
    """Return the milliseconds of each call."""
    found = []
    for item in items:
        started = time.perf_counter()
        act(item)
        found.append((time.perf_counter() - started) * 1000)
    return found


def tell(*, add: list[float], search: list[float]) -> None:
    sys.stdout.write(json.dumps({"add": add, "search": search}) + "\n")
