import pytest

from echovessel import crisis


@pytest.mark.parametrize(
    "line",
    [
        "no I'm not going to hurt myself, just tired",
        "I’m not gonna kill myself, don't worry",
        "I don't want to hurt myself.",
        "i'm not suicidal",
    ],
)
def test_who_denies_it_is_in_no_crisis(line):
    assert crisis.is_denied(line)
    assert not crisis.is_voiced(line)


@pytest.mark.parametrize(
    "line",
    [
        "I'm not going to kill myself today",
        "I'm not going to hurt myself yet",
        "I don't want to hurt myself but I can't stop",
        "I'm not going to hurt myself. I just want to die.",
        "I can't stop thinking of killing myself",
        "I'm not afraid to kill myself",
        "I don't want to live",
    ],
)
def test_who_takes_it_back_or_denies_another_thing_is_heard(line):
    assert crisis.is_voiced(line)
    assert not crisis.is_denied(line)


def test_who_says_nothing_of_it_denies_nothing():
    assert not crisis.is_denied("I'm not going to the party")
