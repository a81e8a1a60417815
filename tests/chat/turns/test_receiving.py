from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection, transaction

from chat.models import Turn
from chat.turns import endings, receiving
from echovessel.text import TextError
from memory import sessions
from memory.models import Message, Session
from memory.models.leased import HOLD
from memory.sessions import SessionError
from tests.support.factories import NOW, BondFactory, SessionFactory, TurnFactory
from tests.support.fakes import FakeLLM
from tests.support.receiving import DONE, SECOND, claim, lines_of, logged, receive, states
from tests.support.talking import say

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_a_message_is_stored_at_once_with_its_session_and_turn(bond):
    received = receive(bond, "My cat is white.", client_id="c-1")

    message = Message.objects.get()
    session = Session.objects.get()
    turn = Turn.objects.get()
    assert (message.content, message.role, message.channel, message.client_id) == (
        "My cat is white.",
        "user",
        "web",
        "c-1",
    )
    assert (message.session, message.turn_id, turn.session) == (session, turn.pk, session)
    assert (turn.status, turn.due_at) == ("pending", NOW + 2 * SECOND)
    assert session.held_until == NOW + HOLD
    assert (received.message, received.turn_id, received.is_new) == (message, turn.pk, True)
    begun = {"closed_session": None, "new_session": session.pk, "events_count": None, "thoughts_count": None}
    assert logged(bond) == [
        ("chat.session.boundary", begun),
        ("chat.message.user_appended", {"message": message.pk, "client_id": "c-1"}),
    ]


def test_messages_within_the_debounce_time_are_one_burst(bond):
    first = receive(bond, "One.")
    second = receive(bond, "Two.", now=NOW + SECOND)

    assert first.turn_id == second.turn_id
    assert Turn.objects.get().due_at == NOW + 3 * SECOND
    assert claim(bond, now=NOW + 2 * SECOND) is None
    assert claim(bond, now=NOW + 3 * SECOND).pk == first.turn_id


def test_a_message_that_is_not_to_be_gathered_is_due_at_once(bond):
    receive(bond, debounce=False)

    assert claim(bond, now=NOW).status == "running"


def test_the_fiftieth_message_ends_the_burst_and_the_next_ones_wait(bond):
    turn_ids = [receive(bond, f"Line {n}.", now=NOW).turn_id for n in range(49)]
    due_before = Turn.objects.get().due_at
    turn_ids.append(receive(bond, "Line 50.").turn_id)
    due_after = Turn.objects.get().due_at
    waiting = [receive(bond, f"Line {n}.").turn_id for n in range(51, 102)]

    assert (due_before, due_after) == (NOW + 2 * SECOND, NOW)
    assert len(set(turn_ids)) == 1
    assert [waiting.count(turn_id) for turn_id in dict.fromkeys(waiting)] == [50, 1]
    assert states(bond) == [(turn_ids[0], "pending")]


@pytest.mark.parametrize(("length", "is_due"), [(19_999, False), (20_000, True)])
def test_twenty_thousand_characters_end_a_burst(bond, length, is_due):
    receive(bond, "a" * 100)
    receive(bond, "b" * (length - 100))

    assert (claim(bond, now=NOW) is not None) is is_due


def test_a_first_message_of_twenty_thousand_characters_is_a_burst_of_its_own(bond):
    receive(bond, "a" * 20_000)

    assert claim(bond, now=NOW).status == "running"


def test_a_message_that_would_be_too_much_waits_for_the_next_turn(bond):
    first = receive(bond, "a" * 19_000)
    second = receive(bond, "b" * 1_001, now=NOW + SECOND)

    running = claim(bond, now=NOW + SECOND)
    assert (running.pk, lines_of(running.pk)) == (first.turn_id, ["a" * 19_000])
    assert states(bond) == [(first.turn_id, "running"), (second.turn_id, "pending")]


def test_a_message_on_another_channel_waits_under_its_own_turn(bond):
    first = receive(bond, "By web.")
    second = receive(bond, "By api.", channel="api", now=NOW + SECOND)
    third = receive(bond, "By api again.", channel="api", now=NOW + SECOND)

    assert second.turn_id == third.turn_id != first.turn_id
    assert states(bond) == [(first.turn_id, "pending")]
    running = claim(bond, now=NOW + SECOND)
    assert running.pk == first.turn_id
    waiting = Turn.objects.get(status="pending")
    assert (waiting.pk, waiting.session.channel, waiting.created_at) == (second.turn_id, "api", NOW + SECOND)
    assert lines_of(waiting.pk) == ["By api.", "By api again."]


def test_turns_wait_in_the_order_of_their_first_messages(bond):
    first = receive(bond, "One.")
    second = receive(bond, "Two.", channel="api")
    sessions.start_new(bond=bond, channel="web", now=NOW)
    third = receive(bond, "Three.")
    receive(bond, "Two and a half.", channel="api")

    ran = []
    while turn := claim(bond):
        ran.append(turn.pk)
        endings.finish(turn=turn, ending=DONE, now=NOW)

    assert ran == [first.turn_id, second.turn_id, third.turn_id]
    assert lines_of(second.turn_id) == ["Two.", "Two and a half.", "I see."]


def test_messages_of_a_process_whose_clock_is_behind_wait_all_the_same(bond):
    receive(bond, "One.")
    late = receive(bond, "Two.", channel="api", now=NOW - timedelta(minutes=3))

    claim(bond)

    assert Turn.objects.get(status="pending").pk == late.turn_id


def test_a_turn_whose_messages_wait_can_be_found(bond):
    first = receive(bond)
    waiting = receive(bond, channel="api")

    found = receiving.find_turn(bond=bond, turn_id=waiting.turn_id)
    assert (found.pk, found.status, found.session) == (waiting.turn_id, "pending", waiting.message.session)
    assert receiving.find_turn(bond=bond, turn_id=first.turn_id) == Turn.objects.get()
    assert receiving.find_turn(bond=BondFactory(user__username="charlie"), turn_id=waiting.turn_id) is None


def test_messages_that_come_while_a_turn_runs_form_the_next_one(bond):
    first = receive(bond, "One.")
    claim(bond, now=NOW + 2 * SECOND)
    second = receive(bond, "Two.", now=NOW + 3 * SECOND)
    third = receive(bond, "Three.", now=NOW + 4 * SECOND)

    assert second.turn_id == third.turn_id
    assert states(bond) == [(first.turn_id, "running"), (second.turn_id, "pending")]
    assert claim(bond) is None


def test_a_message_sent_again_is_answered_with_the_first(bond):
    first = receive(bond, "Hello.", client_id="c-1")
    again = receive(bond, "Hello again.", client_id="c-1", now=NOW + SECOND)

    assert (again.message, again.turn_id, again.is_new) == (first.message, first.turn_id, False)
    assert lines_of(first.turn_id) == ["Hello."]
    assert Turn.objects.get().due_at == NOW + 2 * SECOND


def test_a_client_id_is_free_in_another_bond(bond):
    receive(bond, client_id="c-1")

    assert receive(BondFactory(user__username="lin"), client_id="c-1").is_new is True


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("", "invalid"),
        (" \n\t\u3000", "invalid"),
        ("a\x00b", "invalid"),
        ("\ud83d", "invalid"),
        (None, "invalid"),
        (["Hello."], "invalid"),
        (7, "invalid"),
        ("a" * 20_001, "too_long"),
    ],
    ids=["empty", "blank", "nul", "half a pair", "none", "list", "number", "too long"],
)
def test_what_is_no_message_is_refused_and_stores_nothing(bond, content, code):
    with pytest.raises(TextError) as caught:
        receive(bond, content)

    assert caught.value.code == code
    assert (Message.objects.count(), Turn.objects.count(), Session.objects.count()) == (0, 0, 0)


@pytest.mark.parametrize("content", ["a" * 20_000, "<b>小黑</b> & \x07 \u202e", "\U0001f408"])
def test_any_other_text_is_kept_as_it_came(bond, content):
    receive(bond, content)

    assert Message.objects.get().content == content


@pytest.mark.parametrize("client_id", ["", "\x00", "c" * 65])
def test_a_wrong_client_id_is_refused(bond, client_id):
    with pytest.raises(TextError):
        receive(bond, client_id=client_id)


def test_a_message_to_a_session_that_is_not_there_is_refused(bond):
    of_charlie = SessionFactory(bond__user__username="charlie")

    with pytest.raises(SessionError) as caught:
        receive(bond, session_id=of_charlie.pk)

    assert caught.value.code == "not_found"


def test_a_message_of_a_session_off_the_record_leaves_nothing_in_the_log(bond):
    SessionFactory(bond=bond, off_record=True)
    say(bond, "Between us.", now=NOW, llm=FakeLLM("Between us."))

    assert Message.objects.count() == 2
    assert logged(bond) == []


def test_one_pending_and_one_running_turn_is_the_most(bond):
    for status in ("pending", "running"):
        TurnFactory(session__bond=bond, session__status="closed", bond=bond, status=status)
        with pytest.raises(IntegrityError), transaction.atomic():
            TurnFactory(session__bond=bond, session__status="closed", bond=bond, status=status)


@pytest.mark.django_db(transaction=True)
def test_two_processes_that_claim_at_once_run_a_turn_once():
    bond = BondFactory(user__username="mara")
    receive(bond)
    ready, claimed = Barrier(4), []

    def work():
        ready.wait()
        claimed.append(claim(bond))
        connection.close()

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len([turn for turn in claimed if turn is not None]) == 1


@pytest.mark.django_db(transaction=True)
def test_messages_sent_at_once_are_one_burst():
    bond = BondFactory(user__username="mara")
    ready, received = Barrier(4), []

    def work(number):
        ready.wait()
        received.append(receive(bond, f"Line {number}.", client_id=f"c-{number % 2}"))
        connection.close()

    threads = [Thread(target=work, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len({one.turn_id for one in received}) == 1
    assert sorted(one.is_new for one in received) == [False, False, True, True]
    assert Session.objects.get().message_count == 2
