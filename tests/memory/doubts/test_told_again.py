"""What is uncertain until the user says it themselves, in the same words."""

import pytest

from memory.doubts import settling
from memory.facts import acts, by_hand, undoing
from memory.facts.drafts import FactError
from memory.models import Doubt, NodeSource
from tests.support.doubts import contradiction
from tests.support.factories import NOW, BondFactory, FactFactory, MessageFactory
from tests.support.facts import NUTS, draft, fresh, guess, home, job, live, save, writer

pytestmark = pytest.mark.django_db
NO_NUTS = "The user eats nuts again."
YORK = "The user lives in York."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def doubt(bond):
    """Whether the user, who said that they cannot eat nuts, eats them again: no slot tells that these exclude each other."""
    that = FactFactory(bond=bond, description=NUTS)
    return Doubt.objects.open_about_nodes(
        kind="contradiction", this=uncertain(bond, against=that), that=that, by="close", now=NOW
    )


def uncertain(bond, *, against):
    return FactFactory(
        bond=bond, description=NO_NUTS, state="uncertain", tier="extracted", confidence=0.6, conflicts_with=against
    )


def standing(doubt):
    doubt.refresh_from_db()
    node = fresh(doubt.a_node)
    return doubt.state, doubt.outcome, node.state, node.tier, node.confidence


@pytest.mark.parametrize("content", [NO_NUTS, "The user eats nuts again!", "the user eats  nuts again"])
def test_it_holds_and_its_undo_opens_the_doubt_again(bond, doubt, content):
    line = MessageFactory(session__bond=bond)

    write = save(bond, content, by=writer(messages=[line]))
    settled, held = standing(doubt), live(bond)
    undoing.undo(write=write, now=NOW)

    assert (settled, held) == (("settled", "this", "live", "stated", 1.0), [NO_NUTS])
    assert (write.op, write.old) == ("settled", [doubt.b_node_id])
    assert NodeSource.objects.filter(node=doubt.a_node, message=line).exists()
    assert (standing(doubt), live(bond)) == (("open", "", "uncertain", "extracted", 0.6), [NUTS])


def test_in_its_slot_it_takes_the_place_of_what_it_stood_against(bond):
    doubt = contradiction(bond)

    acts.save(bond=bond, draft=home(YORK, "York"), writer=writer())

    node = fresh(doubt.a_node)
    assert (standing(doubt)[:3], live(bond)) == (("settled", "this", "live"), [YORK])
    assert (node.slot, node.value) == ("home", "York")


def test_what_stood_against_the_text_about_the_user_holds_too(bond):
    node = uncertain(bond, against=None)
    doubt = Doubt.objects.open_about_nodes(kind="contradiction", this=node, that=None, by="close", now=NOW)

    write = save(bond, NO_NUTS)
    settled, held = standing(doubt), live(bond)
    undoing.undo(write=write, now=NOW)

    assert (settled[:3], held) == (("settled", "this", "live"), [NO_NUTS])
    assert (standing(doubt)[:3], live(bond)) == (("open", "", "uncertain"), [])


def test_one_that_was_let_be_is_settled_too(bond, doubt):
    settling.let_be(doubt=doubt)

    save(bond, NO_NUTS)

    assert standing(doubt)[:3] == ("settled", "this", "live")


@pytest.mark.parametrize("by", [job(), guess()], ids=["a job", "a guess"])
def test_only_the_user_settles_it(bond, doubt, by):
    save(bond, NO_NUTS, by=by, accepts_near=True)

    assert standing(doubt)[:3] == ("open", "", "uncertain")


@pytest.mark.parametrize("more", [{"facet": "how_to_talk"}, {"content": "The user eats nuts."}])
def test_another_fact_settles_nothing(bond, doubt, more):
    acts.save(bond=bond, draft=draft(**{"content": NO_NUTS} | more), writer=writer(), accepts_near=True)

    assert standing(doubt)[:3] == ("open", "", "uncertain")


def test_what_stands_already_in_these_words_is_counted(bond, doubt):
    twin = FactFactory(bond=bond, description=NO_NUTS)

    assert save(bond, NO_NUTS) is None

    assert (standing(doubt)[0], fresh(twin).mention_count) == ("open", 2)


def test_added_by_hand_it_is_no_new_fact(bond, doubt):
    node, is_new = by_hand.save(bond=bond, draft=draft(NO_NUTS), now=NOW)

    assert (node.pk, is_new, standing(doubt)[0]) == (doubt.a_node_id, False, "settled")


def test_confirmed_by_the_user_it_holds_and_by_a_guess_it_does_not(bond, doubt):
    with pytest.raises(FactError) as refused:
        acts.confirm(bond=bond, node=doubt.a_node, writer=guess())
    before = standing(doubt)[0]
    write = acts.confirm(bond=bond, node=doubt.a_node, writer=writer())

    assert (refused.value.code, before, write.op, live(bond)) == ("changed", "open", "settled", [NO_NUTS])


def test_of_another_bond_nothing_is_settled(bond, doubt):
    stranger = BondFactory()

    save(stranger, NO_NUTS)

    assert (standing(doubt)[0], live(stranger)) == ("open", [NO_NUTS])
