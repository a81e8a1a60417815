import threading

import pytest
from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, channel_layers
from django.db import connection, connections

from echovessel.http import health
from echovessel.postgres.channel_layer import PostgresChannelLayer


class DeafLayer(InMemoryChannelLayer):
    async def group_send(self, group, message):
        """Lose it."""


@pytest.fixture
def use_layer():
    before = channel_layers["default"]
    yield lambda layer: channel_layers.set("default", layer)
    channel_layers.set("default", before)


@pytest.fixture
def wrong_port(monkeypatch):
    """For connections made from now on, as in another thread."""
    monkeypatch.setitem(connections["default"].settings_dict["OPTIONS"], "port", 1)


def _in_new_thread(function):
    answers = []

    def run():
        answers.append(function())
        connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return answers[0]


@pytest.mark.django_db
def test_process_that_lives_says_so_without_a_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = client.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"status": "alive"})
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_what_no_browser_keeps_does_not_say_so(client):
    assert not client.post("/healthz").has_header("Cache-Control")


@pytest.mark.django_db
def test_install_is_ready_when_database_and_channel_layer_answer(client):
    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "reasons": []})
    assert channel_layers["default"]._channels == {}


@pytest.mark.django_db
def test_probe_is_answered_behind_https_without_a_redirect(client, settings):
    settings.SECURE_SSL_REDIRECT = True

    assert [client.get(path).status_code for path in ("/healthz", "/readyz", "/accounts/login/")] == [200, 200, 301]


@pytest.mark.django_db
def test_install_without_its_migrations_is_not_ready(client):
    health._require_migrations.cache_clear()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'memory'")

    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()) == (
        503,
        {"status": "not ready", "reasons": ["The database lacks migrations: run `manage.py migrate`."]},
    )


@pytest.mark.django_db
def test_database_that_does_not_answer_is_the_reason(wrong_port):
    reason = _in_new_thread(health.check_database)

    assert reason.startswith("The database does not answer: ")
    assert "\n" not in reason


@pytest.mark.django_db
def test_channel_layer_that_delivers_nothing_is_the_reason(client, use_layer, monkeypatch):
    monkeypatch.setattr(health, "_LAYER_SECONDS", 0.05)
    use_layer(DeafLayer())

    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()) == (
        503,
        {"status": "not ready", "reasons": ["The channel layer delivers nothing."]},
    )


@pytest.mark.django_db
def test_channel_layer_that_cannot_connect_is_the_reason(use_layer, wrong_port, monkeypatch):
    monkeypatch.setattr("echovessel.postgres.link._LISTEN_WAIT_SECONDS", 0.05)
    layer = PostgresChannelLayer()
    use_layer(layer)

    reason = async_to_sync(health.check_channel_layer)()
    async_to_sync(layer.close)()

    assert reason.startswith("The channel layer does not answer: ")
    assert (layer._channels, layer._groups) == ({}, {})
