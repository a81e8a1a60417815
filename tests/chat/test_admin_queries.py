import pytest
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support import adminworld
from tests.support.adminworld import address, sections, staff

pytestmark = pytest.mark.django_db


def asked(client, url):
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        page = client.get(url)
    assert page.status_code == 200
    return len(queries.captured_queries)


def test_lists_ask_as_often_for_one_row_as_for_three(client):
    client.force_login(staff("lin", is_superuser=True))
    adminworld.made()
    for label in sections():
        client.get(address(label, ""))
    one = {label: asked(client, address(label, "")) for label in sections()}

    adminworld.made(name="teo", word="palimpsest")
    adminworld.made(name="ada", word="incunable")
    three = {label: asked(client, address(label, "")) for label in sections()}

    assert three == one


def test_an_account_that_can_only_be_read_asks_as_often_for_many_rights_as_for_one(client):
    lin = staff("lin")
    client.force_login(lin)
    client.get(address("personas.user", "{}/change/", lin.pk))
    many = asked(client, address("personas.user", "{}/change/", lin.pk))

    lin.user_permissions.set(Permission.objects.filter(codename="view_user"))

    assert asked(client, address("personas.user", "{}/change/", lin.pk)) == many


def test_the_overview_asks_as_often_for_one_person_as_for_three(client):
    client.force_login(staff("lin", is_superuser=True))
    adminworld.made()
    one = asked(client, "/admin/")

    adminworld.made(name="teo", word="palimpsest")
    adminworld.made(name="ada", word="incunable")

    assert asked(client, "/admin/") == one
