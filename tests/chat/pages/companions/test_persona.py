from io import BytesIO

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from personas import blocks
from personas.models import Persona
from tests.support.factories import NOW, BondFactory, PersonaFactory, UserFactory

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
    return {one.name: one.form["content"].value() for one in answer.context["texts"]}


def test_the_page_shows_all_texts_of_ones_own_companion(mara, bond):
    answer = mara.get(address("persona", bond))

    assert shown(answer) == {"persona": "A bookseller.", "style": "", "user": "A violin maker.", "own-style": ""}
    assert 'id="identity"' in text(answer)


def test_a_text_is_saved_and_its_earlier_one_stands_again(mara, bond):
    mara.post(address("save_text", bond, "persona"), {"persona-content": "A baker.\r\nEarly up."})
    assert blocks.find(bond.persona, "persona").content == "A baker.\nEarly up."
    assert "One earlier version" in text(mara.get(address("persona", bond)))

    mara.post(address("restore_text", bond, "persona", 1))

    assert blocks.find(bond.persona, "persona").content == "A bookseller."
    assert "2 earlier versions" in text(mara.get(address("persona", bond)))


def test_a_style_of_ones_own_is_of_the_bond(mara, bond):
    mara.post(address("save_text", bond, "own-style"), {"own-style-content": "Short."})
    mara.post(address("save_text", bond, "style"), {"style-content": "Long."})

    assert (blocks.find(bond, "style").content, blocks.find(bond.persona, "style").content) == ("Short.", "Long.")


def test_a_text_that_is_too_long_is_kept_in_the_form(mara, bond):
    answer = mara.post(address("save_text", bond, "user"), {"user-content": "x" * 5001})

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

    mara.post(address("persona", bond), IDENTITY | {"no_picture": "on"})
    assert not Persona.objects.get().avatar


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
        named = mara.post(address("persona", bond), IDENTITY | {"name": "Mary"})

    assert [answer.status_code for answer in (*answers, named)] == [302, 422, 302]
    assert "Wait a minute" in text(answers[1])


def test_what_is_no_picture_is_refused(mara, bond):
    answer = mara.post(address("persona", bond), IDENTITY | {"picture": SimpleUploadedFile("a.png", b"no picture")})

    assert answer.status_code == 422
    assert "This picture cannot be read" in text(answer)


def test_it_is_shared_and_no_longer(mara, bond):
    mara.post(address("share_persona", bond), {"shared": "yes"})
    assert Persona.objects.get().visibility == "shared"
    assert "0 others chat with them." in text(mara.get(address("persona", bond)))

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
        client.post(address("save_text", charlie, "persona"), {"persona-content": "x"}),
        client.post(address("restore_text", charlie, "persona", 1)),
        client.post(address("share_persona", charlie)),
        client.get(address("persona_card", charlie, "json")),
    ]
    client.post(address("save_text", charlie, "user"), {"user-content": "A stranger."})

    assert shown(page) == {"user": "", "own-style": ""}
    assert "A bookseller." not in text(page)
    assert [answer.status_code for answer in tried] == [404] * 5
    assert blocks.find(charlie, "user").content == "A stranger."


def test_a_stranger_finds_nothing(client, bond):
    client.force_login(UserFactory(username="charlie"))

    tried = [
        client.get(address("persona", bond)),
        client.post(address("save_text", bond, "user"), {"user-content": "x"}),
        client.post(address("restore_text", bond, "user", 1)),
        client.post(address("share_persona", bond)),
        client.get(address("persona_card", bond, "png")),
    ]

    assert [answer.status_code for answer in tried] == [404] * 5
    assert blocks.find(bond, "user").content == "A violin maker."


def test_an_unknown_text_or_version_is_not_found(mara, bond):
    tried = [
        mara.post(address("save_text", bond, "dreams"), {"dreams-content": "x"}),
        mara.post(address("restore_text", bond, "user", 7)),
        mara.post(address("restore_text", bond, "own-style", 1)),
    ]

    assert [answer.status_code for answer in tried] == [404] * 3
