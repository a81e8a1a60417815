import shutil
import signal
import socket
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from django.core.management import call_command

from echovessel.management.commands.serve import Command
from echovessel.runtime import serving
from tests.support.serving import Install


@pytest.fixture(scope="module")
def install(static_files):
    """One started install for the short tests; each leaves it running."""
    folder = Path(tempfile.mkdtemp(prefix="echovessel-serve-"))
    folder.chmod(0o711)
    install = Install(folder)
    install.take_static_files()
    try:
        install.start()
        yield install
    finally:
        install.stop()
        shutil.rmtree(folder)


def _gone(processes):
    return psutil.wait_procs(processes, timeout=60)[1] == []


def test_serve_says_what_it_does_and_when_it_is_ready(install):
    assert install.said().splitlines()[-1] == f"EchoVessel is ready at http://127.0.0.1:{install.port}"
    assert install.said().splitlines()[0] == "Making the database"
    assert install.get("/healthz") == (200, b'{"status": "alive"}')
    assert install.get("/readyz") == (200, b'{"status": "ready", "reasons": []}')


@pytest.fixture
def refusal(monkeypatch, settings, capsys, signals_as_they_were):
    """What `serve` says when it refuses to start; here it waits for nobody to go."""
    monkeypatch.setattr(serving, "_PATIENCE_SECONDS", 0)

    def serve(folder, port):
        settings.DATA_DIR = folder
        with pytest.raises(SystemExit) as ended:
            call_command("serve", "--port", str(port))
        assert capsys.readouterr().out == ""
        return ended.value.code

    return serve


def test_second_serve_of_the_folder_gets_one_sentence(install, refusal):
    assert refusal(install.folder, install.port + 1) == (
        f"Another EchoVessel serves the data folder {install.folder}; stop it, or name another in ECHOVESSEL_DATA_DIR."
    )


def test_taken_port_gets_one_sentence(install, refusal, tmp_path):
    assert refusal(tmp_path / "other", install.port) == (
        f"Port {install.port} is taken; choose another: make run PORT=8001."
    )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--port", "0"], "'0' is no port: a whole number from 1 to 65535"),
        (["--port", "http"], "'http' is no port: a whole number from 1 to 65535"),
        (["--host", "example"], "'example' is no address: an IP address or localhost"),
    ],
)
def test_wrong_argument_is_named(arguments, complaint, capsys):
    with pytest.raises(SystemExit) as ended:
        Command().run_from_argv(["manage.py", "serve", *arguments])

    assert (ended.value.code, capsys.readouterr().err.splitlines()[-1]) == (
        2,
        f"manage.py serve: error: argument {arguments[0]}: {complaint}",
    )


def test_web_process_that_is_killed_comes_back(install):
    killed = install.part("web")

    killed.kill()

    install.wait_for(lambda: not killed.is_running() and install.is_ready())
    assert "The web process ended; starting it again in 0.5 s" in install.said()


def test_doctor_finds_a_served_install_well(install):
    # The last of the short tests: by now the worker runs, and one look is enough.
    checked = []

    def is_well():
        checked[:] = [install.command("doctor")]
        return checked[0].returncode == 0

    install.wait_for(is_well)

    assert "   ok  worker: 1 running\n" in checked[0].stdout


@pytest.mark.soak
@pytest.mark.parametrize("name", ["web", "worker", "postgres"])
def test_part_that_hangs_is_started_again_within_a_minute(install, name):
    hung = install.part(name)
    # Until they have answered once, parts may take long.
    install.wait_for(lambda: install.command("doctor").returncode == 0)
    started = time.monotonic()

    hung.suspend()

    install.wait_for(lambda: not hung.is_running() and bool(install.running(name)) and install.is_ready())
    assert time.monotonic() - started < 60
    install.wait_for(lambda: install.command("doctor").returncode == 0)
    assert "did not answer and was ended; starting it again" in install.said()


@pytest.mark.soak
def test_database_that_is_killed_comes_back_for_all(install):
    killed = install.part("postgres")

    killed.kill()

    install.wait_for(lambda: not killed.is_running() and install.is_ready())
    install.wait_for(lambda: install.command("doctor").returncode == 0)


@pytest.mark.soak
def test_worker_that_is_killed_comes_back_and_leaves_none_of_its_own(install):
    killed = install.part("worker")
    below = killed.children(recursive=True)

    killed.kill()

    assert below
    assert _gone(below)
    install.wait_for(lambda: install.part("worker").pid != killed.pid)
    install.wait_for(lambda: install.command("doctor").returncode == 0)


@pytest.mark.soak
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signal_stops_all_of_it_cleanly(install, number):
    processes = install.processes()

    code = install.stop(number)

    assert (code, install.said().splitlines()[-1]) == (0, "Stopping")
    assert _gone(processes)
    assert (install.folder / "postgres.log").read_text().rstrip().endswith("database system is shut down")
    install.start()


@pytest.mark.soak
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_serve_ends_with_the_make_that_started_it(install, number):
    install.stop()
    make = install.start_by_make()
    processes = psutil.Process(make.pid).children(recursive=True)

    make.send_signal(number)
    ended = make.wait(60)

    assert ended == -number
    assert _gone(processes)
    install.start()


@pytest.mark.soak
def test_killed_serve_takes_all_with_it_and_starts_again_at_once(install):
    processes = install.processes()

    install.stop(signal.SIGKILL)
    install.start()

    assert install.is_ready()
    assert _gone(processes)


@pytest.mark.soak
def test_everything_killed_at_once_starts_again(install):
    processes = install.processes()

    for process in [psutil.Process(install.serve.pid), *processes]:
        process.kill()
    install.serve.wait()
    install.start()

    assert _gone(processes)


@pytest.mark.soak
def test_strangers_need_the_set_up_code_where_they_can_reach_the_pages(install):
    install.stop()
    install.start("--host", "0.0.0.0", "--no-worker")
    code = (install.folder / "setup_code").read_text()

    assert f"needs this set-up code: {code}" in install.said()
    install.stop()
    install.start()
    assert not (install.folder / "setup_code").exists()


@pytest.mark.soak
def test_database_that_does_not_answer_gets_one_sentence(install, tmp_path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"postgres://mara:secret@127.0.0.1:{closed.getsockname()[1]}/none"
        ended = install.command(
            "serve", "--port", str(install.port + 1), ECHOVESSEL_DATA_DIR=str(tmp_path / "other"), DATABASE_URL=url
        )

    assert (ended.returncode, ended.stdout, len(ended.stderr.splitlines())) == (1, "", 1)
    assert ended.stderr.startswith("The database does not answer: ")
    assert "secret" not in ended.stderr
