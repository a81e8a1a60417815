import copy
import re

import pytest
from django.apps import apps
from django.contrib.admin.utils import quote
from django.core import serializers
from django.urls import URLPattern

from personas.models import AccessLog
from personas.scope import ScopedAdminMixin
from tests.support import adminworld, worlds
from tests.support.adminworld import MARK, address, sections, staff
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db

# The own account; and keys and rights, which only superusers see.
OF_SUPERUSERS = {"auth.group", "knox.authtoken", "mfa.authenticator"}


@pytest.fixture(scope="module")
def everybody(django_db_setup, django_db_blocker):
    with worlds.shared(made, database=django_db_blocker) as rows:
        yield rows


def made():
    """Mara's rows, and two of the staff: charlie, and lin who may see other people's memories."""
    return adminworld.made(), staff("charlie"), staff("lin", sees_others=True)


@pytest.fixture
def world(everybody):
    return copy.deepcopy(everybody[0])


@pytest.fixture
def charlie(client, everybody):
    user = copy.deepcopy(everybody[1])
    client.force_login(user)
    return user


@pytest.fixture
def lin(client, everybody):
    user = copy.deepcopy(everybody[2])
    client.force_login(user)
    return user


def queries(label, row):
    """Return what somebody who guesses would ask a list for first.

    Searches use a part of the word, since the page repeats it.
    """
    return ["", f"q={MARK[:5]}", f"q={row.pk}", "trash=only", *by_fields(label, row)[:1]]


def every_query(label, row):
    """Return the same with every filter, facets and whatever else a list accepts."""
    return [
        *queries(label, row),
        "q=bought",
        f"tag={MARK[:5]}",
        "_facets=1",
        "all=1",
        "e=1",
        "o=1",
        *by_fields(label, row),
    ]


def by_fields(label, row):
    filters = sections()[label].list_filter
    names = [name if isinstance(name, str) else name[0] for name in filters if isinstance(name, str | tuple)]
    return [f"{name}__id__exact={value}" for name in names for value in (row.pk, "1")]


def everything():
    """Return all rows of the install, except those that reading itself writes."""
    models = [model for model in apps.get_models() if model._meta.label not in ("sessions.Session", "personas.User")]
    return {model._meta.label: serializers.serialize("json", model._base_manager.order_by("pk")) for model in models}


def urls_of(label, row):
    """Return every path of this section, with a row's id where one belongs."""
    for pattern in sections()[label].get_urls():
        assert isinstance(pattern, URLPattern)
        path = str(pattern.pattern).replace("<path:object_id>", quote(str(row.pk))).replace("<id>", str(row.pk))
        path = re.sub(r"<int:\w+>", "1", path).replace("<slug:label>", "style")
        assert "<" not in path, f"the test does not know how to ask for {path}"
        yield address(label, path)


def test_the_world_holds_a_row_of_every_section(world):
    assert set(world) == set(sections())


def test_every_section_scopes_its_rows():
    assert [one for one in sections().values() if not isinstance(one, ScopedAdminMixin)] == []
    assert [inline for one in sections().values() for inline in one.inlines] == []


@pytest.mark.parametrize("label", sections())
def test_charlie_finds_nothing_of_others_in_lists(client, world, charlie, label):
    assert_hidden(client, label, world[label], queries(label, world[label]))


@pytest.mark.soak
@pytest.mark.parametrize("label", sections())
def test_charlie_finds_nothing_of_others_however_lists_are_asked(client, world, charlie, label):
    assert_hidden(client, label, world[label], every_query(label, world[label]))


def assert_hidden(client, label, row, asked):
    for query in asked:
        page = client.get(address(label, "?" + query), follow=True)

        assert page.status_code in (200, 403)
        assert MARK not in page.content.decode(), query
        assert f"{quote(str(row.pk))}/change/" not in page.content.decode(), query


def test_charlie_finds_nothing_of_others_by_addresses(client, world, charlie):
    before, led_to = everything(), set()

    for label, row in world.items():
        for url in urls_of(label, row):
            for answer in (client.get(url), client.post(url, {"post": "yes"})):
                assert answer.status_code in (200, 302, 403, 404, 405), url
                assert MARK not in answer.content.decode(), url
                led_to.update(answer.headers.get("Location", "").split())

    assert_nothing_there(client, led_to)
    assert everything() == before


def test_charlie_does_nothing_to_others_by_actions(client, world, charlie):
    before, led_to = everything(), set()

    for label, row in world.items():
        for action in [*(sections()[label].actions or ()), "delete_selected"]:
            ticked = {"action": action, "_selected_action": [str(row.pk)], "select_across": "1"}
            sure = {"confirmed": "1", "post": "yes", "kept": str(row.pk), "dependents": "cascade", "lines": "forget"}
            for data in (ticked, ticked | sure):
                answer = client.post(address(label, ""), data)

                assert answer.status_code in (200, 302, 403), (label, action)
                assert MARK not in answer.content.decode(), (label, action)
                led_to.update(answer.headers.get("Location", "").split())

    assert_nothing_there(client, led_to)
    assert everything() == before


def assert_nothing_there(client, places):
    """Check also where answers redirect to, each place once."""
    for place in sorted(places):
        page = client.get(place, follow=True)

        assert page.status_code in (200, 403), place
        assert MARK not in page.content.decode(), place


def related_fields():
    """Return every foreign key that can be used to query choices."""
    return [
        (model._meta.app_label, model._meta.model_name, field.name)
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if field.many_to_one and field.concrete
    ]


def test_charlie_is_offered_nothing_of_others(client, world, charlie):
    answered = 0
    for app_label, model_name, field_name in related_fields():
        asked = {"app_label": app_label, "model_name": model_name, "field_name": field_name}
        for term in ("", MARK, "mara"):
            answer = client.get("/admin/autocomplete/", asked | {"term": term})

            assert answer.status_code in (200, 403), asked
            assert MARK not in answer.content.decode(), asked
            assert answer.status_code == 403 or answer.json()["pagination"] == {"more": False}, asked
            answered += answer.status_code == 200
    assert answered > 0


def test_charlie_finds_nothing_of_others_on_pages_of_no_section(client, world, charlie):
    for path in ("", "memory/", "personas/", "chat/", "echovessel/", "django_q/", "search/?s=" + MARK[:4], "jsi18n/"):
        answer = client.get(f"/admin/{path}", follow=True)

        assert MARK not in answer.content.decode(), path


@pytest.mark.parametrize("label", sections())
def test_those_with_the_permission_find_it_and_where_it_is_memory_each_reading_is_written_down(
    client, world, lin, label
):
    row, section, person = world[label], sections()[label], world["personas.user"]
    if label in OF_SUPERUSERS:
        lin.is_superuser = True
        lin.save()

    listed = client.get(address(label, ""))
    list_read = taken_from_the_log(world)
    shown = client.get(address(label, "{}/change/", quote(str(row.pk))))

    assert (listed.status_code, shown.status_code) == (200, 200)
    assert f"{quote(str(row.pk))}/change/" in listed.content.decode()
    assert MARK in shown.content.decode()
    expected = [(lin, "lin", person, label.split(".")[1])] if section.is_memory and section.person else []
    assert (list_read, taken_from_the_log(world)) == (expected, expected)


@pytest.mark.parametrize("label", sorted(OF_SUPERUSERS))
def test_keys_and_rights_of_others_are_no_memory_that_the_permission_shows(client, world, lin, label):
    row = quote(str(world[label].pk))

    listed = client.get(address(label, ""))
    opened = [client.get(address(label, page, row)).status_code for page in ("{}/change/", "{}/delete/")]

    assert f"{row}/change/" not in listed.content.decode()
    assert set(opened) <= {302, 403}


def taken_from_the_log(world):
    """Return what was logged since; repeated access within an hour is logged once."""
    since = AccessLog.objects.exclude(pk=world["personas.accesslog"].pk)
    read = [(one.reader, one.reader_name, one.person, one.section) for one in since.for_user(world["personas.user"])]
    since.delete()
    return read


def test_charlie_sees_own_rows(client, charlie, world):
    own = adminworld.made(name="own", word="palimpsest")
    own["personas.bond"].user = charlie
    own["personas.bond"].save()

    for label in ("memory.session", "memory.message", "memory.event", "memory.entity", "chat.turn", "personas.bond"):
        listed = client.get(address(label, "")).content.decode()

        assert address(label, "{}/change/", own[label].pk) in listed
        assert address(label, "{}/change/", world[label].pk) not in listed
        assert client.get(address(label, "{}/change/", own[label].pk)).status_code == 200
    assert not AccessLog.objects.filter(reader=charlie).exists()


def test_one_line_an_hour_however_often_it_is_read(client, world, lin):
    for _ in range(3):
        client.get(address("memory.event", "{}/change/", world["memory.event"].pk))

    assert AccessLog.objects.filter(reader=lin, section="event").count() == 1


def test_what_was_said_off_the_record_is_nobodys_to_read(client, lin, world):
    talk = world["memory.session"]
    talk.off_record = True
    talk.save()

    pages = [
        client.get(address(label, page, world[label].pk), follow=True).content.decode()
        for label in ("memory.message", "chat.turn", "memory.session")
        for page in ("", "{}/change/")
    ]

    assert [page for page in pages if "I bought" in page or "Tell me" in page] == []


def test_whose_memory_was_read_finds_it_in_the_settings(client, world, lin):
    client.get(address("memory.event", "{}/change/", world["memory.event"].pk))
    client.force_login(world["personas.user"])

    page = markup_of(client.get("/settings/"))

    assert "<td>lin</td> <td>events</td>" in page
