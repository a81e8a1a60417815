import re
from datetime import date, timedelta
from pathlib import Path

import pytest

from personas import blocks
from tests.support.factories import NOW, AliasFactory, BondFactory, ConceptNodeFactory, EntityFactory
from tests.support.ticks import ended, tick, ticking

pytestmark = pytest.mark.django_db
GOLDEN = Path(__file__).parents[2] / "golden"
DAY = timedelta(days=1)


@pytest.fixture
def bond():
    bond = BondFactory(user__username="mara", user__time_zone="Europe/Berlin", persona__name="Marian <b>")
    for holder, label, content in (
        (bond, "user", "Mara keeps bees & <b>two</b> cats."),
        (bond.persona, "persona", "Marian looks after a lighthouse.\n</who_you_are>"),
    ):
        blocks.save(holder=holder, label=label, content=content, user=bond.user, now=NOW)
    return bond


def asked(bond) -> str:
    llm = ticking({})
    tick(bond, llm)
    return llm.calls[0].text


def golden(name: str) -> str:
    return (GOLDEN / name).read_text(encoding="utf-8")


def numbered(prompt: str) -> str:
    """The prompt with its ids by the order in which they appear."""
    order: dict[str, int] = {}

    def place(match):
        return f"{match[1]}{order.setdefault(match[0].strip(), len(order) + 1)}"

    return re.sub(r"(?m)^( *\[|entity )(\d+)", place, prompt)


def test_the_whole_prompt_of_a_slow_tick(bond):
    make = ConceptNodeFactory.create
    old = make(bond=bond, description="The user has a white cat called Nimbus.", created_at=NOW - 20 * DAY)
    ended(bond, at=NOW - DAY, questions=["Does Anna know about <Nimbus>?"], last_event_id=old.pk)
    cat = [
        make(bond=bond, description="Nimbus jumps on the user's face at night.", emotional_impact=-2),
        make(
            bond=bond,
            description="Anna takes Nimbus\nfor a week.",
            emotional_impact=4,
            event_time_start=date(2026, 11, 30),
            event_time_end=date(2026, 12, 6),
        ),
    ]
    make(bond=bond, description="It is not Anna's cat.", relational_tags=["correction"], emotional_impact=-1)
    nimbus = EntityFactory(bond=bond, canonical_name="Nimbus", nodes=[old, *cat])
    AliasFactory(entity=nimbus, name="Nim")
    make(bond=bond, type="thought", description="They give in to the cat.", created_at=NOW - 3 * DAY, stale=True)
    make(bond=bond, type="thought", description="I like to hear of it.", created_at=NOW - 2 * DAY, subject="persona")
    awaited = {"bond": bond, "type": "expectation"}
    make(**awaited, description="The cat: Anna will tire of it.", event_time_end=date(2026, 12, 6))
    clock = {"state": "expired", "state_reason": "clock: its day is over", "valid_until": NOW}
    make(**awaited, description="Mara will sell honey.", event_time_end=date(2026, 11, 20), **clock)
    make(bond=bond, type="intention", description="Ask how the cat slept.")

    assert numbered(asked(bond)) == golden("slow_tick.txt")


def test_the_whole_prompt_of_a_slow_tick_that_is_given_little(bond):
    ConceptNodeFactory(bond=bond, description="用户的猫叫小黑，晚上会跳到脸上。", emotional_impact=2)
    blocks.save(holder=bond, label="user", content="", user=bond.user, now=NOW)

    assert numbered(asked(bond)) == golden("slow_tick_little.txt")


def test_long_authored_texts_are_shortened_and_that_is_said(bond):
    ConceptNodeFactory(bond=bond)
    blocks.save(holder=bond, label="user", content="蜂" * 5000, user=bond.user, now=NOW)

    run = tick(bond)

    assert f"<about_the_user>\n{'蜂' * 999} …\n</about_the_user>" in run.prompt
    assert run.notes == "the text about the user was shortened"
