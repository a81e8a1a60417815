from datetime import timedelta

import pytest

from chat.models import Turn
from chat.turns import actions, claiming, continuing, endings, receiving
from chat.turns.actions import TurnError
from chat.turns.endings import Ending
from echovessel.llm.errors import ModelUnavailableError
from echovessel.llm.protocol import CutOff, TakenBack
from memory.models import Message, Session
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM
from tests.support.talking import answer, say

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(minutes=1)
BEGUN = "The mill stands by the"
DOWN = ModelUnavailableError("No.", transient=False)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def stopped(bond, status="stopped", text=BEGUN):
    receiving.receive(bond=bond, content="Where is the mill?", channel="web", now=NOW)
    turn = claiming.claim(bond_id=bond.pk, now=LATER)
    endings.finish(turn=turn, ending=Ending(status=status, text=text), now=LATER)
    return Turn.objects.select_related("bond", "session").get(pk=turn.pk)


def variants(turn):
    replies = Message.objects.filter(turn_id=turn.pk, role="persona").order_by("variant")
    return [(reply.content, reply.chosen, reply.cut_off) for reply in replies]


def gone_on(bond, turn, *replies):
    llm = FakeLLM(*replies)
    actions.continue_reply(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=llm)
    return llm


@pytest.mark.parametrize("status", ["stopped", "failed", "interrupted"])
def test_a_reply_goes_on_from_the_text_so_far_as_another_variant(bond, status):
    turn = stopped(bond, status)
    llm = gone_on(bond, turn, "river, near the bridge.")

    assert variants(turn) == [(BEGUN, False, True), ("The mill stands by the river, near the bridge.", True, False)]
    assert [message["role"] for message in llm.calls[0].messages[-3:]] == ["user", "assistant", "user"]
    assert llm.calls[0].messages[-2]["content"] == BEGUN
    turn.refresh_from_db()
    assert (turn.status, Session.objects.get().message_count) == ("done", 2)


def test_no_tools_are_offered_for_the_rest(bond):
    turn = stopped(bond)
    llm = FakeLLM("river.", takes_tools=True)
    actions.continue_reply(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=llm)

    assert llm.calls[0].tools == []
    assert variants(turn)[1][0] == "The mill stands by the river."


@pytest.mark.parametrize("thought", ["He wants the rest.", "The mill"])
def test_what_follows_a_thought_that_is_taken_back_is_joined_too(bond, thought):
    turn = stopped(bond)
    gone_on(bond, turn, [thought, TakenBack(), "The mill stands by the river."])

    assert variants(turn)[1][0] == "The mill stands by the river."


@pytest.mark.parametrize(
    ("replies", "said"),
    [
        ([DOWN], [(BEGUN, True, True)]),
        ([BEGUN], [(BEGUN, True, True)]),
        ([["river", DOWN]], [(BEGUN, False, True), ("The mill stands by the river", True, True)]),
    ],
    ids=["fails at once", "nothing new", "fails in the middle"],
)
def test_where_nothing_is_added_the_reply_stands_as_it_did(bond, replies, said):
    turn = stopped(bond)
    gone_on(bond, turn, *replies)

    assert variants(turn) == said
    assert Turn.objects.get(pk=turn.pk).status == "failed"
    assert actions.continue_reply(turn=turn, now=LATER).status == "pending"


def test_after_a_regeneration_it_is_a_reply_of_its_own(bond):
    turn = stopped(bond)
    gone_on(bond, turn, "river.")
    actions.regenerate(turn=turn, now=LATER)
    answer(bond, now=LATER, llm=FakeLLM("Up the hill."))

    assert variants(turn)[-1] == ("Up the hill.", True, False)


def test_a_reply_that_came_to_its_longest_length_can_be_continued(bond):
    turn = say(bond, "Where is the mill?", now=NOW, llm=FakeLLM([BEGUN, CutOff()]))
    was = variants(turn)
    gone_on(bond, turn, "river.")

    assert (was, turn.status) == ([(BEGUN, True, True)], "done")
    assert variants(turn)[1] == ("The mill stands by the river.", True, False)


def test_a_whole_reply_has_nothing_to_continue(bond):
    turn = say(bond, "Hello.", now=NOW, llm=FakeLLM("Hello."))

    with pytest.raises(TurnError) as caught:
        actions.continue_reply(turn=turn, now=LATER)
    assert caught.value.code == "conflict"


def test_what_came_after_makes_it_too_late(bond):
    turn = stopped(bond)
    say(bond, "And then?", now=LATER, llm=FakeLLM("Then."))

    with pytest.raises(TurnError) as caught:
        actions.continue_reply(turn=turn, now=LATER)
    assert caught.value.code == "too_late"


def test_while_it_is_written_it_is_not_begun_twice(bond):
    turn = stopped(bond)
    actions.continue_reply(turn=turn, now=LATER)

    with pytest.raises(TurnError) as caught:
        actions.continue_reply(turn=turn, now=LATER)
    assert caught.value.code == "turn_running"


@pytest.mark.parametrize(
    ("begun", "added", "whole"),
    [
        ("I went to the", "shop.", "I went to the shop."),
        ("I went to the", " shop.", "I went to the shop."),
        ("I went to the", "I went to the shop.", "I went to the shop."),
        ("I went to the", "to the shop.", "I went to the shop."),
        ("I went to the", "the shop.", "I went to the shop."),
        ("I went to the", "...shop.", "I went to the shop."),
        ("I went to the", "…the shop.", "I went to the shop."),
        ("I went to the beau", "beautiful shop.", "I went to the beautiful shop."),
        ("I went.", "\n\nThen home.", "I went.\n\nThen home."),
        ("I am at", "attending.", "I am at attending."),
        ("我昨天去了", "商店。", "我昨天去了商店。"),
        ("我昨天去了", "我昨天去了商店。", "我昨天去了商店。"),
        ("我昨天去了", "去了商店。", "我昨天去了商店。"),
        ("One, two,", "three.", "One, two, three."),
    ],
)
def test_what_a_server_repeats_is_cut(begun, added, whole):
    assert begun + continuing.join(begun, added) == whole
