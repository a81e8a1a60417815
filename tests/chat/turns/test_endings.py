from datetime import timedelta

import pytest
from django_q.models import OrmQ

from chat.models import Turn
from chat.turns import actions, claiming, endings
from chat.turns.claiming import LeaseLost
from chat.turns.endings import Ending
from memory import sessions
from memory.models import Message, Session
from memory.models.leased import HOLD
from personas.models import User
from tests.support.factories import NOW, BondFactory, TurnFactory
from tests.support.fakes import FakeLLM
from tests.support.receiving import DONE, SECOND, claim, logged, receive, states
from tests.support.talking import close, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_a_claimed_turn_forgets_what_the_try_before_measured(bond):
    turn = TurnFactory(session__bond=bond, bond=bond, tokens_in=5, timings={"total_ms": 3}, trace={"items": []})

    claim(bond)

    turn.refresh_from_db()
    assert (turn.tokens_in, turn.timings, turn.trace, turn.started_at) == (None, {}, {}, NOW + timedelta(minutes=1))


def test_a_claim_renews_the_hold_where_the_message_had_to_wait(bond):
    receive(bond)

    soon = claim(bond, now=NOW + 2 * SECOND)
    held_soon = Session.objects.get().held_until
    Turn.objects.update(status="pending")
    later = NOW + HOLD - claiming.HOLD_LEFT + SECOND
    claim(bond, now=later)

    assert soon.session.held_until == held_soon == NOW + HOLD
    assert Session.objects.get().held_until == later + HOLD


def test_a_sign_of_life_saves_the_text_and_holds_the_lease(bond):
    receive(bond)
    turn = claim(bond)

    is_stopped = claiming.keep_alive(turn=turn, text="So far", now=NOW + timedelta(minutes=2))
    actions.request_stop(bond=bond, now=NOW)
    is_stopped_later = claiming.keep_alive(turn=turn, text="So far so", now=NOW + timedelta(minutes=2))

    assert (is_stopped, is_stopped_later) == (False, True)
    saved = Turn.objects.get()
    assert (saved.text, saved.lease_until) == ("So far so", NOW + timedelta(minutes=2) + claiming.LEASE)


def test_a_deactivated_user_is_answered_no_further(bond):
    receive(bond)
    turn = claim(bond)
    User.objects.filter(pk=bond.user_id).update(is_active=False)

    is_stopped = claiming.keep_alive(turn=turn, text="So far", now=NOW)
    Turn.objects.update(status="pending")

    assert is_stopped
    assert (claim(bond), claiming.list_overdue(now=NOW + timedelta(minutes=1))) == (None, [])
    User.objects.filter(pk=bond.user_id).update(is_active=True)
    assert claiming.list_overdue(now=NOW + timedelta(minutes=1)) == [bond.pk]


def test_a_turn_that_was_taken_for_dead_can_neither_go_on_nor_end(bond):
    receive(bond)
    turn = claim(bond)
    endings.interrupt_dead(now=NOW + timedelta(minutes=5))

    with pytest.raises(LeaseLost):
        claiming.keep_alive(turn=turn, text="I am", now=NOW)
    with pytest.raises(LeaseLost):
        endings.finish(turn=turn, ending=DONE, now=NOW)

    assert [type for type, _ in logged(bond)[1:]] == ["chat.message.user_appended", "chat.message.error"]


def test_who_had_a_turn_before_it_was_tried_again_can_neither_go_on_nor_write_nor_end(bond):
    receive(bond)
    before = claim(bond)
    endings.interrupt_dead(now=NOW + timedelta(minutes=5))
    actions.retry(turn=Turn.objects.get(), now=NOW + timedelta(minutes=5))
    again = claim(bond, now=NOW + timedelta(minutes=6))

    with pytest.raises(LeaseLost):
        claiming.keep_alive(turn=before, text="I am", now=NOW)
    with pytest.raises(LeaseLost):
        claiming.check_lease(before)
    with pytest.raises(LeaseLost):
        endings.finish(turn=before, ending=Ending(status="done", text="Too late."), now=NOW)

    assert endings.finish(turn=again, ending=DONE, now=NOW + timedelta(minutes=6)).content == "I see."
    assert states(bond) == [(before.pk, "done")]
    assert Message.objects.filter(role="persona").count() == 1


def titles_queued():
    return [entry.task["args"] for entry in OrmQ.objects.all() if entry.task["func"] == "memory.tasks.title"]


def answer(bond, *, now=NOW, ending=DONE, **receiving):
    receive(bond, now=now, **receiving)
    turn = claim(bond, now=now + timedelta(minutes=1))
    endings.finish(turn=turn, ending=ending, now=now + timedelta(minutes=1))
    return turn


def test_a_title_is_asked_for_after_the_first_exchange_alone(bond):
    turn = answer(bond, content="My cat was at the vet.")
    after_first = titles_queued()
    answer(bond, now=NOW + timedelta(minutes=2))

    assert after_first == titles_queued() == [(turn.session_id,)]


def test_a_greeting_that_named_nothing_is_followed_by_another_try(bond):
    queued = []
    for minute, said in enumerate(["Hi!", "Jo here", "I moved to Bristol", "And my cats, too"]):
        turn = answer(bond, now=NOW + timedelta(minutes=2 * minute), content=said)
        queued.append(len(titles_queued()))

    assert (queued, set(titles_queued())) == ([1, 2, 3, 3], {(turn.session_id,)})


def test_a_long_first_burst_is_one_exchange(bond):
    for _ in range(5):
        receive(bond)
    turn = claim(bond)
    endings.finish(turn=turn, ending=DONE, now=NOW)

    assert titles_queued() == [(turn.session_id,)]


def test_where_the_first_message_was_not_answered_the_second_exchange_names_the_chat(bond):
    failed = Ending(status="failed", text="", error_code="model_unavailable", error_detail="Away.")
    turn = answer(bond, ending=failed)
    after_failure = titles_queued()
    answer(bond, now=NOW + timedelta(minutes=2))

    assert (after_failure, titles_queued()) == ([], [(turn.session_id,)])


def test_another_reply_asks_for_no_second_title(bond):
    turn = answer(bond)
    actions.regenerate(turn=turn, now=NOW + timedelta(minutes=2))
    endings.finish(turn=claim(bond, now=NOW + timedelta(minutes=3)), ending=DONE, now=NOW + timedelta(minutes=3))

    assert titles_queued() == [(turn.session_id,)]


@pytest.mark.parametrize("columns", [{"title": "Ours"}, {"auto_title": "Hello"}, {"off_record": True}], ids=str)
def test_no_title_is_asked_for_where_there_is_one_or_must_be_none(bond, columns):
    receive(bond)
    Session.objects.update(**columns)
    turn = claim(bond)

    endings.finish(turn=turn, ending=DONE, now=NOW)

    assert titles_queued() == []


def test_a_dead_turn_with_text_is_interrupted_and_keeps_it(bond):
    receive(bond)
    turn = claim(bond)
    claiming.keep_alive(turn=turn, text="I was about to", now=NOW)

    bonds = endings.interrupt_dead(now=NOW + timedelta(minutes=5))

    turn.refresh_from_db()
    reply = Message.objects.get(role="persona")
    error = {"code": "interrupted", "detail": "The reply was interrupted. Try again.", "retryable": True}
    assert bonds == [bond.pk]
    assert (turn.status, turn.error, turn.text, turn.lease_until) == ("interrupted", error, "", None)
    assert (reply.content, reply.cut_off, reply.turn_id) == ("I was about to", True, turn.pk)
    assert logged(bond)[2:] == [
        (
            "chat.message.done",
            {
                "turn": str(turn.pk),
                "message": reply.pk,
                "variant": 0,
                "cut_off": True,
                "offline": False,
                "unnoted": False,
                "error": error,
            },
        )
    ]


def test_a_dead_turn_without_text_ends_with_an_error(bond):
    receive(bond)
    turn = claim(bond)

    endings.interrupt_dead(now=NOW + timedelta(minutes=5))

    assert list(Message.objects.values_list("role", flat=True)) == ["user"]
    detail = "The reply was interrupted. Try again."
    told = {"turn": str(turn.pk), "code": "interrupted", "detail": detail, "retryable": True, "stopped": False}
    assert logged(bond)[2:] == [("chat.message.error", told)]


def test_a_turn_that_lives_is_not_taken_for_dead(bond):
    receive(bond)
    turn = claim(bond)
    later = NOW + timedelta(minutes=5)

    known_here = endings.interrupt_dead(now=later, but=[turn.pk])
    # It came back between the look and the lock.
    claiming.keep_alive(turn=turn, text="", now=later)
    came_back = endings.interrupt(turn=turn, now=later)

    assert (known_here, came_back, Turn.objects.get().status) == ([], False, "running")
    assert endings.interrupt_dead(now=later + claiming.LEASE) == []


def test_a_pending_turn_that_nobody_claims_is_overdue_after_five_seconds(bond):
    receive(bond, debounce=False)

    assert claiming.list_overdue(now=NOW + 5 * SECOND) == []
    assert claiming.list_overdue(now=NOW + 6 * SECOND) == [bond.pk]


def test_the_reply_goes_to_its_turns_session_though_that_is_closing(bond):
    received = receive(bond)
    turn = claim(bond)
    sessions.start_new(bond=bond, channel="web", now=NOW)

    endings.finish(turn=turn, ending=DONE, now=NOW)

    old = Session.objects.get(pk=received.message.session_id)
    assert Message.objects.get(role="persona").session == old
    assert (old.status, old.message_count, old.held_until) == ("closing", 2, None)


def test_consolidation_waits_for_the_hold(bond):
    session = receive(bond).message.session
    turn = claim(bond)
    sessions.close(session=session, reason="explicit", now=NOW + timedelta(minutes=1))
    queued_held = queued("memory.tasks.consolidate")

    endings.finish(turn=turn, ending=DONE, now=NOW)

    assert (queued_held, queued("memory.tasks.consolidate")) == ([], [(session.pk,)])


def test_a_session_is_held_for_messages_that_wait_behind_another_turn(bond):
    session = receive(bond, "One.").message.session
    receive(bond, "Two.", channel="api")
    Turn.objects.update(started_at=NOW)
    waiting = receive(bond, "Three.")
    sessions.close(session=session, reason="explicit", now=NOW)

    held = []
    while turn := claim(bond):
        endings.finish(turn=turn, ending=DONE, now=NOW)
        session.refresh_from_db()
        held.append((turn.pk == waiting.turn_id, session.held_until is not None))

    assert held == [(False, True), (False, True), (True, False)]


def queued(task):
    return [row.task["args"] for row in OrmQ.objects.order_by("id") if row.task["func"] == task]


def test_a_turn_is_tried_again_with_the_messages_it_had(bond):
    first = receive(bond, "One.")
    endings.finish(turn=claim(bond), ending=Ending(status="failed", text="", error_code="model_timeout"), now=NOW)
    actions.retry(turn=Turn.objects.get(), now=NOW)
    second = receive(bond, "Two.", now=NOW + SECOND)

    assert second.turn_id != first.turn_id
    assert claim(bond).pk == first.turn_id
    assert states(bond) == [(first.turn_id, "running"), (second.turn_id, "pending")]


def test_an_idle_session_ends_before_the_next_burst_but_not_within_one(bond):
    first = receive(bond, "One.").message.session
    endings.finish(turn=claim(bond), ending=DONE, now=NOW)
    later = receive(bond, "Two.", now=NOW + timedelta(minutes=31)).message.session
    within = receive(bond, "Three.", now=NOW + timedelta(minutes=61)).message.session

    first.refresh_from_db()
    assert (first.status, first.close_reason) == ("closing", "idle")
    assert first != later == within


def test_a_closed_session_that_is_named_takes_the_message(bond):
    say(bond, "Hello.", now=NOW, llm=FakeLLM("Hello."))
    old = close(bond, now=NOW)
    other = receive(bond, "New.", now=NOW).message.session

    received = receive(bond, "Back to the old.", session_id=old.pk, now=NOW + SECOND)

    old.refresh_from_db()
    other.refresh_from_db()
    assert (received.message.session, old.status, other.status) == (old, "open", "closing")
    claim(bond)
    assert Turn.objects.get(status="pending").pk == received.turn_id
