"""A real worker that is killed with signal 9 in the middle of a file, and another that goes on."""

import time
from collections.abc import Callable

import pytest
from django.utils import timezone

from memory.importing import control, intake
from memory.models import ConceptNode, Entity, Import, ImportChunk
from memory.tasks import scan
from tests.browser.site import Site
from tests.memory.importing.files import chat, mara

SECONDS = 120
NAMES = ("Anna", "Tomas", "Ruth", "Felix")


@pytest.fixture
def site(transactional_db, tmp_path):
    site = Site(tmp_path)
    yield site
    site.stop()


def until(holds: Callable[[], bool], site: Site) -> None:
    deadline = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < deadline, site.said("worker")
        time.sleep(0.02)


def export(count: int) -> str:
    talks = []
    for number in range(count):
        said = f"My sister {NAMES[number % 4]} got engaged in house {number}! I cried with joy. " + "It was late. " * 20
        talks.append((f"Talk {number}", "2024-05-04", [said, "How lovely."]))
    return chat(*talks)


def keys() -> list[str]:
    return sorted(key or "" for key in ConceptNode.objects.values_list("answer_key", flat=True))


def test_a_worker_killed_in_the_middle_of_a_file_costs_nothing_and_doubles_nothing(site):
    now = timezone.now()
    content = export(30).encode()
    imported, _ = intake.take_in(bond=mara(), name="conversations.json", content=content, now=now)
    control.start(imported, now=now)
    read = ImportChunk.objects.filter(of=imported, state="done")

    site.start("worker")
    until(lambda: read.count() >= 5, site)
    site.kill("worker")
    left = read.count()
    before = keys()
    until(lambda: scan() == 1, site)
    site.start("worker")
    until(lambda: Import.objects.get().state == "done", site)

    assert 5 <= left < 30
    assert (read.count(), set(before) <= set(keys())) == (30, True)
    row = Import.objects.get()
    assert (row.done, row.total, row.events_count + row.thoughts_count) == (30, 30, ConceptNode.objects.count())
    assert row.entities_count == Entity.objects.count()
    again, is_new = intake.take_in(bond=imported.bond, name="copy.json", content=content, now=now)
    assert (control.start(again, now=now).state, is_new, ConceptNode.objects.count()) == ("done", False, len(keys()))
