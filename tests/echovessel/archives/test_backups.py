import signal
import stat
import zipfile
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from echovessel.archives import backups
from memory.models import Message
from tests.support.factories import PASSWORD, UserFactory
from tests.support.lives import lived
from tests.support.serving import Install


@pytest.fixture(autouse=True)
def signals_as_they_were():
    """Commands take the signals that end them."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


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


@pytest.mark.django_db(transaction=True)
def test_an_install_is_backed_up_while_it_runs_restored_into_an_empty_folder_and_goes_on(
    media, settings, tmp_path, install
):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    bond = lived(UserFactory(username="mara"))
    path = tmp_path / "whole.backup"

    call_command("backup", str(path), stdout=StringIO())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(file.name for file in tmp_path.iterdir()) == ["media", "whole.backup"]
    restored = install.command("restore", str(path))
    assert (restored.returncode, restored.stderr) == (0, "")
    assert f"Restored into {install.folder}." in restored.stdout
    assert (install.folder / "secret_key").read_text() == settings.SECRET_KEY
    assert stat.S_IMODE((install.folder / "secret_key").stat().st_mode) == 0o600
    pictures = {file.name for file in (install.folder / "media").rglob("*.webp")}
    assert pictures == {file.name for file in media.rglob("*.webp")} != set()
    install.start()
    try:
        asked = install.command("shell", "-v", "0", "-c", ASKING)
        again = install.command("restore", str(path))
        second = install.command("backup", str(tmp_path / "second.backup"))
    finally:
        install.stop()
    lines = Message.objects.filter(bond=bond).count()
    assert asked.stdout.split() == ["mara", "True", str(lines), "True"]
    assert again.stderr == f"CommandError: EchoVessel runs in {install.folder}; stop it first.\n"
    assert second.returncode == 0, second.stderr


ASKING = f"""
from django.contrib.auth import authenticate
from echovessel.archives import backups
from memory.models import Message
from personas import avatars
from personas.models import Persona
mara = authenticate(username="mara", password={PASSWORD!r})
print(mara.username, mara.is_active, Message.objects.count(), bool(avatars.load_content(Persona.objects.earliest("id"))))
"""


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_never_written_over(backup):
    path, said = backup
    before = path.read_bytes()

    with pytest.raises(CommandError, match="is there already"):
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
def test_a_backup_goes_into_an_empty_place_alone(backup, install):
    path, _ = backup

    with pytest.raises(CommandError, match="The database holds tables already"):
        call_command("restore", str(path))

    files = install.folder / "media" / "avatars"
    files.mkdir(parents=True)
    (files / "a.webp").touch()
    refused = install.command("restore", str(path))
    assert "holds an install already" in refused.stderr
    assert (files / "a.webp").exists()


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_is_cut_off_leaves_an_empty_folder(backup, install):
    path, _ = backup
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(path.with_name("cut"), "w") as cut:
        for name in whole.namelist():
            content = whole.read(name)
            cut.writestr(name, content[: len(content) // 2] if name == "database.dump" else content)

    refused = install.command("restore", str(path.with_name("cut")))

    assert refused.returncode == 1
    assert "The database: " in refused.stderr
    assert sorted(file.name for file in install.folder.iterdir()) == ["postgres.log", "secret_key", "serve.lock"]
    assert install.command("restore", str(path)).returncode == 0


def test_a_folder_that_is_half_restored_is_not_served(install):
    install.folder.mkdir()
    (install.folder / backups.UNFINISHED).touch()

    refused = install.command("serve", "--port", str(install.port))

    assert (refused.returncode, "run `manage.py restore` again" in refused.stderr) == (1, True)


@pytest.mark.parametrize(
    ("contents", "detail"),
    [
        (None, "is no backup, or not whole"),
        ({}, "no backup of EchoVessel"),
        ({"manifest.json": '{"format": "echovessel"}'}, "no backup of EchoVessel"),
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
