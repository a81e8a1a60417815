from datetime import timedelta

import pytest

from echovessel.models import BondEvent
from memory import sessions
from memory.models import MoodChange
from tests.support.factories import NOW, BondFactory
from tests.support.talks import CAT, consolidate, extraction, model, remember, step, talk

pytestmark = pytest.mark.django_db

TENDER = {"mood": "tender", "energy": 6, "last_user_signal": "warm"}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def state(bond, now=NOW):
    bond.refresh_from_db()
    read = bond.episodic_state(now)
    return read["mood"], read["energy"], read["last_user_signal"]


def test_the_mood_is_replaced_as_a_whole(bond):
    session = remember(bond=bond, answer=extraction(session_mood_signal=TENDER))

    assert state(bond) == ("tender", 6, "warm")
    assert [
        (change.mood, change.energy, change.last_user_signal, change.session) for change in MoodChange.objects.all()
    ] == [("tender", 6, "warm", session)]
    assert BondEvent.objects.filter(type="chat.mood.update").count() == 1

    remember(
        bond=bond,
        now=NOW + timedelta(hours=1),
        answer=extraction(session_mood_signal={"mood": "calm", "energy": "3.6"}),
    )

    assert state(bond) == ("calm", 4, None)


@pytest.mark.parametrize("signal", [None, {}, {"mood": "", "energy": 3}, {"mood": "glad"}, "glad", [TENDER]])
def test_without_a_readable_signal_the_mood_stays(bond, signal):
    remember(bond=bond, answer=extraction(session_mood_signal=TENDER))

    session = remember(*CAT, bond=bond, now=NOW + timedelta(hours=1), answer=extraction(session_mood_signal=signal))

    assert state(bond) == ("tender", 6, "warm")
    assert step(session, "mood").outcome == "empty"
    assert bool(step(session, "mood").notes) is (signal is not None)
    assert MoodChange.objects.count() == 1


@pytest.mark.parametrize(
    ("age", "read"),
    [
        (timedelta(hours=12), ("tender", 6, "warm")),
        (timedelta(hours=12, microseconds=1), ("neutral", 5, None)),
        (timedelta(days=3), ("neutral", 5, None)),
    ],
    ids=str,
)
def test_a_mood_older_than_twelve_hours_reads_as_neutral(bond, age, read):
    remember(bond=bond, answer=extraction(session_mood_signal=TENDER))

    assert state(bond, NOW + age) == read
    assert bond.mood == "tender"


def test_a_bond_without_a_mood_is_neutral(bond):
    assert bond.episodic_state(NOW) == {"mood": "neutral", "energy": 5, "last_user_signal": None, "updated_at": None}


@pytest.mark.parametrize(
    ("given", "kept", "note"),
    [
        (" A cat\n at  night. ", "A cat at night.", ""),
        ("x" * 200, "x" * 200, ""),
        ("x" * 300, "x" * 200, "session_summary cut at 200 characters"),
        ("", "", ""),
        (None, "", ""),
        ("Here is the summary: A cat.", "A cat.", ""),
        ("总结：一只猫。", "一只猫。", ""),
        (["A cat."], "", "session_summary left out: it is no text"),
    ],
    ids=["spaces", "fits", "long", "empty", "none", "headed", "headed in Chinese", "list"],
)
def test_the_summary_is_one_line_of_two_hundred_characters(given, kept, note):
    session = remember(answer=extraction(session_summary=given))

    assert session.summary == kept
    assert (step(session, "summary").outcome, step(session, "summary").notes) == ("done" if kept else "empty", note)


def test_in_a_resumed_session_an_answer_without_mood_and_summary_leaves_both(bond):
    session = remember(bond=bond, answer=extraction(session_mood_signal=TENDER, session_summary="A cat."))
    sessions.reopen(bond=bond, session_id=session.pk, channel="web", now=NOW)
    talk("He died.", bond=bond)
    session.refresh_from_db()
    sessions.close(session=session, reason="explicit", now=NOW)

    session = consolidate(session, model({"events": []}))

    assert (session.summary, state(bond)) == ("A cat.", ("tender", 6, "warm"))
