import pytest

from personas.authored import placeholders


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("Nothing to fill.", "Nothing to fill."),
        ("  {{char}} sees {{user}}. ", "Bo\\1 sees Mara."),
        ("{{ CHAR }} and {{User}}", "Bo\\1 and Mara"),
        ("<BOT>, <char>, <USER>, <user>", "Bo\\1, Bo\\1, Mara, Mara"),
        ("{{// a note}}Seen.{{comment: mine}}{{hidden_key:x}}", "Seen."),
        ("{{random:a,b}} {{unknown}} <b>", "{{random:a,b}} {{unknown}} <b>"),
        ("{{user}", "{{user}"),
        ("", ""),
    ],
)
def test_names_stand_in_the_place_of_placeholders(text, filled):
    assert placeholders.fill(text, character="Bo\\1", user="Mara") == filled


def test_a_name_that_is_a_placeholder_is_not_filled_again():
    assert placeholders.fill("{{user}}", character="Bo", user="{{char}}") == "{{char}}"
