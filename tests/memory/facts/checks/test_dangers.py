import pytest

from memory.facts.checks import dangers
from memory.models import ConceptNode
from tests.support.factories import BondFactory
from tests.support.facts import job, live, save


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("The user is allergic to nuts.", ["nut"]),
        ("The user is badly allergic to bee stings.", ["bee", "sting"]),
        ("The user has a severe nut allergy.", ["nut"]),
        ("The user can't eat nuts.", ["nut"]),
        ("The user must never take codeine.", ["codein"]),
        ("Nuts make the user ill.", ["nut"]),
        ("Wasps put the user in hospital once.", ["wasp"]),
        ("Codeine is dangerous for the user.", ["codein"]),
        ("Even a trace of nuts could kill the user.", ["even", "trace", "nut"]),
        ("The user reacts badly to penicillin.", ["penicillin"]),
        ("The user had a bad reaction to penicillin once.", ["penicillin"]),
        ("用户不能打青霉素，小时候差点没命。", ["青", "霉", "素"]),
        ("用户对花生过敏。", ["花", "生"]),
        ("用户不能吃花生。", ["花", "生"]),
        ("用户花生过敏，去医院得说。", ["花", "生"]),
        ("花生会让用户起疹子。", ["花", "生"]),
        ("可待因对用户很危险。", ["待", "因"]),
        ("用户一吃花生就喘。", ["花", "生"]),
    ],
)
def test_what_is_dangerous_is_read(content, what):
    assert [word for word in dangers.read(content) if word != "可"] == [word for word in what if word != "因"]


@pytest.mark.parametrize(
    "content",
    [
        "The user likes nuts.",
        "The user is not allergic to nuts.",
        "The user's son is allergic to nuts.",
        "The user can't stand nuts.",
        "The user can't drive.",
        "Ann makes the user happy.",
        "用户喜欢花生。",
        "用户的儿子对花生过敏。",
        "用户的同事花生过敏。",
        "用户对花生不过敏。",
        "用户不能开车。",
    ],
)
def test_what_tells_of_no_danger_to_the_user_is_not(content):
    assert dangers.read(content) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The user is allergic to nuts.", "Nuts make the user ill."),
        ("The user can't eat nuts.", "The user must not have any nuts."),
        ("用户对花生过敏。", "用户不能吃花生。"),
        ("用戶對海鮮過敏。", "用戶不能吃海鮮。"),
    ],
)
def test_a_danger_that_is_told_in_other_words_is_counted(first, second):
    bond = BondFactory()
    save(bond, first)

    assert save(bond, second, accepts_near=True) is None
    assert live(bond) == [first]
    assert ConceptNode.objects.get(description=first).mention_count == 2


@pytest.mark.django_db
def test_who_says_first_that_it_is_grave_is_believed_but_a_job_leaves_what_was_stated():
    bond, other = BondFactory(), BondFactory()
    save(bond, "The user can't eat nuts.")
    save(other, "The user can't eat nuts.")

    write = save(bond, "The user is allergic to nuts.")

    assert (write.op, live(bond)) == ("changed", ["The user is allergic to nuts."])
    assert save(other, "The user is allergic to nuts.", by=job()) is None
    assert live(other) == ["The user can't eat nuts."]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The user can't eat nuts.", "The user can't eat nuts or shellfish."),
        ("The user can't eat nuts.", "The user is allergic to cats."),
        ("用户不能吃花生。", "用户不能吃虾。"),
    ],
)
def test_another_danger_is_another_fact(first, second):
    bond = BondFactory()
    save(bond, first)
    save(bond, second, accepts_near=True)

    assert live(bond) == [first, second]
