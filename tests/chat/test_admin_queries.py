import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.chat import adminworld
from tests.chat.adminworld import address, sections, staff

pytestmark = pytest.mark.django_db


def asked(client, url):
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        page = client.get(url)
    assert page.status_code == 200
    return len(queries.captured_queries)


@pytest.mark.parametrize("label", sections())
def test_a_list_asks_as_often_for_one_row_as_for_three(client, label):
    user = staff("lin", is_superuser=True)
    client.force_login(user)
    adminworld.made()
    client.get(address(label, ""))
    one = asked(client, address(label, ""))

    adminworld.made(name="teo", word="palimpsest")
    adminworld.made(name="ada", word="incunable")
    three = asked(client, address(label, ""))

    assert three == one


def test_the_overview_asks_as_often_for_one_person_as_for_three(client):
    client.force_login(staff("lin", is_superuser=True))
    adminworld.made()
    one = asked(client, "/admin/")

    adminworld.made(name="teo", word="palimpsest")
    adminworld.made(name="ada", word="incunable")

    assert asked(client, "/admin/") == one
