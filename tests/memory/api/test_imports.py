import io
import zipfile
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django_q.models import OrmQ

from echovessel.materials import BYTES_MOST
from memory.models import ConceptNode, Import, ImportChunk
from personas import blocks
from tests.memory.importing.files import CAT, DIARY, chat, model, read, read_on, said, taken, told
from tests.support.factories import NOW, BondFactory, UserFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db
NOTHING = {"events": 0, "facts": 0, "thoughts": 0, "entities": 0, "dropped": 0}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def mara(bond):
    return api(bond.user)


def path(bond, *parts):
    return "/".join([f"/api/bonds/{bond.pk}/imports", *map(str, parts), ""])


def upload(client, where, content, name="diary.txt", **more):
    file = SimpleUploadedFile(name, content)
    return client.post(where, {"file": file} | more, format="multipart")


def shown(imported, **other):
    return {
        "id": imported.pk,
        "name": "diary.txt",
        "state": "waiting",
        "done": 0,
        "total": 1,
        "writes": NOTHING,
        "error": None,
        "proposals": [],
        "created_at": NOW.isoformat().replace("+00:00", "Z"),
    } | other


def test_a_file_is_taken_in_and_waits_to_be_started(mara, bond, time_machine):
    time_machine.move_to(NOW, tick=False)

    response = upload(mara, path(bond), DIARY.encode())

    imported = Import.objects.get()
    assert answered(response) == (201, shown(imported))
    assert (imported.bond, OrmQ.objects.count(), imported.chunks.get().text) == (bond, 0, DIARY)


def test_the_same_file_again_is_known(mara, bond):
    first, second = (upload(mara, path(bond), DIARY.encode(), name=name) for name in ("diary.txt", "copy.md"))

    assert (first.status_code, second.status_code, first.json()) == (201, 200, second.json())
    assert Import.objects.count() == 1


def test_the_same_file_in_another_bond_is_another_import(mara, bond):
    other = BondFactory(user=bond.user)

    ids = {upload(mara, path(one), DIARY.encode()).json()["id"] for one in (bond, other)}

    assert len(ids) == 2


@pytest.mark.parametrize(("name", "kind"), [("Diary 2.4", "txt"), ("notes.md", "md"), ("table.csv", "csv")])
def test_a_text_is_taken_in_under_its_name(name, kind, mara, bond):
    response = mara.post(path(bond), {"text": "day,what\n2024-05-04,A walk.\n", "name": name})

    assert (response.status_code, Import.objects.get().kind) == (201, kind)


def test_a_text_needs_no_name(mara, bond):
    response = mara.post(path(bond), {"text": DIARY})

    assert (response.status_code, response.json()["name"]) == (201, "text.txt")


def test_an_import_is_started_read_and_shown(mara, bond):
    imported = taken(bond=bond)

    started = mara.post(path(bond, imported.pk, "start"))
    again = mara.post(path(bond, imported.pk, "start"))

    assert answered(started) == answered(again) == (200, shown(imported, state="running"))
    assert [one.task["func"] for one in OrmQ.objects.all()] == ["memory.tasks.read_import"]
    line = {"content": "Has a white cat.", "source_quote": "a white cat"}
    read_on(imported, model(said(told(), about_user=[line])))
    proposal = {"id": imported.proposals.get().pk, "label": "user", "accepted": False} | line
    assert answered(mara.get(path(bond, imported.pk))) == (
        200,
        shown(imported, state="done", done=1, writes=NOTHING | {"events": 1}, proposals=[proposal]),
    )
    assert answered(mara.post(path(bond, imported.pk, "cancel")))[1]["state"] == "done"


def test_a_proposal_is_accepted_by_writing_it(mara, bond):
    line = {"content": "Has 100% of a cat_.", "source_quote": "a white cat"}
    imported = read(said(about_user=[line]), bond=bond)

    mara.put(f"/api/bonds/{bond.pk}/blocks/user/", {"content": "Keeps bees.\nHas 100% of a cat_."})

    [proposal] = mara.get(path(bond, imported.pk)).json()["proposals"]
    assert proposal["accepted"] is True


def test_a_declined_proposal_is_shown_no_more(mara, bond):
    imported = read(said(about_user=[{"content": "Has a cat.", "source_quote": "a white cat"}]), bond=bond)
    other = taken(bond=bond, content="Another file.")
    [pk] = imported.proposals.values_list("pk", flat=True)

    elsewhere = mara.post(path(bond, other.pk, f"proposals/{pk}/decline"))
    declined = mara.post(path(bond, imported.pk, f"proposals/{pk}/decline"))

    assert answered(elsewhere) == NOT_FOUND
    assert (declined.status_code, declined.json()["proposals"]) == (200, [])


def test_a_text_that_only_looks_alike_is_no_acceptance(mara, bond):
    imported = read(said(about_user=[{"content": "Has a_cat.", "source_quote": "a white cat"}]), bond=bond)

    blocks.save(holder=bond, label="user", content="Has a cat.", user=bond.user, now=NOW)

    [proposal] = mara.get(path(bond, imported.pk)).json()["proposals"]
    assert proposal["accepted"] is False


def test_an_import_is_cancelled_and_started_again(mara, bond):
    imported = taken(bond=bond)
    mara.post(path(bond, imported.pk, "start"))

    cancelled = mara.post(path(bond, imported.pk, "cancel"))
    resumed = mara.post(path(bond, imported.pk, "start"))

    assert (cancelled.json()["state"], resumed.json()["state"]) == ("cancelled", "running")


def test_an_import_is_erased_with_its_name_but_not_while_it_is_read(mara, bond):
    imported = taken(bond=bond)
    mara.post(path(bond, imported.pk, "start"))
    refused = mara.delete(path(bond, imported.pk))
    mara.post(path(bond, imported.pk, "cancel"))

    erased = mara.delete(path(bond, imported.pk))

    assert answered(refused) == (409, refusal("conflict", "This file is being read. Stop the import first."))
    assert (erased.status_code, Import.objects.exists(), ImportChunk.objects.exists()) == (204, False, False)


def test_a_failure_says_what_and_when(mara, bond):
    imported = read("no", "json", bond=bond)

    assert mara.get(path(bond, imported.pk)).json()["error"] == {
        "code": "model_bad_answer",
        "detail": "1 of 1 piece could not be read. The model answered with something other than JSON.",
        "next_try_at": None,
    }


def test_what_is_not_kept_any_more_has_to_be_taken_in_again(mara, bond):
    imported = taken(bond=bond)
    imported.chunks.update(text="")

    refused = mara.post(path(bond, imported.pk, "start"))
    upload(mara, path(bond), DIARY.encode())
    accepted = mara.post(path(bond, imported.pk, "start"))

    detail = "The text of this file is no longer stored. Import the file again."
    assert answered(refused) == (409, refusal("conflict", detail))
    assert accepted.json()["state"] == "running"


def test_imports_are_listed_newest_first(mara, bond):
    ids = [taken(f"Diary {number}.", bond=bond, now=NOW + timedelta(days=number)).pk for number in (1, 2)]
    taken(bond=BondFactory(user=bond.user))

    assert [one["id"] for one in mara.get(path(bond)).json()["results"]] == ids[::-1]


@pytest.mark.parametrize("count", [1, 3])
def test_a_list_takes_the_same_queries_however_long(count, mara, bond, django_assert_num_queries):
    for number in range(count):
        line = {"content": f"Wrote diary {number}.", "source_quote": f"Diary {number}."}
        read(said(about_user=[line]), content=f"Diary {number}.", bond=bond)

    with django_assert_num_queries(4):
        body = mara.get(path(bond)).json()

    assert [len(one["proposals"]) for one in body["results"]] == [1] * count


def test_an_estimate_says_what_reading_would_take_and_keeps_nothing(mara, bond):
    export = chat(("Cats", "2024-05-04", ["I have a cat.", "How nice."]), ("Dogs", "2024-05-05", ["I have a dog."]))

    body = upload(mara, "/api/imports/estimate/", export.encode(), name="conversations.json").json()

    assert body | {"tokens_in": 0} == {"chunks": 2, "tokens_in": 0, "tokens_out": 500, "cost": 0.0}
    assert body["tokens_in"] > 1000
    assert not Import.objects.exists()


@pytest.mark.parametrize(
    ("address", "name", "cost"),
    [("", "gpt-4o-mini", 0.0003), ("http://localhost:1/v1", "gpt-4o-mini", None), ("", "of-our-own", None)],
)
def test_an_estimate_knows_prices_at_openai_alone(address, name, cost, mara, settings):
    settings.MODEL_SERVER = True
    settings.OPENAI_BASE_URL = address
    settings.LLM_MODELS = settings.LLM_MODELS | {"small": name}

    body = mara.post("/api/imports/estimate/", {"text": DIARY}).json()

    assert body["cost"] == (cost and pytest.approx(cost, abs=0.0002))


def bomb():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b" " * (BYTES_MOST + 1))
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "status", "code"),
    [
        pytest.param("diary.txt", b"", 400, "invalid", id="empty"),
        pytest.param("diary.txt", b" \n\t ", 400, "invalid", id="blank"),
        pytest.param("diary.txt", lambda: b"a" * (51 * 2**20), 413, "too_long", id="51 MiB"),
        pytest.param("diary.txt", "Grüße".encode("latin-1"), 400, "invalid", id="latin-1"),
        pytest.param("diary.txt", b"\x00\x01\x02", 400, "invalid", id="binary"),
        pytest.param("diary.exe", b"MZ", 400, "invalid", id="unknown kind"),
        pytest.param("export.zip", bomb, 400, "too_long", id="zip bomb"),
        pytest.param("export.zip", b"PK\x03\x04 broken", 400, "invalid", id="broken zip"),
        pytest.param("conversations.json", b'[{"mapping": ', 400, "invalid", id="half a JSON"),
        pytest.param("conversations.json", b"[" * 100_000, 400, "invalid", id="nested deeply"),
        pytest.param(
            "conversations.json",
            chat(("Cats", "2024-05-04", [])).replace('"n-1"', "null").encode(),
            400,
            "invalid",
            id="a chat without a word",
        ),
    ],
)
@pytest.mark.parametrize("where", ["imports", "estimate"])
def test_a_file_that_cannot_be_taken_leaves_nothing(where, name, content, status, code, mara, bond):
    where = path(bond) if where == "imports" else "/api/imports/estimate/"
    # What is large is made where it is asked for, and not by each process that collects tests.
    content = content() if callable(content) else content

    response = upload(mara, where, content, name=name)

    assert (response.status_code, response.json()["code"], Import.objects.count()) == (status, code, 0)
    assert response.json()["detail"]


@pytest.mark.parametrize(
    ("body", "code", "fields"),
    [
        ({}, "invalid", None),
        ({"text": ""}, "invalid", ["text"]),
        ({"text": 7}, "invalid", ["text"]),
        ({"text": "a\x00b"}, "invalid", ["text"]),
        ({"text": "a", "name": "a\nb"}, "invalid", ["name"]),
        ({"text": "a", "name": "n" * 201}, "too_long", ["name"]),
        ({"text": "a", "path": "/etc/passwd"}, "unknown_field", ["path"]),
        ({"file": "a"}, "invalid", ["file"]),
    ],
)
def test_a_body_that_is_none_is_refused(body, code, fields, mara, bond):
    response = mara.post(path(bond), body)

    assert (response.status_code, response.json()["code"], Import.objects.count()) == (400, code, 0)
    assert response.json()["fields"] is None if fields is None else list(response.json()["fields"]) == fields


@pytest.mark.usefixtures("long_minute")
def test_imports_are_costly(mara, bond, settings):
    settings.RATES = settings.RATES | {"costly": 1}

    statuses = [mara.post(path(bond), {"text": text}).status_code for text in ("One.", "Two.")]

    assert statuses == [201, 429]


def test_a_stranger_finds_nothing(bond):
    imported = read(said(told()), bond=bond)
    charlie = BondFactory(user__username="charlie")
    client = api(charlie.user)

    answers = [
        answered(client.get(path(bond))),
        answered(client.post(path(bond), {"text": DIARY})),
        answered(client.get(path(bond, imported.pk))),
        answered(client.get(path(charlie, imported.pk))),
        answered(client.post(path(charlie, imported.pk, "start"))),
        answered(client.post(path(charlie, imported.pk, "cancel"))),
    ]

    assert answers == [NOT_FOUND] * 6
    assert client.get(path(charlie)).json()["results"] == []


def test_what_is_imported_is_among_the_memories(mara, bond):
    read(said(told()), bond=bond)

    [node] = mara.get(f"/api/bonds/{bond.pk}/memory/events/").json()["results"]

    assert (node["description"], node["origin"], node["confidence"], node["source_quote"]) == (
        CAT,
        "import",
        0.7,
        "I have a white cat called Nimbus.",
    )


def test_an_import_goes_with_its_bond(bond):
    read(said(told()), bond=bond)

    bond.delete()

    assert (Import.objects.count(), ConceptNode.objects.count()) == (0, 0)


def test_who_has_no_bond_imports_nothing():
    client = api(UserFactory(username="lin"))

    assert answered(client.post("/api/bonds/1/imports/", {"text": DIARY})) == NOT_FOUND
