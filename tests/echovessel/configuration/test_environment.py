import os
import re

import pytest
from django.core.exceptions import ImproperlyConfigured

from echovessel.configuration import environment
from tests.support import forks


@pytest.fixture(scope="module")
def command():
    """Run a command that reads its settings itself."""
    with forks.commands(after=forks.DJANGO, environment=os.environ) as run:
        yield run


@pytest.mark.parametrize(
    ("read", "value", "expected"),
    [
        (lambda: environment.read_switch("SETTING"), "ON", True),
        (lambda: environment.read_switch("SETTING", default=True), "no", False),
        (lambda: environment.read_switch("SETTING", default=True), "", False),
        (lambda: environment.read_choice("SETTING", "schema", ("schema", "text")), "text", "text"),
        (lambda: environment.read_number("SETTING", 30, low=0.01, high=100), "0.1", 0.1),
        (lambda: environment.read_integer("SETTING", 20, low=0, high=1000), " 7 ", 7),
        (lambda: environment.read_names("SETTING"), "a, b,,c ", ["a", "b", "c"]),
        (lambda: environment.read_words("SETTING"), "Died, can’t go on，走了、 ", ["died", "can't go on", "走了"]),
        (lambda: environment.read_words("SETTING", "died"), "", []),
        (lambda: environment.read_address("SETTING", ("redis",)), "redis://localhost", "redis://localhost"),
        (lambda: environment.read_address("SETTING", ("redis",)), "", ""),
        (lambda: environment.read_address("SETTING", ("pg",)), "pg://u:[@[::1]:1,two/x", "pg://u:[@[::1]:1,two/x"),
        (lambda: environment.read_text("SETTING"), " $literal ", "$literal"),
        (lambda: environment.read_key("SETTING"), " sk-1~ ", "sk-1~"),
        (lambda: environment.read_sender("SETTING", required=True), "Echo <e@example.org>", "Echo <e@example.org>"),
        (lambda: environment.read_sender("SETTING", required=False), "", ""),
        (lambda: environment.read_mail_server("SETTING"), "", {}),
    ],
)
def test_right_value_is_read(monkeypatch, read, value, expected):
    monkeypatch.setenv("SETTING", value)

    assert read() == expected


@pytest.mark.parametrize(
    ("read", "value", "sentence"),
    [
        (lambda: environment.read_switch("SETTING"), "maybe", "SETTING is 'maybe'; allowed: on, off."),
        (
            lambda: environment.read_key("SETTING"),
            "sk-“1”",
            "SETTING, which is not shown, is none; allowed: letters, digits and symbols of ASCII, without spaces.",
        ),
        (
            lambda: environment.read_choice("SETTING", "schema", ("schema", "text")),
            "xml",
            "SETTING is 'xml'; allowed: schema, text.",
        ),
        (
            lambda: environment.read_number("SETTING", 1, low=0, high=60),
            "-1",
            "SETTING is '-1'; allowed: a number from 0 to 60.",
        ),
        (
            lambda: environment.read_number("SETTING", 1, low=0, high=60),
            "nan",
            "SETTING is 'nan'; allowed: a number from 0 to 60.",
        ),
        (
            lambda: environment.read_number("SETTING", 1, low=0, high=60),
            "2s",
            "SETTING is '2s'; allowed: a number from 0 to 60.",
        ),
        (
            lambda: environment.read_integer("SETTING", 1, low=1, high=9),
            "0",
            "SETTING is '0'; allowed: a whole number from 1 to 9.",
        ),
        (
            lambda: environment.read_integer("SETTING", 1, low=1, high=9),
            "1.5",
            "SETTING is '1.5'; allowed: a whole number from 1 to 9.",
        ),
        (
            lambda: environment.read_integer("SETTING", 1, low=1, high=9),
            "٣",
            "SETTING is '٣'; allowed: a whole number from 1 to 9.",
        ),
        (
            lambda: environment.read_integer("SETTING", 1, low=1, high=9),
            "",
            "SETTING is ''; allowed: a whole number from 1 to 9.",
        ),
        (
            lambda: environment.read_address("SETTING", ("redis", "rediss")),
            "localhost:6379",
            "SETTING is 'localhost:6379'; allowed: an address that begins with redis, rediss.",
        ),
        (
            lambda: environment.read_address("SETTING", ("redis",)),
            "redis://:secret@one:1,two:six/0",
            "SETTING is 'redis://:***@one:1,two:six/0'; allowed: ports from 1 to 65535.",
        ),
        (
            lambda: environment.read_address("SETTING", ("http",)),
            "http://localhost:99999/v1",
            "SETTING is 'http://localhost:99999/v1'; allowed: ports from 1 to 65535.",
        ),
    ],
)
def test_wrong_value_names_variable_value_and_what_is_allowed(monkeypatch, read, value, sentence):
    monkeypatch.setenv("SETTING", value)

    with pytest.raises(ImproperlyConfigured) as raised:
        read()

    assert str(raised.value) == sentence


def test_dotenv_fills_in_what_is_not_set(monkeypatch, tmp_path):
    (tmp_path / ".env").write_text("SETTING=from-file\nOTHER=from-file\n")
    monkeypatch.setenv("SETTING", "from-shell")
    monkeypatch.setenv("OTHER", "")
    monkeypatch.delenv("OTHER")

    environment.read_dotenv(tmp_path)

    assert (environment.read_text("SETTING"), environment.read_text("OTHER")) == ("from-shell", "from-file")


@pytest.mark.parametrize("text", [b"\xef\xbb\xbfSETTING=it\n", b"\n  # SETTING: 1\r\n export SETTING='it' \r\n"])
def test_dotenv_is_read_as_editors_write_it(tmp_path, monkeypatch, text):
    (tmp_path / ".env").write_bytes(text)
    monkeypatch.setenv("SETTING", "")
    monkeypatch.delenv("SETTING")

    environment.read_dotenv(tmp_path)

    assert environment.read_text("SETTING") == "it"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"# A key\nSETTING: sk-secret\n", r"Line 2 of .*\.env sets no variable; allowed: NAME=value"),
        (b"SETTING = sk-secret\n", r"Line 1 of .*\.env sets no variable"),
        ("SETTING=1\n".encode("utf-16"), r".*\.env cannot be read .*; allowed: a text file in UTF-8"),
    ],
)
def test_broken_dotenv_is_told_without_what_it_holds(tmp_path, text, sentence):
    (tmp_path / ".env").write_bytes(text)

    with pytest.raises(ImproperlyConfigured, match=sentence) as told:
        environment.read_dotenv(tmp_path)

    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("LLM_JSON_MODE", "xml", "LLM_JSON_MODE is 'xml'; allowed: schema, object, text.\n"),
        ("LLM_TOOLS", "some", "LLM_TOOLS is 'some'; allowed: auto, on, off.\n"),
        (
            "EMBEDDING_MODEL",
            "some/model",
            "EMBEDDING_BACKEND is 'onnx' and EMBEDDING_MODEL 'some/model'; allowed with onnx: bundled. Other models need sentence-transformers.\n",
        ),
        (
            "ALLOWED_HOSTS",
            "[::1], https://chat.example.org",
            "ALLOWED_HOSTS is '[::1],https://chat.example.org'; allowed: names of hosts without http:// and port, by commas.\n",
        ),
        (
            "CSRF_TRUSTED_ORIGINS",
            "example.org",
            "CSRF_TRUSTED_ORIGINS is 'example.org'; allowed: origins with http:// or https://, by commas.\n",
        ),
        (
            "STRONG_WORDS",
            "died, a",
            "STRONG_WORDS has 'a'; allowed: words of 2 to 60 characters, by commas; nothing for none.\n",
        ),
        ("TRUSTED_PROXIES", "all", "TRUSTED_PROXIES is 'all'; allowed: a whole number from 0 to 10.\n"),
        (
            "ECHOVESSEL_DATA_DIR",
            "/dev/null/data",
            "ECHOVESSEL_DATA_DIR is '/dev/null/data' and cannot be written (Not a directory); name a folder that can.\n",
        ),
    ],
)
def test_command_with_a_wrong_setting_ends_with_one_sentence(command, name, value, sentence):
    ended = command("doctor", **{"EMBEDDING_BACKEND": "onnx", name: value})

    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", sentence)


def test_command_without_a_database_ends_with_one_sentence():
    nowhere = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}
    with forks.commands(after=forks.APPS, environment=nowhere) as command:
        all_ended = [command("scan"), command("qcluster")]

    for ended in all_ended:
        assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1), ended.args
        assert ended.stderr.startswith("The database does not answer: "), ended.args
        assert ended.stderr.endswith(" Start EchoVessel (`make run`), or check DATABASE_URL.\n"), ended.args


@pytest.mark.parametrize(
    ("value", "user", "password", "port", "tls"),
    [
        ("smtp://mail.example.org", None, None, 25, (False, False)),
        ("smtp+tls://echo%40example.org:p%23ss@mail.example.org", "echo@example.org", "p#ss", 587, (True, False)),
        ("smtps://echo:x@mail.example.org:2525/", "echo", "x", 2525, (True, False)),
        ("smtp+ssl://echo:x@mail.example.org", "echo", "x", 465, (False, True)),
        ("smtp+ssl://echo:x@mail.example.org:465", "echo", "x", 465, (False, True)),
        ("smtp://mail.example.org:65535", None, None, 65535, (False, False)),
    ],
)
def test_mail_server_is_read(monkeypatch, value, user, password, port, tls):
    monkeypatch.setenv("SETTING", value)

    read = environment.read_mail_server("SETTING")

    assert (read["EMAIL_HOST"], read["EMAIL_PORT"]) == ("mail.example.org", port)
    assert (read["EMAIL_HOST_USER"], read["EMAIL_HOST_PASSWORD"]) == (user, password)
    assert (read.get("EMAIL_USE_TLS", False), read.get("EMAIL_USE_SSL", False)) == tls


@pytest.mark.parametrize(
    "value",
    [
        "mail.example.org",
        "smtp://",
        "smtp://:25",
        "http://mail.example.org",
        "consolemail://",
        "smtp://mail.example.org:0",
        "smtp://mail.example.org:65536",
        "smtp://mail.example.org:mail",
        "smtps://echo:secret@mail.example.org:465",
        "smtp://echo:secret@mail.example.org:465",
        "smtp://echo:se#cret@mail.example.org",
        "smtp://echo:se/cret@mail.example.org",
        "smtp://echo:secret@mail.example.org?timeout=5",
        "smtp://echo:secret@[mail.example.org",
    ],
)
def test_wrong_mail_server_is_told_without_its_password(monkeypatch, value):
    monkeypatch.setenv("EMAIL_URL", value)

    with pytest.raises(ImproperlyConfigured) as told:
        environment.read_mail_server("EMAIL_URL")

    assert str(told.value).startswith(f"EMAIL_URL is '{value.partition(':')[0]}")
    assert "allowed: smtp+tls://user:password@host:587 (STARTTLS), " in str(told.value)
    assert re.search("secret|se.cret", str(told.value)) is None


@pytest.mark.parametrize("value", ["", "echo", "Echo <echo>", "echo@example.org, other"])
def test_wrong_sender_is_told(monkeypatch, value):
    monkeypatch.setenv("EMAIL_FROM", value)

    with pytest.raises(ImproperlyConfigured, match=r"EMAIL_FROM is '.*'; allowed: an address, or a name with one"):
        environment.read_sender("EMAIL_FROM", required=True)


def test_links_of_mails_need_the_names_of_the_site(command):
    told = {"ALLOWED_HOSTS": "*", "EMAIL_URL": "smtp://mail.example.org", "EMAIL_FROM": "echo@example.org"}
    ended = command("doctor", **told)

    assert ended.returncode == 1
    assert ended.stderr.startswith("ALLOWED_HOSTS is '*'; allowed with EMAIL_URL: the names of the site")
