"""Rows that the tests of a module share, since to make them takes longer than to ask for them.

Each test runs in a transaction within theirs, and so takes back what it did.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import transaction

World = TypeVar("World")


@contextmanager
def shared(make: Callable[[], World], *, database: Any) -> Iterator[World]:
    """What is made, for as long as the fixture of a module lasts; `database` is its `django_db_blocker`."""
    with database.unblock(), transaction.atomic():
        yield make()
        transaction.set_rollback(True)
