import re
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django_q.brokers import get_broker
from django_q.signing import SignedPackage
from django_q.status import Stat, Status

from echovessel.embeddings import embedding
from echovessel.http import health
from echovessel.llm import connection as model_connection
from echovessel.llm.connection import Connection
from echovessel.runtime import diagnosis
from echovessel.runtime.diagnosis import Finding
from tests.support import mail_server
from tests.support.factories import NOW
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.django_db
START = "Start EchoVessel (`make run`), or a worker: `manage.py qcluster`."


@pytest.fixture
def worker():
    """What a running worker leaves in the cache every half second."""
    status = Status(1, uuid4())
    get_broker().set_stat(Stat.get_key(status.cluster_id), SignedPackage.dumps(status, True), 3)


def _findings():
    return {finding.part: finding for finding in diagnosis.examine()}


def _doctor():
    out = StringIO()
    try:
        call_command("doctor", stdout=out, no_color=True)
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), None


def test_doctor_finds_a_full_disk(monkeypatch):
    monkeypatch.setattr(health, "_FREE_LEAST", 10**18)

    found = _findings()["disk"]

    assert found.text.startswith("The disk of ")
    assert found.mend


def test_doctor_finds_a_whole_install_well(worker):
    version = connection.pg_version

    said, complaint = _doctor()

    assert complaint is None
    first, _, rest = said.partition("\n")
    assert re.fullmatch(r"   ok  version: EchoVessel [\d.]+, Python 3\.\S+, Django 5\.\S+", first)
    assert rest == (
        "   ok  disk: has room\n"
        f"   ok  database: PostgreSQL {version // 10000}.{version % 10000}, all migrations applied\n"
        "   ok  extensions: pg_trgm, vector\n"
        "   ok  channel layer: delivers, over PostgreSQL\n"
        "   ok  worker: 1 running\n"
        "   ok  model server: none is connected (by an administrator in Settings, Model server, or by OPENAI_BASE_URL or "
        "OPENAI_API_KEY): the offline rules answer\n"
        "   ok  embedding model: hash gives 384 dimensions\n"
        "   ok  mail: none is sent, since EMAIL_URL is not set; for a forgotten password: `manage.py changepassword NAME`\n"
    )


def test_doctor_says_how_to_mend_what_is_missing():
    said, complaint = _doctor()

    assert complaint == "1 to mend."
    assert f"wrong  worker: none is running\n       {START}\n" in said


def test_missing_extension_is_named():
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION pg_trgm CASCADE")

    assert _findings()["extensions"] == Finding(
        "extensions", "missing: pg_trgm", "As the database's superuser: CREATE EXTENSION pg_trgm;"
    )


def test_without_a_database_only_the_rest_is_looked_at(monkeypatch):
    monkeypatch.setattr(health, "check_database", lambda: "The database does not answer: gone")

    found = _findings()
    del found["version"]
    assert found == {
        "disk": Finding("disk", "has room"),
        "database": Finding(
            "database", "The database does not answer: gone", "Start EchoVessel (`make run`), or check DATABASE_URL."
        ),
        "embedding model": Finding("embedding model", "hash gives 384 dimensions"),
        "mail": Finding("mail", diagnosis.NO_MAIL),
    }


def test_missing_cache_table_is_found(settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "no_table"}}

    assert _findings()["worker"].mend == "Run `manage.py createcachetable`."


def test_each_model_of_the_server_is_asked_once(settings):
    with ModelServer() as server:
        settings.MODEL_SERVER, settings.OPENAI_BASE_URL = True, server.url
        settings.LLM_MODELS = {"main": "large", "medium": "tiny", "small": "tiny"}

        findings = _findings()

    assert (findings["model large"], findings["model tiny"]) == (
        Finding("model large", "a reply with settings: comes"),
        Finding("model tiny", "JSON (answer mode schema): comes"),
    )
    assert [request["model"] for request in server.requests] == ["large", "large", "large", "tiny"]


def test_model_server_that_is_away_is_found(settings):
    settings.MODEL_SERVER, settings.OPENAI_BASE_URL = True, "http://127.0.0.1:1/v1"

    findings = _findings()

    assert findings["model server"] == Finding("model server", "http://127.0.0.1:1/v1, named by OPENAI_BASE_URL")
    assert findings["model gpt-4o"] == Finding(
        "model gpt-4o",
        "a reply: Nothing answers at the address of the model server.",
        "Check OPENAI_BASE_URL, OPENAI_API_KEY, LLM_JSON_MODE and the model's name.",
    )


def test_what_an_operator_connected_is_told_from_what_the_environment_names():
    address = "http://127.0.0.1:1/v1"
    model_connection.store(Connection(address=address, key="", main="big"), now=NOW)
    connected = _findings()
    model_connection.set_enabled(is_on=False, now=NOW)

    page = "on the page Settings, Model server"
    assert (connected["model server"], connected["model big"].mend) == (
        Finding("model server", f"{address}, named by an administrator {page}"),
        f"Check the address, the key, the answer mode and the model's name {page}.",
    )
    assert _findings()["model server"] == Finding("model server", f"switched off {page}: the offline rules answer")


def test_a_key_that_cannot_be_read_is_found(settings):
    model_connection.store(Connection(address="http://127.0.0.1:1/v1", key="sk-secret", main="big"), now=NOW)
    settings.SECRET_KEY = "another"

    findings = _findings()

    assert findings["model server"] == Finding(
        "model server",
        "its kept key cannot be read: SECRET_KEY is not what it was",
        "Enter the key anew on the page Settings, Model server.",
    )
    assert "has to enter it again" in findings["model big"].text


def test_embedding_model_that_does_not_load_is_found(settings, monkeypatch):
    def fail(texts):
        raise embedding.EmbeddingError("no such model")

    monkeypatch.setattr(embedding, "embed", fail)

    assert _findings()["embedding model"] == Finding("embedding model", "no such model", embedding.MEND)


@pytest.mark.parametrize(
    ("refused_with", "said", "mend"),
    [
        ("", "ready to send", ""),
        ("553 not from here", "The mail server said: 553 not from here", "Check EMAIL_URL and EMAIL_FROM."),
    ],
)
def test_mail_server_is_asked_whether_it_takes_the_sender(settings, refused_with, said, mend):
    settings.SENDS_MAIL, settings.EMAIL_BACKEND = True, "echovessel.mail.SMTPBackend"
    settings.DEFAULT_FROM_EMAIL = "EchoVessel <echo@example.org>"
    with mail_server.running() as (kept, port):
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        kept.sender_refused_with = refused_with

        found = _findings()["mail"]

    assert found == Finding("mail", f"127.0.0.1:{port}, from EchoVessel <echo@example.org>: {said}", mend)
    assert kept.mails == []


def test_mail_server_that_is_away_is_found(settings):
    settings.SENDS_MAIL, settings.EMAIL_BACKEND = True, "echovessel.mail.SMTPBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", mail_server.free_port()

    found = _findings()["mail"]

    assert found.text.endswith(": Nothing answers at the address of the mail server.")
