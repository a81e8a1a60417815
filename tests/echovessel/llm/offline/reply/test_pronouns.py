import pytest

from echovessel.llm.offline.reply import pronouns


@pytest.mark.parametrize(
    ("said", "turned"),
    [
        ("My mum doesn't know yet, so that stays between us.", "your mum doesn't know yet, so that stays between us"),
        ("There is a wall between us and the neighbours.", "there is a wall between you and the neighbours"),
        ("We keep it between us.", "you keep it between us"),
    ],
)
def test_what_stays_between_the_two_who_talk_is_ours(said, turned):
    assert pronouns.turn(said).casefold() == turned
