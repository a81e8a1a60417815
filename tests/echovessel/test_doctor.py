from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django_q.brokers import get_broker
from django_q.signing import SignedPackage
from django_q.status import Stat, Status

from echovessel import diagnosis, embedding, health
from echovessel.diagnosis import Finding
from tests.model_server import ModelServer

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


def test_doctor_finds_a_whole_install_well(worker):
    version = connection.pg_version

    said, complaint = _doctor()

    assert complaint is None
    assert said == (
        f"   ok  database: PostgreSQL {version // 10000}.{version % 10000}, all migrations applied\n"
        "   ok  extensions: pg_trgm, vector\n"
        "   ok  channel layer: delivers, over PostgreSQL\n"
        "   ok  worker: 1 running\n"
        "   ok  model server: none set: the offline voice answers; OPENAI_API_KEY or OPENAI_BASE_URL set one\n"
        "   ok  embedding model: hash gives 384 dimensions\n"
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
    monkeypatch.setattr(health, "database_reason", lambda: "The database does not answer: gone")

    assert _findings() == {
        "database": Finding(
            "database", "The database does not answer: gone", "Start EchoVessel (`make run`), or check DATABASE_URL."
        ),
        "embedding model": Finding("embedding model", "hash gives 384 dimensions"),
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
        Finding("model large", "answers"),
        Finding("model tiny", "answers"),
    )
    assert [request["model"] for request in server.requests] == ["large", "tiny"]


def test_model_server_that_is_away_is_found(settings):
    settings.MODEL_SERVER, settings.OPENAI_BASE_URL = True, "http://127.0.0.1:1/v1"

    finding = _findings()["model gpt-4o"]

    assert finding.mend == "Check OPENAI_BASE_URL, OPENAI_API_KEY, LLM_JSON_MODE and the model's name."


def test_embedding_model_that_does_not_load_is_found(settings, monkeypatch):
    def fail(texts):
        raise embedding.EmbeddingError("no such model")

    monkeypatch.setattr(embedding, "embed", fail)

    assert _findings()["embedding model"] == Finding(
        "embedding model", "no such model", "Check EMBEDDING_MODEL; `bundled` needs no network."
    )
