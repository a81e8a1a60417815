from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from memory.models import Session
from tests.support.factories import SessionFactory
from tests.support.talks import CAT, closed_talk, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(capsys):
    def run(*arguments):
        call_command(*arguments)
        return capsys.readouterr().out.splitlines()

    return run


def test_schedules_are_ensured_once(run):
    run("ensure_schedules")
    Schedule.objects.update(minutes=99, repeats=0)

    run("ensure_schedules")

    schedules = Schedule.objects.order_by("name").values_list("name", "func", "schedule_type", "minutes", "repeats")
    assert [*schedules] == [
        ("archive", "memory.tasks.archive", "D", 99, -1),
        ("catch_up", "memory.tasks.catch_up", "H", 99, -1),
        ("clear_sign_ins", "memory.tasks.clear_sign_ins", "D", 99, -1),
        ("decay_facts", "memory.tasks.decay_facts", "D", 99, -1),
        ("prune", "memory.tasks.prune", "H", 99, -1),
        ("prune_restorations", "chat.tasks.prune", "I", 1, -1),
        ("purge", "memory.tasks.purge", "D", 99, -1),
        ("reembed", "memory.tasks.reembed", "I", 15, -1),
        ("scan", "memory.tasks.scan", "I", 1, -1),
        ("sweep_facts", "memory.tasks.queue_fact_sweeps", "D", 99, -1),
        ("sweep_files", "memory.tasks.sweep_files", "D", 99, -1),
    ]


def test_scan_is_one_pass(run):
    talk(*CAT, now=timezone.now() - timedelta(hours=1))

    assert run("scan") == ["1 sessions queued"]
    assert Session.objects.get().status == "closing"
    # The story of the bond is begun in the same pass.
    assert [entry.task["func"] for entry in OrmQ.objects.order_by("id")] == [
        *("memory.tasks.consolidate", "memory.tasks.tell")
    ]


def test_consolidate_runs_what_is_due_and_prints_the_steps(run):
    session = closed_talk(*CAT)
    SessionFactory(bond=session.bond)

    assert run("consolidate") == [
        f"session {session.pk} gate: done",
        f"session {session.pk} extraction: done",
        f"session {session.pk} entities: done",
        f"session {session.pk} mood: done",
        f"session {session.pk} summary: done",
        f"session {session.pk} reflection: empty no reflection for 24 hours",
        f"session {session.pk}: closed",
    ]
    assert run("consolidate") == ["no session is due"]


def test_consolidate_closes_the_session_it_is_given(run):
    session = talk("hi")

    assert run("consolidate", str(session.pk)) == [
        f"session {session.pk} gate: skipped 1 messages and 1 tokens without a word of strong emotion",
        f"session {session.pk}: closed",
    ]


def test_consolidate_tries_a_failed_session_again(run):
    session = closed_talk(*CAT)
    Session.objects.update(status="failed", failure_count=4)

    assert run("consolidate", str(session.pk))[-1] == f"session {session.pk}: closed"


def test_consolidate_says_what_it_leaves_alone(run):
    session = talk(*CAT)
    Session.objects.update(held_until=timezone.now() + timedelta(minutes=5))

    assert run("consolidate", str(session.pk)) == [
        f"session {session.pk} is closing: not due, held by a turn, or another worker's"
    ]


def test_consolidate_ends_with_an_error_for_a_session_that_failed_or_is_not_there(run):
    session = closed_talk(*CAT)
    Session.objects.update(attempt_count=5)

    with pytest.raises(CommandError, match="It was taken up 5 times"):
        run("consolidate", str(session.pk))
    with pytest.raises(CommandError, match="there is no session 0"):
        run("consolidate", "0")
