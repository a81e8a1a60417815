import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from echovessel.configuration import data_folder
from echovessel.runtime import serving
from echovessel.runtime.serving import Address
from echovessel.runtime.supervisor import SupervisedPart
from personas.models import Install
from tests.support.factories import NOW


class Answering(BaseHTTPRequestHandler):
    """Answers every call with what its server was told to, and notes which host was asked for."""

    def do_GET(self):
        self.server.hosts.append(self.headers["Host"])
        status, body = self.server.answer
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Be quiet."""


@pytest.fixture
def web():
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        server.hosts = []
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def said():
    return []


@pytest.fixture
def announcement(web, said):
    kept = SupervisedPart("web process", None, said.append)
    return serving._ReadyAnnouncer(Address("127.0.0.1", web.server_port), kept, said.append)


@pytest.mark.parametrize(
    ("host", "address", "is_loopback"),
    [
        ("127.0.0.1", "http://127.0.0.1:80", True),
        ("localhost", "http://localhost:80", True),
        ("::1", "http://[::1]:80", True),
        ("0.0.0.0", "http://127.0.0.1:80", False),
        ("::", "http://[::1]:80", False),
        ("192.168.1.7", "http://192.168.1.7:80", False),
    ],
)
def test_address_is_given_as_it_is_reached_from_here(host, address, is_loopback):
    assert (str(Address(host, 80)), Address(host, 80).is_loopback()) == (address, is_loopback)


def test_readiness_is_announced_once(announcement, web, said, settings):
    settings.ALLOWED_HOSTS = [".example.org"]
    web.answer = 200, b'{"reasons": []}'

    announcement.look()
    announcement.look()

    assert said == [f"EchoVessel is ready at http://127.0.0.1:{web.server_port}"]
    assert web.hosts == ["example.org"]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((503, b'{"reasons": ["One.", "Two."]}'), "Not ready yet. One. Two."),
        ((400, b"Bad"), "Not ready yet. The web process answers with status 400."),
    ],
)
def test_slow_start_says_what_it_waits_for(announcement, web, said, answer, sentence):
    web.answer = answer
    announcement.look()
    announcement.slow_at = time.monotonic() - 1

    announcement.look()
    announcement.look()

    assert said == [sentence]


def test_web_process_that_ends_again_and_again_is_given_up(announcement):
    announcement.web.end_count = 3

    with pytest.raises(serving.ServeError, match="The web process does not start"):
        announcement.look()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("host", "https", "hosts"),
    [
        ("0.0.0.0", False, ["localhost"]),
        ("127.0.0.1", True, ["localhost"]),
        ("127.0.0.1", False, ["localhost", "chat.example.org"]),
    ],
)
def test_only_a_new_install_that_strangers_reach_has_a_set_up_code(settings, tmp_path, said, host, https, hosts):
    settings.DATA_DIR, settings.HTTPS, settings.ALLOWED_HOSTS = tmp_path, https, hosts

    serving._require_setup_code(Address(host, 80), said.append)
    code = data_folder.load_setup_code(tmp_path)
    Install.objects.create(operator_id=1, created_at=NOW)
    serving._require_setup_code(Address(host, 80), said.append)

    assert said == [
        f"Nobody has signed up yet. The first to do so becomes the administrator and needs this set-up code: {code}"
    ]
    assert not data_folder.needs_setup_code(tmp_path)


@pytest.mark.django_db
def test_a_new_install_of_this_machine_alone_has_no_set_up_code(settings, tmp_path, said):
    settings.DATA_DIR, settings.ALLOWED_HOSTS = tmp_path, ["localhost", "127.0.0.1", "[::1]"]
    data_folder.load_setup_code(tmp_path)

    serving._require_setup_code(Address("127.0.0.1", 80), said.append)

    assert (said, data_folder.needs_setup_code(tmp_path)) == ([], False)


@pytest.mark.parametrize("host", ["203.0.113.1", "2001:db8::1"])
def test_address_of_another_machine_gets_one_sentence(host):
    with pytest.raises(serving.ServeError, match=f"{host} port 80 cannot be used: Cannot assign requested address."):
        serving._require_free_port(Address(host, 80))
