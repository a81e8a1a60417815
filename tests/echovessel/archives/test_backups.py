import json
import stat
import zipfile
from io import StringIO
from urllib.request import Request, urlopen

import pytest
from django.core.management import CommandError, call_command

from echovessel.archives import backups
from echovessel.postgres import server as postgres_server
from memory.models import Message
from tests.support import forks
from tests.support.factories import PASSWORD, UserFactory
from tests.support.lives import lived
from tests.support.serving import Install, free_port

# Commands take the signals that end them.
pytestmark = pytest.mark.usefixtures("signals_as_they_were")


@pytest.fixture
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def backup(media, tmp_path):
    """A file of an install in which Mara has lived, as its command wrote it."""
    path = tmp_path / "whole.backup"
    said = StringIO()
    call_command("backup", str(path), stdout=said)
    return path, said.getvalue()


@pytest.fixture
def install(open_folder):
    return Install(open_folder / "var")


@pytest.fixture
def command(install):
    with forks.commands(after=forks.APPS, environment=install.environment()) as run:
        yield run


@pytest.mark.django_db(transaction=True)
def test_an_install_is_backed_up_while_it_runs_restored_into_a_folder_that_a_cut_off_one_left_empty_and_goes_on(
    media, settings, tmp_path, install, command, static_files
):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    bond = lived(UserFactory(username="mara"))
    path = tmp_path / "whole.backup"

    call_command("backup", str(path), stdout=StringIO())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["media", "whole.backup"]
    refused = command("restore", str(cut_off(path)))
    assert refused.returncode == 1
    assert "The database: " in refused.stderr
    assert sorted(file.name for file in install.folder.iterdir()) == ["postgres.log", "secret_key", "serve.lock"]
    restored = command("restore", str(path))
    assert (restored.returncode, restored.stderr) == (0, "")
    assert f"Restored into {install.folder}." in restored.stdout
    assert (install.folder / "secret_key").read_text() == settings.SECRET_KEY
    assert stat.S_IMODE((install.folder / "secret_key").stat().st_mode) == 0o600
    pictures = {file.name for file in (install.folder / "media").rglob("*.webp")}
    assert pictures == {file.name for file in media.rglob("*.webp")} != set()
    install.take_static_files()
    install.start("--no-worker")
    try:
        signed_in = asked(install, "auth/login/", username="mara", password=PASSWORD)
        picture = asked(install, f"personas/{bond.persona_id}/avatar/", token=json.loads(signed_in)["token"])
        with postgres_server.Server(install.folder).connect("echovessel") as database:
            lines = database.execute("SELECT count(*) FROM memory_message").fetchone()
        again = command("restore", str(path))
        second = command("backup", str(tmp_path / "second.backup"))
    finally:
        install.stop()
    assert (picture[:4], lines) == (b"RIFF", (Message._base_manager.count(),))
    assert again.stderr == f"CommandError: EchoVessel is running in {install.folder}. Stop it first.\n"
    assert second.returncode == 0, second.stderr


def cut_off(path):
    """A copy with the first half of the database."""
    copy = path.with_name("cut")
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(copy, "w") as cut:
        for name in whole.namelist():
            content = whole.read(name)
            cut.writestr(name, content[: len(content) // 2] if name == "database.dump" else content)
    return copy


def asked(install, path, *, token=None, **said):
    """The answer of its API."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Token {token}"} if token else {})
    request = Request(
        f"http://127.0.0.1:{install.port}/api/{path}", json.dumps(said).encode() if said else None, headers
    )
    with urlopen(request, timeout=60) as answer:
        return answer.read()


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_never_written_over(backup):
    path, said = backup
    before = path.read_bytes()

    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", str(path))

    assert path.read_bytes() == before
    assert "The database: " in said


@pytest.mark.django_db(transaction=True)
def test_nothing_is_left_of_a_backup_that_fails(media, tmp_path, settings, monkeypatch):
    monkeypatch.setattr("echovessel.postgres.server.find_client_program", lambda name: "/bin/false")

    with pytest.raises(CommandError, match=r"The database: .*ended with 1"):
        call_command("backup", str(tmp_path / "whole.backup"))

    assert [file.name for file in tmp_path.iterdir()] == []


@pytest.mark.django_db(transaction=True)
def test_a_backup_goes_into_an_empty_place_alone(backup, settings, tmp_path):
    path, _ = backup
    settings.DATA_DIR = tmp_path / "var"

    with pytest.raises(CommandError, match="The database already has tables"):
        call_command("restore", str(path))

    settings.MEDIA_ROOT = settings.DATA_DIR / "media"
    file = settings.MEDIA_ROOT / "avatars" / "a.webp"
    file.parent.mkdir(parents=True)
    file.touch()
    with pytest.raises(CommandError, match="already has an installation"):
        call_command("restore", str(path))
    assert file.exists()


def test_a_folder_that_is_half_restored_is_not_served(settings, tmp_path):
    settings.DATA_DIR = tmp_path
    (tmp_path / backups.UNFINISHED).touch()

    with pytest.raises(SystemExit, match=r"run `manage.py restore` again"):
        call_command("serve", "--port", str(free_port()))


@pytest.mark.parametrize(
    ("contents", "detail"),
    [
        (None, "is not a backup, or is incomplete"),
        ({}, "not a backup of EchoVessel"),
        ({"manifest.json": '{"format": "echovessel"}'}, "not a backup of EchoVessel"),
        (
            {
                "manifest.json": '{"format": "echovessel-backup", "version": 1, "migrations": [["chat", "9999_later"]]}',
                "database.dump": "",
                "secret_key": "x",
            },
            "a newer version",
        ),
    ],
)
def test_a_file_that_is_no_backup_is_refused(contents, detail, tmp_path, media):
    path = tmp_path / "a.backup"
    if contents is None:
        path.write_bytes(b"no zip")
    else:
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in contents.items():
                archive.writestr(name, content)

    with pytest.raises(CommandError, match=detail):
        call_command("restore", str(path))


@pytest.mark.parametrize("name", ["media/../secret_key", "media/avatars/../../../over.webp", "media//etc/over.webp"])
def test_no_file_of_a_backup_is_written_outside(name, media, tmp_path):
    with zipfile.ZipFile(tmp_path / "crafted.backup", "w") as archive:
        archive.writestr(name, "over")

    with zipfile.ZipFile(tmp_path / "crafted.backup") as archive, pytest.raises(backups.BackupError, match="outside"):
        backups.unpack_files(archive)

    assert [file.name for file in tmp_path.iterdir()] == ["crafted.backup"]
