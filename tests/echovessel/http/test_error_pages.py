import html
import json

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory

from echovessel.http import error_pages, health
from tests.support.factories import UserFactory
from tests.support.markup import markup_of
from tests.support.rest import answered, api, refusal


def test_bug_below_api_is_told_as_json():
    answer = error_pages.render_server_error(RequestFactory().get("/api/bonds/"))

    assert (answer.status_code, answer.content) == (
        500,
        b'{"code": "interrupted", "detail": "Something went wrong. The error is in the server\'s log.", "fields": null}',
    )


def test_bug_of_a_page_is_told_as_a_page():
    answer = error_pages.render_server_error(RequestFactory().get("/"))

    assert answer.status_code == 500
    assert markup_of(answer).startswith("<!DOCTYPE html>")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("origin", "said"),
    [
        (
            "https://chat.example.org",
            "This page was opened at https://chat.example.org, but the server was asked for http://testserver.",
        ),
        ("http://testserver", "This page has expired"),
    ],
)
def test_form_that_comes_through_a_proxy_without_its_host_is_no_expired_page(origin, said):
    answer = Client(enforce_csrf_checks=True).post("/accounts/login/", headers={"Origin": origin})

    assert answer.status_code == 403
    assert said in answer.content.decode()


def test_socket_that_a_proxy_does_not_pass_on_is_named_in_the_log(client, caplog):
    answer = client.get("/ws/bonds/1/")

    assert answer.status_code == 426
    assert caplog.messages == ["The proxy does not pass on sockets (headers Upgrade and Connection): /ws/bonds/1/"]


@pytest.fixture
def full_disk(monkeypatch):
    """As if more room had to be free than there can be."""
    monkeypatch.setattr(health, "_FREE_LEAST", 2**70)


def test_full_disk_is_told_in_a_sentence_where_something_fails(full_disk):
    of_api, of_page = (error_pages.render_server_error(RequestFactory().get(path)) for path in ("/api/bonds/", "/"))

    assert json.loads(of_api.content)["detail"] == error_pages.DISK_FULL
    assert of_page.status_code == 500
    assert "<h1>The server's disk is full</h1>" in html.unescape(of_page.content.decode())


@pytest.mark.django_db
def test_what_needs_redis_may_be_asked_for_again_while_it_is_away(settings):
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    }

    answer = api(UserFactory()).post("/api/auth/ticket/")

    assert answered(answer) == (503, refusal("interrupted", error_pages.AWAY))
    assert answer.headers["Retry-After"] == "5"


def test_page_may_be_asked_for_again_while_the_database_is_away():
    away = error_pages.UnavailableMiddleware(lambda request: None)

    answer = away.process_exception(RequestFactory().get("/"), OperationalError("connection refused"))

    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "Something went wrong" in answer.content.decode()


@pytest.mark.django_db
def test_full_disk_is_no_readiness(client, full_disk, settings):
    answer = client.get("/readyz")

    assert answer.status_code == 503
    assert answer.json()["reasons"][0].startswith(f"The disk of {settings.DATA_DIR} is full (")
