import pytest
from django.urls import reverse

from memory.models import Message
from personas.models import User
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def kept(bond, content="The sea was quiet.", **columns):
    session = SessionFactory(bond=bond, status="closed", message_count=1)
    return MessageFactory(session=session, content=content, **({"kept_at": NOW} | columns))


def show(client, bond):
    return client.get(reverse("kept", args=[bond.pk]))


def test_the_tab_has_message_note_and_the_way_to_its_place(mara, bond):
    message = kept(bond, HOSTILE, kept_note="That <b>evening</b>.", role="persona")
    kept(bond, "Deleted.", deleted_at=NOW)
    kept(bond, "Not kept.", kept_at=None)

    page = show(mara, bond).content.decode()

    assert f'href="/bonds/{bond.pk}/#message-{message.pk}"' in page
    assert "That &lt;b&gt;evening&lt;/b&gt;." in page
    assert not any(text in page for text in (HOSTILE, "Deleted.", "Not kept.</a>"))


def test_an_empty_tab_says_how_to_keep(mara, bond):
    assert "Keep a message from its menu in the chat" in show(mara, bond).content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_the_tab_costs_the_same_for_many(count, mara, bond, django_assert_num_queries):
    for _ in range(count):
        kept(bond)

    with django_assert_num_queries(6):
        assert len(show(mara, bond).context["page"].object_list) == count


def test_a_note_is_written_and_a_message_let_go(mara, bond):
    message = kept(bond)

    noted = mara.post(reverse("save_note", args=[bond.pk, message.pk]), {"note": " Mine. "})
    note = Message.objects.get().kept_note
    too_long = mara.post(reverse("save_note", args=[bond.pk, message.pk]), {"note": "n" * 501}, follow=True)
    let_go = mara.post(reverse("let_go", args=[bond.pk, message.pk]))

    assert (noted.url, note) == (reverse("kept", args=[bond.pk]), "Mine.")
    assert "501" in too_long.content.decode()
    assert (let_go.url, Message.objects.get().kept_at) == (reverse("kept", args=[bond.pk]), None)


def test_charlie_sees_and_changes_nothing_of_mara(charlie, bond):
    message = kept(bond)
    own = BondFactory(user=User.objects.get(username="charlie"))

    answers = [
        show(charlie, bond),
        charlie.post(reverse("save_note", args=[bond.pk, message.pk]), {"note": "x"}),
        charlie.post(reverse("let_go", args=[bond.pk, message.pk])),
        charlie.post(reverse("let_go", args=[own.pk, message.pk])),
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404, 404]
    assert Message.objects.get().kept_at == NOW
