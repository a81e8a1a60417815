"""An install as the README sets it up: behind a real nginx with TLS, which is made from the very lines that stand there."""

import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core.cache.backends.db import DatabaseCache
from django.test import Client

from echovessel.configuration import data_folder
from personas.models import User
from tests.browser.site import Site
from tests.support.factories import BondFactory, UserFactory
from tests.support.rest import token_of
from tests.support.serving import free_port

NAME = "chat.example.org"
WORDS = "a blue kettle sings"
# As Debian installs it, which need not be where everybody looks.
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
pytestmark = pytest.mark.skipif(
    NGINX is None or shutil.which("openssl") is None,
    reason="No nginx or no openssl was found; `make proxy` installs them.",
)


class Proxy:
    """Nginx on a port of its own, with a certificate that was made for it."""

    def __init__(self, folder: Path, behind: int) -> None:
        self.folder = folder
        self.port = free_port()
        self.certificate, key = folder / "own.pem", folder / "own.key"
        new = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        names = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
        subprocess.run([*new, *names, "-keyout", key, "-out", self.certificate], check=True, capture_output=True)
        [lines] = re.findall(r"```nginx\n(.*?)```", (settings.BASE_DIR / "README.md").read_text(), re.DOTALL)
        for written, here in {
            "443 ssl": f"127.0.0.1:{self.port} ssl",
            "/etc/ssl/chat.example.org.pem": str(self.certificate),
            "/etc/ssl/chat.example.org.key": str(key),
            "127.0.0.1:8000": f"127.0.0.1:{behind}",
        }.items():
            assert written in lines
            lines = lines.replace(written, here)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
        (folder / "nginx.conf").write_text(
            f"pid {folder}/pid; error_log {folder}/error.log; daemon off; events {{}}\n"
            f"http {{ access_log off;\n{places}{lines}}}\n"
        )
        self.process = subprocess.Popen(
            [str(NGINX), "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "error.log"]
        )

    def wait_until_it_answers(self) -> None:
        deadline = time.monotonic() + 30
        while True:
            try:
                self.line().close()
            except OSError:
                assert time.monotonic() < deadline, (self.folder / "error.log").read_text()
                time.sleep(0.05)
            else:
                return

    def line(self) -> ssl.SSLSocket:
        context = ssl.create_default_context(cafile=str(self.certificate))
        return context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), 30), server_hostname=NAME)

    @property
    def origin(self) -> str:
        return f"https://{NAME}:{self.port}"

    def ask(self, method, path, body=None, **headers):
        """The status and the text of an answer, and its cookies."""
        connection = http.client.HTTPSConnection(NAME, self.port)
        connection.sock = self.line()
        connection.request(method, path, body, {"Origin": self.origin, **headers})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text, answer.headers.get_all("Set-Cookie", [])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("proxy")


@pytest.fixture(scope="module")
def only_site(django_db_setup, static_files, folder):
    own = {"ECHOVESSEL_DATA_DIR": str(folder / "data"), "SECRET_KEY": settings.SECRET_KEY}
    site = Site(folder, HTTPS="on", ALLOWED_HOSTS=f"{NAME},127.0.0.1", **own)
    shutil.copytree(settings.STATIC_ROOT, folder / "data/static")
    site.start("web")
    yield site
    site.stop()


@pytest.fixture(scope="module")
def only_proxy(only_site, folder):
    proxy = Proxy(folder, behind=only_site.port)
    yield proxy
    proxy.stop()


@pytest.fixture
def proxy(only_proxy, only_site, transactional_db):
    only_site.wait_until_it_answers()
    only_proxy.wait_until_it_answers()
    return only_proxy


def test_the_first_stranger_needs_the_set_up_code(proxy, folder):
    status, page, cookies = proxy.ask("GET", "/accounts/signup/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    cookie = "; ".join(one.split(";")[0] for one in cookies)
    form = {"csrfmiddlewaretoken": token, "username": "charlie", "password1": WORDS, "password2": WORDS}
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}

    refused = proxy.ask("POST", "/accounts/signup/", urlencode(form), **headers)
    form["setup_code"] = data_folder.load_setup_code(folder / "data")
    taken = proxy.ask("POST", "/accounts/signup/", urlencode(form), **headers)

    assert (status, 'name="setup_code"' in page, refused[0], taken[0]) == (200, True, 200, 302)
    assert all("Secure" in one for one in cookies)
    assert User.objects.get().is_superuser


def guess(proxy, number, username):
    body = json.dumps({"username": username, "password": "wrong"})
    headers = {"Content-Type": "application/json", "X-Forwarded-For": f"198.51.100.{number}"}
    return proxy.ask("POST", "/api/auth/login/", body, **headers)[0]


def test_guesses_are_counted_by_what_nginx_saw_and_not_by_what_is_claimed(proxy):
    # What other sites of this database counted stays in its cache.
    DatabaseCache("cache", {}).clear()

    by_account = [guess(proxy, number, "Mara" if number % 2 else "mara") for number in range(7)]
    by_address = [guess(proxy, number, f"somebody{number}") for number in range(6)]

    assert (by_account, by_address.count(429) > 0) == ([401] * 5 + [429] * 2, True)


@pytest.mark.parametrize("path", ["/api/auth/login/", "/api/bonds/import/"])
def test_a_strangers_large_body_is_refused_through_nginx_too(path, proxy):
    with proxy.line() as line:
        line.sendall(f"POST {path} HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 100000000\r\n\r\n".encode())
        line.sendall(b"x" * 100_000)
        assert line.makefile("rb").readline().split()[1] == b"413"


def test_what_somebody_signed_in_sends_comes_through_nginx(proxy):
    token = f"Token {token_of(UserFactory())}"
    form = {"Authorization": token, "Content-Type": "multipart/form-data; boundary=b"}

    status, text, _ = proxy.ask("POST", "/api/bonds/import/", b"--b--".ljust(3 * 2**20), **form)

    assert (status, json.loads(text)["code"]) == (400, "invalid")


@pytest.mark.parametrize(("port", "first"), [(0, b"101"), (1, b"4401")], ids=["own", "another port"])
def test_a_socket_is_opened_by_a_page_of_this_address_alone(port, first, proxy):
    bond = BondFactory()
    client = Client()
    client.force_login(bond.user)
    head = [
        f"GET /ws/bonds/{bond.pk}/ HTTP/1.1",
        f"Host: {NAME}:{proxy.port}",
        f"Origin: https://{NAME}:{proxy.port + port}",
        f"Cookie: sessionid={client.session.session_key}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
    with proxy.line() as line:
        line.sendall("\r\n".join([*head, "", ""]).encode())
        reading = line.makefile("rb")
        status = reading.readline().split()[1]
        while reading.readline().strip():
            pass
        kind, length = reading.read(2)
        # The first frame: the bond's state, or the code with which it is closed.
        is_closed = kind == 0x88
        code = str(int.from_bytes(reading.read(2))).encode() if is_closed and length >= 2 else status

    assert code == first
