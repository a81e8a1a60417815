from functools import partial

import pytest
from django.http import Http404
from django_q.models import OrmQ

from memory.importing import control
from memory.models import Import
from tests.memory.importing.files import taken
from tests.memory.test_races import at_once
from tests.support.factories import NOW

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_import_that_is_started_many_times_at_once_is_queued_once():
    imported = taken()

    at_once(*[lambda: control.start(Import.objects.get(pk=imported.pk), now=NOW).state] * 5)

    queued = [entry.task["args"] for entry in OrmQ.objects.all() if entry.task["func"] == "memory.tasks.read_import"]
    assert queued == [(imported.pk,)]


def test_an_import_that_is_erased_twice_at_once_is_gone_for_the_second():
    imported = taken()

    def erase(one):
        try:
            control.erase(one)
        except Http404:
            return "gone"
        return "erased"

    assert sorted(at_once(*[partial(erase, one) for one in (imported, Import.objects.get())])) == ["erased", "gone"]
