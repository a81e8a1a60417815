import pytest

from echovessel.materials import MaterialError, parse
from echovessel.materials.png import CARD_MOST
from tests.echovessel.materials.files import V1, V2, V3, as_json, card_png, png, text_chunk

V1_TEXT = """# Ilse

## Description
{{char}} keeps bees in Graz.

## Personality
slow, exact

## Scenario
{{user}} rents the upper room.

## First message
*She looks up.* You are early, {{user}}.

## Example dialogue
<START>
{{user}}: Tea?
{{char}}: Always."""
V2_TEXT = f"""{V1_TEXT}

## Creator's notes
Made in an evening.

## Hive Three
The angry one."""


@pytest.mark.parametrize(("card", "text"), [(V1, V1_TEXT), (V2, V2_TEXT), (V3, V2_TEXT)], ids=["v1", "v2", "v3"])
@pytest.mark.parametrize("kind", [b"tEXt", b"zTXt", b"iTXt"])
def test_a_card_is_read_from_json_and_from_a_picture(kind, card, text):
    from_json, from_png = parse("ilse.json", as_json(card)), parse("ilse.png", card_png(card, kind=kind))

    assert (from_json.kind, from_json.text, from_json.card) == ("card", text, card.get("data", card))
    assert from_png == from_json


def test_of_two_cards_in_a_picture_the_newer_kind_is_read():
    both = [card_png(V2), card_png(V3, keyword=b"ccv3")]
    chunks = [content[33 : content.index(b"IDAT") - 4] for content in both]

    assert parse("ilse.png", png(*chunks)).card == V3["data"]


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (png(), "has no character card"),
        (png(text_chunk(b"tEXt", b"comment", b"hello")), "has no character card"),
        (png(text_chunk(b"tEXt", b"chara", b"abc")), "broken"),
        (png(text_chunk(b"tEXt", b"chara", b"aGVsbG8=")), "broken"),
        (png(text_chunk(b"tEXt", b"chara", b"e30=")), "broken"),
        (card_png([V2]), "broken"),
        (card_png(V2)[:200], "incomplete"),
        (png(text_chunk(b"zTXt", b"chara", b"e30=")).replace(b"\x78\x9c", b"\x78\x00"), "broken"),
        (b"\x89PNG\r\n\x1a\n", "has no character card"),
    ],
)
def test_a_picture_without_a_card_is_refused(content, detail):
    with pytest.raises(MaterialError, match=detail) as caught:
        parse("a.png", content)

    assert caught.value.code == "invalid"


def test_a_card_that_unpacks_without_end_is_refused():
    with pytest.raises(MaterialError, match="at most 8 MiB") as caught:
        parse("a.png", png(text_chunk(b"zTXt", b"chara", b"A" * (17 * 2**20))))

    assert caught.value.code == "too_long"


def large(characters):
    return V2 | {"data": V2["data"] | {"scenario": "x" * characters}}


@pytest.mark.parametrize("kind", [b"tEXt", b"zTXt"])
def test_a_card_of_more_than_it_may_have_is_refused_by_its_size(kind):
    card = large(CARD_MOST)
    for name, content in (("a.json", as_json(card)), ("a.png", card_png(card, kind=kind))):
        with pytest.raises(MaterialError) as caught:
            parse(name, content)

        assert (caught.value.code, caught.value.detail) == (
            "too_long",
            "This character card is too large; at most 8 MiB are read.",
        )


def test_a_card_of_just_under_its_bound_is_read():
    assert parse("a.json", as_json(large(CARD_MOST - 4096))).kind == "card"


def test_fields_of_the_wrong_type_are_as_if_missing():
    card = V2 | {
        "data": {"name": 3, "description": "Bees.", "character_book": {"entries": [1, {"keys": 2, "content": "x"}]}}
    }

    assert parse("a.json", as_json(card)).text == "# \n\n## Description\nBees.\n\n## Lore\nx"
