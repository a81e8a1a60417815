import pytest
from django.db import IntegrityError, connection, transaction

from echovessel.models import BondEvent, LedgerEntry
from echovessel.postgres import copying
from tests.support.factories import NOW

pytestmark = pytest.mark.django_db


def call(**more):
    return LedgerEntry(feature="reply", model="large", duration_ms=3, outcome="ok", created_at=NOW, **more)


def test_rows_are_written_under_ids_of_their_own():
    known = call()
    known.save()
    rows = [call(user_id=7), call()]
    copying.assign_ids(rows)
    copying.copy_rows(LedgerEntry, rows, with_ids=True)

    copying.copy_rows(LedgerEntry, [call()])

    written = list(LedgerEntry.objects.exclude(pk=known.pk).order_by("pk"))
    assert [row.pk for row in written[:2]] == [row.pk for row in rows]
    assert [row.user_id for row in written] == [7, None, None]
    assert written[0].created_at == NOW


def test_json_and_odd_texts_are_written_as_they_are():
    refs = {"name": "a\tb\\N\n", "node": None, "names": ["小黑", "\\."]}
    copying.copy_rows(BondEvent, [BondEvent(bond_id=1, seq=1, type="a\tb\\N\n", refs=refs, created_at=NOW)])

    assert [(row.type, row.refs) for row in BondEvent.objects.all()] == [("a\tb\\N\n", refs)]


def test_a_row_that_breaks_a_rule_is_djangos_error():
    twice = [BondEvent(bond_id=1, seq=1, type="a", refs={}, created_at=NOW) for _ in range(2)]

    with pytest.raises(IntegrityError), transaction.atomic():
        copying.copy_rows(BondEvent, twice)

    assert (BondEvent.objects.count(), connection.needs_rollback) == (0, False)
