import subprocess
import sys
import threading
from datetime import timedelta
from uuid import uuid4

import psutil
import pytest
from django.db import connection, transaction

from memory import sessions
from memory.jobs import workers
from memory.jobs.lease import claim_session, expire_dead_leases
from memory.models import Session
from memory.models.leased import LEASE
from tests.support.databases import until_somebody_waits
from tests.support.factories import NOW, SessionFactory
from tests.support.killed import dead_holder


def test_own_process_lives():
    assert not workers.is_dead(workers.identify_process())


def test_process_lives_after_the_clock_was_changed(monkeypatch):
    holder = workers.identify_process()
    began = psutil.boot_time()
    monkeypatch.setattr("psutil._psplatform.boot_time", lambda: began + 3600)

    assert not workers.is_dead(holder)


def test_killed_process_is_dead():
    assert workers.is_dead(dead_holder())


def test_killed_process_that_nobody_asked_how_it_ended_is_dead():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        holder = workers.identify_process(process.pid)
        process.kill()
        while psutil.Process(process.pid).status() != psutil.STATUS_ZOMBIE:
            pass

        assert workers.is_dead(holder)


def test_process_id_given_anew_is_dead():
    place, pid, _ = workers.identify_process().split(" ")

    assert workers.is_dead(f"{place} {pid} 1.00")


@pytest.mark.parametrize("holder", ["elsewhere/pid:[1] 1 1.00", ""], ids=["another machine", "none"])
def test_nothing_is_known_of_others(holder):
    assert not workers.is_dead(holder)


@pytest.mark.django_db
def test_scan_takes_up_session_of_killed_worker_at_once():
    session = SessionFactory(status="closing", message_count=5)
    assert claim_session(session_id=session.pk, now=NOW)
    later = NOW + timedelta(minutes=1)

    assert sessions.scan(now=later) == 0
    Session.objects.update(lease_holder=dead_holder())
    assert sessions.scan(now=later) == 1


@pytest.mark.django_db(transaction=True)
def test_scan_leaves_the_lease_of_a_worker_that_took_over_meanwhile():
    session = SessionFactory(status="closing", message_count=5)
    assert claim_session(session_id=session.pk, now=NOW)
    Session.objects.update(lease_holder=dead_holder())

    def scan():
        try:
            expire_dead_leases(Session.objects.all(), now=NOW + timedelta(minutes=1))
        finally:
            connection.close()

    scanning = threading.Thread(target=scan)
    with transaction.atomic():
        Session.objects.update(lease_token=uuid4())
        scanning.start()
        until_somebody_waits()
    scanning.join(10)

    assert Session.objects.get().lease_until == NOW + LEASE
