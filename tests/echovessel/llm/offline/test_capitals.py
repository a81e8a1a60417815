import pytest

from echovessel.llm.offline import capitals


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("My teacher was miss Honey.", "My teacher was Miss Honey."),
        ("I miss Biscuit.", "I miss Biscuit."),
        ("We really miss Ana.", "We really miss Ana."),
        ("I'll miss Rosie.", "I'll miss Rosie."),
    ],
)
def test_whom_one_misses_is_no_miss(said, written):
    assert capitals.learn(())(said) == written
