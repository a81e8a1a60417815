from datetime import timedelta
from uuid import uuid4

import pytest

from echovessel.models import BondEvent
from memory.forgetting import purging, removal, trash
from memory.messages import kept
from memory.models import Forgotten, Message
from memory.recall import prompt_memory
from memory.search import search
from memory.story import keeping
from tests.support.dumping import tables_with
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def session(bond):
    return SessionFactory(bond=bond, status="closed", message_count=5)


def said(session, content="The sea was quiet.", **columns):
    return MessageFactory(session=session, content=content, **columns)


def kept_now(bond):
    return list(kept.filter_kept(bond).order_by("-kept_at").values_list("pk", "kept_at", "kept_note"))


def events(bond):
    return list(BondEvent.objects.filter(bond_id=bond.pk).values_list("type", "refs"))


def load_memory(bond):
    return prompt_memory.load(bond=bond, now=NOW, loaded_at=NOW, turn_id=uuid4())


def moments(bond):
    return [(one.role, one.content) for one in load_memory(bond).moments]


@pytest.mark.parametrize("role", ["user", "persona"])
def test_a_message_of_either_side_is_kept_with_a_note(bond, session, role):
    message = said(session, role=role)

    keeping.keep(message=message, note="That evening.", now=NOW)

    assert kept_now(bond) == [(message.pk, NOW, "That evening.")]
    assert events(bond) == [("chat.message.kept", {"message": message.pk})]


def test_a_note_is_changed_in_place_and_none_leaves_it(bond, session):
    message = said(session)
    keeping.keep(message=message, note=None, now=NOW)
    keeping.keep(message=message, note="That evening.", now=NOW + HOUR)
    keeping.keep(message=message, note=None, now=NOW + HOUR)

    assert kept_now(bond) == [(message.pk, NOW, "That evening.")]
    assert len(events(bond)) == 2


def test_what_is_no_longer_kept_loses_its_note(bond, session):
    message = said(session)
    keeping.keep(message=message, note="That evening.", now=NOW)

    keeping.let_go(message=message, now=NOW)
    keeping.let_go(message=message, now=NOW)

    message.refresh_from_db()
    assert (message.kept_at, message.kept_note, len(events(bond))) == (None, "", 2)


def test_only_what_is_shown_and_on_the_record_may_be_kept(bond, session):
    shown = said(session)
    for columns in ({"deleted_at": NOW}, {"role": "persona", "chosen": False}, {"role": "system"}):
        said(session, **columns)
    said(SessionFactory(bond=bond, off_record=True, channel="api"))
    said(SessionFactory(bond=bond, status="closed", deleted_at=NOW))
    said(SessionFactory())

    assert list(kept.filter_keepable(bond)) == [shown]


def test_the_last_ten_kept_are_in_the_prompt_without_their_notes(bond, session):
    for number in range(11):
        message = said(session, f"Line {number}", role="persona" if number == 10 else "user")
        keeping.keep(message=message, note="My note.", now=NOW + number * HOUR)
    said(session, "Not kept")
    keeping.keep(message=said(SessionFactory()), note=None, now=NOW + 99 * HOUR)

    assert moments(bond) == [("persona", "Line 10"), *(("user", f"Line {number}") for number in range(9, 0, -1))]


@pytest.mark.parametrize(("length", "is_cut"), [(400, False), (401, True)])
def test_a_long_one_is_cut_at_four_hundred_characters(bond, session, length, is_cut):
    keeping.keep(message=said(session, "x" * length), note=None, now=NOW)

    assert moments(bond) == [("user", "x" * 400 + ("…" if is_cut else ""))]


def test_a_hundred_messages_later_it_is_still_there(bond, session):
    keeping.keep(message=said(session, "I kept the key."), note=None, now=NOW)
    for number in range(100):
        said(session, f"And so on {number}")

    assert moments(bond) == [("user", "I kept the key.")]


def test_keeping_costs_a_turn_no_statement(bond, session, django_assert_num_queries):
    keeping.keep(message=said(session), note=None, now=NOW)

    with django_assert_num_queries(1):
        load_memory(bond)


@pytest.mark.parametrize("another", [{"chosen": False}, {"deleted_at": NOW}], ids=str)
def test_what_is_not_shown_is_in_no_prompt(bond, session, another):
    keeping.keep(message=said(session), note=None, now=NOW)
    Message.objects.update(**another)

    assert (moments(bond), kept_now(bond)) == ([], [])


def test_a_deleted_message_comes_back_kept_and_goes_for_good_when_purged(bond, session):
    message = said(session, "Under the lighthouse.")
    keeping.keep(message=message, note="Zymurgy.", now=NOW)

    removal.forget_message(message=message, now=NOW)
    gone = kept_now(bond), moments(bond)
    trash.restore(act=Forgotten.objects.get(), now=NOW)
    back = kept_now(bond)
    removal.forget_message(message=message, now=NOW)
    purging.purge(now=NOW + timedelta(days=30))

    assert gone == ([], [])
    assert back == [(message.pk, NOW, "Zymurgy.")]
    assert tables_with("Zymurgy", "Under the lighthouse") == []


def test_a_session_that_is_deleted_takes_its_kept_messages_along(bond, session):
    keeping.keep(message=said(session), note=None, now=NOW)

    removal.forget_session(session=session, now=NOW)

    assert (moments(bond), kept_now(bond)) == ([], [])


def test_search_finds_what_was_said_and_not_the_note(bond, session):
    message = said(session, "Under the lighthouse.")
    keeping.keep(message=message, note="Zymurgy", now=NOW)

    assert [one.id for one in search.search(bond=bond, query="lighthouse")] == [message.pk]
    assert search.search(bond=bond, query="zymurgy") == []
