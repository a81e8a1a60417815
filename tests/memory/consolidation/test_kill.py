"""A worker that dies at any statement: a second one ends up with the rows of an undisturbed run."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from memory.consolidation import run
from memory.models import Session
from tests.factories import NOW, BondFactory
from tests.fakes import FakeLLM
from tests.memory.snapshots import snapshot
from tests.memory.talks import CAT, closed_talk, event, extraction, remember

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=11)
OLD = "The user's cat Nimbus sleeps on their bed."
NEW = "The user's cat Nimbus now jumps on their face at night."
THOUGHT = "They give in to the cat."
LONG = (f"We have a cat called Nimbus. {'x' * 7000}", f"He jumps on my face. {'y' * 7000}", "Good night.")


class Killed(BaseException):
    pass


@contextmanager
def killed_at(number: int) -> Iterator[list[int]]:
    """The statement of that number is never run. What is written in a transaction that is open then is gone."""
    count = [0]

    def count_and_die(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        # Where a transaction begins and ends is a place between two statements.
        if "SAVEPOINT" not in sql:
            count[0] += 1
            if count[0] == number:
                raise Killed
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count_and_die):
        yield count


class Script(FakeLLM):
    """Answers from what it is asked, so that it says the same to a second worker."""

    def answer(self, messages, *, feature, **more):
        prompt = messages[-1]["content"]
        if feature == "reflection":
            ids = [int(line[1 : line.index("]")]) for line in prompt.splitlines() if line.startswith("[")]
            self.answers = {feature: {"thoughts": [{"description": THOUGHT, "filling": ids}]}}
        else:
            is_first = "Good night." not in prompt
            self.answers = {
                feature: extraction(
                    event(NEW if is_first else "They say good night.", impact=-8, supersedes=[1]),
                    session_summary="The cat." if is_first else "The end.",
                    session_mood_signal={"mood": "tired", "energy": 3},
                    mentioned_entities=[{"canonical_name": "Nimbus", "aliases": ["the cat"], "kind": "pet"}],
                )
            }
        return super().answer(messages, feature=feature, **more)


def walk(session: Session) -> int:
    """Kill a run at its first statement, its second, and so on until one goes through. Returns how many there were."""
    undone = transaction.savepoint()
    run.consolidate(session_id=session.pk, llm=Script(), clock=lambda: NOW)
    undisturbed = snapshot()
    transaction.savepoint_rollback(undone)
    assert undisturbed["log"][-1][0] == "chat.session.boundary"
    number = 0
    while True:
        number += 1
        undone = transaction.savepoint()
        try:
            with killed_at(number):
                run.consolidate(session_id=session.pk, llm=Script(), clock=lambda: NOW)
            return number - 1
        except Killed:
            # The test's own transaction goes on: a statement outside of any other was by itself.
            transaction.set_rollback(False)
            run.consolidate(session_id=session.pk, llm=Script(), clock=lambda: LATER)
            assert snapshot() == undisturbed, f"killed at statement {number}"
        transaction.savepoint_rollback(undone)


def test_killed_at_any_statement_a_talk_is_written_once_and_whole():
    bond = BondFactory(user__username="mara")
    remember("Nimbus sleeps on my bed.", *CAT, bond=bond, answer=extraction(event(OLD, lines=[1])), now=NOW)

    assert walk(closed_talk(*CAT, bond=bond)) > 40


def test_killed_at_any_statement_small_talk_stays_trivial():
    assert walk(closed_talk("hi")) > 5


@pytest.mark.soak
def test_killed_at_any_statement_a_talk_of_several_chunks_is_written_once_and_whole():
    assert walk(closed_talk(*LONG)) > 80
