import pytest

from memory.story import grounding


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("The opening is on 27 June.", []),
        ("The opening is on June 27th, 2026.", []),
        ("June opens it on the 27th.", ["june"]),
        ("On 27 June she came with June.", ["june"]),
    ],
)
def test_a_month_is_not_a_known_name(said, missing):
    assert grounding.find_missing(said, "She opens it on the 27th.", known_names=[("June",)]) == missing
