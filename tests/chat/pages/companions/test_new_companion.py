import base64
import html
from io import BytesIO

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation
from PIL import Image

from chat.templatetags.pages import hue
from chat.transfer import exporting
from echovessel.llm import provider
from echovessel.llm.errors import ModelTimeoutError
from personas import ready
from personas.models import Bond, CoreBlock, Persona, User
from tests.echovessel.materials.files import V2, as_json, png, text_chunk
from tests.support.factories import NOW, BondFactory, PersonaFactory, UserFactory
from tests.support.fakes import FakeLLM
from tests.support.lives import lived

pytestmark = pytest.mark.django_db
NOTES = "# Ilse\nHome: Graz\nShe keeps bees.\n## How she speaks\nSlowly."


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def mara(client):
    client.force_login(UserFactory(username="mara", display_name="Mara"))
    return client


def text(response):
    return html.unescape(response.content.decode())


def draft(client, file=None, **typed):
    sent = {"language": "en", "draft": "1"} | typed | ({"file": file} if file else {})
    return client.post(reverse("material_companion"), sent)


def values(response):
    """Return the page's fields that are not empty."""
    form = response.context["form"]
    return {name: form[name].value() for name in form.fields if form[name].value()}


def card(**changes):
    """A card within a picture."""
    face = BytesIO()
    Image.new("RGB", (9, 9), "red").save(face, "PNG")
    held = text_chunk(b"tEXt", b"chara", base64.b64encode(as_json(V2 | {"data": V2["data"] | changes})))
    content = face.getvalue()
    return SimpleUploadedFile("ilse.png", content[:33] + held + content[33:])


def test_a_newcomer_chooses_on_the_start_page_itself(mara):
    page = text(mara.get(reverse("home")))
    offered = [
        character.key for character in ready.load_all() if reverse("ready_companion", args=[character.key]) in page
    ]

    assert (len(offered), reverse("write_companion") in page, reverse("material_companion") in page) == (4, True, True)
    BondFactory(user=User.objects.get(username="mara"))
    assert reverse("ready_companion", args=[offered[0]]) not in text(mara.get(reverse("home")))


def test_the_page_of_new_companions_leads_three_ways(mara):
    page = text(mara.get(reverse("new_companion")))

    for name in ("write_companion", "material_companion", "bring_back"):
        assert reverse(name) in page
    assert reverse("ready_companion", args=["marian"]) in page


def test_a_draft_fills_the_fields_and_stores_nothing(mara):
    answer = draft(mara, material=NOTES)

    assert values(answer) == {
        "name": "Ilse",
        "language": "en",
        "persona": "She keeps bees.",
        "style": "Slowly.",
        "location": "Graz",
    }
    assert NOTES in text(answer)
    assert "Divided by headings, without a model." in text(answer)
    assert Persona.objects.count() == 0


def test_a_draft_never_writes_over_what_was_typed(mara):
    answer = draft(
        mara, material=NOTES, name="Elsa", persona="Mine.", location="Linz", language="zh", user="I am Mara."
    )

    assert values(answer) == {
        "name": "Elsa",
        "language": "zh",
        "persona": "Mine.",
        "style": "Slowly.",
        "user": "I am Mara.",
        "location": "Linz",
    }
    assert answer.context["offered"] == {"name": "Ilse", "language": "en", "persona": "She keeps bees."}
    assert 'data-take="id_persona"' in text(answer)


def test_a_card_brings_its_picture_along(mara):
    drafted = values(draft(mara, card(name="小黑 & Co", description="A cat. 猫猫猫猫猫")))

    answer = mara.post(reverse("material_companion"), drafted)

    bond = Bond.objects.select_related("persona__facts").get()
    assert answer["Location"] == reverse("bond", args=[bond.pk])
    assert (bond.persona.name, bond.persona.tagline) == ("小黑 & Co", "slow, exact")
    assert bond.persona.facts.full_name == "小黑 & Co"
    assert bond.persona.blocks.get(label=CoreBlock.Label.PERSONA).content == "A cat. 猫猫猫猫猫"
    with bond.persona.avatar.open() as file, Image.open(file) as picture:
        assert (picture.format, picture.size) == ("WEBP", (512, 512))
    assert f"/api/personas/{bond.persona_id}/avatar/?v=" in text(mara.get(reverse("home")))


def test_a_picture_that_is_none_is_refused_in_words(mara):
    typed = {"name": "Ilse", "language": "en", "persona": "She keeps bees."}

    for picture in ("data:image/webp;base64,PHN2Zy8+", "x", "data:text/html;base64,AAAA"):
        answer = mara.post(reverse("material_companion"), typed | {"avatar": picture})
        assert answer.context["form"].errors == {"avatar": ["This picture cannot be read."]}
    assert Persona.objects.count() == 0


@pytest.mark.parametrize(
    ("material", "file", "said"),
    [
        ("", None, "Paste text or choose a file."),
        ("", SimpleUploadedFile("a.txt", b""), "This file is empty or has no text."),
        ("", SimpleUploadedFile("a.txt", "Käse".encode("latin-1")), "This file is not in UTF-8."),
        ("", SimpleUploadedFile("a.png", png()), "This picture has no character card."),
    ],
)
def test_material_that_cannot_be_read_loses_nothing_typed(material, file, said, mara):
    answer = draft(mara, file, material=material, persona="Mine.", name="Elsa")

    assert said in text(answer)
    assert values(answer) == {"name": "Elsa", "language": "en", "persona": "Mine."}


def test_a_model_that_fails_loses_nothing_typed(mara, monkeypatch):
    llm = FakeLLM(answers={"persona_draft": ModelTimeoutError("The model server took too long to answer.")})
    monkeypatch.setattr(provider, "get_llm", lambda: llm)

    answer = draft(mara, material=NOTES, style="Dry.")

    assert "The model server took too long to answer." in text(answer)
    assert NOTES in text(answer)
    assert values(answer) == {"language": "en", "style": "Dry."}


def test_drafts_are_costly_here_too(mara, settings):
    settings.RATES = settings.RATES | {"costly": 1}

    with time_machine.travel(NOW, tick=False):
        answers = [draft(mara, material=NOTES) for _ in range(2)]

    assert ["Wait a minute, then try again." in text(answer) for answer in answers] == [False, True]


def test_hostile_material_is_shown_as_text(mara):
    hostile = "<script>alert(1)</script></textarea><img src=x onerror=alert(1)>"

    page = draft(mara, material=f"# {hostile[:70]}\n{hostile}").content.decode()

    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_the_preview_is_the_first_prompt(mara):
    typed = {"name": "Ilse", "persona": "She <b>keeps</b> bees.", "style": "Slow.", "user": "", "location": "Graz"}

    page = text(mara.post(reverse("companion_preview"), typed))

    wanted = [
        "You are Ilse",
        "# Persona\n<persona>",
        "She &lt;b>keeps",
        "# Style",
        "- location: Graz",
        "This is your first talk.",
    ]
    assert [part for part in wanted if part not in page] == []
    assert "# About the user" not in page


def test_facts_of_a_ready_character_may_be_changed(mara):
    url = reverse("write_companion") + "?from=marian"
    typed = values(mara.get(url)) | {"location": "Norfolk"}

    mara.post(url, typed)

    facts = Persona.objects.get().facts
    assert (facts.location, facts.native_language) == ("Norfolk", "English")


def test_a_companion_is_brought_back(mara):
    bond = lived(UserFactory(username="lin"))
    with exporting.export_bond(bond, now=NOW) as packed:
        file = SimpleUploadedFile("lin.zip", packed.read())

    answer = mara.post(reverse("bring_back"), {"file": file})

    made = Bond.objects.get(user__username="mara")
    assert answer["Location"] == reverse("bond", args=[made.pk])


def test_who_comes_to_restore_finds_the_form_open(mara):
    link = f"{reverse('new_companion')}?restore#restore"

    assert f'href="{link}"' in mara.get(reverse("home")).content.decode()
    pages = [mara.get(path).content.decode() for path in (link, reverse("new_companion"))]
    assert ['id="restore" open>' in page for page in pages] == [True, False]


def test_what_is_no_export_is_not_brought_back(mara):
    none, broken = (
        mara.post(reverse("bring_back"), sent) for sent in ({}, {"file": SimpleUploadedFile("a.zip", b"x")})
    )

    assert "Choose an exported zip." in text(none)
    assert "This zip file is broken or encrypted." in text(broken)
    assert Bond.objects.count() == 0


@pytest.mark.parametrize("name", ["new_companion", "write_companion", "material_companion"])
def test_someone_who_is_not_signed_in_is_asked_to(client, name):
    assert client.get(reverse(name))["Location"] == f"{reverse('account_login')}?next={reverse(name)}"


def test_a_bond_may_be_taken_along(mara):
    bond = lived(User.objects.get(username="mara"))

    page = text(mara.get(reverse("take_along", args=[bond.pk])))

    links = [f"/api/bonds/{bond.pk}/export/", f"/api/personas/{bond.persona_id}/card/?format=png", "/api/me/export/"]
    assert [link for link in links if f'href="{link}"' not in page] == []
    for link in links:
        assert b"".join(mara.get(link)) != b""


def test_the_card_of_anothers_persona_is_not_offered(mara):
    bond = BondFactory(user=User.objects.get(username="mara"), persona=PersonaFactory(visibility="shared"))

    page = text(mara.get(reverse("take_along", args=[bond.pk])))

    assert (f"/api/bonds/{bond.pk}/export/" in page, "/card/" in page) == (True, False)


def test_anothers_bond_is_not_taken_along(mara):
    assert mara.get(reverse("take_along", args=[BondFactory().pk])).status_code == 404


@pytest.fixture
def in_english_again():
    """Reset the language, which pages leave in the thread."""
    with translation.override("en"):
        yield


@pytest.mark.usefixtures("in_english_again")
@pytest.mark.parametrize(("asked", "first"), [("zh-hans", ["shen-yan", "a-zhen"]), ("en", ["marian", "teo"])])
def test_a_new_companion_begins_in_the_readers_language(mara, asked, first):
    headers = {"accept-language": asked}
    shown = mara.get(reverse("new_companion"), headers=headers).context["characters"]

    assert [character.key for character in shown][:2] == first
    assert len(shown) == 4
    for name in ("write_companion", "material_companion"):
        form = mara.get(reverse(name), headers=headers).context["form"]
        assert form["language"].value() == asked[:2]


def test_a_ready_made_companion_keeps_its_colour(mara):
    PersonaFactory.create_batch(3)
    for character in ready.load_all():
        card = hue(character)
        mara.post(reverse("ready_companion", args=[character.key]), {"user": ""})

        assert hue(Persona.objects.get(name=character.name)) == card
