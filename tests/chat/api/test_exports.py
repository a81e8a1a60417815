import json
import zipfile
from io import BytesIO, StringIO

import pytest
import time_machine
from asgiref.sync import async_to_sync
from django.core.management import CommandError, call_command
from django.test import AsyncClient
from django.utils import timezone
from django_q.models import OrmQ

from echovessel.embeddings import embedding
from memory.models import ConceptNode, Entity, Message, Session
from personas.accounts import authentication
from personas.models import Bond
from tests.support.drafting import file
from tests.support.factories import NOW, BondFactory, UserFactory
from tests.support.lives import everything
from tests.support.rest import NOT_FOUND, NOT_SIGNED_IN, answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def bond(lived_bond):
    return lived_bond


def exported(user, url):
    response = api(user).get(url)
    assert (response.status_code, response["Content-Type"]) == (200, "application/zip")
    return response["Content-Disposition"], b"".join(response)


def restore(user, content):
    return api(user).post("/api/bonds/import/", file("memory.zip", content), format="multipart")


def test_a_bond_is_taken_along_and_brought_back(bond):
    name, content = exported(bond.user, f"/api/bonds/{bond.pk}/export/")
    lin = UserFactory(username="lin")

    response = restore(lin, content)

    made = Bond.objects.for_user(lin).get()
    assert name == f'attachment; filename="echovessel-bond-{bond.pk}.zip"'
    shown = api(lin).get(f"/api/bonds/{made.pk}/").json()
    assert answered(response) == (201, shown | {"restored": [made.pk]})
    assert everything(made) == everything(bond)
    assert ("memory.tasks.embed_restored", (made.pk,)) in [
        (one.task["func"], one.task["args"]) for one in OrmQ.objects.all()
    ]


def test_an_account_is_taken_along_and_brought_back(bond):
    second = BondFactory(user=bond.user, persona__name="Teo")
    name, content = exported(bond.user, "/api/me/export/")
    lin = UserFactory(username="lin")

    body = restore(lin, content).json()

    assert name == 'attachment; filename="echovessel.zip"'
    made = list(Bond.objects.for_user(lin).order_by("id"))
    assert (body["id"], body["restored"]) == (made[0].pk, [one.pk for one in made])
    assert [everything(one) for one in made] == [everything(one) for one in (bond, second)]


def test_the_mood_of_a_chat_in_the_trash_is_left_out(bond):
    Session.objects.filter(bond=bond).update(deleted_at=NOW)

    _, content = exported(bond.user, f"/api/bonds/{bond.pk}/export/")

    with zipfile.ZipFile(BytesIO(content)) as archive:
        assert archive.read(f"bonds/{bond.pk}/L6_mood_changes.jsonl") == b""


def test_the_server_sends_an_export_piece_by_piece(bond):
    token, _ = authentication.issue_token(bond.user, now=timezone.now())

    async def fetched():
        asking = {"Authorization": f"Token {token}"}
        response = await AsyncClient().get(f"/api/bonds/{bond.pk}/export/", headers=asking)
        return response["Content-Type"], b"".join([piece async for piece in response.streaming_content])

    kind, content = async_to_sync(fetched)()

    with zipfile.ZipFile(BytesIO(content)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    assert (kind, manifest["bonds"]) == ("application/zip", [f"bonds/{bond.pk}"])
    assert manifest["rows"][f"bonds/{bond.pk}/L2_messages.jsonl"] == 5


def test_a_stranger_exports_nothing(bond, client):
    charlie = UserFactory(username="charlie")

    assert answered(api(charlie).get(f"/api/bonds/{bond.pk}/export/")) == NOT_FOUND
    for url in (f"/api/bonds/{bond.pk}/export/", "/api/me/export/"):
        assert answered(client.get(url)) == NOT_SIGNED_IN
    assert answered(client.post("/api/bonds/import/")) == NOT_SIGNED_IN


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b"", "This zip file is broken or encrypted."),
        (b"no zip", "This zip file is broken or encrypted."),
    ],
)
def test_a_file_that_is_no_export_is_refused(content, detail, bond):
    assert answered(restore(UserFactory(), content)) == (400, refusal("invalid", detail))
    assert Bond.objects.get() == bond


@pytest.mark.usefixtures("long_minute")
def test_exports_are_costly(bond, settings):
    settings.RATES = settings.RATES | {"costly": 1}
    client = api(bond.user)

    with time_machine.travel(NOW, tick=False):
        answers = [client.get(f"/api/bonds/{bond.pk}/export/") for _ in range(2)]

    b"".join(answers[0])
    assert [response.status_code for response in answers] == [200, 429]


@pytest.mark.parametrize(
    ("command", "file", "said"),
    [
        (["export", "mara", "--output"], "no/mara.zip", "cannot be written: No such file or directory."),
        (["export", "mara", "--output"], "", "is a folder. Name a file in it."),
        (
            ["export", "mara", "--output"],
            "kept.zip",
            "already exists. Name another file, or write over it with --force.",
        ),
        (["import_bond", "--user", "mara"], "no.zip", "cannot be read: No such file or directory."),
        (["import_bond", "--user", "mara"], "", "cannot be read: Is a directory."),
        (["restore"], "no.backup", "cannot be restored: No such file or directory."),
    ],
)
def test_a_command_says_what_is_wrong_with_its_file(bond, tmp_path, command, file, said):
    (tmp_path / "kept.zip").write_text("kept")

    with pytest.raises(CommandError) as refused:
        call_command(*command, str(tmp_path / file))

    assert str(refused.value) == f"{tmp_path / file} {said}"
    assert not list(tmp_path.glob("*.part"))


def test_commands_export_and_restore(bond, tmp_path):
    output, said = tmp_path / "mara.zip", StringIO()
    UserFactory(username="lin")

    output.write_text("an older one")

    call_command("export", "mara", "--bond", str(bond.pk), "--output", str(output), "--force", stdout=said)
    call_command("import_bond", str(output), "--user", "lin", stdout=said)

    made = Bond.objects.get(user__username="lin")
    assert f"  bonds/{bond.pk}/L2_messages.jsonl: 5\n" in said.getvalue()
    assert f"bond {made.pk} with Marian; making vectors\n" in said.getvalue()
    model = embedding.get_model_name()
    for rows in (Message, ConceptNode, Entity):
        live = rows.objects.filter(bond=made)
        live = live.filter(merged_into=None) if rows is Entity else live
        assert set(live.values_list("embedding_model", flat=True)) == {model}
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["mara.zip"]


@pytest.mark.parametrize(
    ("command", "detail"),
    [
        (("export", "nobody"), "There is no account 'nobody'."),
        (("export", "mara", "--bond", "0"), "mara has no bond 0."),
        (("import_bond", "none.zip", "--user", "mara"), "No such file"),
        (("import_bond", __file__, "--user", "mara"), "broken or encrypted"),
        (("import_bond", __file__, "--user", "nobody"), "There is no account 'nobody'."),
    ],
)
def test_commands_say_what_is_wrong(command, detail, bond):
    with pytest.raises(CommandError, match=detail):
        call_command(*command)
