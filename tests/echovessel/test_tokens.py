import pytest

from echovessel import tokens


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("a", 1), ("abcdefgh", 2), ("小黑", 3), ("我家有一只白猫。", 12), ("He is 小黑", 5)],
)
def test_estimate(text, count):
    assert tokens.estimate(text) == count
