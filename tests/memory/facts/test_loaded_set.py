from datetime import timedelta

import pytest

from memory import sessions
from memory.facts import loaded_set
from memory.forgetting import removal
from memory.models import ConceptNode, Doubt, Session
from memory.nodes import links
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FactFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__display_name="Mara")


def texts(bond):
    return [line for line in loaded_set.build(bond, now=NOW).text.splitlines() if line.startswith("- ")]


def test_what_is_known_stands_by_facet_with_what_is_not_stated_marked(bond):
    FactFactory(bond=bond, description="The user works < at & home.")
    FactFactory(bond=bond, description="The user may like rain.", tier="extracted", confidence=0.8)
    FactFactory(bond=bond, description="They met at the sea.", facet="about_us", subject="shared")
    FactFactory(bond=bond, description="Use short sentences.", facet="how_to_talk")
    FactFactory(bond=bond, description="I have a brother.", facet="persona_canon", subject="persona", tier="extracted")

    assert loaded_set.build(bond, now=NOW).text == (
        "## About Mara\n- The user works &lt; at &amp; home.\n- ~ The user may like rain.\n"
        "## About the two of you\n- They met at the sea.\n"
        "## How to talk\n- Use short sentences.\n"
        "## What you said of yourself\n- ~ I have a brother."
    )


@pytest.mark.parametrize(
    ("tier", "confidence", "is_loaded"),
    [("extracted", 0.70, True), ("extracted", 0.699, False), ("inferred", 0.5, False), ("stated", 0.3, True)],
)
def test_a_fact_is_loaded_when_it_was_stated_or_is_sure_enough(bond, tier, confidence, is_loaded):
    FactFactory(bond=bond, tier=tier, confidence=confidence)

    assert bool(texts(bond)) == is_loaded


@pytest.mark.parametrize("change", [{"state": "superseded"}, {"state": "uncertain"}, {"deleted_at": NOW}])
def test_what_holds_no_longer_is_not_loaded(bond, change):
    FactFactory(bond=bond, **change)
    FactFactory()

    assert loaded_set.build(bond, now=NOW).text == ""


def test_sixty_lines_are_taken_stated_first_then_the_newest_and_the_rest_is_counted(bond, settings):
    settings.FACT_TOKENS = 100_000
    picked = FactFactory(bond=bond, description="Picked up.", tier="extracted", created_at=NOW + timedelta(days=1))
    old = FactFactory(bond=bond, description="The oldest.", created_at=NOW - timedelta(days=9))
    for number in range(59):
        FactFactory(bond=bond, description=f"Told {number}.", created_at=NOW)
    loaded = loaded_set.build(bond, now=NOW)

    assert (len(loaded.ids), loaded.left_out, picked.pk in loaded.ids, old.pk in loaded.ids) == (60, 1, False, True)
    FactFactory(bond=bond, description="Told last.", created_at=NOW)
    loaded = loaded_set.build(bond, now=NOW)
    assert (len(loaded.ids), loaded.left_out, old.pk in loaded.ids) == (60, 2, False)
    assert loaded.text.endswith("\n(2 more that are not written here)")


def test_each_facet_has_its_own_room(bond, settings):
    settings.FACT_TOKENS = 150
    for number in range(5):
        FactFactory(bond=bond, description=f"{number} {'x' * 140}")
        FactFactory(bond=bond, description=f"{number} {'y' * 60}", facet="about_us", subject="shared")
    lines = texts(bond)

    # 60 tokens for the user, 40 for both; 36 and 16 tokens a line.
    assert (sum("xxx" in line for line in lines), sum("yyy" in line for line in lines)) == (1, 2)


def test_a_disputed_fact_is_marked_until_the_doubt_is_settled(bond):
    fact = FactFactory(bond=bond, description="The user lives in Leeds.")
    doubt = Doubt.objects.create(
        bond=bond, kind="contradiction", a_node=fact, severity=1.0, opened_by="close", opened_at=NOW
    )

    assert texts(bond) == ["- The user lives in Leeds. (may have changed)"]
    Doubt.objects.filter(pk=doubt.pk).update(state="settled", outcome="this", settled_at=NOW)
    assert texts(bond) == ["- The user lives in Leeds."]


def test_what_was_said_since_stands_behind_a_fact_until_it_is_confirmed(bond):
    fact = FactFactory(bond=bond, description="The op is in May.", created_at=NOW)
    for day, said in enumerate(["They called about the op.", "The op is put back to June."], start=1):
        since = ConceptNodeFactory(bond=bond, description=said, created_at=NOW + timedelta(days=day))
        links.create(a=since, b=fact, relation=links.SAID_SINCE, now=NOW)

    assert texts(bond) == ["- The op is in May. (said since: The op is put back to June.)"]
    ConceptNode.objects.filter(pk=fact.pk).update(last_confirmed_at=NOW + timedelta(days=3))
    assert texts(bond) == ["- The op is in May."]


def test_what_was_said_since_is_in_no_prompt_once_it_is_forgotten(bond):
    session = SessionFactory(bond=bond)
    since = ConceptNodeFactory(bond=bond, description="Put back.", created_at=NOW + timedelta(days=1))
    links.create(a=since, b=FactFactory(bond=bond, created_at=NOW), relation=links.SAID_SINCE, now=NOW)
    loaded_set.load(session, bond=bond, now=NOW)

    removal.forget_node(node=since, dependents=removal.CASCADE, now=NOW)

    session.refresh_from_db()
    assert (session.loaded_text, texts(bond)) == ("", ["- The user cannot eat nuts."])


def test_the_set_stays_the_same_until_the_session_ends(bond):
    session = SessionFactory(bond=bond)
    FactFactory(bond=bond, description="The user lives in Leeds.")
    first = loaded_set.load(session, bond=bond, now=NOW)
    FactFactory(bond=bond, description="The user has a cat.")
    session.refresh_from_db()

    assert loaded_set.load(session, bond=bond, now=NOW + timedelta(hours=1)) == first
    assert (session.loaded_hash, session.loaded_ids) == (first.hash, list(first.ids))
    assert "cat" in loaded_set.load(SessionFactory(bond=bond, channel="api"), bond=bond, now=NOW).text


def test_a_session_that_ended_meanwhile_keeps_no_text(bond):
    session = SessionFactory(bond=bond, status="closing")
    FactFactory(bond=bond)

    assert "nuts" in loaded_set.load(session, bond=bond, now=NOW).text
    session.refresh_from_db()
    assert (session.loaded_text, session.loaded_at) == ("", None)


def test_the_user_is_called_by_the_name_they_gave(bond):
    FactFactory(bond=bond, description="The user is called Mo.", slot="preferred_name", value="Mo")
    loaded = loaded_set.build(bond, now=NOW)

    assert (loaded.name, loaded.text.splitlines()[0]) == ("Mo", "## About Mo")


def test_the_name_that_is_forgotten_goes_from_the_prompts_however_much_is_known(bond):
    old = NOW - timedelta(days=9)
    named = FactFactory(bond=bond, slot="preferred_name", value="Mimi", facet="how_to_talk", created_at=old)
    for number in range(60):
        FactFactory(bond=bond, description=f"Told {number}.", created_at=NOW)
    session = SessionFactory(bond=bond)
    called = loaded_set.load(session, bond=bond, now=NOW).name

    removal.forget_node(node=named, now=NOW)

    session.refresh_from_db()
    assert (called, loaded_set.load(session, bond=bond, now=NOW).name) == ("Mimi", "")


def test_fifteen_more_are_listed_beyond_the_loaded_ones(bond):
    known = FactFactory(bond=bond)
    FactFactory.create_batch(16, bond=bond, tier="extracted", confidence=0.4)
    FactFactory(bond=bond, tier="extracted", confidence=0.39, description="Too unsure.")
    further = loaded_set.list_further(bond, but=[known.pk])

    assert (len(further), known in further, {fact.confidence for fact in further}) == (15, False, {0.4})


def test_at_the_close_the_text_goes_and_a_reopened_session_loads_anew(bond):
    session = SessionFactory(bond=bond)
    fact = FactFactory(bond=bond)
    loaded = loaded_set.load(session, bond=bond, now=NOW)
    sessions.close(session=session, reason="explicit", now=NOW)
    session.refresh_from_db()
    assert (session.loaded_text, session.loaded_at, session.loaded_ids) == ("", None, [fact.pk])
    assert session.loaded_hash == loaded.hash

    FactFactory(bond=bond, description="The user has a cat.")
    Session.objects.filter(pk=session.pk).update(status="closed")
    session = sessions.reopen(bond=bond, session_id=session.pk, channel="web", now=NOW)
    assert "cat" in loaded_set.load(session, bond=bond, now=NOW).text
