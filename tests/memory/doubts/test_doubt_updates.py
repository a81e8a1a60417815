import pytest

from memory.doubts import reopening, settling
from memory.facts import acts, undoing
from memory.facts.drafts import FactError
from memory.forgetting import removal, trash
from memory.models import ConceptNode, Doubt, Forgotten
from memory.nodes import corrections, staleness
from tests.support.doubts import contradiction, stale, unverified
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory
from tests.support.facts import LEEDS, YORK, fresh, home, job, live, save, writer

pytestmark = pytest.mark.django_db
BATH = "The user lives in Bath."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def standing(doubt):
    doubt.refresh_from_db()
    return doubt.state, doubt.outcome, fresh(doubt.a_node).state


@pytest.mark.parametrize(
    ("draft", "after", "left"),
    [
        (home(YORK, "York"), ("settled", "this", "superseded"), [YORK]),
        (home(BATH, "Bath"), ("settled", "neither", "superseded"), [BATH]),
        (home("The user lives in Leeds, by the river.", "Leeds"), ("settled", "that", "superseded"), None),
    ],
    ids=["as the other side", "as neither", "in other words"],
)
def test_a_correction_of_a_side_settles_and_its_undo_opens_again(bond, draft, after, left):
    doubt = contradiction(bond)

    write = acts.replace(bond=bond, old=doubt.b_node, draft=draft, writer=writer())
    settled, held = standing(doubt), live(bond)
    undoing.undo(write=write, now=NOW)

    assert (settled, held) == (after, left or [draft.content])
    assert (standing(doubt), live(bond)) == (("open", "", "uncertain"), [LEEDS])


def test_where_what_stood_against_it_ended_it_holds(bond):
    doubt = contradiction(bond)

    write = acts.end(bond=bond, node=doubt.b_node, writer=writer())
    settled, held = standing(doubt), live(bond)
    undoing.undo(write=write, now=NOW)

    assert (settled, held) == (("settled", "this", "live"), [YORK])
    assert (standing(doubt), live(bond)) == (("open", "", "uncertain"), [LEEDS])


def test_confirmed_by_the_user_it_is_settled_and_its_undo_opens_again(bond):
    doubt = contradiction(bond)

    write = acts.confirm(bond=bond, node=doubt.b_node, writer=writer())
    settled = standing(doubt)
    undoing.undo(write=write, now=NOW)

    assert (settled, standing(doubt)) == (("settled", "that", "superseded"), ("open", "", "uncertain"))


def test_told_anew_by_the_user_it_is_settled_and_by_a_job_it_is_not(bond):
    doubt = contradiction(bond)

    save(bond, LEEDS, by=job())
    by_job = standing(doubt)
    save(bond, LEEDS)

    assert (by_job, standing(doubt)) == (("open", "", "uncertain"), ("settled", "that", "superseded"))


@pytest.mark.parametrize("make", [unverified, stale])
@pytest.mark.parametrize(("outcome", "state"), [("this", "live"), ("neither", "superseded")])
@pytest.mark.parametrize("before", ["open", "let_go"])
def test_what_stands_alone_is_settled_and_undone(bond, make, outcome, state, before):
    doubt = make(bond)
    if before == "let_go":
        settling.let_be(doubt=doubt)

    settling.settle(doubt=doubt, outcome=outcome, writer=writer(by="person"))
    settled = standing(doubt)
    reopening.reopen(doubt=doubt, now=NOW)

    assert (settled, standing(doubt)) == (("settled", outcome, state), (before, "", "live"))
    assert fresh(doubt.a_node).confidence == doubt.a_node.confidence


@pytest.mark.parametrize("make", [unverified, stale])
@pytest.mark.parametrize("outcome", ["that", "both", "same", "different"])
def test_what_stands_alone_has_no_other_outcome(bond, make, outcome):
    with pytest.raises(FactError):
        settling.settle(doubt=make(bond), outcome=outcome, writer=writer(by="person"))


def test_both_undone_give_the_slot_back(bond):
    doubt = contradiction(bond)

    write = settling.settle(doubt=doubt, outcome="both", writer=writer(by="person"))
    between = fresh(doubt.a_node).slot
    undoing.undo(write=write, now=NOW)

    node = fresh(doubt.a_node)
    assert (between, node.slot, node.value, node.state, node.last_confirmed_at) == (
        "",
        "home",
        "York",
        "uncertain",
        None,
    )


def test_what_loses_takes_its_thoughts_along_and_undo_brings_them_back(bond):
    doubt = contradiction(bond)
    thought = ConceptNodeFactory(bond=bond, type="thought", description="They love the rain.", evidence=[doubt.b_node])

    write = settling.settle(doubt=doubt, outcome="this", writer=writer(by="person"))
    between = fresh(thought).stale
    undoing.undo(write=write, now=NOW)

    assert (between, fresh(thought).stale) == (True, False)


def test_a_thought_that_becomes_stale_is_doubted_until_it_is_current_again(bond):
    event = ConceptNodeFactory(bond=bond, description="They moved to the sea.")
    thought = ConceptNodeFactory(bond=bond, type="thought", description="They love the sea.", evidence=[event])

    corrections.retire(event, now=NOW)
    staleness.refresh(bond=bond, nodes=[event.pk], now=NOW)
    [doubt] = Doubt.objects.all()
    opened = (doubt.kind, doubt.severity, doubt.reason, doubt.opened_by, doubt.a_node, doubt.state)
    corrections.restore(node=event, now=NOW)

    assert opened == ("stale", 0.4, "basis_gone", "change", thought, "open")
    assert standing(doubt) == ("settled", "this", "live")


def test_a_stale_thought_that_still_holds_is_current(bond):
    event = ConceptNodeFactory(bond=bond)
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[event])
    corrections.retire(event, now=NOW)
    staleness.refresh(bond=bond, nodes=[event.pk], now=NOW)

    write = settling.settle(doubt=Doubt.objects.get(), outcome="this", writer=writer(by="person"))
    between = fresh(thought).stale
    undoing.undo(write=write, now=NOW)

    assert (between, fresh(thought).stale) == (False, True)


def test_a_merge_of_facts_moves_the_doubt_to_what_stays(bond):
    doubt = contradiction(bond)
    again = save(bond, "Leeds is where the user lives.", accepts_near=True).node

    acts.merge(bond=bond, survivor=again, retired=[doubt.b_node], writer=writer())

    doubt.refresh_from_db()
    assert (doubt.state, doubt.b_node, fresh(doubt.a_node).state) == ("open", again, "uncertain")


@pytest.mark.parametrize("side", ["a_node", "b_node"])
def test_forgetting_a_side_settles_and_restoring_opens_again(bond, side):
    doubt = contradiction(bond)

    removal.forget_node(node=getattr(doubt, side), now=NOW)
    settled = standing(doubt)[:2]
    trash.restore(act=Forgotten.objects.select_related("bond__user").get(), now=NOW)

    assert (settled, standing(doubt)) == (("settled", "gone"), ("open", "", "uncertain"))


def test_doubts_of_another_bond_stay(bond):
    other = contradiction(BondFactory(user__username="charlie"))
    own = contradiction(bond)

    acts.end(bond=bond, node=own.b_node, writer=writer())

    assert (standing(other), ConceptNode.objects.filter(state="uncertain").count()) == (("open", "", "uncertain"), 1)
