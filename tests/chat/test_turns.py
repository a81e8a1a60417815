from datetime import timedelta
from threading import Barrier, Thread

import pytest
from django.db import IntegrityError, connection, transaction
from django_q.models import OrmQ

from chat import turns, wishes
from chat.models import Turn
from chat.turns import Ending, LeaseLost
from echovessel.models import BondEvent
from echovessel.texts import TextError
from memory import sessions
from memory.models import Message, Session
from memory.sessions import SessionError
from tests.chat.talking import close, say
from tests.factories import NOW, BondFactory, SessionFactory, TurnFactory
from tests.fakes import FakeLLM

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
DONE = Ending(status="done", text="I see.")


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def receive(bond, content="Hello.", *, now=NOW, channel="web", **options):
    return turns.receive(bond=bond, content=content, channel=channel, now=now, **options)


def claim(bond, *, now=NOW + timedelta(minutes=1)):
    return turns.claim(bond_id=bond.pk, now=now)


def states(bond):
    return [(turn.pk, turn.status) for turn in Turn.objects.of(bond).order_by("created_at")]


def lines_of(turn_id):
    return list(Message.objects.filter(turn_id=turn_id).order_by("id").values_list("content", flat=True))


def logged(bond):
    return [(event.type, event.refs) for event in BondEvent.objects.filter(bond_id=bond.pk).order_by("seq")]


def test_a_line_is_stored_at_once_with_its_session_and_turn(bond):
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
    assert session.held_until == NOW + turns.HOLD
    assert (received.message, received.turn_id, received.is_new) == (message, turn.pk, True)
    assert logged(bond) == [("chat.message.user_appended", {"message": message.pk, "client_id": "c-1"})]


def test_lines_within_the_debounce_time_are_one_burst(bond):
    first = receive(bond, "One.")
    second = receive(bond, "Two.", now=NOW + SECOND)

    assert first.turn_id == second.turn_id
    assert Turn.objects.get().due_at == NOW + 3 * SECOND
    assert claim(bond, now=NOW + 2 * SECOND) is None
    assert claim(bond, now=NOW + 3 * SECOND).pk == first.turn_id


def test_a_line_that_is_not_to_be_gathered_is_due_at_once(bond):
    receive(bond, debounce=False)

    assert claim(bond, now=NOW).status == "running"


def test_the_fiftieth_line_ends_the_burst_and_the_next_ones_wait(bond):
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


def test_a_first_line_of_twenty_thousand_characters_is_a_burst_of_its_own(bond):
    receive(bond, "a" * 20_000)

    assert claim(bond, now=NOW).status == "running"


def test_a_line_that_would_be_too_much_waits_for_the_next_turn(bond):
    first = receive(bond, "a" * 19_000)
    second = receive(bond, "b" * 1_001, now=NOW + SECOND)

    running = claim(bond, now=NOW + SECOND)
    assert (running.pk, lines_of(running.pk)) == (first.turn_id, ["a" * 19_000])
    assert states(bond) == [(first.turn_id, "running"), (second.turn_id, "pending")]


def test_a_line_on_another_channel_waits_under_its_own_turn(bond):
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


def test_turns_wait_in_the_order_of_their_first_lines(bond):
    first = receive(bond, "One.")
    second = receive(bond, "Two.", channel="api")
    sessions.start_new(bond=bond, channel="web", now=NOW)
    third = receive(bond, "Three.")
    receive(bond, "Two and a half.", channel="api")

    ran = []
    while turn := claim(bond):
        ran.append(turn.pk)
        turns.finish(turn=turn, ending=DONE, now=NOW)

    assert ran == [first.turn_id, second.turn_id, third.turn_id]
    assert lines_of(second.turn_id) == ["Two.", "Two and a half.", "I see."]


def test_lines_of_a_process_whose_clock_is_behind_wait_all_the_same(bond):
    receive(bond, "One.")
    late = receive(bond, "Two.", channel="api", now=NOW - timedelta(minutes=3))

    claim(bond)

    assert Turn.objects.get(status="pending").pk == late.turn_id


def test_a_turn_whose_lines_wait_can_be_found(bond):
    first = receive(bond)
    waiting = receive(bond, channel="api")

    found = turns.find(bond=bond, turn_id=waiting.turn_id)
    assert (found.pk, found.status, found.session) == (waiting.turn_id, "pending", waiting.message.session)
    assert turns.find(bond=bond, turn_id=first.turn_id) == Turn.objects.get()
    assert turns.find(bond=BondFactory(user__username="charlie"), turn_id=waiting.turn_id) is None


def test_lines_that_come_while_a_turn_runs_form_the_next_one(bond):
    first = receive(bond, "One.")
    claim(bond, now=NOW + 2 * SECOND)
    second = receive(bond, "Two.", now=NOW + 3 * SECOND)
    third = receive(bond, "Three.", now=NOW + 4 * SECOND)

    assert second.turn_id == third.turn_id
    assert states(bond) == [(first.turn_id, "running"), (second.turn_id, "pending")]
    assert claim(bond) is None


def test_a_line_sent_again_is_answered_with_the_first(bond):
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
def test_what_is_no_line_is_refused_and_stores_nothing(bond, content, code):
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


def test_a_line_to_a_session_that_is_not_there_is_refused(bond):
    of_charlie = SessionFactory(bond__user__username="charlie")

    with pytest.raises(SessionError) as caught:
        receive(bond, session_id=of_charlie.pk)

    assert caught.value.code == "not_found"


def test_a_line_of_a_session_off_the_record_leaves_nothing_in_the_log(bond):
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
def test_lines_sent_at_once_are_one_burst():
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


def test_a_claimed_turn_forgets_what_the_try_before_measured(bond):
    turn = TurnFactory(session__bond=bond, bond=bond, tokens_in=5, timings={"total_ms": 3}, trace={"items": []})

    claim(bond)

    turn.refresh_from_db()
    assert (turn.tokens_in, turn.timings, turn.trace, turn.started_at) == (None, {}, {}, NOW + timedelta(minutes=1))


def test_a_claim_renews_the_hold_where_the_line_had_to_wait(bond):
    receive(bond)

    soon = claim(bond, now=NOW + 2 * SECOND)
    held_soon = Session.objects.get().held_until
    Turn.objects.update(status="pending")
    later = NOW + turns.HOLD - turns.HOLD_LEFT + SECOND
    claim(bond, now=later)

    assert soon.session.held_until == held_soon == NOW + turns.HOLD
    assert Session.objects.get().held_until == later + turns.HOLD


def test_a_sign_of_life_saves_the_text_and_holds_the_lease(bond):
    receive(bond)
    turn = claim(bond)

    is_stopped = turns.keep_alive(turn=turn, text="So far", now=NOW + timedelta(minutes=2))
    wishes.request_stop(bond=bond, now=NOW)
    is_stopped_later = turns.keep_alive(turn=turn, text="So far so", now=NOW + timedelta(minutes=2))

    assert (is_stopped, is_stopped_later) == (False, True)
    saved = Turn.objects.get()
    assert (saved.text, saved.lease_until) == ("So far so", NOW + timedelta(minutes=2) + turns.LEASE)


def test_a_turn_that_was_taken_for_dead_can_neither_go_on_nor_end(bond):
    receive(bond)
    turn = claim(bond)
    turns.interrupt_dead(now=NOW + timedelta(minutes=5))

    with pytest.raises(LeaseLost):
        turns.keep_alive(turn=turn, text="I am", now=NOW)
    with pytest.raises(LeaseLost):
        turns.finish(turn=turn, ending=DONE, now=NOW)

    assert [type for type, _ in logged(bond)] == ["chat.message.user_appended", "chat.message.error"]


def test_a_dead_turn_with_text_is_interrupted_and_keeps_it(bond):
    receive(bond)
    turn = claim(bond)
    turns.keep_alive(turn=turn, text="I was about to", now=NOW)

    bonds = turns.interrupt_dead(now=NOW + timedelta(minutes=5))

    turn.refresh_from_db()
    reply = Message.objects.get(role="persona")
    error = {"code": "interrupted", "detail": "The reply was interrupted; try again.", "retryable": True}
    assert bonds == [bond.pk]
    assert (turn.status, turn.error, turn.text, turn.lease_until) == ("interrupted", error, "", None)
    assert (reply.content, reply.cut_off, reply.turn_id) == ("I was about to", True, turn.pk)
    assert logged(bond)[1:] == [
        (
            "chat.message.done",
            {
                "turn": str(turn.pk),
                "message": reply.pk,
                "variant": 0,
                "cut_off": True,
                "offline": False,
                "error": error,
            },
        )
    ]


def test_a_dead_turn_without_text_ends_with_an_error(bond):
    receive(bond)
    turn = claim(bond)

    turns.interrupt_dead(now=NOW + timedelta(minutes=5))

    assert list(Message.objects.values_list("role", flat=True)) == ["user"]
    detail = "The reply was interrupted; try again."
    assert logged(bond)[1:] == [
        ("chat.message.error", {"turn": str(turn.pk), "code": "interrupted", "detail": detail, "retryable": True})
    ]


def test_a_turn_that_lives_is_not_taken_for_dead(bond):
    receive(bond)
    turn = claim(bond)
    later = NOW + timedelta(minutes=5)

    known_here = turns.interrupt_dead(now=later, but=[turn.pk])
    # It came back between the look and the lock.
    turns.keep_alive(turn=turn, text="", now=later)
    came_back = turns.interrupt(turn=turn, now=later)

    assert (known_here, came_back, Turn.objects.get().status) == ([], False, "running")
    assert turns.interrupt_dead(now=later + turns.LEASE) == []


def test_a_pending_turn_that_nobody_claims_is_overdue_after_five_seconds(bond):
    receive(bond, debounce=False)

    assert turns.overdue(now=NOW + 5 * SECOND) == []
    assert turns.overdue(now=NOW + 6 * SECOND) == [bond.pk]


def test_the_reply_goes_to_its_turns_session_though_that_is_closing(bond):
    received = receive(bond)
    turn = claim(bond)
    sessions.start_new(bond=bond, channel="web", now=NOW)

    turns.finish(turn=turn, ending=DONE, now=NOW)

    old = Session.objects.get(pk=received.message.session_id)
    assert Message.objects.get(role="persona").session == old
    assert (old.status, old.message_count, old.held_until) == ("closing", 2, None)


def test_consolidation_waits_for_the_hold(bond):
    session = receive(bond).message.session
    turn = claim(bond)
    sessions.close(session=session, reason="explicit", now=NOW + timedelta(minutes=1))
    queued_held = queued("memory.tasks.consolidate")

    turns.finish(turn=turn, ending=DONE, now=NOW)

    assert (queued_held, queued("memory.tasks.consolidate")) == ([], [(session.pk,)])


def test_a_session_is_held_for_lines_that_wait_behind_another_turn(bond):
    session = receive(bond, "One.").message.session
    receive(bond, "Two.", channel="api")
    Turn.objects.update(started_at=NOW)
    waiting = receive(bond, "Three.")
    sessions.close(session=session, reason="explicit", now=NOW)

    held = []
    while turn := claim(bond):
        turns.finish(turn=turn, ending=DONE, now=NOW)
        session.refresh_from_db()
        held.append((turn.pk == waiting.turn_id, session.held_until is not None))

    assert held == [(False, True), (False, True), (True, False)]


def queued(task):
    return [row.task["args"] for row in OrmQ.objects.order_by("id") if row.task["func"] == task]


def test_a_turn_is_tried_again_with_the_lines_it_had(bond):
    first = receive(bond, "One.")
    turns.finish(turn=claim(bond), ending=Ending(status="failed", text="", error_code="model_timeout"), now=NOW)
    wishes.retry(turn=Turn.objects.get(), now=NOW)
    second = receive(bond, "Two.", now=NOW + SECOND)

    assert second.turn_id != first.turn_id
    assert claim(bond).pk == first.turn_id
    assert states(bond) == [(first.turn_id, "running"), (second.turn_id, "pending")]


def test_an_idle_session_ends_before_the_next_burst_but_not_within_one(bond):
    first = receive(bond, "One.").message.session
    turns.finish(turn=claim(bond), ending=DONE, now=NOW)
    later = receive(bond, "Two.", now=NOW + timedelta(minutes=30)).message.session
    within = receive(bond, "Three.", now=NOW + timedelta(minutes=61)).message.session

    first.refresh_from_db()
    assert (first.status, first.close_reason) == ("closing", "idle")
    assert first != later == within


def test_a_closed_session_that_is_named_takes_the_line(bond):
    say(bond, "Hello.", now=NOW, llm=FakeLLM("Hello."))
    old = close(bond, now=NOW)
    other = receive(bond, "New.", now=NOW).message.session

    received = receive(bond, "Back to the old.", session_id=old.pk, now=NOW + SECOND)

    old.refresh_from_db()
    other.refresh_from_db()
    assert (received.message.session, old.status, other.status) == (old, "open", "closing")
    claim(bond)
    assert Turn.objects.get(status="pending").pk == received.turn_id
