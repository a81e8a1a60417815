import pytest

from chat.pages.display import plain_text


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("So you're **learning** `Python` too.", "So you're learning Python too."),
        ("*She smiles.* 我**很**高兴。", "She smiles. 我很高兴。"),
        ("## Pack\n- a coat\n* a hat\n1. _tea_", "Pack\na coat\na hat\n1. tea"),
        ("> See [the **map**](https://example.org).", "See the map."),
        ("5 * 3 is 15 - or my_file_name", "5 * 3 is 15 - or my_file_name"),
    ],
)
def test_a_quoted_reply_has_no_markdown(said, plain):
    assert plain_text.drop_markdown(said) == plain
