import uuid

import pytest

from memory.facts import acts
from tests.support.factories import BondFactory
from tests.support.facts import draft, facts, live, told, writer
from tests.support.talks import closed_talk, consolidate, extraction, model, talk

pytestmark = pytest.mark.django_db

TRUMPET = "Lily swapped the cello for the trumpet."
SHORT = "以后请回答得简短一点。"


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def close_noted(bond, noted, *answers, **shape):
    """Close a session that noted a fact from its first line, and learned these from it."""
    session = talk("What the user said.", "And more.", bond=bond)
    by = writer(by="rule", session=session, turn_id=uuid.uuid4(), messages=[session.messages.first()])
    acts.save(bond=bond, draft=draft(noted, **shape), writer=by)
    return consolidate(closed_talk("Good night.", bond=bond), model(extraction(facts=list(answers))))


@pytest.mark.parametrize(
    ("noted", "reworded", "facet"),
    [
        (TRUMPET, "The user's daughter Lily plays the trumpet.", "about_you"),
        (SHORT, "用户希望回答简短一点。", "how_to_talk"),
    ],
)
def test_what_was_noted_is_not_learned_in_other_words(bond, noted, reworded, facet):
    close_noted(bond, noted, told(reworded, facet=facet), facet=facet)

    assert live(bond) == [noted]


@pytest.mark.parametrize(
    "other",
    [
        told("The user's daughter Lily plays the trumpet in Leeds."),
        told("Lily has 2 trumpets."),
        told("Lily does not like the cello."),
        told("The user plays football with Lily."),
        told("Lily plays the trumpet.", facet="about_us"),
        told("Lily plays the trumpet.", lines=[1, 2]),
    ],
    ids=["name", "number", "negated", "little in common", "facet", "another line"],
)
def test_what_tells_more_is_learned(bond, other):
    close_noted(bond, TRUMPET, other, facet="about_you")

    assert live(bond) == [TRUMPET, other["content"]]


@pytest.mark.parametrize(
    ("noted", "better", "slot"),
    [
        ("用户对芒果过敏哈，上次吃了脸肿成猪头。", "用户对芒果过敏，上次吃了脸肿得很厉害。", "diet"),
        ("The user keeps bees now would you.", "The user keeps bees.", None),
    ],
)
def test_what_a_turn_noted_badly_is_worded_anew_from_the_same_lines(bond, noted, better, slot):
    close_noted(
        bond,
        noted,
        told(better, facet="about_you", op="update", how="refines", target=1, slot=slot, value=better[-3:-1]),
    )

    [fact] = facts(bond).filter(state="live")
    assert (fact.description, fact.tier, fact.confidence, fact.slot) == (better, "stated", 1.0, "")


@pytest.mark.parametrize(
    "other",
    [
        told("Lily plays an instrument.", op="update", how="refines", target=1, lines=[1, 2]),
        told("Somebody plays an instrument.", op="update", how="refines", target=1),
        told("Lily did not swap the cello for the trumpet.", op="update", how="refines", target=1),
    ],
    ids=["another line", "without the name", "negated"],
)
def test_what_was_noted_keeps_its_words_beside_what_tells_something_else(bond, other):
    close_noted(bond, TRUMPET, other, facet="about_you")

    assert TRUMPET in live(bond)
