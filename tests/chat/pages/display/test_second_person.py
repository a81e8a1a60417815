import pytest

from chat.pages.display.second_person import address_reader
from memory.models import ConceptNode


def shown(text, *, facet="about_you", node_type="fact"):
    return address_reader(ConceptNode(type=node_type, facet=facet, description=text))


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        ("The user can't eat nuts.", "You can't eat nuts."),
        ("The user has two cats.", "You have two cats."),
        ("The user is allergic to nuts.", "You are allergic to nuts."),
        ("The user lives in Leeds and works at Tesco", "You live in Leeds and work at Tesco."),
        ("The user's sister Ann lives in Oslo.", "Your sister Ann lives in Oslo."),
        ("The user's landlord plays trombone, it drives them mad.", "Your landlord plays trombone, it drives you mad."),
        ("The user no longer eats fish.", "You no longer eat fish."),
        ("The user moved to York.", "You moved to York."),
        ("The user found a house in Sheffield.", "You found a house in Sheffield."),
        ("The user is vegan. The user's sister is not.", "You are vegan. Your sister is not."),
        ("The user takes their coffee black.", "You take your coffee black."),
        ("The user visits their mother on Sundays.", "You visit your mother on Sundays."),
        (
            "The user runs a small bike shop in Ghent with their brother Pieter.",
            "You run a small bike shop in Ghent with your brother Pieter.",
        ),
        ("The user is allergic to nuts and carries a pen.", "You are allergic to nuts and carry a pen."),
        ("Ellie burned the user's saucepan.", "Ellie burned your saucepan."),
        (
            "The user's daughter Susan lives in Perth, and she wants them to come over.",
            "Your daughter Susan lives in Perth, and she wants you to come over.",
        ),
        ("The user loves cats and dogs.", "You love cats and dogs."),
        ("用户不能吃坚果。", "你不能吃坚果。"),
        ("用户住在上海，用户的猫叫小黑", "你住在上海，你的猫叫小黑。"),
    ],
)
def test_a_fact_about_the_user_is_told_to_them(stored, told):
    assert shown(stored) == told


@pytest.mark.parametrize(
    "stored",
    [
        "Lily plays the trumpet.",
        "From now on, answer the user in short sentences.",
        "The user wants you to be brief.",
        "The user interface is what Ann designs.",
        "The user's sister lives with their mother.",
        "The user has two kids and their school is far.",
        "The user lives with their sister and works at night.",
        "用户希望你回答简短。",
        "用户名是mara。",
        "Sam欠用户钱。",
    ],
)
def test_a_sentence_that_does_not_plainly_begin_with_the_user_stays(stored):
    assert shown(stored) == stored


@pytest.mark.parametrize(
    ("facet", "node_type", "told"),
    [
        ("how_to_talk", "fact", "You like short answers."),
        ("about_us", "fact", "The user likes short answers."),
        ("persona_canon", "fact", "The user likes short answers."),
        ("", "event", "The user likes short answers."),
    ],
)
def test_other_memories_stay_as_they_are(facet, node_type, told):
    assert shown("The user likes short answers.", facet=facet, node_type=node_type) == told


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        ("Talk to the user like a mate.", "Talk to you like a mate."),
        ("跟用户说话别用表情符号。", "跟你说话别用表情符号。"),
    ],
)
def test_a_wish_how_to_talk_is_told_to_the_user(stored, told):
    assert shown(stored, facet="how_to_talk") == told
