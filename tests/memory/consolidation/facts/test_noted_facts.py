import uuid

import pytest

from memory.facts import acts
from tests.support.factories import BondFactory
from tests.support.facts import draft, live, told, writer
from tests.support.talks import closed_talk, consolidate, extraction, model, talk

pytestmark = pytest.mark.django_db

TRUMPET = "Lily swapped the cello for the trumpet."
SHORT = "以后请回答得简短一点。"


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def close_noted(bond, noted, *answers, more=(), **shape):
    """Close a session that noted a fact from its first line, and learned these from it."""
    session = talk("What the user said.", *more, bond=bond)
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
    close_noted(bond, TRUMPET, other, more=["And more."], facet="about_you")

    assert live(bond) == [TRUMPET, other["content"]]
