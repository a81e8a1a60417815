"""A worker that dies at any statement: a second one ends up with the rows of an undisturbed run.

To die before a statement that only reads leaves what dying before the next one that writes leaves, so these are walked. To die within
a transaction leaves what dying at its beginning leaves: the short form walks its first statement and its last, the long form all.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from itertools import count, groupby
from operator import itemgetter
from typing import Any

import pytest
from django.db import connection, transaction

from echovessel.embeddings import embedding
from memory.consolidation import run
from memory.consolidation.fact_sweep import backfill
from memory.consolidation.slow_tick import run as slow_tick
from memory.models import ConceptNode, FactWrite, Session
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, EntityFactory
from tests.support.fakes import FakeLLM
from tests.support.snapshots import snapshot
from tests.support.talks import CAT, closed_talk, event, extraction, remember

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=11)
OLD = "The user's cat Nimbus sleeps on their bed."
NEW = "The user's cat Nimbus now jumps on their face at night."
TWICE = "The user's sister Yiyang keeps bees."
THOUGHT = "They give in to the cat."
SISTERS = ("Yiyang keeps bees.", "Yes, Scott is Yiyang.", "And Annie is what we call Anna.")
LONG = (f"We have a cat called Nimbus. {'x' * 7000}", f"He jumps on my face. {'y' * 7000}", "Good night.")
SHORT_AND_LONG = pytest.mark.parametrize(
    "everywhere", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["ends of transactions", "everywhere"]
)
VERY_LONG = ("A long one:", "word " * 3_500, "Good night.")


class Killed(BaseException):
    pass


@contextmanager
def each_write(before: Callable[[int], None]) -> Iterator[None]:
    """Calls `before` with the number of each statement that writes."""
    numbers = count(1)

    def look(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        # Where a transaction begins and ends is a place between two statements.
        if not sql.startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")):
            before(next(numbers))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield


def killed_at(number: int) -> AbstractContextManager[None]:
    """The writing statement of that number is never run. What is written in a transaction that is open then is gone."""

    def die(at: int) -> None:
        if at == number:
            raise Killed

    return each_write(die)


@contextmanager
def noted() -> Iterator[list[str]]:
    """Of each statement that writes the transaction it is in; one that is in none is one by itself."""
    transactions: list[str] = []
    depth = len(connection.savepoint_ids)

    def note(at: int) -> None:
        open_now = connection.savepoint_ids[depth:]
        transactions.append(open_now[0] if open_now else f"statement {at}")

    with each_write(note):
        yield transactions


def ends(transactions: list[str]) -> list[int]:
    """The numbers of the first statement and the last of each."""
    groups = [[number for number, _ in group] for _, group in groupby(enumerate(transactions, 1), itemgetter(1))]
    return sorted({number for group in groups for number in (group[0], group[-1])})


class Script(FakeLLM):
    """Answers from what it is asked, so that it says the same to a second worker."""

    def answer(self, messages, *, feature, **more):
        prompt = messages[-1]["content"]
        ids = [int(line[1 : line.index("]")]) for line in prompt.splitlines() if line.startswith("[")]
        answers = {"extraction": extracted, "reflection": reflected, "slow_tick": between_talks}
        self.answers = {feature: answers[feature](prompt, ids)}
        return super().answer(messages, feature=feature, **more)


def extracted(prompt: str, ids: list[int]) -> dict[str, Any]:
    is_last = "Good night." in prompt
    old, stated = place(OLD, prompt), place(SISTERS[2], prompt)
    return extraction(
        event("They say good night." if is_last else NEW, impact=-8, supersedes=[old] if old else []),
        event(TWICE, impact=2, lines=[place(SISTERS[0], prompt) or 1]),
        session_summary="The end." if is_last else "The cat.",
        session_mood_signal={"mood": "tired", "energy": 3},
        mentioned_entities=[
            {"canonical_name": "Nimbus", "aliases": ["the cat"], "kind": "pet"},
            {"canonical_name": "Yiyang", "kind": "person"},
        ],
        possible_same=[{"a": "Anna", "b": "Annie", "stated_in": stated}] if stated else [],
        entity_clarification={"canonical_a": "Scott", "canonical_b": "Yiyang", "same": "Yes, Scott" in prompt},
    )


def place(said: str, prompt: str) -> int | None:
    """The number under which a prompt holds it."""
    found = re.search(rf"(?m)^\[(\d+)\] .*{re.escape(said)}$", prompt)
    return int(found[1]) if found else None


def reflected(prompt: str, ids: list[int]) -> dict[str, Any]:
    return {"thoughts": [{"description": THOUGHT, "filling": ids}]}


def between_talks(prompt: str, ids: list[int]) -> dict[str, Any]:
    awaited = re.findall(r"\[(\d+)\] .*(He will|Ask how)", prompt)
    return {
        "salient_questions": ["Will he sleep?"],
        "thoughts": [{"description": "The nights are short.", "subject": "persona", "filling": ids}],
        "expectations": [{"about": "Nimbus", "prediction": "He will jump again.", "due_at": None, "filling": ids}],
        "intentions": [{"description": "Ask how they slept.", "due_at": "2026-11-23", "filling": ids}],
        "entity_descriptions": [{"entity": "Nimbus", "description": "A cat of the night."}],
        "resolved": [
            {"node": int(number), "outcome": {"He will": "fulfilled", "Ask how": "kept"}[said], "filling": ids}
            for number, said in awaited
        ],
    }


def walk(act: Callable[[datetime], object], *, everywhere: bool, written: Callable[[], Any] | None = None) -> int:
    """Kill a job at one write after the other; what comes out is what an undisturbed run writes. Returns how many writes there are.

    `written` are the rows that must come out the same.
    """
    written = written or rows
    undone = transaction.savepoint()
    with noted() as transactions:
        act(NOW)
    undisturbed = written()
    transaction.savepoint_rollback(undone)
    for number in range(1, len(transactions) + 1) if everywhere else ends(transactions):
        with pytest.raises(Killed), killed_at(number):
            act(NOW)
        # The test's own transaction goes on: a statement outside of any other was by itself.
        transaction.set_rollback(False)
        act(LATER)
        assert written() == undisturbed, f"killed at statement {number}"
        transaction.savepoint_rollback(undone)
    return len(transactions)


def rows() -> dict[str, Any]:
    """A run between talks that was killed stays to be seen, beside the one that took its place."""
    found = snapshot()
    found["slow ticks"] = [tick for tick in found["slow ticks"] if "failed" not in tick]
    return found


def consolidating(session: Session) -> Callable[[datetime], object]:
    return lambda now: run.consolidate(session_id=session.pk, llm=Script(), clock=lambda: now)


def thinking(session: Session) -> Callable[[datetime], object]:
    """As the scanner and the queue do it."""

    def act(now: datetime) -> None:
        slow_tick.requeue_dead_runs(now=now)
        slow_tick.run(session_id=session.pk, llm=Script(), clock=lambda: now)

    return act


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@SHORT_AND_LONG
def test_killed_at_any_statement_a_session_is_written_once_and_whole(bond, everywhere):
    remember("Nimbus sleeps on my bed.", *CAT, bond=bond, answer=extraction(event(OLD, lines=[1])), now=NOW)

    assert walk(consolidating(closed_talk(*CAT, bond=bond)), everywhere=everywhere) > 30


def sisters(bond) -> Session:
    """A talk that tells something a second time, clears up a pair, and states another."""
    told = ConceptNodeFactory(bond=bond, description=TWICE, emotional_impact=2)
    yiyang = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person", nodes=[told])
    EntityFactory(bond=bond, canonical_name="Scott", kind="person", merge_status="uncertain", merge_target=yiyang)
    for name in ("Anna", "Annie"):
        EntityFactory(bond=bond, canonical_name=name, kind="person")
    embed(told)
    return closed_talk(*SISTERS, bond=bond)


def embed(node: ConceptNode) -> None:
    [node.embedding] = embedding.embed([node.description])
    node.embedding_model = embedding.get_model_name()
    node.save()


@SHORT_AND_LONG
def test_killed_at_any_statement_what_is_told_again_counts_once_and_who_is_who_is_settled_once(bond, everywhere):
    session = sisters(bond)

    assert walk(consolidating(session), everywhere=everywhere) > 40


def test_what_the_killed_session_holds(bond):
    """That the walk above passes over mentions and merges indeed."""
    consolidating(sisters(bond))(NOW)

    assert ConceptNode.objects.get(description=TWICE).mention_count == 2
    assert [(kept, merged, by) for kept, merged, by, _ in snapshot()["merges"]] == [
        ("Anna", "Annie", "stated"),
        ("Yiyang", "Scott", "clarified"),
    ]


@SHORT_AND_LONG
def test_killed_at_any_statement_a_slow_tick_is_written_once_and_whole(bond, everywhere):
    session = closed_talk(*CAT, bond=bond)
    told = [
        ConceptNodeFactory(bond=bond, session=session, description=f"Nimbus {at}.", emotional_impact=at)
        for at in range(3)
    ]
    EntityFactory(bond=bond, canonical_name="Nimbus", nodes=told)
    ConceptNodeFactory(bond=bond, type="expectation", description="He will purr.", evidence=told)
    ConceptNodeFactory(bond=bond, type="intention", description="Ask how he is.", subject="persona", evidence=told)

    assert walk(thinking(session), everywhere=everywhere) > 10
    thinking(session)(NOW)
    assert sorted(ConceptNode.objects.values_list("type", "state", "description")) == [
        ("event", "live", "Nimbus 0."),
        ("event", "live", "Nimbus 1."),
        ("event", "live", "Nimbus 2."),
        ("expectation", "fulfilled", "He will purr."),
        ("expectation", "pending", "Nimbus: He will jump again."),
        ("intention", "kept", "Ask how he is."),
        ("intention", "open", "Ask how they slept."),
        ("thought", "live", "The nights are short."),
    ]


def test_killed_at_any_statement_first_facts_are_drawn_once(bond):
    told = ConceptNodeFactory(bond=bond, description="The user is a nurse.", relational_tags=["identity-bearing"])
    drawn = [{"content": "The user is a nurse.", "facet": "about_you", "confidence": 0.7, "events": [told.pk]}]
    found: list[list[Any]] = []

    def draw(now: datetime) -> None:
        llm = FakeLLM(answers={"fact_sweep": [{"facts": drawn}]})
        backfill.run(bond_id=bond.pk, llm=llm, clock=lambda: now)

    def written() -> list[Any]:
        found.append(list(ConceptNode.objects.live_facts().values_list("description", "mention_count")))
        return [found[-1], FactWrite.objects.count(), bond.refresh_from_db() or bond.facts_drawn_at is None]

    assert walk(draw, everywhere=True, written=written) > 3
    assert found[0] == [("The user is a nurse.", 1)]


def test_killed_at_any_statement_small_talk_stays_trivial():
    assert walk(consolidating(closed_talk("hi")), everywhere=True) > 3


@pytest.mark.soak
@pytest.mark.parametrize("lines", [LONG, VERY_LONG], ids=["several chunks", "a line in parts"])
def test_killed_at_any_statement_a_long_session_is_written_once_and_whole(lines):
    assert walk(consolidating(closed_talk(*lines)), everywhere=True) > 40
