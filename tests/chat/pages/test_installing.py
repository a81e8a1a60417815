import json
import re

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from chat.pages import installing
from tests.support.factories import UserFactory

WORKER = reverse("service_worker")


def test_the_manifest_names_icons_that_are_there(client):
    answer = client.get(reverse("manifest"))

    body = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert {name: body[name] for name in ("name", "start_url", "scope", "display")} == {
        "name": "EchoVessel",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
    }
    assert [(icon["sizes"], icon["purpose"]) for icon in body["icons"]] == [
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    ]
    assert all(finders.find(icon["src"].removeprefix("/static/")) for icon in body["icons"])


def test_the_manifest_speaks_the_readers_language(client):
    body = json.loads(client.get(reverse("manifest"), headers={"Accept-Language": "zh-CN"}).content)

    assert (body["lang"], body["description"]) == ("zh-hans", "和记得你的人说说话。")


@pytest.mark.parametrize(
    ("language", "word"), [("en", "No connection"), ("zh-hans", "没有连接"), ("x", "No connection")]
)
def test_the_page_without_a_connection_speaks_the_language_asked_for(client, language, word):
    assert (
        f"<title>{word} · EchoVessel</title>" in client.get(reverse("offline"), {"language": language}).content.decode()
    )


@pytest.mark.django_db
def test_the_page_without_a_connection_holds_nothing_of_who_asks(client):
    before = client.get(reverse("offline")).content

    client.force_login(UserFactory(username="mara", display_name="Mara"))

    assert client.get(reverse("offline")).content == before


def worker(client, language="en"):
    answer = client.get(WORKER, {"language": language})
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("text/javascript", "no-cache")
    return answer.content.decode()


def version(script):
    return re.search(r'"([0-9a-f]{16}-[\w-]+)"', script).group(1)


def test_each_language_has_a_worker_with_its_page(client):
    english, chinese = worker(client), worker(client, "zh-hans")

    assert ('"/offline/?language=en"' in english, '"/offline/?language=zh-hans"' in chinese) == (True, True)
    assert version(english) != version(chinese)
    assert version(worker(client)) == version(english)


def test_a_file_that_changed_makes_a_new_worker(client, monkeypatch):
    before = version(worker(client))
    names = {"n": "0123456789ab"}
    monkeypatch.setattr(installing, "static", lambda path: f"/static/{path[:-4]}.{names['n']}.css")

    script = worker(client)

    assert (version(script) != before, ".0123456789ab.css" in script) == (True, True)
    names["n"] = "ffff56789abc"
    assert version(worker(client)) != version(script)


def test_files_without_a_hash_in_their_name_are_not_kept(client):
    assert "const FILES = [];" in worker(client)
