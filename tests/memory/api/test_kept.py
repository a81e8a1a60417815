from datetime import timedelta

import pytest
import time_machine

from memory.models import Message
from memory.serializers.messages import MessageSerializer
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.rest import NOT_FOUND, NOT_SIGNED_IN, answered, api

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def said(bond, **columns):
    return MessageFactory(session=SessionFactory(bond=bond, status="closed", message_count=1), **columns)


def url(message):
    return f"/api/bonds/{message.bond_id}/messages/{message.pk}/keep/"


def test_a_message_is_kept_noted_and_let_go(bond):
    message = said(bond, role="persona", content="The sea was quiet.")
    client = api(bond.user)
    plain = dict(MessageSerializer(message).data)
    at = "2026-11-21T20:00:00Z"

    assert answered(client.put(url(message))) == (200, plain | {"kept": {"at": at, "note": None}})
    assert answered(client.put(url(message), {"note": "That evening."})) == (
        200,
        plain | {"kept": {"at": at, "note": "That evening."}},
    )
    assert client.put(url(message), {}).json()["kept"]["note"] == "That evening."
    assert client.put(url(message), {"note": None}).json()["kept"]["note"] is None
    assert client.put(url(message), {"note": "That day."}).json()["kept"]["note"] == "That day."
    assert client.put(url(message), {"note": ""}).json()["kept"]["note"] is None
    assert answered(client.delete(url(message))) == (200, plain)
    assert answered(client.delete(url(message))) == (200, plain)


@pytest.mark.parametrize(("length", "status"), [(500, 200), (501, 400)])
def test_a_note_has_five_hundred_characters_at_most(bond, length, status):
    message = said(bond)

    assert api(bond.user).put(url(message), {"note": "n" * length}).status_code == status
    message.refresh_from_db()
    assert message.kept_note == ("n" * length if status == 200 else "")


def test_what_else_is_sent_is_refused(bond):
    response = api(bond.user).put(url(said(bond)), {"star": True})

    assert (response.status_code, response.json()["code"]) == (400, "unknown_field")


@pytest.mark.parametrize("columns", [{"deleted_at": NOW}, {"chosen": False, "role": "persona"}], ids=str)
def test_what_is_not_shown_cannot_be_kept(bond, columns):
    assert answered(api(bond.user).put(url(said(bond, **columns)))) == NOT_FOUND


def test_what_is_off_the_record_cannot_be_kept(bond):
    message = MessageFactory(session=SessionFactory(bond=bond, off_record=True))

    assert answered(api(bond.user).put(url(message))) == NOT_FOUND


def test_the_list_has_the_last_kept_first_in_pages(bond, django_assert_num_queries):
    first, second, _ = said(bond), said(bond, role="persona"), said(bond)
    Message.objects.filter(pk=first.pk).update(kept_at=NOW + timedelta(hours=1), kept_note="Mine.")
    Message.objects.filter(pk=second.pk).update(kept_at=NOW)
    client = api(bond.user)

    with django_assert_num_queries(5):
        response = client.get(f"/api/bonds/{bond.pk}/kept/")

    shown = [dict(MessageSerializer(Message.objects.get(pk=message.pk)).data) for message in (first, second)]
    assert answered(response) == (200, {"next": None, "previous": None, "results": shown})


def test_charlie_keeps_nothing_of_mara(bond):
    message = said(bond)
    charlie = BondFactory(user__username="charlie")
    client = api(charlie.user)
    own = f"/api/bonds/{charlie.pk}/messages/{message.pk}/keep/"

    assert answered(client.put(url(message))) == answered(client.put(own)) == NOT_FOUND
    assert answered(client.delete(own)) == answered(client.get(f"/api/bonds/{bond.pk}/kept/")) == NOT_FOUND
    assert Message.objects.get().kept_at is None


def test_who_is_not_signed_in_is_refused(client, bond):
    assert answered(client.put(url(said(bond)))) == NOT_SIGNED_IN
