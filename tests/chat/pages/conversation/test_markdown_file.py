from datetime import timedelta

import pytest
from django.urls import reverse

from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__time_zone="Europe/Vienna", persona__name="阿 Zhen")


def chat(bond, **more):
    session = SessionFactory(bond=bond, status="closed", title="The waltz", message_count=2, **more)
    MessageFactory(session=session, content="I **played**.", created_at=NOW)
    MessageFactory(session=session, role="persona", content="# Well!", created_at=NOW + timedelta(minutes=1))
    MessageFactory(session=session, role="persona", content="Not chosen.", chosen=False)
    MessageFactory(session=session, content="Gone.", deleted_at=NOW)
    return session


def download(client, bond, session):
    return client.get(reverse("session_markdown", args=[bond.pk, session.pk]))


def test_a_chat_is_written_as_it_was_said(mara, bond):
    answer = download(mara, bond, chat(bond, started_at=NOW))

    assert answer["Content-Type"] == "text/markdown; charset=utf-8"
    assert answer["Content-Disposition"].startswith("attachment; filename*=utf-8''%E9%98%BF%20Zhen%20")
    assert answer.content.decode().splitlines()[:1] == ["# The waltz"]
    assert "**You** · 21:00\n\nI **played**.\n\n**阿 Zhen** · 21:01\n\n# Well!\n" in answer.content.decode()
    assert ("Not chosen" in answer.content.decode(), "Gone" in answer.content.decode()) == (False, False)


def test_each_further_day_of_a_chat_is_named(mara, bond):
    session = chat(bond, started_at=NOW)
    MessageFactory(session=session, content="Past midnight.", created_at=NOW + timedelta(hours=4))

    said = download(mara, bond, session).content.decode()

    assert "# Well!\n\n*22 Nov 2026*\n\n**You** · 01:00\n\nPast midnight." in said
    assert said.count("22 Nov 2026") == 1


@pytest.mark.parametrize("kind", [{"off_record": True}, {"deleted_at": NOW}], ids=["off the record", "deleted"])
def test_what_is_not_to_be_had_is_not_there(mara, bond, kind):
    assert download(mara, bond, chat(bond, **kind)).status_code == 404


def test_charlie_gets_no_chat_and_no_companions_of_mara(client, bond):
    session = chat(bond)
    switcher = reverse("switcher", args=[bond.pk])
    assert (download(client, bond, session).status_code, client.get(switcher).status_code) == (302, 302)

    own = BondFactory(user=UserFactory(username="charlie"))
    client.force_login(own.user)

    assert download(client, bond, session).status_code == 404
    assert download(client, own, session).status_code == 404
    assert client.get(switcher).status_code == 404


def test_the_switcher_lists_ones_own_companions(mara, bond):
    BondFactory(user=bond.user, persona__name="Teo")
    BondFactory(persona__name="Ines")

    page = mara.get(reverse("switcher", args=[bond.pk])).content.decode()

    assert ("阿 Zhen" in page, "Teo" in page, "Ines" in page) == (True, True, False)
    assert page.count('aria-current="page"') == 1
