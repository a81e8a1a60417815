import pytest
from django.urls import reverse

from personas.authored import openings
from personas.models import Opening
from tests.support.factories import NOW, BondFactory, MessageFactory, PersonaFactory, UserFactory
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    bond = BondFactory(user__username="mara", user__display_name="Mara")
    openings.save(
        persona=bond.persona, greetings=["Come in, {{user}}.", "Mind."], starters=["Hi?"], user=bond.user, now=NOW
    )
    return bond


def address(name, bond, *more):
    return reverse(name, args=[bond.pk, *more])


def shown(answer):
    return [field.value() for field, is_shown in answer.context["forms"].opening.form.greeting_fields() if is_shown]


def test_the_page_shows_the_greetings_and_room_for_one_more(mara, bond):
    answer = mara.get(address("persona", bond))

    assert shown(answer) == ["Come in, {{user}}.", "Mind.", ""]
    assert answer.context["forms"].opening.form["starters"].value() == "Hi?"


def test_ten_greetings_leave_room_for_no_more(mara, bond):
    openings.save(persona=bond.persona, greetings=[f"{n}" for n in range(10)], starters=[], user=bond.user, now=NOW)

    assert len(shown(mara.get(address("persona", bond)))) == 10


def test_an_opening_is_saved_without_blanks_and_its_earlier_one_stands_again(mara, bond):
    mara.post(
        address("persona", bond),
        {"greeting_1": " ", "greeting_2": "One.\r\nTwo.", "greeting_10": "Ten.", "starters": "\r\nA?\r\n B? \r\n"},
    )
    opening = Opening.objects.get()
    assert (opening.greetings, opening.starters) == (["One.\nTwo.", "Ten."], ["A?", "B?"])
    assert "One earlier version" in markup_of(mara.get(address("persona", bond)))

    mara.post(address("restore_opening", bond, 1))

    assert openings.load(bond.persona).greetings == ["Come in, {{user}}.", "Mind."]
    assert mara.post(address("restore_opening", bond, 9)).status_code == 404


@pytest.mark.parametrize(
    ("given", "field", "said"),
    [
        ({"greeting_3": "x" * 2001}, "greeting_3", "Ensure this value has at most 2000 characters (it has 2001)."),
        ({"greeting_1": "x" * 2**20}, "greeting_1", "Ensure this value has at most 2000 characters (it has 1048576)."),
        ({"starters": "\n".join("abcdefg")}, "starters", "At most 6 starters are allowed."),
        ({"starters": "x" * 201}, "starters", "A starter can have at most 200 characters."),
    ],
)
def test_what_is_too_long_is_told_at_its_field_and_nothing_is_saved(given, field, said, mara, bond):
    answer = mara.post(address("persona", bond), {"starters": ""} | given)

    assert answer.status_code == 422
    assert answer.context["forms"].opening.form.errors == {field: [said]}
    assert Opening.objects.get().version == 1


def test_nobody_else_reads_or_writes_an_opening(client):
    bond = BondFactory(user__username="charlie", persona=PersonaFactory(visibility="shared"))
    openings.save(persona=bond.persona, greetings=["Secret greeting."], starters=[], user=bond.persona.owner, now=NOW)
    client.force_login(bond.user)

    assert client.get(address("persona", bond)).context["forms"].opening is None
    assert client.post(address("persona", bond), {"greeting_1": "Mine.", "starters": ""}).status_code == 404
    assert client.post(address("restore_opening", bond, 1)).status_code == 404
    client.force_login(UserFactory(username="dora"))
    assert client.post(address("persona", bond), {"starters": ""}).status_code == 404


def test_a_new_chat_shows_the_first_greeting_and_the_others_behind_it(mara, bond):
    page = markup_of(mara.get(reverse("bond", args=[bond.pk])))

    assert "Come in, Mara." in page
    assert page.index("Come in, Mara.") < page.index("Mind.")
    assert "1 / 2" in page
    assert "data-starter" in page


def test_a_later_chat_opens_plainly(mara, bond):
    MessageFactory(session__bond=bond)

    assert "data-greetings" not in markup_of(mara.get(reverse("bond", args=[bond.pk])))


def test_a_greeting_is_shown_as_text_and_never_as_markup(mara, bond):
    hostile = "<script>alert(1)</script>{% now %}"
    openings.save(persona=bond.persona, greetings=[hostile], starters=[hostile], user=bond.user, now=NOW)

    page = mara.get(reverse("bond", args=[bond.pk])).content.decode()

    assert "<script>alert(1)" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;{% now %}") == 2
