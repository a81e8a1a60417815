from io import BytesIO

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from personas import blocks
from personas.authored import openings
from personas.models import BlockRevision, KeptCard, Persona
from tests.support.factories import NOW, BondFactory, PersonaFactory, UserFactory
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db
IDENTITY = {"name": "Marian", "tagline": "Reads at night", "language": "en"}


@pytest.fixture
def bond():
    owner = UserFactory(username="mara")
    bond = BondFactory(user=owner, persona=PersonaFactory(owner=owner, name="Marian"))
    write(bond.persona, "persona", "A bookseller.", owner)
    write(bond, "user", "A violin maker.", owner)
    return bond


def write(holder, label, content, user):
    return blocks.save(holder=holder, label=label, content=content, user=user, now=NOW)


def address(name, bond, *more):
    return reverse(name, args=[bond.pk, *more])


def text(answer):
    return answer.content.decode()


def shown(answer):
    return {one.name: one.form["content"].value() for one in answer.context["forms"].texts}


def test_the_page_shows_all_texts_of_ones_own_companion(mara, bond):
    answer = mara.get(address("persona", bond))

    assert shown(answer) == {
        "persona": "A bookseller.",
        "style": "",
        "scenario": "",
        "examples": "",
        "user": "A violin maker.",
        "own-style": "",
    }
    assert 'id="identity"' in text(answer)


def test_a_text_is_saved_and_its_earlier_one_stands_again(mara, bond):
    mara.post(address("persona", bond), {"persona-content": "A baker.\r\nEarly up."})
    assert blocks.find(bond.persona, "persona").content == "A baker.\nEarly up."
    assert "One earlier version" in text(mara.get(address("persona", bond)))

    mara.post(address("restore_text", bond, "persona", 1))

    assert blocks.find(bond.persona, "persona").content == "A bookseller."
    assert "2 earlier versions" in text(mara.get(address("persona", bond)))

    mara.post(address("erase_earlier", bond, "persona"))

    assert "2 earlier versions" not in text(mara.get(address("persona", bond)))
    assert not BlockRevision.objects.exists()


def test_a_style_of_ones_own_is_of_the_bond(mara, bond):
    mara.post(address("persona", bond), {"own-style-content": "Short."})
    mara.post(address("persona", bond), {"style-content": "Long."})

    assert (blocks.find(bond, "style").content, blocks.find(bond.persona, "style").content) == ("Short.", "Long.")


def test_a_text_that_is_too_long_is_kept_in_the_form(mara, bond):
    answer = mara.post(address("persona", bond), {"user-content": "x" * 5001})

    assert answer.status_code == 422
    assert shown(answer)["user"] == "x" * 5001
    assert blocks.find(bond, "user").content == "A violin maker."


def test_name_and_facts_are_saved(mara, bond):
    mara.post(address("persona", bond), IDENTITY | {"name": "Marianne", "occupation": "Bookseller"})

    persona = Persona.objects.get()
    assert (persona.name, persona.tagline, persona.facts.occupation) == ("Marianne", "Reads at night", "Bookseller")


def test_a_picture_is_put_and_taken_away(mara, bond, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    drawn = BytesIO()
    Image.new("RGB", (40, 40), "teal").save(drawn, "PNG")

    mara.post(address("persona", bond), IDENTITY | {"picture": SimpleUploadedFile("a.png", drawn.getvalue())})
    assert Persona.objects.get().avatar.name.endswith(".webp")
    assert 'name="no_picture"' in text(mara.get(address("persona", bond)))

    mara.post(address("persona", bond), IDENTITY | {"no_picture": "on"})
    assert not Persona.objects.get().avatar
    assert 'name="no_picture"' not in text(mara.get(address("persona", bond)))


@pytest.mark.usefixtures("long_minute")
def test_pictures_are_costly_here_too(mara, bond, settings, tmp_path):
    settings.RATES = settings.RATES | {"costly": 1}
    settings.MEDIA_ROOT = tmp_path
    drawn = BytesIO()
    Image.new("RGB", (20, 20)).save(drawn, "PNG")
    with time_machine.travel(NOW, tick=False):
        answers = [
            mara.post(address("persona", bond), IDENTITY | {"picture": SimpleUploadedFile("a.png", drawn.getvalue())})
            for _ in range(2)
        ]
        alone = mara.post(address("persona", bond), {"picture": SimpleUploadedFile("a.png", drawn.getvalue())})
        named = mara.post(address("persona", bond), IDENTITY | {"name": "Mary"})

    assert [answer.status_code for answer in (*answers, alone, named)] == [302, 422, 302, 302]
    assert "Wait a minute" in text(answers[1])


def test_what_is_no_picture_is_refused(mara, bond):
    answer = mara.post(address("persona", bond), IDENTITY | {"picture": SimpleUploadedFile("a.png", b"no picture")})

    assert answer.status_code == 422
    assert "This picture cannot be read" in text(answer)


def test_it_is_shared_and_no_longer(mara, bond):
    mara.post(address("share_persona", bond), {"shared": "yes"})
    assert Persona.objects.get().visibility == "shared"
    assert "chat with them." not in text(mara.get(address("persona", bond)))

    mara.post(address("share_persona", bond))
    assert Persona.objects.get().visibility == "private"


@pytest.mark.parametrize(("kind", "begins"), [("json", b"{"), ("png", b"\x89PNG")])
def test_the_card_is_downloaded(mara, bond, kind, begins):
    answer = mara.get(address("persona_card", bond, kind))

    assert answer.content.startswith(begins)
    assert answer["Content-Disposition"] == f'attachment; filename="Marian.{kind}"'
    assert mara.get(address("persona_card", bond, "exe")).status_code == 404


def test_of_a_shared_companion_others_write_only_what_is_theirs(client, bond):
    Persona.objects.update(visibility="shared")
    charlie = BondFactory(user=UserFactory(username="charlie"), persona=bond.persona)
    client.force_login(charlie.user)

    page = client.get(address("persona", charlie))
    tried = [
        client.post(address("persona", charlie), IDENTITY),
        client.post(address("persona", charlie), {"persona-content": "x"}),
        client.post(address("restore_text", charlie, "persona", 1)),
        client.post(address("share_persona", charlie)),
        client.get(address("persona_card", charlie, "json")),
    ]
    client.post(address("persona", charlie), {"user-content": "A stranger."})

    assert shown(page) == {"user": "", "own-style": ""}
    assert "A bookseller." not in text(page)
    assert [answer.status_code for answer in tried] == [404] * 5
    assert blocks.find(charlie, "user").content == "A stranger."


def test_a_stranger_finds_nothing(client, bond):
    client.force_login(UserFactory(username="charlie"))

    tried = [
        client.get(address("persona", bond)),
        client.post(address("persona", bond), {"user-content": "x"}),
        client.post(address("restore_text", bond, "user", 1)),
        client.post(address("erase_earlier", bond, "user")),
        client.post(address("erase_earlier", bond, "opening")),
        client.post(address("share_persona", bond)),
        client.get(address("persona_card", bond, "png")),
    ]

    assert [answer.status_code for answer in tried] == [404] * 7
    assert blocks.find(bond, "user").content == "A violin maker."


def test_an_unknown_text_or_version_is_not_found(mara, bond):
    tried = [
        mara.post(address("restore_text", bond, "dreams", 1)),
        mara.post(address("restore_text", bond, "user", 7)),
        mara.post(address("restore_text", bond, "own-style", 1)),
    ]

    assert [answer.status_code for answer in tried] == [404] * 3


ANSWERS = {"answer-length": "short", "answer-temperature": "0.3", "answer-top_p": "", "answer-tokens": "400"}


def test_its_owner_sets_how_it_answers(mara, bond):
    saved = mara.post(address("persona", bond), ANSWERS)

    persona = Persona.objects.get()
    assert saved["Location"] == address("persona", bond)
    assert (persona.answer_length, persona.answer_temperature, persona.answer_top_p) == ("short", 0.3, None)
    assert (persona.answer_tokens, persona.answer_model) == (400, "")
    assert 'value="0.3"' in text(mara.get(address("persona", bond)))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("temperature", "hot", "Enter a number from 0 to 2, or leave it blank."),
        ("temperature", "2.1", "Enter a number from 0 to 2, or leave it blank."),
        ("temperature", "nan", "Enter a number from 0 to 2, or leave it blank."),
        ("tokens", "15", "Enter a whole number from 16 to 32000, or leave it blank."),
    ],
)
def test_a_wrong_setting_is_said_and_what_was_typed_stays(mara, bond, name, value, said):
    answer = mara.post(address("persona", bond), ANSWERS | {f"answer-{name}": value})

    assert (answer.status_code, Persona.objects.get().answer_length) == (422, "")
    assert (said in text(answer), f'value="{value}"' in text(answer)) == (True, True)


def test_how_a_shared_companion_answers_is_its_owners(charlie, bond):
    Persona.objects.update(visibility="shared")
    own = BondFactory(user=UserFactory(username="charlies"), persona=bond.persona)
    charlie.force_login(own.user)

    assert 'id="answers"' not in text(charlie.get(address("persona", own)))
    assert charlie.post(address("persona", own), ANSWERS).status_code == 404
    assert charlie.get(address("answer_models", own)).status_code == 404
    assert charlie.post(address("persona", bond), ANSWERS).status_code == 404


def test_one_save_stores_all_and_says_what_changed(mara, bond):
    given = IDENTITY | ANSWERS | {"persona-content": "A bookseller.", "user-content": "A luthier.", "starters": "Hi?"}

    answer = mara.post(address("persona", bond), given | {"greeting_1": "Come in."}, follow=True)

    said = "Saved: Tagline, About you, Greetings, Conversation starters, Length of replies, Temperature, Longest reply."
    assert said in markup_of(answer)
    assert (blocks.find(bond, "user").content, openings.load(bond.persona).greetings) == ("A luthier.", ["Come in."])
    assert blocks.find(bond.persona, "persona").version == 1

    again = mara.post(address("persona", bond), given | {"greeting_1": "Come in."}, follow=True)
    assert "Nothing changed." in markup_of(again)


def test_a_text_that_only_ends_with_a_line_break_is_unchanged(mara, bond):
    write(bond.persona, "persona", "A bookseller in Ghent.\n", bond.user)
    given = IDENTITY | ANSWERS | {"persona-content": "A bookseller in Ghent.", "user-content": "A luthier."}

    mara.post(address("persona", bond), given)

    assert (blocks.find(bond.persona, "persona").version, blocks.find(bond, "user").content) == (2, "A luthier.")


def test_one_mistake_stores_nothing_and_leads_to_its_part(mara, bond):
    answer = mara.post(
        address("persona", bond), IDENTITY | ANSWERS | {"answer-temperature": "hot", "user-content": "A luthier."}
    )

    assert answer.status_code == 422
    assert '<a href="#answers">How they answer</a>' in markup_of(answer)
    assert (shown(answer)["user"], blocks.find(bond, "user").content) == ("A luthier.", "A violin maker.")


def test_what_a_card_says_of_itself_is_shown_to_its_owner(mara, bond):
    KeptCard.objects.create(
        persona=bond.persona,
        fields={"creator": "<b>Ilse</b>", "tags": ["books", 3, "night"], "creator_notes": "", "source": {"a": 1}},
    )

    answer = mara.get(address("persona", bond))

    assert answer.context["origin"] == [("Author", ["<b>Ilse</b>"]), ("Tags", ["books", "night"])]
    assert "&lt;b&gt;Ilse&lt;/b&gt;" in text(answer)
    Persona.objects.update(visibility="shared")
    own = BondFactory(user=UserFactory(username="charlies"), persona=bond.persona)
    mara.force_login(own.user)
    assert mara.get(address("persona", own)).context["origin"] == []
