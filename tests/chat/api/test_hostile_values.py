"""Values that our pages never send: each page answers them, and none fails with a bug."""

import copy
import re

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from tests.support import worlds
from tests.support.factories import BondFactory
from tests.support.rest import api

pytestmark = pytest.mark.django_db
VALUES = ["a\0b", "9999-12-31", "0001-01-01T00:00:00+12:00", str(10**20)]
NAMES = re.findall(
    r"\w+",
    "q p page last first before after around at since until day month year range span from to"
    " kind type state subject tag min_impact sort order layer node entity token id next session",
)
# Streamed answers, which would be left unread.
STREAMS = ("events/stream/", "export/")


@pytest.fixture(scope="module")
def maras_life(django_db_setup, django_db_blocker):
    """Mara's bond, and her browser."""
    with worlds.shared(made, database=django_db_blocker) as life:
        yield life


def made():
    bond, client = BondFactory(user__username="mara"), Client(raise_request_exception=False)
    client.force_login(bond.user)
    return bond, client.cookies


@pytest.fixture
def bond(maras_life):
    return copy.deepcopy(maras_life[0])


@pytest.fixture
def client(maras_life):
    return browser(maras_life)


def browser(maras_life):
    client = Client(raise_request_exception=False)
    client.cookies = copy.deepcopy(maras_life[1])
    return client


def for_each(paths, maras_life):
    """Each path with a browser; what a request does is taken back before the next path, as between tests."""
    for path in paths:
        cache.clear()
        with transaction.atomic():
            yield path, browser(maras_life)
            transaction.set_rollback(True)


def paths(resolver=None, before=""):
    """Return every path of ours with its path converters."""
    for pattern in (resolver or get_resolver()).url_patterns:
        path = before + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from paths(pattern, path)
        elif not path.startswith(("admin/", "api/docs", "api/schema")) and not path.endswith(STREAMS):
            yield path


def filled(path, bond, part):
    path = path.replace("<int:bond_id>", str(bond.pk)).replace("<int:persona_id>", str(bond.persona_id))
    path = re.sub(r"<uuid:\w+>", "6b1e8e6e-7e5e-4c52-9d9e-111111111111", path)
    path = re.sub(r"<(int:)?\w+>", lambda found: "1" if part == "\0" else str(10**20), path)
    return "/" + re.sub(r"<\w+:\w+>", "%00" if part == "\0" else "events", path)


OURS = sorted({path for path in paths() if not re.search(r"[\\^$(]", path)})


FORMS = [path for path in OURS if not path.startswith("api/")]
# Each of these many tests asks at every so manieth path: to each path a test of its own, pytest would be at work as long as the pages.
PARTS = 8
in_parts = pytest.mark.parametrize("part", range(PARTS))


@in_parts
def test_no_address_or_query_is_a_bug(part, maras_life, bond):
    failed = []
    for path, client in for_each(OURS[part::PARTS], maras_life):
        asked = [(filled(path, bond, "1"), value) for value in VALUES] + [(filled(path, bond, "\0"), "\0")]
        failed += [one for one in asked if client.get(one[0], dict.fromkeys(NAMES, one[1])).status_code >= 500]

    assert failed == []


@in_parts
def test_no_form_is_a_bug(part, maras_life, bond):
    failed = []
    for path, client in for_each(FORMS[part::PARTS], maras_life):
        where = filled(path, bond, "1")
        fields = re.findall(r'name="([\w-]+)"', client.get(where, follow=True).content.decode())
        for value in ("a\0b", "9999-12-31"):
            answer = client.post(where, dict.fromkeys({*fields, *NAMES, "nodes", "confirm", "step", "language"}, value))
            if answer.status_code >= 500:
                failed.append((where, value))
                break
            # Signing out or erasing would spoil the rest.
            client.force_login(bond.user)

    assert failed == []


@pytest.mark.parametrize("name", ["ü.png", "猫.png", "a\0b.png", 'a"b.png', "x" * 400 + ".png", "../../a.png"])
def test_no_name_of_a_file_is_a_bug(name, bond, client):
    file = SimpleUploadedFile("a.png", b"no picture")
    file._name = name
    answers = [
        api(bond.user).put(f"/api/personas/{bond.persona_id}/avatar/", {"file": file}, format="multipart"),
        client.post(f"/bonds/{bond.pk}/persona/", {"picture": file}),
        client.post(f"/bonds/{bond.pk}/import/", {"file": file}),
        client.post("/companions/new/back/", {"file": file}),
        client.post("/companions/new/material/", {"file": file, "draft": "1"}),
    ]

    assert [answer.status_code for answer in answers if answer.status_code >= 500] == []


def test_a_session_cookie_that_is_none_is_nobodys():
    client = Client(raise_request_exception=False)
    for value in ('"abcdefgh\\000"', "x" * 4000, "\\"):
        client.cookies["sessionid"] = value
        assert client.get("/settings/").status_code == 302
        assert client.get("/api/me/").status_code == 401


@pytest.mark.parametrize("avatar", ["data:image/webp;base64,猫", "猫", "\0", "data:image/webp;base64,AAAA"])
def test_a_picture_in_a_form_that_is_none_is_refused(avatar, client):
    form = {"name": "Ilse", "language": "en", "persona": "A gardener.", "avatar": avatar}

    assert client.post("/companions/new/write/", form).context["form"].errors.keys() == {"avatar"}
