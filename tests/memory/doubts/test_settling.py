from datetime import timedelta
from uuid import uuid4

import pytest

from echovessel.models import BondEvent
from memory.doubts import asking, reopening, settling
from memory.facts import acts, undoing
from memory.facts.drafts import FactError
from memory.models import ConceptNode, Doubt, FactWrite
from memory.recall import prompt_memory
from tests.support.factories import NOW, BondFactory, EntityFactory, FactFactory
from tests.support.facts import LEEDS, YORK, fresh, job, live, save, writer

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def doubted(bond, *, slot="home", at=NOW, number=0):
    """A fact that the user stated, and one that stands against it."""
    that = FactFactory(bond=bond, description=f"{LEEDS}{number or ''}", slot=slot, value="Leeds" if slot else "")
    this = FactFactory(
        bond=bond,
        description=f"{YORK}{number or ''}",
        slot=slot,
        value="York" if slot else "",
        state="uncertain",
        tier="extracted",
        confidence=0.6,
        conflicts_with=that,
        created_at=at,
    )
    return Doubt.objects.open_about_nodes(kind="contradiction", this=this, that=that, by="close", now=at)


def person(**more):
    return writer(by="person", **more)


@pytest.mark.parametrize(
    ("outcome", "states", "left"),
    [
        ("this", ("live", "superseded"), [YORK]),
        ("that", ("superseded", "live"), [LEEDS]),
        ("both", ("live", "live"), [LEEDS, YORK]),
        ("neither", ("superseded", "superseded"), []),
    ],
)
def test_each_outcome_is_done_and_undone(bond, outcome, states, left):
    doubt = doubted(bond)
    this, that = doubt.a_node, doubt.b_node

    write = settling.settle(doubt=doubt, outcome=outcome, writer=person())

    assert (fresh(this).state, fresh(that).state) == states
    assert live(bond) == left
    doubt.refresh_from_db()
    assert (doubt.state, doubt.outcome, doubt.settled_at) == ("settled", outcome, NOW)
    assert {fresh(node).state_reason for node in (this, that) if fresh(node).state == "superseded"} <= {"settled"}
    assert BondEvent.objects.filter(type="memory.doubt.settled", refs={"doubt": doubt.pk, "outcome": outcome}).exists()

    undoing.undo(write=write, now=NOW)

    doubt.refresh_from_db()
    assert (fresh(this).state, fresh(that).state, live(bond)) == ("uncertain", "live", [LEEDS])
    assert (fresh(this).tier, fresh(this).confidence, fresh(that).superseded_by) == ("extracted", 0.6, None)
    assert (doubt.state, doubt.outcome, doubt.settled_at) == ("open", "", None)


def test_what_wins_is_the_users_word_and_takes_the_slot(bond):
    doubt = doubted(bond)

    settling.settle(doubt=doubt, outcome="this", writer=person())

    node = fresh(doubt.a_node)
    assert (node.tier, node.confidence, node.slot, node.value) == ("stated", 1.0, "home", "York")
    assert fresh(doubt.b_node).superseded_by == node


def test_both_leave_the_slot_to_the_older(bond):
    doubt = doubted(bond)

    settling.settle(doubt=doubt, outcome="both", writer=person())

    assert [(fresh(node).slot, fresh(node).value) for node in (doubt.a_node, doubt.b_node)] == [
        ("", ""),
        ("home", "Leeds"),
    ]


@pytest.mark.parametrize("outcome", ["same", "different", "gone", "", "maybe"])
def test_another_outcome_is_invalid(bond, outcome):
    doubt = doubted(bond)

    with pytest.raises(FactError) as refused:
        settling.settle(doubt=doubt, outcome=outcome, writer=person())

    assert (refused.value.code, Doubt.objects.get().state) == ("invalid", "open")


def test_what_is_settled_or_has_lost_a_side_is_changed(bond):
    settled, gone = doubted(bond), doubted(bond, slot="", number=2)
    settling.settle(doubt=settled, outcome="that", writer=person())
    acts.end(bond=bond, node=gone.b_node, writer=writer())

    codes = []
    for doubt in (settled, gone):
        with pytest.raises(FactError) as refused:
            settling.settle(doubt=doubt, outcome="this", writer=person())
        codes.append(refused.value.code)

    assert codes == ["changed", "changed"]


def test_one_without_a_second_side_can_be_settled(bond):
    this = FactFactory(bond=bond, state="uncertain", tier="extracted", confidence=0.6)
    doubt = Doubt.objects.open_about_nodes(kind="contradiction", this=this, that=None, by="close", now=NOW)

    settling.settle(doubt=doubt, outcome="neither", writer=person())

    assert (fresh(this).state, settling.list_outcomes(doubt)) == ("superseded", ["this", "neither"])


def test_one_doubt_a_pair_and_twenty_a_bond(bond):
    first = doubted(bond)
    again = Doubt.objects.open_about_nodes(
        kind="contradiction", this=first.a_node, that=first.b_node, by="close", now=NOW + timedelta(days=1)
    )
    stale = Doubt.objects.open_about_nodes(kind="stale", this=FactFactory(bond=bond), that=None, by="tick", now=NOW)
    for number in range(1, 19):
        doubted(bond, slot="", number=number)
    at_twenty = Doubt.objects.open().count()
    doubted(bond, slot="", number=99)

    stale.refresh_from_db()
    assert (again, at_twenty, Doubt.objects.open().count(), stale.state) == (first, 20, 20, "let_go")


def ask(bond, session, *, said="", nodes=(), entities=()):
    loaded = prompt_memory.load(bond=bond, now=NOW, loaded_at=NOW, turn_id=uuid4(), session_id=session)
    return asking.choose(loaded.doubts, session_id=session, said=said, nodes=nodes, entities=entities)


def choose(bond, session, doubt):
    return ask(bond, session, nodes=[doubt.b_node_id])


def test_a_contradiction_is_asked_once_a_session_and_in_three(bond):
    doubt = doubted(bond)
    asked = []

    for session in (1, 1, 2, 3, 4):
        chosen = choose(bond, session, doubt)
        asked.append(chosen is not None)
        if chosen:
            asking.mark_asked(doubt_id=chosen.id, session_id=session)

    assert asked == [True, False, True, True, False]


@pytest.mark.parametrize(("sessions", "state"), [([1, 2], "open"), ([1, 2, 3], "let_go")])
def test_unanswered_in_three_sessions_it_is_let_go_and_the_fact_stays_uncertain(bond, sessions, state):
    doubt = doubted(bond)
    for session in sessions:
        asking.mark_asked(doubt_id=doubt.pk, session_id=session)

    asking.let_go_unanswered(bond=bond, session_id=sessions[-1])

    doubt.refresh_from_db()
    assert (doubt.state, fresh(doubt.a_node).state) == (state, "uncertain")


def test_one_that_was_let_go_can_be_opened_again(bond):
    doubt = doubted(bond)
    asking.mark_asked(doubt_id=doubt.pk, session_id=1)
    settling.let_be(doubt=doubt)

    reopening.reopen(doubt=doubt, now=NOW)

    doubt.refresh_from_db()
    assert (doubt.state, doubt.asked_in) == ("open", [])


def test_the_most_severe_of_which_a_side_came_up_is_asked_first_then_the_oldest(bond):
    newer, older = doubted(bond, number=1), doubted(bond, slot="", number=2, at=NOW - timedelta(days=1))
    weak = Doubt.objects.open_about_nodes(kind="stale", this=FactFactory(bond=bond), that=None, by="tick", now=NOW)
    nodes = [weak.a_node_id, newer.b_node_id, older.b_node_id]

    order = []
    while chosen := ask(bond, len(order), nodes=nodes):
        order.append(chosen.id)
        settling.let_be(doubt=Doubt.objects.select_related("bond").get(pk=chosen.id))

    assert order == [older.pk, newer.pk, weak.pk]


def test_one_comes_up_by_a_name_and_none_where_nothing_did(bond):
    doubt = doubted(bond)
    york = EntityFactory(bond=bond, canonical_name="York", kind="place", nodes=[doubt.a_node])
    other = EntityFactory(bond=bond, canonical_name="Bath", kind="place")

    found = [ask(bond, 1, entities=ids) for ids in ([york.pk], [other.pk], [])]

    assert [one and one.id for one in found] == [doubt.pk, None, None]


def test_a_doubt_of_another_bond_is_never_asked(bond):
    doubt = doubted(BondFactory(user__username="charlie"))

    assert choose(bond, 1, doubt) is None


@pytest.mark.parametrize(("days", "state"), [(59, "uncertain"), (60, "superseded")])
def test_after_sixty_days_what_is_uncertain_is_history(bond, days, state):
    doubt = doubted(bond)

    asking.settle_old(now=NOW + timedelta(days=days))

    assert (fresh(doubt.a_node).state, live(bond)) == (state, [LEEDS])
    assert fresh(doubt.a_node).state_reason == ("settled" if state == "superseded" else "")


def test_a_shared_slot_taken_meanwhile_keeps_the_undo_from_it(bond):
    doubt = doubted(bond)
    write = settling.settle(doubt=doubt, outcome="neither", writer=person())
    save(bond, "The user lives in Bath.", slot="home", value="Bath", by=job())

    with pytest.raises(FactError) as refused:
        undoing.undo(write=write, now=NOW)

    assert (refused.value.code, FactWrite.objects.get(pk=write.pk).undone_at) == ("changed", None)
    assert ConceptNode.objects.get(pk=doubt.b_node_id).state == "superseded"
