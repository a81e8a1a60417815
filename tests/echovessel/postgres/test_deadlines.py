import os
import subprocess
import sys
import time
from itertools import count

import pytest
from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.urls import include, path

from echovessel.postgres import deadlines
from tests.support.rest import answered, refusal

pytestmark = pytest.mark.django_db


def ask(seconds=0.0):
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(%s)", [seconds])


def endless(request):
    for _ in count():
        ask()


def slow(request):
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '50ms'")
        cursor.execute("SELECT pg_sleep(30)")


def waiting(request):
    """Waits for something else than the database, as for a model."""
    ask()
    time.sleep(0.3)
    ask()
    return HttpResponse("done")


urlpatterns = [
    path("endless/", endless),
    path("slow/", slow),
    path("waiting/", waiting),
    path("api/endless/", endless),
    path("", include("echovessel.urls")),
]


@pytest.fixture(autouse=True)
def pages(settings, monkeypatch):
    settings.ROOT_URLCONF = __name__
    monkeypatch.setattr(deadlines, "REQUEST_SECONDS", 0.2)


@pytest.mark.parametrize("url", ["/endless/", "/slow/"])
def test_a_page_that_takes_too_long_is_ended_with_a_sentence(url, client, caplog):
    answer = client.get(url)

    assert answer.status_code == 503
    assert "This took too long" in answer.content.decode()
    assert [f"GET {url} took too long and was ended"] == [record.message for record in caplog.records[:1]]
    ask()


def test_a_call_that_takes_too_long_is_ended_with_a_code(client):
    detail = "This took too long and was stopped. Try again, or ask for less."

    assert answered(client.get("/api/endless/")) == (503, refusal("interrupted", detail))


def test_what_is_waited_for_outside_the_database_counts_little(client, monkeypatch):
    monkeypatch.setattr(deadlines, "PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(deadlines, "REQUEST_SECONDS", 0.25)

    assert client.get("/waiting/").content == b"done"


def test_nothing_is_left_of_a_limit_after_the_request(client):
    client.get("/waiting/")

    assert connection.execute_wrappers == []


def limit_of_statements():
    with connection.cursor() as cursor:
        cursor.execute("SHOW statement_timeout")
        return cursor.fetchone()[0]


def test_a_worker_or_a_command_has_no_limit():
    deadlines.extend_limits()

    assert (limit_of_statements(), connection.execute_wrappers) == ("0", [])


def test_what_may_take_long_gets_more_time():
    with deadlines.limit_time(0), pytest.raises(OperationalError):
        ask()
    with deadlines.limit_time(0):
        deadlines.extend_limits()
        ask()
        assert limit_of_statements() == "10min"


@pytest.mark.parametrize(("process", "limit"), [("web", "30s"), ("", "0")])
def test_statements_have_a_limit_in_the_web_process_alone(process, limit):
    asking = "from django.db import connection as c; k = c.cursor()"
    asking += "; k.execute('SHOW statement_timeout'); print(k.fetchone()[0]); c.close()"
    asking += "; getattr(c, 'close_pool', lambda: None)()"
    environment = os.environ | {"ECHOVESSEL_PROCESS": process, "DJANGO_SETTINGS_MODULE": "echovessel.settings"}

    ended = subprocess.run([sys.executable, "-c", asking], env=environment, capture_output=True, text=True, check=True)

    assert ended.stdout.strip() == limit
