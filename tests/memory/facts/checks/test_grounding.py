import pytest

from memory.facts.checks import grounding

SPEAKERS = ("Mara", "Nora", "黄逸扬")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("The user lives in Leeds.", ["I live in leeds now"]),
        ("The user's sister Mia has 3 cats.", ["my sister is called Mia", "she has three cats, can you believe it"]),
        ("Mara cannot eat nuts.", ["I can't eat nuts at all, cannot"]),
        ("Call the user Sam.", ["call me Sam"]),
        ("The user works as a nurse.", ["I'm a nurse, it's a lot of work"]),
        ("The user goes by Sue.", ["I go by Sue."]),
        ("用户住在上海。", ["我住在上海"]),
        ("用户有两只猫。", ["我养了2只猫"]),
        ("Nora likes the rain.", ["you like the rain, don't you"]),
    ],
)
def test_what_was_said_is_grounded(content, said):
    assert grounding.is_grounded(content, said, speakers=SPEAKERS)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("The user lives in York.", ["I live in Leeds"]),
        ("The user has 4 cats.", ["I have three cats"]),
        ("The user plays the piano every evening.", ["I like music"]),
        ("The user married Ann in Leeds.", ["I married in Leeds"]),
        ("The user likes tea.", []),
        ("用户住在苏州。", ["今天天气很好"]),
        ("用户有三只猫。", ["我养了2只猫"]),
    ],
)
def test_what_a_model_makes_up_is_not(content, said):
    assert not grounding.is_grounded(content, said, speakers=SPEAKERS)


@pytest.mark.parametrize(
    ("said", "is_grounded"), [("rowing and chess", True), ("rowing", False), ("rowing, chess, tea", True)]
)
def test_half_of_the_other_terms_is_enough(said, is_grounded):
    assert grounding.is_grounded("User: rowing, chess, tea, books", [said]) == is_grounded


@pytest.mark.parametrize(
    ("speaker", "content", "is_grounded"),
    [
        ("mara92", "mara92 has 3 hens.", True),
        ("mara92", "mara92 has 92 hens.", False),
        ("小黑7", "小黑7有3只鸡", True),
        ("3", "3 has 33 hens.", False),
    ],
)
def test_the_number_in_a_name_need_not_be_said(speaker, content, is_grounded):
    said = ["I have 3 hens", "我有3只鸡"]

    assert grounding.is_grounded(content, said, speakers=[speaker]) is is_grounded
