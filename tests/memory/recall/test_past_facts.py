from datetime import UTC, datetime

import pytest

from memory.recall import memories, query_intent
from tests.support.factories import NOW, BondFactory, FactFactory

pytestmark = pytest.mark.django_db
UNTIL = datetime(2026, 3, 5, tzinfo=UTC)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def lived(bond, where, **change):
    columns = {"state": "superseded", "state_reason": "replaced", "valid_from": UNTIL, "valid_until": UNTIL} | change
    return FactFactory(bond=bond, description=f"The user lives in {where}.", **columns)


def found(bond, query):
    return [item.node for item in memories.search(bond=bond, query=query, vector=None, now=NOW).kept]


@pytest.mark.parametrize("reason", ["replaced", "ended"])
def test_a_question_about_the_past_finds_what_was_true_once(bond, reason):
    leeds = lived(bond, "Leeds", state_reason=reason)
    york = FactFactory(bond=bond, description="The user lives in York.")

    assert {*found(bond, "Where in the town lives the user before?")} == {leeds, york}
    assert found(bond, "Where in the town lives the user now?") == [york]


@pytest.mark.parametrize(
    "change",
    [
        {"state_reason": "wrong"},
        {"state_reason": "merged"},
        {"deleted_at": NOW},
        {"state": "uncertain", "valid_until": None},
    ],
)
def test_what_was_never_true_or_is_forgotten_does_not_come_back(bond, change):
    lived(bond, "Leeds", **change)
    FactFactory(bond=bond, description="The user lives in York.")

    assert ["York" in node.description for node in found(bond, "Where lives the user in before?")] == [True]


def test_nothing_of_another_bond_is_found(bond):
    lived(BondFactory(user__username="charlie"), "Leeds")

    assert found(bond, "Where lives the user before?") == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Where did I live before?", True),
        ("What job did I use to have, what used to be my job?", True),
        ("我以前住在哪里？", True),
        ("我之前是做什么的", True),
        ("I lived in Leeds before.", False),
        ("Where do I live?", False),
        ("我住在哪里？", False),
        ("我以前住在上海。", False),
    ],
)
def test_what_asks_of_the_past(said, expected):
    assert query_intent.asks_of_past(said) == expected
