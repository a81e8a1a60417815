"""Character cards that are too large, of wrong types or hostile: a sentence says which field and what is allowed, and the rest is kept."""

import base64
import html
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.echovessel.materials.files import V2, png, text_chunk
from tests.support.factories import UserFactory

pytestmark = pytest.mark.django_db
TOO_LARGE = "This character card is too large; at most 8 MiB are read."


@pytest.fixture
def mara(client):
    client.force_login(UserFactory(username="mara"))
    return client


def as_file(card, name="ilse.json"):
    return SimpleUploadedFile(name, card if isinstance(card, bytes) else json.dumps(card).encode())


def draft(client, file):
    answer = client.post(reverse("material_companion"), {"language": "en", "draft": "1", "file": file})
    return html.unescape(answer.content.decode()), answer.context["form"]


def entries(*found):
    return {"character_book": {"entries": [*found, V2["data"]["character_book"]["entries"][0]]}}


def nested(depth):
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"character_book": {"entries": [{"keys": [f"k{n}"], "content": "x"} for n in range(10_000)]}},
            "The card has 10000 lore entries. A companion can have 1000; the others were left out.",
        ),
        ({"first_mes": "x" * 2**20}, "first_mes has 1048576 characters. A text can have 2000; the rest was left out."),
        ({"scenario": {"a": 1}}, "scenario must be a text; it was left out."),
        ({"tags": 7}, "tags must be of the kind list; it was left out."),
        (entries([]), "Lore entry 1 must be an object; it was left out."),
        (
            entries({"keys": "e", "content": "x"}),
            "character_book.entries[1].keys must be a list of texts; it was left out.",
        ),
        (
            {"extensions": {"a": nested(300)}},
            "extensions holds values that cannot be stored, or is nested too deeply; it was left out.",
        ),
    ],
    ids=["10 000 entries", "greeting of 1 MB", "text", "list", "entry", "keys", "nested"],
)
def test_the_fault_is_named_and_the_good_parts_are_kept(changes, said, mara):
    page, form = draft(mara, as_file(V2 | {"data": V2["data"] | changes}))

    assert said in page
    assert form["name"].value() == "Ilse"
    assert form["persona"].value() == "{{char}} keeps bees in Graz."


def test_keys_that_match_everything_are_taken_and_fill_no_more_than_their_part_of_a_prompt(mara):
    # What they fill is bounded where they are told: tests/personas/authored/test_lore.py.
    page, form = draft(
        mara, as_file(V2 | {"data": V2["data"] | entries({"keys": ["", " ", "e"], "content": "x" * 2000})})
    )

    assert "left out" not in page
    assert form["name"].value() == "Ilse"


CARD = json.dumps(V2 | {"data": V2["data"] | {"creator_notes": "x" * 10 * 2**20}}).encode()


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (lambda: as_file(CARD), TOO_LARGE),
        (lambda: as_file(png(text_chunk(b"zTXt", b"chara", base64.b64encode(CARD))), "ilse.png"), TOO_LARGE),
        (
            lambda: as_file(png(text_chunk(b"iTXt", b"ccv3", b"A" * 100 * 2**20)), "bomb.png"),
            TOO_LARGE,
        ),
        (lambda: as_file(b'{"spec": "chara_card_v2", "data": ' + b"[" * 100_000), "This JSON is nested too deeply."),
        (lambda: as_file(png(text_chunk(b"tEXt", b"chara", b"e30="))[:50], "ilse.png"), "This PNG is incomplete."),
    ],
    ids=["10 MB", "10 MB in a picture", "zip bomb", "endless brackets", "half a picture"],
)
def test_what_is_no_card_that_can_be_read_is_refused_in_one_sentence(file, said, mara):
    page, form = draft(mara, file())

    assert said in page
    assert not form["name"].value()
