import pytest
from django.urls import reverse

from personas.models import User
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    SessionFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian", persona__tagline="Keeps a bookshop")


def chat(bond, title, **more):
    session = SessionFactory(bond=bond, status="closed", title=title, message_count=1, **more)
    MessageFactory(session=session, content="Hello.")
    return session


def find(client, query="", **more):
    return client.get(reverse("palette"), {"q": query, **more})


def words(answer, title):
    """The words of the group of this title."""
    groups = {group.title: [entry.word for entry in group.entries] for group in answer.context["groups"]}
    return groups.get(title, [])


def test_nothing_typed_offers_companions_chats_pages_and_actions(mara, bond):
    chat(bond, "The waltz")

    answer = find(mara)

    assert [group.title for group in answer.context["groups"]] == [
        "Companions",
        "Chats with Marian",
        "Pages",
        "Actions",
    ]
    assert words(answer, "Companions") == ["Marian"]
    assert words(answer, "Chats with Marian") == ["The waltz"]
    assert words(answer, "Actions")[0] == "New chat"
    assert ("Model server" in words(answer, "Pages"), "Graph" in words(answer, "Pages")) == (False, True)


def test_what_is_typed_finds_chats_memories_people_and_pages(mara, bond):
    waltz = chat(bond, "The waltz")
    chat(bond, "Soup")
    node = ConceptNodeFactory(bond=bond, description="Mara played the waltz.")
    EntityFactory(bond=bond, canonical_name="Waltzer")

    answer = find(mara, "waltz")

    assert words(answer, "Chats with Marian") == ["The waltz"]
    assert words(answer, "Memories") == ["Mara played the waltz."]
    assert words(answer, "People & things")[0].startswith("Waltzer")
    assert words(answer, "Search") == ["Search all messages and memories for “waltz”"]
    page = answer.content.decode()
    assert f"{reverse('bond', args=[bond.pk])}#session-{waltz.pk}" in page
    assert reverse("memory", args=[bond.pk, node.pk]) in page
    assert words(find(mara, "dark app"), "Actions") == ["Appearance: dark"]
    assert words(find(mara, "fact"), "Pages") == ["Facts"]


def test_chats_and_memories_are_those_of_the_companion_on_the_page(mara, bond):
    teo = BondFactory(user=bond.user, persona__name="Teo")
    chat(bond, "With Marian")
    chat(teo, "With Teo")

    assert words(find(mara, bond=teo.pk), "Chats with Teo") == ["With Teo"]
    assert words(find(mara, bond=bond.pk), "Chats with Marian") == ["With Marian"]


def test_what_is_off_the_record_deleted_or_of_another_bond_is_not_found(mara, bond):
    chat(bond, "Secret", off_record=True)
    chat(bond, "Gone", deleted_at=NOW)
    chat(BondFactory(persona__name="Ines"), "Another's")

    assert words(find(mara), "Chats with Marian") == []
    assert words(find(mara, "Ines"), "Companions") == []


def test_staff_and_the_operator_find_their_pages(client):
    client.force_login(UserFactory(username="ada", is_staff=True, is_superuser=True))

    assert {"Model server", "Administration"} < set(words(find(client), "Pages"))


def test_without_a_companion_there_are_pages_and_actions(client):
    client.force_login(UserFactory(username="lin"))

    assert [group.title for group in find(client, "").context["groups"]] == ["Pages", "Actions"]
    assert find(client, "xyzzy").context["groups"] == []


@pytest.mark.parametrize("query", ["%", "\x00", "'; --", "я" * 5000, "[[", "<b>"], ids=repr)
def test_odd_words_find_what_they_find(mara, bond, query):
    assert find(mara, query).status_code == 200


def test_it_takes_as_many_queries_for_much_as_for_little(mara, bond, django_assert_num_queries):
    chat(bond, "The waltz")
    with django_assert_num_queries(8):
        find(mara, "waltz")

    for number in range(3):
        chat(bond, f"The waltz {number}")
        ConceptNodeFactory(bond=bond, description=f"A waltz {number}.")
    with django_assert_num_queries(8):
        find(mara, "waltz")


@pytest.mark.usefixtures("long_minute")
def test_it_is_limited(mara, bond, settings):
    settings.RATES = settings.RATES | {"reads": 2}

    assert [find(mara).status_code for _ in range(3)] == [200, 200, 429]
    assert int(find(mara)["Retry-After"]) > 0


def test_the_dialogs_know_the_companion_of_the_page(mara, bond):
    page = mara.get(reverse("palette_dialogs"), {"bond": bond.pk}).content.decode()

    assert (f'data-bond="{bond.pk}"' in page, 'role="combobox"' in page) == (True, True)
    assert 'data-bond=""' in mara.get(reverse("palette_dialogs")).content.decode()


def test_charlie_finds_nothing_of_mara(client, bond):
    chat(bond, "The waltz")
    assert find(client).status_code == 302

    client.force_login(UserFactory(username="charlie"))
    assert find(client, bond=bond.pk).status_code == 404
    assert client.get(reverse("palette_dialogs"), {"bond": bond.pk}).status_code == 404
    assert "waltz" not in find(client, "").content.decode()
    assert User.objects.count() == 2


def test_a_fact_speaks_to_the_user_as_on_their_other_pages(mara, bond):
    FactFactory(bond=bond, description="The user can't eat nuts.")

    assert words(find(mara, "nuts"), "Memories") == ["You can't eat nuts."]


def test_the_tabs_of_memory_are_pages(mara, bond, settings):
    assert words(find(mara, "story"), "Pages") == ["Story"]

    settings.STORY_ENABLED = False
    assert words(find(mara, "story"), "Pages") == []
