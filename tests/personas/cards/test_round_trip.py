import base64
import json
from io import BytesIO

import pytest
from django.urls import reverse
from PIL import Image

from chat.transfer import restoring
from echovessel import materials
from personas.models import Bond, CoreBlock, LoreEntry, Persona
from tests.echovessel.materials.files import V1, V2, V3, as_json, card_png
from tests.personas.cards.full_card import FULL
from tests.support import exports
from tests.support.factories import NOW, UserFactory
from tests.support.rest import answered, api

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara():
    return UserFactory(username="mara", display_name="Mara")


def upload(user, name, content):
    file = BytesIO(content)
    file.name = name
    return api(user).post("/api/personas/cards/", {"file": file}, format="multipart")


def exported(user, persona_id, kind="json"):
    return b"".join(api(user).get(f"/api/personas/{persona_id}/card/", {"format": kind}))


def brought_back(user, card):
    """The card that is exported after this one was imported."""
    status, body = answered(upload(user, "a.json", as_json(card)))
    assert status == 201
    return json.loads(exported(user, body["persona"]["id"]))


def test_a_full_card_comes_back_field_for_field(mara):
    assert brought_back(mara, FULL) == FULL


def test_a_card_of_version_2_comes_back_with_what_version_3_adds(mara):
    back = brought_back(mara, V2)["data"]

    added = {"group_only_greetings": [], "creation_date": back["creation_date"]}
    assert back == V2["data"] | added


def test_a_card_of_version_1_comes_back_with_what_version_3_adds(mara):
    back = brought_back(mara, V1)["data"]

    assert {name: back[name] for name in V1} == V1
    assert back["extensions"] == {}
    assert "character_book" not in back


@pytest.mark.parametrize("card", [V1, V2, V3, FULL], ids=["v1", "v2", "v3", "full"])
@pytest.mark.parametrize("kind", ["json", "png"])
def test_what_was_exported_once_is_exported_the_same_again(card, kind, mara):
    once = answered(upload(mara, "a.json", as_json(card)))[1]["persona"]["id"]
    first = exported(mara, once, kind)

    again = answered(upload(mara, f"a.{kind}", first))[1]["persona"]["id"]

    assert json.loads(exported(mara, again)) == json.loads(exported(mara, once))


def test_a_card_that_brought_nothing_besides_comes_back_from_an_export(mara):
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Ilse", "description": "A baker."}}
    _, body = answered(upload(mara, "a.json", as_json(card)))

    [restored] = restoring.restore(exports.exported(Bond.objects.get(pk=body["bond"]["id"])), user=mara, now=NOW)

    before, after = (json.loads(exported(mara, pk)) for pk in (body["persona"]["id"], restored.persona_id))
    assert before == after


def test_a_card_from_a_picture_is_stored_with_its_placeholders_and_its_picture(mara, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path

    status, body = answered(upload(mara, "ilse.png", card_png(FULL, keyword=b"ccv3")))

    persona = Persona.objects.get()
    texts = dict(persona.blocks.values_list("label", "content"))
    assert (status, body["persona"]["name"], body["persona"]["nickname"]) == (201, "Ilse", "Ilsebill")
    assert texts[CoreBlock.Label.PERSONA] == FULL["data"]["description"]
    assert persona.opening.greetings == [FULL["data"]["first_mes"], *FULL["data"]["alternate_greetings"]]
    assert [(entry.place, entry.keys, entry.folded_keys) for entry in persona.lore.order_by("place")] == [
        (0, ["Hive Three", "蜂箱"], ["hive three", "蜂箱"]),
        (1, [], []),
        (2, ["/b(ee)+/i"], []),
    ]
    assert persona.avatar
    assert body["notes"] == [
        "The card has 3 lore entries.",
        "Keys that are regular expressions are kept, but not used here.",
        "The card's instructions to a model are kept with the card, but not used here.",
        "Its author writes: Made in an evening.",
    ]


def test_a_card_reviewed_in_the_form_comes_back_field_for_field(mara, client):
    client.force_login(mara)
    file = BytesIO(as_json(FULL))
    file.name = "a.json"
    reviewed = client.post(reverse("material_companion"), {"draft": "1", "file": file}).context["form"]
    # As a browser sends it.
    sent = {field.html_name: "\r\n".join(str(field.value() or "").splitlines()) for field in reviewed}

    assert client.post(reverse("material_companion"), sent).status_code == 302

    assert json.loads(exported(mara, Bond.objects.get().persona_id)) == FULL


def test_what_is_changed_in_the_form_is_what_is_exported(mara, client):
    client.force_login(mara)
    file = BytesIO(as_json(FULL))
    file.name = "a.json"
    reviewed = client.post(reverse("material_companion"), {"draft": "1", "file": file}).context["form"]
    sent = {field.html_name: str(field.value() or "") for field in reviewed}

    client.post(reverse("material_companion"), sent | {"scenario": "A mill.", "greeting_1": "", "nickname": ""})

    back = json.loads(exported(mara, Bond.objects.get().persona_id))["data"]
    assert (back["scenario"], back["first_mes"]) == ("A mill.", "Back already, <USER>?")
    assert back["character_book"] == FULL["data"]["character_book"]


def test_lore_that_was_changed_here_is_exported_so(mara):
    persona = answered(upload(mara, "a.json", as_json(FULL)))[1]["persona"]["id"]
    LoreEntry.objects.filter(persona=persona, place=0).update(constant=True, priority=None, content="Calm now.")

    [entry, *_] = json.loads(exported(mara, persona))["data"]["character_book"]["entries"]

    came = FULL["data"]["character_book"]["entries"][0]
    assert entry == came | {"constant": True, "priority": None, "content": "Calm now."}


def test_a_companion_without_a_picture_gets_a_drawn_one(mara):
    persona = answered(upload(mara, "a.json", as_json(V2)))[1]["persona"]["id"]

    drawn = Image.open(BytesIO(exported(mara, persona, "png")))

    assert (drawn.format, drawn.size) == ("PNG", (512, 512))
    assert len(drawn.convert("RGB").getcolors(1000)) > 1
    older = json.loads(base64.b64decode(drawn.text["chara"]))
    assert (older["spec"], older["data"]["first_mes"]) == ("chara_card_v2", V2["data"]["first_mes"])
    assert materials.parse("a.png", exported(mara, persona, "png")).card["name"] == "Ilse"


@pytest.mark.parametrize(
    ("name", "content", "detail"),
    [
        ("a.txt", b"Ilse keeps bees.", "This file is not a character card."),
        ("a.json", b'{"a": 1}', "This file is not a character card."),
        (
            "a.json",
            as_json({"spec": "chara_card_v2", "data": {"name": " ", "description": "x"}}),
            "This character card has no name or no description; it must have both.",
        ),
        ("a.json", b'{"spec": "chara_card_v2"' + b" " * (8 * 2**20), None),
    ],
)
def test_what_is_no_card_is_refused_and_stores_nothing(name, content, detail, mara):
    status, body = answered(upload(mara, name, content))

    assert (status, body["detail"]) == (400, detail or body["detail"])
    assert Persona.objects.count() == 0


def test_a_card_of_10_megabytes_is_refused_by_its_size(mara):
    card = V2 | {"data": V2["data"] | {"description": "x" * 10 * 2**20}}

    assert answered(upload(mara, "a.json", as_json(card)))[1]["detail"] == (
        "This character card is too large; at most 8 MiB are read."
    )
