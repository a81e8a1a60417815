from datetime import timedelta

import pytest

from chat.models import Turn
from chat.turns import actions, claiming, endings, receiving
from chat.turns.actions import TurnError
from chat.turns.endings import Ending
from chat.turns.prompting import base_context, prompt_context
from echovessel.llm.errors import ModelUnavailableError
from echovessel.models import BondEvent
from memory.models import Message, Session
from memory.models.leased import HOLD
from tests.support.factories import NOW, BondFactory, MessageFactory, TurnFactory
from tests.support.fakes import FakeLLM
from tests.support.talking import answer, close, say

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def variants(turn):
    replies = Message.objects.filter(turn_id=turn.pk, role="persona").order_by("variant")
    return [(reply.variant, reply.content, reply.chosen, reply.cut_off) for reply in replies]


def ended(bond, status, text=""):
    """A turn that was claimed and ended like this."""
    receiving.receive(bond=bond, content="Hello.", channel="web", now=NOW)
    turn = claiming.claim(bond_id=bond.pk, now=LATER)
    endings.finish(turn=turn, ending=Ending(status=status, text=text, error_code="model_timeout"), now=LATER)
    return Turn.objects.get(pk=turn.pk)


def refusal(wish, **wished):
    with pytest.raises(TurnError) as caught:
        wish(now=LATER, **wished)
    return caught.value.code


def test_a_stop_is_asked_of_the_running_turn_only(bond):
    receiving.receive(bond=bond, content="Hello.", channel="web", now=NOW)
    of_pending = actions.request_stop(bond=bond, now=NOW)
    turn = claiming.claim(bond_id=bond.pk, now=LATER)
    of_another = actions.request_stop(bond=bond, now=NOW, turn_id=TurnFactory().pk)
    of_anothers = actions.request_stop(bond=BondFactory(user__username="charlie"), now=NOW)
    was_asked = Turn.objects.get(pk=turn.pk).stop_requested
    of_running = actions.request_stop(bond=bond, now=NOW, turn_id=turn.pk)

    assert (of_pending, of_another, of_anothers, was_asked) == (None, None, None, False)
    assert (of_running, Turn.objects.get(pk=turn.pk).stop_requested) == (turn, True)


def test_a_stopped_turn_whose_reply_was_forgotten_is_tried_again(bond):
    turn = ended(bond, "stopped", "Hel")
    assert refusal(actions.retry, turn=turn) == "conflict"

    actions.forget_message(message=Message.objects.get(role="persona"), now=LATER)

    assert actions.retry(turn=turn, now=LATER).status == "pending"


@pytest.mark.parametrize("status", ["failed", "interrupted", "stopped"])
def test_a_turn_that_gave_no_reply_is_tried_again_with_its_messages(bond, status):
    turn = ended(bond, status)

    again = actions.retry(turn=turn, now=LATER)
    was = (again.status, again.error, again.due_at, Session.objects.get().held_until)
    answer(bond, now=LATER, llm=FakeLLM("Here I am."))

    assert was == ("pending", None, LATER, LATER + HOLD)
    assert Session.objects.get().held_until is None
    turn.refresh_from_db()
    assert (turn.status, turn.error, variants(turn)) == ("done", None, [(0, "Here I am.", True, False)])


@pytest.mark.parametrize("act", [actions.retry, actions.regenerate, actions.continue_reply])
def test_a_turn_that_was_erased_with_its_session_meanwhile_is_not_found(bond, act):
    turn = ended(bond, "failed")
    turn.session.delete()

    assert refusal(act, turn=turn) == "not_found"


def test_text_from_before_becomes_a_variant(bond):
    turn = ended(bond, "interrupted", "I was about")

    actions.retry(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=FakeLLM("I was about to say hello."))

    assert variants(turn) == [(0, "I was about", False, True), (1, "I was about to say hello.", True, False)]
    assert Session.objects.get().message_count == 2


def test_text_from_before_stays_where_the_new_try_gives_none(bond):
    turn = ended(bond, "interrupted", "I was about")

    actions.retry(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=FakeLLM(ModelUnavailableError("Not there.", transient=False)))

    assert variants(turn) == [(0, "I was about", True, True)]


@pytest.mark.parametrize(("status", "text"), [("done", "Hello."), ("stopped", "Hel")])
def test_a_turn_with_its_reply_is_not_tried_again(bond, status, text):
    assert refusal(actions.retry, turn=ended(bond, status, text)) == "conflict"


@pytest.mark.parametrize(("status", "text"), [("done", "Good day."), ("stopped", "Good d")])
def test_the_newest_reply_is_made_anew_and_the_first_is_kept(bond, status, text):
    turn = ended(bond, status, text)
    llm = FakeLLM("Good evening.")

    actions.regenerate(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=llm)

    assert variants(turn) == [(0, text, False, status == "stopped"), (1, "Good evening.", True, False)]
    assert text not in [message["content"] for message in llm.calls[0].messages]


@pytest.mark.parametrize("status", ["failed", "interrupted"])
def test_a_turn_that_did_not_end_well_is_not_made_anew(bond, status):
    assert refusal(actions.regenerate, turn=ended(bond, status, "Hel")) == "conflict"


@pytest.mark.parametrize("wish", [actions.retry, actions.regenerate])
def test_nothing_is_made_anew_while_another_turn_is_active(bond, wish):
    turn = ended(bond, "failed" if wish is actions.retry else "done", "" if wish is actions.retry else "Hello.")
    TurnFactory(session=turn.session, created_at=NOW - timedelta(hours=1))

    assert refusal(wish, turn=turn) == "turn_running"


def test_an_older_turn_is_too_late_to_make_anew(bond):
    first = say(bond, "One.", now=NOW, llm=FakeLLM("First."))
    say(bond, "Two.", now=LATER, llm=FakeLLM("Second."))

    assert refusal(actions.regenerate, turn=first) == "too_late"
    assert refusal(actions.choose_reply, message=Message.objects.get(content="First.")) == "too_late"


def test_a_consolidated_turn_is_too_late_to_make_anew(bond):
    for message in ("We have a white cat.", "He is called 小黑.", "He jumps on my face at night."):
        turn = say(bond, message, now=NOW, llm=FakeLLM("I see."))
    close(bond, now=LATER)

    assert refusal(actions.regenerate, turn=Turn.objects.get(pk=turn.pk)) == "too_late"


def test_a_consolidated_turn_stays_so_though_its_newest_variant_was_not_read(bond):
    turn = ended(bond, "done", "First.")
    actions.regenerate(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=FakeLLM("Second."))
    first, second = Message.objects.filter(role="persona").order_by("variant")
    actions.choose_reply(message=first, now=LATER)
    Session.objects.update(status="closed", watermark=first.pk)

    assert refusal(actions.choose_reply, message=second) == "too_late"
    assert refusal(actions.regenerate, turn=Turn.objects.get(pk=turn.pk)) == "too_late"


@pytest.mark.parametrize(
    ("status", "code"), [("closing", "too_late"), ("consolidating", "too_late"), ("failed", "too_late")]
)
def test_a_session_that_a_worker_may_read_is_left_alone(bond, status, code):
    turn = ended(bond, "done", "Hello.")
    Session.objects.update(status=status)

    assert refusal(actions.regenerate, turn=turn) == code


def test_the_last_reply_of_a_trivial_session_can_be_made_anew(bond):
    turn = say(bond, "Hi.", now=NOW, llm=FakeLLM("Hello."))
    session = close(bond, now=LATER)

    actions.regenerate(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=FakeLLM("Good evening."))

    assert (session.status, session.trivial) == ("closed", True)
    assert variants(turn) == [(0, "Hello.", False, False), (1, "Good evening.", True, False)]


def test_a_chosen_variant_counts_and_the_others_are_nowhere(bond):
    turn = ended(bond, "done", "Do you like violets?")
    actions.regenerate(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=FakeLLM("Do you like roses?"))
    first = Message.objects.get(variant=0, role="persona")

    chosen = actions.choose_reply(message=first, now=LATER)
    llm = FakeLLM("Good.")
    say(bond, "Yes, I like them.", now=LATER, llm=llm)
    extracted = list(Message.objects.past_watermark(Session.objects.get()).values_list("content", flat=True))

    assert (chosen, chosen.chosen) == (first, True)
    said = [message["content"].rpartition("\n")[2] for message in llm.calls[0].messages[1:]]
    assert said == ["Hello.", "Do you like violets?", "Yes, I like them."]
    assert extracted == ["Hello.", "Do you like violets?", "Yes, I like them.", "Good."]


def test_a_choice_is_told_to_other_pages(bond):
    turn = ended(bond, "done", "Do you like violets?")
    actions.regenerate(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=FakeLLM("Do you like roses?"))
    first = Message.objects.get(variant=0, role="persona")

    actions.choose_reply(message=first, now=LATER)

    [told] = BondEvent.objects.filter(type="chat.message.chosen")
    assert (told.bond_id, told.refs) == (bond.pk, {"turn": str(turn.pk), "message": first.pk, "variant": 0})


def test_a_variant_that_was_forgotten_meanwhile_is_not_chosen(bond):
    turn = ended(bond, "done", "Do you like violets?")
    actions.regenerate(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=FakeLLM("Do you like roses?"))
    first = Message.objects.get(variant=0, role="persona")
    Message.objects.filter(pk=first.pk).update(deleted_at=LATER)

    assert refusal(actions.choose_reply, message=first) == "conflict"
    assert Message.objects.get(variant=1).chosen


@pytest.mark.parametrize(
    ("status", "text", "may_have_another"),
    [("done", "Hello.", True), ("stopped", "Hel", True), ("failed", "Hel", False), ("interrupted", "Hel", False)],
)
def test_a_page_offers_the_newest_replies(bond, status, text, may_have_another):
    turn = ended(bond, status, text)
    reply = Message.objects.get(role="persona")

    assert actions.get_newest_replies(turn) == actions.Replies(turn.pk, [reply.pk], may_have_another)


@pytest.mark.parametrize("changed", [{"status": "closing"}, {"watermark": 10**12}], ids=["importing", "extracted"])
def test_a_page_offers_nothing_that_would_be_refused(bond, changed):
    turn = ended(bond, "done", "Hello.")
    Session.objects.update(**changed)

    assert actions.get_newest_replies(Turn.objects.select_related("session").get(pk=turn.pk)) is None


def test_a_variant_is_not_chosen_while_a_reply_is_made(bond):
    turn = ended(bond, "done", "Hello.")
    actions.regenerate(turn=turn, now=LATER)

    assert refusal(actions.choose_reply, message=Message.objects.get(role="persona")) == "turn_running"


def test_a_message_of_the_user_or_of_no_turn_is_not_chosen(bond):
    ended(bond, "done", "Hello.")
    stray = MessageFactory(session=Session.objects.get(), role="persona")

    assert refusal(actions.choose_reply, message=Message.objects.get(role="user")) == "conflict"
    assert refusal(actions.choose_reply, message=stray) == "conflict"


def test_an_old_turn_tried_again_knows_nothing_of_what_came_later(bond):
    turn = ended(bond, "failed")
    say(bond, "Is it raining?", now=LATER, llm=FakeLLM("It is pouring."))

    actions.retry(turn=turn, now=LATER)
    claimed = claiming.claim(bond_id=bond.pk, now=LATER)
    read = prompt_context.load(base_context.load(claimed, LATER), None)

    assert ([message.content for message in read.base.turn.burst], read.base.recent_messages) == (["Hello."], [])
