import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from PIL import Image

from echovessel import materials
from echovessel.llm.offline.voice import OfflineVoice
from personas import avatars, blocks, drafts
from personas.drafts import Draft
from personas.models import PersonaFacts
from tests.support.factories import NOW, PersonaFactory, UserFactory
from tests.support.rest import NOT_FOUND, NOT_SIGNED_IN, answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara():
    return UserFactory(username="mara")


@pytest.fixture
def ilse(mara):
    """A persona with all that a card can carry."""
    persona = PersonaFactory(owner=mara, name='Ilse / "小黑"', tagline="Keeps bees", language="zh")
    PersonaFacts.objects.filter(pk=persona.pk).update(location="Graz", notes="Deaf\nin one ear.")
    for label, content in (("persona", "<b>Ilse</b> keeps bees.\n\nIn Graz."), ("style", "Slow, exact.")):
        blocks.save(holder=persona, label=label, content=content, user=mara, now=NOW)
    return persona


def test_a_persona_becomes_a_card_of_version_3(mara, ilse):
    response = api(mara).get(f"/api/personas/{ilse.pk}/card/")

    assert response["Content-Disposition"] == "attachment; filename*=utf-8''Ilse%20-%20-%E5%B0%8F%E9%BB%91-.json"
    assert json.loads(response.content) == {
        "spec": "chara_card_v3",
        "spec_version": "3.0",
        "data": {
            "name": 'Ilse / "小黑"',
            "description": "<b>Ilse</b> keeps bees.\n\nIn Graz.",
            "personality": "Slow, exact.",
            "scenario": "",
            "first_mes": "",
            "mes_example": "",
            "creator_notes": "Keeps bees",
            "system_prompt": "",
            "post_history_instructions": "",
            "alternate_greetings": [],
            "group_only_greetings": [],
            "tags": [],
            "creator": "",
            "character_version": "",
            "creation_date": int(NOW.timestamp()),
            "extensions": {
                "echovessel": {
                    "tagline": "Keeps bees",
                    "language": "zh",
                    "facts": {"location": "Graz", "notes": "Deaf\nin one ear."},
                }
            },
        },
    }


@pytest.mark.parametrize("kind", ["json", "png"])
def test_a_card_taken_along_is_the_same_persona(kind, mara, ilse):
    content = b"".join(api(mara).get(f"/api/personas/{ilse.pk}/card/", {"format": kind}))

    draft = drafts.make_from_file(f"ilse.{kind}", content, user=mara, llm=OfflineVoice())

    assert (
        Draft(
            name='Ilse / "小黑"',
            tagline="Keeps bees",
            language="zh",
            persona="<b>Ilse</b> keeps bees.\n\nIn Graz.",
            style="Slow, exact.",
            card=draft.card,
            facts={"location": "Graz", "notes": "Deaf\nin one ear."},
            avatar=draft.avatar,
        )
        == draft
    )
    assert bool(draft.avatar) == (kind == "png")


def test_the_picture_of_a_card_is_the_personas(mara, ilse, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    red = BytesIO()
    Image.new("RGB", (9, 9), "red").save(red, "PNG")
    avatars.put(persona=ilse, content=avatars.redraw(red.getvalue()))

    response = api(mara).get(f"/api/personas/{ilse.pk}/card/?format=png")

    assert response["Content-Type"] == "image/png"
    drawn = Image.open(BytesIO(response.content))
    assert (drawn.format, drawn.size, drawn.getpixel((0, 0))[0] > 240) == ("PNG", (512, 512), True)
    assert sorted(drawn.text) == ["ccv3", "chara"]
    assert materials.parse("a.png", response.content).card["name"] == 'Ilse / "小黑"'


@pytest.mark.parametrize("harm", ["gone", "damaged"])
def test_a_picture_that_is_harmed_on_the_disk_keeps_nobody_from_the_rest(harm, mara, ilse, settings, tmp_path, caplog):
    settings.MEDIA_ROOT = tmp_path
    avatars.put(persona=ilse, content=b"no picture")
    if harm == "gone":
        Path(ilse.avatar.path).unlink()

    card = api(mara).get(f"/api/personas/{ilse.pk}/card/?format=png")
    taken = api(mara).get("/api/me/export/")
    with ZipFile(BytesIO(taken.getvalue())) as whole:
        names = whole.namelist()
    taken.close()

    assert (card.status_code, taken.status_code) == (200, 200)
    assert not [name for name in names if name.endswith("avatar.webp")]
    assert materials.parse("a.png", card.content).card["name"] == 'Ilse / "小黑"'
    assert f"the picture of persona {ilse.pk}" in caplog.text


def test_a_card_is_its_owners_alone(mara, ilse, client):
    ilse.visibility = "shared"
    ilse.save()
    charlie = UserFactory(username="charlie")

    assert answered(api(charlie).get(f"/api/personas/{ilse.pk}/card/")) == NOT_FOUND
    assert answered(client.get(f"/api/personas/{ilse.pk}/card/")) == NOT_SIGNED_IN


def test_a_name_of_any_characters_makes_a_name_of_a_file(mara):
    persona = PersonaFactory(owner=mara, name="a\nb\u202e\\..")

    response = api(mara).get(f"/api/personas/{persona.pk}/card/")

    assert (response.status_code, response["Content-Disposition"]) == (200, 'attachment; filename="a-b--...json"')


def test_there_is_no_card_of_another_kind(mara, ilse):
    response = api(mara).get(f"/api/personas/{ilse.pk}/card/?format=exe")

    said = '"exe" is not a valid choice; allowed: json, png.'
    assert answered(response) == (400, refusal("invalid", f"format: {said}", {"format": [said]}))
