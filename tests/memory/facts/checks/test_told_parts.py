import pytest

from memory.facts.checks import told_parts


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("Kate and Dan had a row about money", ["Kate and Dan had a row about money."]),
        ("My brother and I fell out", ["My brother and I fell out."]),
        ("I like tea and Dan likes coffee", ["I like tea.", "Dan likes coffee."]),
    ],
)
def test_who_did_something_together_is_one_part(said, parts):
    assert told_parts.list_told(said) == parts
