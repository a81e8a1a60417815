from datetime import timedelta

import pytest

from chat.models import Turn
from chat.turns import actions, claiming, editing, receiving
from chat.turns.actions import TurnError
from chat.turns.editing import Edit
from echovessel.models import BondEvent
from echovessel.text import TextError
from memory.models import ConceptNode, Forgotten, Message, Session
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory
from tests.support.fakes import FakeLLM
from tests.support.talking import answer, close, say

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=1)
MUCH_LATER = NOW + timedelta(minutes=2)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def talk(bond):
    """Two exchanges of one chat."""
    for at, said in enumerate(("I like tea.", "I have a cat.")):
        say(bond, said, now=NOW + timedelta(seconds=20 * at), llm=FakeLLM(f"Reply {at}."))
    return bond


def contents():
    return list(Message.objects.visible().order_by("id").values_list("content", flat=True))


def message(content):
    return Message.objects.select_related("session", "bond__user").get(content=content)


def edit(bond, said, instead, *, now=LATER, **more):
    return editing.edit(bond=bond, wanted=Edit(message=message(said), content=instead, **more), channel="web", now=now)


def refusal(act, *args, **named):
    with pytest.raises(TurnError) as caught:
        act(*args, **named)
    return caught.value.code


def test_a_message_that_was_erased_meanwhile_is_not_found(talk):
    wanted = Edit(message=message("I have a cat."), content="I have a dog.")
    wanted.message.session.delete()

    assert refusal(editing.edit, bond=talk, wanted=wanted, channel="web", now=LATER) == "not_found"


def test_the_new_text_is_answered_in_the_place_of_what_came_after(talk):
    received = edit(talk, "I have a cat.", "I have a dog.")
    llm = FakeLLM("A dog!")
    answer(talk, now=LATER, llm=llm)

    assert contents() == ["I like tea.", "Reply 0.", "I have a dog.", "A dog!"]
    assert received.message.session_id == message("I like tea.").session_id
    assert ("Reply 0." in llm.calls[0].text, "I have a cat." in llm.calls[0].text) == (True, False)


def test_the_first_message_takes_all_with_it(talk):
    edit(talk, "I like tea.", "I like coffee.")

    assert contents() == ["I like coffee."]
    assert Forgotten.objects.get().line_ids == sorted(
        Message.objects.exclude(deleted_at=None).values_list("pk", flat=True)
    )


def test_it_is_one_act_in_the_trash_and_undone_at_once(talk):
    old = message("I have a cat.")
    node = ConceptNodeFactory(bond=talk, sources=[old])
    edit(talk, "I have a cat.", "I have a dog.")
    answer(talk, now=LATER, llm=FakeLLM("A dog!"))
    was_there = ConceptNode.objects.filter(deleted_at=None).exists()

    editing.undo(message=old, now=MUCH_LATER)

    assert (was_there, ConceptNode.objects.get(deleted_at=None)) == (False, node)
    assert contents() == ["I like tea.", "Reply 0.", "I have a cat.", "Reply 1."]
    assert [act.object_id for act in Forgotten.objects.all()] == [message("I have a dog.").pk]
    assert refusal(editing.undo, message=old, now=MUCH_LATER) == "conflict"


def test_after_an_undo_the_reply_that_is_back_can_be_regenerated(talk):
    old = message("I have a cat.")
    edit(talk, "I have a cat.", "I have a dog.")
    answer(talk, now=LATER, llm=FakeLLM("A dog!"))
    editing.undo(message=old, now=MUCH_LATER)

    turn = Turn.objects.select_related("bond", "session").get(pk=old.turn_id)
    assert actions.get_newest_replies(turn).may_have_another
    assert actions.regenerate(turn=turn, now=MUCH_LATER).status == "pending"


def test_while_a_reply_is_written_it_is_refused_and_nothing_changes(talk):
    receiving.receive(bond=talk, content="And a fish.", channel="web", now=LATER)
    claiming.claim(bond_id=talk.pk, now=MUCH_LATER)
    before = contents()

    assert refusal(edit, talk, "I like tea.", "I like coffee.") == "turn_running"
    assert (contents(), Forgotten.objects.count()) == (before, 0)


def test_a_message_that_still_waits_for_its_reply_is_edited(talk):
    receiving.receive(bond=talk, content="And a fish.", channel="web", now=LATER)
    edit(talk, "And a fish.", "And a bird.")
    answer(talk, now=LATER, llm=FakeLLM("A bird!"))

    assert contents()[-2:] == ["And a bird.", "A bird!"]
    assert Turn.objects.count() == 3


def test_an_undo_waits_for_the_reply_too(talk):
    old = message("I have a cat.")
    edit(talk, "I have a cat.", "I have a dog.")
    claiming.claim(bond_id=talk.pk, now=MUCH_LATER)

    assert refusal(editing.undo, message=old, now=MUCH_LATER) == "turn_running"


def test_a_closed_chat_is_reopened_and_remembered_past_what_it_knows(talk):
    session = close(talk, now=LATER)
    Session.objects.filter(pk=session.pk).update(watermark=message("Reply 1.").pk)
    edit(talk, "I have a cat.", "I have a dog.", now=MUCH_LATER)

    session.refresh_from_db()
    assert (session.status, session.channel, session.message_count) == ("open", "web", 3)
    assert list(Message.objects.past_watermark(session)) == [message("I have a dog.")]


@pytest.mark.parametrize("status", ["closing", "consolidating", "failed"])
def test_a_chat_that_is_being_remembered_waits(talk, status):
    lease = {"lease_token": "0b6f1f0e-8a3e-4d5c-9a52-0f6f8c1c2d3e", "lease_until": LATER}
    Session.objects.update(status=status, **(lease if status == "consolidating" else {}))

    assert refusal(edit, talk, "I like tea.", "I like coffee.") == "conflict"
    assert len(contents()) == 4


def test_only_ones_own_messages_can_be_edited(talk):
    deleted = message("I have a cat.")
    Message.objects.filter(pk=deleted.pk).update(deleted_at=NOW)

    assert refusal(edit, talk, "Reply 0.", "Something else.") == "conflict"
    assert refusal(edit, talk, "I have a cat.", "Something else.") == "conflict"
    assert refusal(editing.find_going, message("Reply 0.")) == "conflict"


def test_sent_again_it_changes_nothing(talk):
    first = edit(talk, "I have a cat.", "I have a dog.", client_id="e-1")
    again = edit(talk, "I like tea.", "I have a dog.", client_id="e-1")

    assert (again.message, again.is_new) == (first.message, False)
    assert contents() == ["I like tea.", "Reply 0.", "I have a dog."]


@pytest.mark.parametrize("instead", ["", "   ", "x" * 20_001, None, 7])
def test_a_text_that_cannot_be_sent_takes_nothing_back(talk, instead):
    with pytest.raises(TextError):
        edit(talk, "I have a cat.", instead)

    assert len(contents()) == 4


def test_pages_are_told_what_went_and_what_came(talk):
    old = message("I have a cat.")
    seq = BondEvent.objects.latest("seq").seq
    received = edit(talk, "I have a cat.", "I have a dog.", client_id="e-1")

    told = BondEvent.objects.filter(seq__gt=seq).order_by("seq")
    assert [(event.type, event.refs.get("message")) for event in told] == [
        ("chat.message.deleted", old.pk),
        ("chat.message.deleted", message("Reply 1.").pk),
        ("chat.message.user_appended", received.message.pk),
    ]
