import pytest

from echovessel.llm.offline.text import third_person


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'm allergic to nuts", "The user is allergic to nuts."),
        ("im allergic to nuts!", "The user is allergic to nuts."),
        ("I'm allergic to shellfish btw", "The user is allergic to shellfish."),
        ("lol so I don't have a dog", "The user doesn't have a dog."),
        ("also I'm vegetarian btw, since 2012", "The user is vegetarian, since 2012."),
        ("So happy I passed", "So happy the user passed."),
        ("对，不过我是绵阳的", "用户是绵阳的。"),
        ("那个同事叫小王", "那个同事叫小王。"),
        ("I'm 41 by the way, and Pieter is 36.", "The user is 41, and Pieter is 36."),
        ("I have two cats and my sister has none", "The user has two cats and their sister has none."),
        ("I also hate being called Pri", "The user hates being called Pri."),
        ("I'm also known as Pri", "The user is also known as Pri."),
        ("I've never been to Rome", "The user has never been to Rome."),
        ("I don't eat meat", "The user doesn't eat meat."),
        ("I go to church", "The user goes to church."),
        ("I study law", "The user studies law."),
        ("I play the viola", "The user plays the viola."),
        ("I usually teach on Mondays", "The user usually teaches on Mondays."),
        ("I'm ill", "The user is ill."),
        ("I moved to York", "The user moved to York."),
        ("I need rest", "The user needs rest."),
        ("I can't swim", "The user can't swim."),
        ("I live in York and work at Acme", "The user lives in York and works at Acme."),
        ("my mum hates me", "The user's mum hates them."),
        ("Tom and I like chess", "Tom and the user like chess."),
        ("we have a garden", "The user has a garden."),
        ("I taught myself to knit", "The user taught themselves to knit."),
        ("  , I drink tea ", "The user drinks tea."),
        ("我对花生过敏", "用户对花生过敏。"),
        ("我们家有两只猫！", "用户家有两只猫。"),
        ("他很有自我意识", "他很有自我意识。"),
        ("…", ""),
        ("我是不吃葱", "用户不吃葱。"),
        ("我是护士", "用户是护士。"),
    ],
)
def test_turn_to_the_third_person(said, told):
    assert third_person.turn(said) == told


def test_the_class_that_one_is_in_is_the_users():
    assert third_person.turn("我们班有四十二个人") == "用户班上有四十二个人。"
    assert third_person.turn("我们家有三口人") == "用户家有三口人。"


@pytest.mark.parametrize(
    ("told", "of_user"),
    [
        ("Mara has a brother called Jonas.", "The user has a brother called Jonas."),
        ("- ~ Mara's brother is Jonas.", "- ~ The user's brother is Jonas."),
        ("Jonas is mars's brother.", "Jonas is the user's brother."),
        ("Mara Lind is a nurse.", "Mara Lind is a nurse."),
        ("用户叫林晓。", "用户叫林晓。"),
        ("林晓爸爸的生日是9月14日。", "用户爸爸的生日是9月14日。"),
    ],
)
def test_a_model_names_the_user_where_rules_say_the_user(told, of_user):
    assert third_person.replace_user_name(told, ["Mars", "Mara", "林晓", ""]) == of_user
