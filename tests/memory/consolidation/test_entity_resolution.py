from datetime import timedelta

import pytest

from memory.entities import merging
from memory.models import Doubt, Entity, EntityMerge, Message, Separation
from tests.support.factories import NOW, AliasFactory, BondFactory, EntityFactory
from tests.support.talks import closed_talk, consolidate, event, extraction, model, remember, step

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)
EVERYONE = "Scott is what everyone calls Yiyang."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def person(bond, name, **more):
    return EntityFactory(bond=bond, canonical_name=name, **{"kind": "person"} | more)


@pytest.fixture
def yiyang(bond):
    return person(bond, "Yiyang")


@pytest.fixture
def scott(bond, yiyang):
    return person(bond, "Scott")


def said(bond, *lines, a="Scott", b="Yiyang", stated_in=1):
    """A talk, after which the model supposes that two names mean the same."""
    supposed = {"a": a, "b": b, "stated_in": stated_in}
    return remember(*(lines or (EVERYONE, "Hm.", "Yes.")), bond=bond, answer=extraction(possible_same=[supposed]))


def notes(session):
    return step(session, "entities").notes


def standing(entity):
    entity.refresh_from_db()
    return entity.merge_status, entity.merge_target, entity.merged_into


NEITHER = ("confirmed", None, None)


def names(entity):
    return list(entity.aliases.filter(deleted_at=None).order_by("id").values_list("name", flat=True))


def test_what_a_message_of_the_user_states_is_merged_at_once(bond, yiyang, scott):
    session = said(bond)

    assert standing(scott) == ("confirmed", None, yiyang)
    assert names(yiyang) == ["Yiyang", "Scott"]
    assert EntityMerge.objects.get().decided_by == "stated"
    assert notes(session) == ""


@pytest.mark.parametrize("order", [("Scott", "Yiyang"), ("YIYANG", "scott")])
def test_the_older_of_the_two_is_kept(bond, yiyang, scott, order):
    said(bond, a=order[0], b=order[1])

    assert standing(scott) == ("confirmed", None, yiyang)


def test_a_message_may_hold_any_name_of_the_two(bond, yiyang, scott):
    AliasFactory(entity=yiyang, name="黄逸扬")

    said(bond, "大家都叫黄逸扬Scott。", "嗯", "对")

    assert standing(scott) == ("confirmed", None, yiyang)


@pytest.mark.parametrize(
    ("lines", "stated_in"),
    [
        ((EVERYONE, "Hm.", "Yes."), None),
        ((EVERYONE, "Hm.", "Yes."), 2),
        ((EVERYONE, "Hm.", "Yes."), 0),
        ((EVERYONE, "Hm.", "Yes."), 4),
        ((EVERYONE, f"persona: {EVERYONE}", "Hm."), 2),
        (("Scott called.", "Yiyang too.", "Yes."), 1),
        (("Scotty is not Yiyang.", "Hm.", "Yes."), 1),
    ],
    ids=[
        "no line",
        "another line",
        "no such line",
        "past the last",
        "a line of the companion",
        "one name",
        "part of a word",
    ],
)
def test_without_such_a_message_two_become_an_uncertain_pair(bond, yiyang, scott, lines, stated_in):
    said(bond, *lines, stated_in=stated_in)

    assert standing(scott) == ("uncertain", yiyang, None)
    assert standing(yiyang) == NEITHER


def test_one_name_within_the_other_states_nothing(bond):
    anna = person(bond, "Anna")
    lind = person(bond, "Anna Lind")

    said(bond, "Anna Lind called me.", "Hm.", "Yes.", a="Anna", b="Anna Lind")
    assert standing(lind) == ("uncertain", anna, None)
    said(bond, "Anna is Anna Lind, my boss.", "Hm.", "Yes.", a="Anna", b="Anna Lind")
    assert standing(lind) == ("uncertain", anna, anna)


def test_a_message_that_is_deleted_before_it_counts_states_nothing(bond, yiyang, scott):
    session = closed_talk(EVERYONE, "Hm.", "Yes.", bond=bond)
    answer = extraction(possible_same=[{"a": "Scott", "b": "Yiyang", "stated_in": 1}])

    consolidate(session, model(answer))
    merging.undo(merge=EntityMerge.objects.get(), now=NOW)
    Message.objects.filter(content=EVERYONE).update(deleted_at=NOW)
    session.steps.filter(phase__in=["entities", "mood", "summary"]).delete()
    session.status = "closing"
    session.save()
    consolidate(session, model())

    assert standing(scott) == ("uncertain", yiyang, None)


def test_a_pair_that_is_in_doubt_is_merged_by_a_message_that_states_it(bond, yiyang):
    scott = person(bond, "Scott", merge_status="uncertain", merge_target=yiyang)

    said(bond)

    assert standing(scott) == ("uncertain", yiyang, yiyang)


@pytest.mark.parametrize("stated_in", [1, None])
def test_two_that_were_told_apart_stay_apart(bond, yiyang, scott, stated_in):
    merging.separate_entities(a=yiyang, b=scott, by="owner", now=NOW)

    session = said(bond, stated_in=stated_in)

    assert standing(scott) == NEITHER
    assert notes(session) == "possible same Scott / Yiyang dropped: they are known to be different"


@pytest.mark.parametrize("stated_in", [1, None])
def test_two_of_different_kinds_stay_apart(bond, yiyang, stated_in):
    scott = person(bond, "Scott", kind="pet")

    session = said(bond, stated_in=stated_in)

    assert standing(scott) == NEITHER
    assert notes(session) == "possible same Scott / Yiyang dropped: one is a pet, the other a person"


def test_what_is_one_already_is_passed_over(bond, yiyang):
    AliasFactory(entity=yiyang, name="Scott")

    assert notes(said(bond)) == ""
    assert not EntityMerge.objects.exists()


def test_a_second_doubt_about_one_waits(bond, yiyang):
    person(bond, "Scotty", merge_status="uncertain", merge_target=yiyang)
    sky = person(bond, "Sky")
    newest = person(bond, "Scott", merge_status="uncertain", merge_target=sky)

    session = said(bond, stated_in=None)

    assert standing(newest) == ("uncertain", sky, None)
    assert notes(session) == "possible same Scott / Yiyang dropped: another pair comes first"


def test_a_message_that_gives_somebody_known_another_name_teaches_it(bond, yiyang):
    said(bond)

    assert names(yiyang) == ["Yiyang", "Scott"]
    assert list(Entity.objects.all()) == [yiyang]


@pytest.mark.parametrize(
    ("a", "b", "stated_in", "why"),
    [
        ("Scott", "Yiyang", None, "one is not known, and no line of the user says it"),
        ("Scott", "Yiyang", 2, "one is not known, and no line of the user says it"),
        ("Scott", "Sky", 1, "not both are known"),
        ("Mara", "Yiyang", 1, "not both are known"),
    ],
)
def test_names_of_nobody_known_are_passed_over(bond, yiyang, a, b, stated_in, why):
    session = said(bond, a=a, b=b, stated_in=stated_in)

    assert notes(session) == f"possible same {a} / {b} dropped: {why}"
    assert names(yiyang) == ["Yiyang"]


def test_what_cannot_be_read_is_dropped_and_said(bond, yiyang, scott):
    wrong = [{"a": "Scott"}, "Scott", {"a": "", "b": "x" * 121}, {"a": "Scott", "b": "Yiyang", "stated_in": "one"}]

    session = remember(EVERYONE, "Hm.", "Yes.", bond=bond, answer=extraction(possible_same=wrong))

    assert notes(session).splitlines() == [
        "possible same 0 dropped: Field required",
        "possible same 1 dropped: Input should be a valid dictionary or instance of PossibleSame",
        "possible same 2 dropped: Value should have at least 1 item after validation, not 0; Value should have at most 120 items after validation, not 121",
    ]
    assert standing(scott) == ("uncertain", yiyang, None)


def asked(bond, *, same, a="Scott", b="Yiyang", named="Scott came by."):
    """A talk, after which the model says whether a pair means the same."""
    told = {"canonical_a": a, "canonical_b": b, "same": same}
    llm = model(extraction(event(lines=[1]), entity_clarification=told))
    session = consolidate(closed_talk(named, "Hm.", "Yes.", bond=bond), llm)
    return session, llm.calls[0].text


@pytest.fixture
def pair(bond, yiyang):
    return person(bond, "Scott", merge_status="uncertain", merge_target=yiyang, confirmed_at=NOW)


@pytest.mark.parametrize("order", [("Scott", "Yiyang"), ("yiyang", "SCOTT")])
def test_the_same_merges_the_pair(bond, yiyang, pair, order):
    _, prompt = asked(bond, same=True, a=order[0], b=order[1])

    assert "<uncertain_pair>\nScott / Yiyang\n</uncertain_pair>" in prompt
    assert standing(pair) == ("uncertain", yiyang, yiyang)
    assert EntityMerge.objects.get().decided_by == "clarified"


def test_different_parts_the_pair_for_good(bond, yiyang, pair):
    asked(bond, same=False)

    assert (standing(pair), standing(yiyang)) == (NEITHER, NEITHER)
    assert Separation.objects.get().decided_by == "clarified"
    _, prompt = asked(bond, same=True)
    assert "<uncertain_pair>\n(none)\n</uncertain_pair>" in prompt
    assert not EntityMerge.objects.exists()


def test_only_the_pair_that_was_told_is_cleared_up(bond, yiyang, pair):
    sky = person(bond, "Sky")
    skye = person(bond, "Skye", merge_status="uncertain", merge_target=sky)

    session, prompt = asked(bond, same=True, a="Sky", b="Skye", named="Scott met Sky and Skye.")

    assert "<uncertain_pair>\nScott / Yiyang\n</uncertain_pair>" in prompt
    assert standing(skye) == ("uncertain", sky, None)
    assert notes(session) == "clarification dropped: it is not about the pair in doubt"


def test_a_pair_that_was_not_told_is_not_cleared_up(bond, yiyang, pair):
    session, prompt = asked(bond, same=True, named="Somebody came by.")

    assert "<uncertain_pair>\n(none)\n</uncertain_pair>" in prompt
    assert standing(pair) == ("uncertain", yiyang, None)
    assert notes(session) == "clarification dropped: no pair was in doubt"


def test_the_pair_that_was_asked_about_is_told_before_others(bond, yiyang, pair):
    sky = person(bond, "Sky")
    skye = person(bond, "Skye", merge_status="uncertain", merge_target=sky)
    session = closed_talk("Scott met Sky.", "persona: Is Sky Skye?", "No.", bond=bond)
    Doubt.objects.filter(a_entity=skye).update(asked_in=[session.pk])
    told = {"canonical_a": "Skye", "canonical_b": "Sky", "same": False}

    consolidate(session, model(extraction(entity_clarification=told)))

    assert merging.are_separate(sky.pk, skye.pk)
    assert standing(pair) == ("uncertain", yiyang, None)


def test_a_pair_that_was_decided_meanwhile_is_left_so(bond, yiyang, pair):
    class Meanwhile(type(model())):
        def answer(self, messages, **more):
            merging.separate_entities(a=yiyang, b=pair, by="owner", now=NOW)
            return super().answer(messages, **more)

    told = {"canonical_a": "Scott", "canonical_b": "Yiyang", "same": True}
    llm = Meanwhile(answers={"extraction": extraction(entity_clarification=told)})

    session = consolidate(closed_talk("Scott came by.", "Hm.", "Yes.", bond=bond), llm)

    assert standing(pair) == NEITHER
    assert notes(session) == "clarification dropped: no pair was in doubt"


@pytest.mark.parametrize("wrong", ["yes", [], {"canonical_a": "Scott"}, {"same": True}])
def test_a_clarification_that_cannot_be_read_is_dropped_and_said(bond, yiyang, pair, wrong):
    answer = extraction(entity_clarification=wrong)

    session = remember("Scott came by.", "Hm.", "Yes.", bond=bond, answer=answer)

    assert standing(pair) == ("uncertain", yiyang, None)
    assert notes(session).startswith("clarification 0 dropped: ")


def test_what_is_cleared_up_is_not_supposed_again(bond, yiyang, pair):
    told = {"canonical_a": "Scott", "canonical_b": "Yiyang", "same": False}
    supposed = {"a": "Scott", "b": "Yiyang", "stated_in": 1}
    answer = extraction(entity_clarification=told, possible_same=[supposed])

    remember("Scott and Yiyang are two people.", "Hm.", "Yes.", bond=bond, answer=answer)

    assert (standing(pair), standing(yiyang)) == (NEITHER, NEITHER)
