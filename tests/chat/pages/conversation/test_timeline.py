from datetime import date, timedelta

import pytest
import time_machine
from django.utils import translation

from chat.pages.conversation import timeline
from memory.entities import editing, merging
from tests.support import facts
from tests.support.factories import NOW, AliasFactory, BondFactory, ConceptNodeFactory, EntityFactory, FactFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def year():
    with time_machine.travel(NOW):
        yield


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def more(bond):
    [entry] = timeline.list_entries(bond)
    return entry.more


@pytest.mark.parametrize(
    ("days", "said"),
    [
        ((date(2026, 3, 3), date(2026, 3, 3)), "3 Mar"),
        ((date(2026, 3, 1), date(2026, 3, 31)), "March 2026"),
        ((date(2025, 1, 1), date(2025, 12, 31)), "2025"),
        ((date(2025, 12, 1), date(2025, 12, 31)), "December 2025"),
        ((date(2026, 3, 1), date(2026, 5, 31)), "1 Mar – 31 May"),
        ((date(2026, 3, 1), date(2026, 3, 30)), "1 Mar – 30 Mar"),
        ((date(2026, 3, 1), None), "1 Mar"),
        ((None, None), ""),
    ],
)
def test_an_event_says_its_days(bond, days, said):
    ConceptNodeFactory(bond=bond, event_time_start=days[0], event_time_end=days[1], emotion_tags=[])

    assert more(bond) == said


def test_a_fact_about_the_reader_speaks_to_them(bond):
    FactFactory(bond=bond, description="The user can't eat nuts.")

    assert [entry.text for entry in timeline.list_entries(bond)] == ["You can't eat nuts."]


@pytest.mark.parametrize(
    ("by", "is_noted"), [("rule", True), ("tool", True), ("backstop", True), ("close", False), ("person", False)]
)
def test_what_was_noted_while_one_talked_says_so(bond, by, is_noted):
    """Its line in the chat announces it, so the timeline stays silent."""
    facts.save(bond, by=facts.writer(by=by))

    assert [entry.is_noted for entry in timeline.list_entries(bond)] == [is_noted]


def test_a_promise_says_by_when(bond):
    ConceptNodeFactory(bond=bond, type="intention", subject="persona", event_time_end=date(2026, 3, 3), emotion_tags=[])

    with translation.override("zh-hans"):
        assert more(bond) == "3月3日之前"
    assert more(bond) == "by 3 Mar"


def test_what_was_told_often_and_what_is_at_odds_with_something_written_says_so(bond):
    stated = ConceptNodeFactory(bond=bond, origin="user", created_at=NOW - timedelta(days=1), emotion_tags=[])
    ConceptNodeFactory(bond=bond, mention_count=3, conflicts_with=stated, emotion_tags=["joy"])

    newest, oldest = timeline.list_entries(bond)
    assert newest.more == "mentioned 3 times, contradicts what you said or wrote, #joy"
    assert oldest.more == ""


def test_a_thought_without_live_evidence_says_so(bond):
    ConceptNodeFactory(bond=bond, type="thought", stale=True, emotion_tags=[])

    assert more(bond) == "based on something that changed later"


def test_a_person_is_shown_by_what_is_known_of_them(bond):
    yiyang = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person", description="Mara's sister.")
    AliasFactory(entity=yiyang, name="Scott")

    [entry] = timeline.list_entries(bond)
    assert (entry.name, entry.text, entry.more) == ("Yiyang", "Mara's sister.", "a person, also Scott")


def test_a_description_that_was_written_later_is_an_entry_of_its_own(bond):
    yiyang = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")

    editing.update(entity=yiyang, wanted={"description": "Mara's sister."}, now=NOW + timedelta(hours=1))

    assert [(entry.name, entry.text, entry.more) for entry in timeline.list_entries(bond)] == [
        ("Yiyang", "Mara's sister.", "written by you"),
        ("Yiyang", "a person", ""),
    ]


def test_a_person_who_is_described_as_soon_as_met_is_shown_once(bond):
    EntityFactory(bond=bond, canonical_name="Yiyang", kind="person", description="Mara's sister.", described_at=NOW)

    assert [(entry.id[:7], entry.text, entry.more) for entry in timeline.list_entries(bond)] == [
        ("entity-", "Mara's sister.", "a person")
    ]


def test_a_pair_in_doubt_asks_whether_the_two_are_the_same(bond):
    lin = EntityFactory(bond=bond, canonical_name="Lin", kind="person")
    aunt = EntityFactory(
        bond=bond, canonical_name="Auntie Lin", kind="person", merge_status="uncertain", merge_target=lin
    )

    [doubt] = timeline.list_uncertain_pairs(bond)
    assert doubt.text == "Are Auntie Lin and Lin the same?"
    said = "They stay separate. Nobody is asked about them again."
    assert [(action.word, action.path, action.body, action.done) for action in doubt.actions] == [
        ("Merge", f"memory/entities/{aunt.pk}/merge/", {"into": lin.pk}, ""),
        ("Keep separate", f"memory/entities/{aunt.pk}/separate/", {"from": lin.pk}, said),
    ]


def test_a_merge_is_told_and_can_be_undone_there(bond):
    yiyang = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    scott = EntityFactory(bond=bond, canonical_name="Scott", kind="person")
    merge = merging.merge_entities(kept=yiyang, merged=scott, by="owner", now=NOW + timedelta(minutes=1))

    told, entity = timeline.list_entries(bond)
    assert (told.text, entity.more) == ("Scott is Yiyang.", "also Scott")
    assert [(action.word, action.path, action.done) for action in told.actions] == [
        ("Undo", f"memory/entities/merges/{merge.pk}/undo/", "Scott is restored.")
    ]

    merging.undo(merge=merge, now=NOW + timedelta(minutes=2))
    assert [entry.name for entry in timeline.list_entries(bond)] == ["Scott", "Yiyang"]
