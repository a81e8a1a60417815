import pytest

from echovessel import tokens


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("a", 1),
        ("abcdefgh", 2),
        ("小黑", 2),
        ("我家有一只白猫。", 8),
        ("He is 小黑", 4),
        ("猫a", 2),
        ("猫abcd", 2),
        ("猫abcde", 3),
    ],
)
def test_estimate(text, count):
    assert tokens.estimate(text) == count
