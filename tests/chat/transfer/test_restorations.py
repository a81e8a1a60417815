import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django_q.models import OrmQ

from chat import tasks
from chat.models import Restoration, RestorationPiece
from chat.transfer import restorations
from echovessel.archives.zip_files import ArchiveError
from personas.models import Bond
from tests.support.drafting import file
from tests.support.exports import exported, files, packed, with_rows
from tests.support.factories import NOW, RestorationFactory, UserFactory
from tests.support.lives import everything
from tests.support.rest import NOT_FOUND, NOT_SIGNED_IN, answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond(lived_bond):
    return lived_bond


@pytest.fixture
def lin():
    return UserFactory(username="lin")


@pytest.fixture
def large(bond, monkeypatch):
    """An export that is too large to be restored at once."""
    monkeypatch.setattr(restorations, "AT_ONCE_ROWS", 3)
    return exported(bond).read()


def post(user, content):
    return api(user).post("/api/bonds/import/", file("memory.zip", content), format="multipart")


@pytest.mark.parametrize(("count", "status"), [(2000, 201), (2001, 202)])
def test_an_export_of_more_than_2000_rows_is_left_to_a_worker(count, status, bond, lin):
    content = with_rows(files(exported(bond)), f"bonds/{bond.pk}", count)

    assert post(lin, content).status_code == status
    assert (Bond.objects.for_user(lin).count(), Restoration.objects.filter(user=lin).count()) == (
        (1, 0) if status == 201 else (0, 1)
    )


def test_one_that_unpacks_to_much_is_left_to_a_worker(bond, lin, monkeypatch):
    content = exported(bond)
    monkeypatch.setattr(restorations, "AT_ONCE_BYTES", 3000)

    assert isinstance(restorations.restore_or_queue(content, name="a.zip", user=lin, now=NOW), Restoration)


def test_a_large_export_is_restored_by_the_worker(bond, large, lin):
    answer = post(lin, large)

    kept = Restoration.objects.get()
    shown = {
        "id": kept.pk,
        "name": "memory.zip",
        "state": "waiting",
        "done": 0,
        "total": kept.total,
        "restored": [],
        "error": None,
        "created_at": answer.json()["created_at"],
    }
    assert answered(answer) == (202, shown)
    assert [(one.task["func"], one.task["args"]) for one in OrmQ.objects.all()][-1] == (
        "chat.tasks.restore",
        (kept.pk,),
    )
    tasks.restore(kept.pk)
    made = Bond.objects.for_user(lin).get()
    done = shown | {"state": "done", "done": kept.total, "restored": [made.pk]}
    assert answered(api(lin).get(f"/api/bonds/import/{kept.pk}/")) == (200, done)
    assert everything(made) == everything(bond)
    assert RestorationPiece.objects.count() == 0
    # The queue may deliver it twice.
    tasks.restore(kept.pk)
    assert Bond.objects.for_user(lin).count() == 1


def test_a_large_export_that_is_broken_is_refused_by_the_worker(bond, lin, monkeypatch):
    monkeypatch.setattr(restorations, "AT_ONCE_ROWS", 3)
    contents = files(exported(bond))
    contents[f"bonds/{bond.pk}/avatar.webp"] = b"<svg/>"
    kept = restorations.restore_or_queue(packed(contents), name="a.zip", user=lin, now=NOW)

    tasks.restore(kept.pk)

    kept.refresh_from_db()
    detail = "This export is broken: the picture cannot be read."
    assert (kept.state, kept.failure_code, kept.failure_detail) == ("failed", "invalid", detail)
    assert (Bond.objects.for_user(lin).count(), RestorationPiece.objects.count()) == (0, 0)


def test_one_large_export_is_restored_at_a_time(large, lin):
    post(lin, large)

    detail = "Another export of yours is being restored. Wait until it is done."
    assert answered(post(lin, large)) == (409, refusal("conflict", detail))
    Restoration.objects.update(state="failed")
    assert post(lin, large).status_code == 202


def test_one_whose_workers_are_killed_fails_after_three_tries(large, lin):
    post(lin, large)
    Restoration.objects.update(state="running", attempt_count=3)

    tasks.restore(Restoration.objects.get().pk)

    kept = Restoration.objects.get()
    assert (kept.state, kept.failure_code, Bond.objects.for_user(lin).count()) == ("failed", "interrupted", 0)


@pytest.mark.parametrize(("silent", "state"), [(timedelta(minutes=59), "running"), (timedelta(minutes=61), "failed")])
def test_one_of_which_nothing_was_heard_for_an_hour_is_given_up(silent, state):
    kept = RestorationFactory(state="running", touched_at=NOW - silent)

    restorations.prune(now=NOW)

    kept.refresh_from_db()
    assert kept.state == state


@pytest.mark.parametrize(("silent", "queued"), [(timedelta(seconds=59), 0), (timedelta(seconds=61), 1)])
def test_one_whose_worker_was_killed_is_queued_again_once(silent, queued):
    RestorationFactory(state="running", touched_at=NOW - silent)

    assert [restorations.requeue(now=NOW) for _ in range(2)] == [queued, 0]
    assert [entry.task["func"] for entry in OrmQ.objects.all()] == ["chat.tasks.restore"] * queued


def test_one_whose_account_is_gone_ends_quietly():
    tasks.restore(0)


def test_a_manifest_that_counts_too_little_is_found_out_at_the_first_row_more(bond, lin):
    contents = files(exported(bond))
    told = json.loads(contents["manifest.json"])
    name = f"bonds/{bond.pk}/L2_messages.jsonl"
    contents[name] += b"not even JSON\n" * 10
    contents["manifest.json"] = json.dumps(told).encode()

    with pytest.raises(ArchiveError, match="has more rows instead of 5"):
        restorations.restore_or_queue(packed(contents), name="a.zip", user=lin, now=NOW)


@pytest.mark.parametrize("counts", [None, [], {"a": -1}, {"a": "3"}, {"a": True}])
def test_a_manifest_that_counts_nothing_is_refused(counts, bond, lin):
    contents = files(exported(bond))
    contents["manifest.json"] = json.dumps(json.loads(contents["manifest.json"]) | {"rows": counts}).encode()

    with pytest.raises(ArchiveError, match="its manifest has no row counts"):
        restorations.restore_or_queue(packed(contents), name="a.zip", user=lin, now=NOW)


def test_what_a_file_says_it_unpacks_to_is_bounded_before_it_is_read(bond, lin, monkeypatch):
    monkeypatch.setattr(restorations, "BOUNDED", restorations.partial(restorations.ArchiveReader, most=3000))

    with pytest.raises(ArchiveError, match="unpacks to too much"):
        restorations.restore_or_queue(exported(bond), name="a.zip", user=lin, now=NOW)


def test_a_page_shows_how_far_it_is_and_leads_on(bond, large, lin, client):
    client.force_login(lin)

    answer = client.post(reverse("bring_back"), {"file": SimpleUploadedFile("memory.zip", large)})

    kept = Restoration.objects.get()
    address = reverse("restoration", args=[kept.pk])
    assert answer["Location"] == address
    page = client.get(address).content.decode()
    assert ("Waiting" in page, "hx-get" in page) == (True, True)
    assert "HX-Refresh" not in client.get(reverse("restoration_progress", args=[kept.pk]))
    tasks.restore(kept.pk)
    assert client.get(reverse("restoration_progress", args=[kept.pk]))["HX-Refresh"] == "true"
    page = client.get(address).content.decode()
    made = Bond.objects.for_user(lin).get()
    assert (reverse("bond", args=[made.pk]) in page, "hx-get" in page) == (True, False)


def test_a_stranger_sees_nothing_of_it(lin, client):
    kept = RestorationFactory(user=lin)
    charlie = UserFactory(username="charlie")
    addresses = [reverse(name, args=[kept.pk]) for name in ("restoration", "restoration_progress")]

    assert answered(api(charlie).get(f"/api/bonds/import/{kept.pk}/")) == NOT_FOUND
    assert answered(client.get(f"/api/bonds/import/{kept.pk}/")) == NOT_SIGNED_IN
    assert [client.get(address).status_code for address in addresses] == [302, 302]
    client.force_login(charlie)
    assert [client.get(address).status_code for address in addresses] == [404, 404]


def test_it_goes_with_the_account(lin):
    kept = RestorationFactory(user=lin)
    RestorationPiece.objects.create(of=kept, number=0, content=b"PK")

    lin.delete()

    assert RestorationPiece.objects.count() == 0
