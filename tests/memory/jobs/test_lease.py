from datetime import timedelta
from uuid import uuid4

import pytest

from memory.jobs.lease import LeaseLost, claim_session
from memory.models import Session
from tests.support.factories import NOW, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return SessionFactory(status="closing", message_count=2)


def test_a_due_session_is_claimed_for_ten_minutes(session):
    held = claim_session(session_id=session.pk, now=NOW)

    session.refresh_from_db()
    assert (held.row.pk, held.row.bond_id, held.held) == (
        session.pk,
        session.bond_id,
        {"lease_token": session.lease_token, "deleted_at": None},
    )
    assert (session.status, session.lease_until, session.attempt_count) == (
        "consolidating",
        NOW + timedelta(minutes=10),
        1,
    )


@pytest.mark.parametrize(
    ("later", "is_free"), [(timedelta(minutes=10), False), (timedelta(minutes=10, seconds=1), True)]
)
def test_a_lease_that_ran_out_is_anothers_to_take(session, later, is_free):
    first = claim_session(session_id=session.pk, now=NOW)

    second = claim_session(session_id=session.pk, now=NOW + later)

    assert (second is not None) is is_free
    if is_free:
        with pytest.raises(LeaseLost):
            first.renew(NOW + later)


def test_a_task_that_crashes_gives_up_what_it_held_at_once(session):
    held = claim_session(session_id=session.pk, now=NOW)

    with pytest.raises(ZeroDivisionError), held.released_on_failure(lambda: NOW):
        raise ZeroDivisionError

    assert list(Session.objects.due(NOW)) == [session]
    assert claim_session(session_id=session.pk, now=NOW) is not None


def test_a_lease_is_renewed_before_each_call(session):
    held = claim_session(session_id=session.pk, now=NOW)

    held.renew(NOW + timedelta(minutes=9))

    session.refresh_from_db()
    assert session.lease_until == NOW + timedelta(minutes=19)
    assert claim_session(session_id=session.pk, now=NOW + timedelta(minutes=15)) is None


@pytest.mark.parametrize("gone", [{"lease_token": uuid4()}, {"deleted_at": NOW}], ids=["taken", "forgotten"])
def test_nothing_is_written_without_the_lease(session, gone):
    held = claim_session(session_id=session.pk, now=NOW)
    Session.objects.update(**gone)

    with pytest.raises(LeaseLost), held.transaction():
        pytest.fail("It was let in.")
    with pytest.raises(LeaseLost):
        held.renew(NOW)


def test_writing_locks_the_session_and_its_bond(session, django_assert_num_queries):
    held = claim_session(session_id=session.pk, now=NOW)

    with django_assert_num_queries(4) as queries, held.transaction() as locked:
        assert (locked, locked.bond.user.username) == (session, session.bond.user.username)

    locking = [query["sql"] for query in queries.captured_queries if "FOR NO KEY UPDATE" in query["sql"]]
    assert ["FROM personas_bond" in sql for sql in locking] == [True, False]
