"""Facts that the messages which an edit takes back had noted, changed or ended."""

from datetime import timedelta

import pytest

from chat.turns import editing
from chat.turns.editing import Edit
from memory.facts import acts, undoing
from memory.forgetting import rest_of_chat, trash
from memory.forgetting.trash import TrashError
from memory.models import ConceptNode, Doubt, FactWrite, Forgotten, Message, NodeSource
from tests.support.doubts import contradiction
from tests.support.factories import NOW, BondFactory, FactFactory
from tests.support.facts import LEEDS, draft, fresh, home, live, save, writer
from tests.support.fakes import FakeLLM
from tests.support.talking import answer, say

pytestmark = pytest.mark.django_db
LATER, MUCH_LATER = NOW + timedelta(minutes=1), NOW + timedelta(minutes=2)
YORK, HULL = "The user moved to York.", "The user moved to Hull."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def leeds(bond):
    return save(bond, LEEDS, slot="home", value="Leeds").node


def message(content):
    return Message.objects.select_related("session", "bond__user").get(content=content)


def tell(bond, *lines):
    for at, line in enumerate(lines):
        say(bond, line, now=NOW + timedelta(seconds=20 * at), llm=FakeLLM("I see."))


def edit(bond, said, instead):
    editing.edit(bond=bond, wanted=Edit(message=message(said), content=instead), channel="web", now=LATER)
    answer(bond, now=LATER, llm=FakeLLM("I see."))


def undo(said):
    editing.undo(message=message(said), now=MUCH_LATER)


def undone():
    return [write.undone_at is not None for write in FactWrite.objects.order_by("id")]


def test_what_was_changed_holds_again_and_the_undo_puts_both_back(bond, leeds):
    tell(bond, "Hello.", "I moved to York.")
    york = ConceptNode.objects.get(description=YORK)
    before = live(bond)

    edit(bond, "I moved to York.", "York is lovely.")
    between, marks, old = live(bond), undone(), fresh(leeds)
    undo("I moved to York.")

    assert (before, between, live(bond)) == ([YORK], [LEEDS], [YORK])
    assert (marks, undone()) == ([False, True], [False, False])
    assert (old.superseded_by, old.state_reason, old.valid_until, old.slot) == (None, "", None, "home")
    past = fresh(leeds)
    assert (past.superseded_by, past.state_reason, past.valid_until) == (york, "replaced", york.valid_from)


def test_what_is_sent_instead_takes_its_place_and_goes_with_the_undo(bond, leeds):
    tell(bond, "I moved to York.")

    edit(bond, "I moved to York.", "I moved to Hull.")
    between = live(bond)
    undo("I moved to York.")

    assert (between, live(bond), fresh(leeds).superseded_by.description) == ([HULL], [YORK], YORK)


def test_a_fact_with_lines_of_its_own_gets_them_back_alone(bond):
    tell(bond, "Remember that I live in Leeds.", "I moved to York.")
    [leeds] = ConceptNode.objects.filter(state="superseded")

    edit(bond, "I moved to York.", "York is lovely.")

    assert live(bond) == [leeds.description]
    assert list(NodeSource.objects.filter(node=leeds).values_list("message__content", flat=True)) == [
        "Remember that I live in Leeds."
    ]


def test_the_whole_of_a_chain_goes_and_comes_back(bond, leeds):
    tell(bond, "I moved to York.", "I moved to Hull.")

    edit(bond, "I moved to York.", "I like rain.")
    between = live(bond)
    undo("I moved to York.")

    assert (between, live(bond)) == ([LEEDS], [HULL])
    assert (fresh(leeds).superseded_by.description, fresh(leeds).superseded_by.superseded_by.description) == (
        YORK,
        HULL,
    )


def test_of_a_chain_only_what_came_after_goes(bond, leeds):
    tell(bond, "I moved to York.", "I moved to Hull.")

    edit(bond, "I moved to Hull.", "I like rain.")

    assert live(bond) == [YORK]


def test_a_home_that_was_told_in_the_same_messages_does_not_come_back(bond):
    tell(bond, "Remember that I live in Leeds.", "I moved to York.")

    edit(bond, "Remember that I live in Leeds.", "Hello.")

    assert live(bond) == []


def test_what_was_ended_holds_again_and_the_undo_ends_it(bond):
    work = save(bond, "The user works as a nurse.", slot="work", value="nurse").node
    tell(bond, "I'm not a nurse any more.")
    ended = fresh(work).valid_until

    edit(bond, "I'm not a nurse any more.", "I like rain.")
    between = live(bond)
    undo("I'm not a nurse any more.")

    assert (between, live(bond)) == ([work.description], [])
    past = fresh(work)
    assert (past.state, past.state_reason, past.valid_until, undone()) == ("superseded", "ended", ended, [False, False])


def test_what_was_changed_since_by_hand_stays(bond, leeds):
    tell(bond, "I moved to York.")
    york = ConceptNode.objects.get(description=YORK)
    acts.replace(bond=bond, old=york, draft=home("The user lives in Bath.", "Bath"), writer=writer(by="person"))

    edit(bond, "I moved to York.", "York is lovely.")

    assert (live(bond), fresh(leeds).state) == ([], "superseded")
    undo("I moved to York.")
    assert live(bond) == ["The user lives in Bath."]


def test_what_was_told_elsewhere_too_stays(bond, leeds):
    tell(bond, "I moved to York.")
    york = ConceptNode.objects.get(description=YORK)
    elsewhere = say(bond, "York, yes.", now=NOW, channel="api", llm=FakeLLM("I see.")).burst[0]
    NodeSource.objects.create(bond=bond, node=york, message=elsewhere)

    edit(bond, "I moved to York.", "York is lovely.")

    assert (live(bond), fresh(york).source_deleted) == ([YORK], True)


def test_a_slot_that_is_taken_by_now_is_left(bond, leeds):
    tell(bond, "I moved to York.")
    [york] = ConceptNode.objects.filter(description=YORK)
    ConceptNode.objects.filter(pk=york.pk).update(slot="", value="")
    FactFactory(bond=bond, description="The user lives in Bath.", slot="home", value="Bath")

    edit(bond, "I moved to York.", "York is lovely.")
    between = live(bond)
    undo("I moved to York.")

    assert (between, live(bond)) == (["The user lives in Bath."], [YORK, "The user lives in Bath."])
    assert fresh(leeds).superseded_by == york


def test_an_undo_is_refused_where_another_fact_took_the_place_since(bond, leeds):
    tell(bond, "I moved to York.")
    edit(bond, "I moved to York.", "York is lovely.")
    acts.replace(bond=bond, old=leeds, draft=home("The user lives in Bath.", "Bath"), writer=writer(by="person"))

    with pytest.raises(TrashError) as refused:
        undo("I moved to York.")

    assert (refused.value.code, live(bond)) == ("changed", ["The user lives in Bath."])


def test_restored_alone_the_new_fact_takes_the_place_of_the_old_again(bond, leeds):
    tell(bond, "I moved to York.")
    york = ConceptNode.objects.get(description=YORK)
    edit(bond, "I moved to York.", "York is lovely.")

    trash.restore_node(node=fresh(york), now=MUCH_LATER)

    assert (live(bond), fresh(leeds).superseded_by) == ([YORK], york)


def test_the_new_text_is_told_apart_from_what_was_undone_in_the_prompt(bond, leeds):
    tell(bond, "I moved to York.")
    llm = FakeLLM("I see.")
    editing.edit(
        bond=bond, wanted=Edit(message=message("I moved to York."), content="Rain again."), channel="web", now=LATER
    )
    answer(bond, now=LATER, llm=llm)

    assert "taken back, it holds as before: The user lives in Leeds." in llm.calls[0].text
    assert "York" not in llm.calls[0].text


def test_a_doubt_about_the_old_fact_is_open_again_and_settled_with_the_undo(bond):
    doubt = contradiction(bond)
    tell(bond, "Actually I live in Bath.")
    settled = Doubt.objects.get().state

    edit(bond, "Actually I live in Bath.", "Rain again.")
    between = Doubt.objects.get().state
    undo("Actually I live in Bath.")

    assert (settled, between, Doubt.objects.get().state) == ("settled", "open", "settled")
    assert fresh(doubt.b_node).state == "superseded"


def test_what_goes_is_shown_before(bond, leeds):
    tell(bond, "I moved to York.")

    going = rest_of_chat.find(message("I moved to York."))

    assert [node.description for node in going.nodes] == [YORK]


def test_an_undone_change_is_not_undone_twice(bond, leeds):
    tell(bond, "I moved to York.")
    undoing.undo(write=FactWrite.objects.get(op="changed"), now=LATER)

    edit(bond, "I moved to York.", "York is lovely.")
    between = live(bond)
    undo("I moved to York.")

    assert (between, live(bond)) == ([LEEDS], [LEEDS])


def test_a_strangers_facts_are_untouched(bond, leeds):
    stranger = BondFactory()
    save(stranger, LEEDS, slot="home", value="Leeds")
    acts.save(bond=stranger, draft=draft("The user lives in Oslo.", slot="home", value="Oslo"), writer=writer())
    tell(bond, "I moved to York.")

    edit(bond, "I moved to York.", "York is lovely.")

    assert live(stranger) == ["The user lives in Oslo."]
    assert Forgotten.objects.for_bond(stranger).count() == 0
