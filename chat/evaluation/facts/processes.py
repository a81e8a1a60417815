"""Measure talks in several processes: a talk takes ten seconds of the processor."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

import django
from django.db import connection

from echovessel.embeddings import embedding

S = TypeVar("S")
T = TypeVar("T")


def map_apart(function: Callable[[S], T], items: Iterable[S]) -> Iterator[T]:
    """Call a function for each item, beside others, with this process's database. Results come in the order of the items."""
    # One more than there are cores: each waits for PostgreSQL and the offline voice.
    count = 1 + (os.cpu_count() or 1)
    with ProcessPoolExecutor(
        count, get_context("spawn"), initializer=_prepare, initargs=(connection.settings_dict,)
    ) as pool:
        yield from pool.map(function, items)


def _prepare(database: dict[str, Any]) -> None:
    django.setup()
    # Connections stay: otherwise each step of a turn would open one.
    connection.settings_dict.update(database, CONN_MAX_AGE=None)
    # A turn does not wait long for a model that loads, and would go by words alone.
    embedding.embed(["Hello", "你好"])
