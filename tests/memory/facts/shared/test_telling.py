import pytest

from memory.doubts import reopening, settling
from memory.facts import acts, by_hand, undoing
from memory.facts.drafts import FactError
from memory.facts.shared import sharing, telling
from memory.models import ConceptNode, Doubt
from tests.support import facts
from tests.support.factories import NOW, BondFactory, FactFactory, PersonaFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def others(bond):
    return [BondFactory(user=bond.user, persona=PersonaFactory(owner=bond.user)) for _ in range(2)]


@pytest.fixture
def home(bond, others):
    node = acts.save(bond=bond, draft=facts.home(), writer=facts.writer()).node
    sharing.share(node=node, now=NOW)
    return node


def own(bond):
    return ConceptNode.objects.live_facts().get(bond=bond)


def change(bond):
    york = facts.home(facts.YORK, "York")
    return acts.replace(bond=bond, old=own(bond), draft=york, writer=facts.writer())


def doubt_about(home):
    against = {"state": "uncertain", "tier": "extracted", "confidence": 0.6, "conflicts_with": home}
    york = FactFactory(bond=home.bond, description=facts.YORK, slot="home", value="York", **against)
    return Doubt.objects.open_about_nodes(kind="contradiction", this=york, that=home, by="close", now=NOW)


def told(bond, write):
    """Whether the line offers it, and what all know once it is pressed."""
    offered = telling.find_untold(bond, [write])
    telling.tell(write=write, now=NOW)
    assert telling.find_untold(bond, [write]) == set()
    return offered == {write.pk}


@pytest.mark.parametrize("at", [0, 1], ids=["the first", "a copy"])
def test_a_change_in_talk_is_told_to_the_others(bond, others, home, at):
    everywhere = [bond, *others]
    write = change(everywhere[at])

    assert told(everywhere[at], write)

    assert [facts.live(one) for one in everywhere] == [[facts.YORK]] * 3
    sharing.end(node=own(others[1]), now=NOW)
    assert [facts.live(one) for one in everywhere] == [[]] * 3


@pytest.mark.parametrize("act", [acts.end, acts.forget])
def test_an_end_in_talk_is_told_to_the_others(bond, others, home, act):
    assert told(bond, act(bond=bond, node=home, writer=facts.writer()))

    assert [facts.live(one) for one in (bond, *others)] == [[]] * 3


@pytest.mark.parametrize(("outcome", "left"), [("this", [facts.YORK]), ("neither", [])])
def test_what_was_settled_in_talk_is_told_to_the_others(bond, others, home, outcome, left):
    doubt = doubt_about(home)

    assert told(bond, settling.settle(doubt=doubt, outcome=outcome, writer=facts.writer()))

    assert [facts.live(one) for one in (bond, *others)] == [left] * 3


@pytest.mark.parametrize("outcome", ["that", "both"])
def test_what_still_holds_need_not_be_told(bond, others, home, outcome):
    write = settling.settle(doubt=doubt_about(home), outcome=outcome, writer=facts.writer())

    assert telling.find_untold(bond, [write]) == set()


def test_an_uncertain_fact_that_is_confirmed_takes_its_place_with_all_companions(bond, others, home):
    by_hand.confirm(node=doubt_about(home).a_node, now=NOW)

    assert [facts.live(one) for one in (bond, *others)] == [[facts.YORK]] * 3


@pytest.mark.parametrize(("outcome", "left"), [("this", [facts.YORK]), ("neither", [])])
def test_a_press_that_settles_reaches_all_companions_and_so_does_its_undo(bond, others, home, outcome, left):
    doubt = doubt_about(home)

    settling.settle_by_press(doubt=doubt, outcome=outcome, now=NOW)

    assert [facts.live(one) for one in (bond, *others)] == [left] * 3
    reopening.reopen(doubt=doubt, now=NOW)
    assert [facts.live(one) for one in (bond, *others)] == [[facts.LEEDS]] * 3
    assert doubt.state == "open"


def test_what_no_other_knows_is_not_offered_nor_told(bond, others):
    acts.save(bond=bond, draft=facts.home(), writer=facts.writer())
    write = change(bond)

    assert telling.find_untold(bond, [write]) == set()
    assert telling.tell(write=write, now=NOW) == 0
    assert [facts.live(one) for one in others] == [[], []]


def test_what_was_undone_or_changed_since_is_not_told(bond, others, home):
    write = change(bond)
    acts.end(bond=bond, node=write.node, writer=facts.writer())
    with pytest.raises(FactError) as moved:
        telling.tell(write=write, now=NOW)
    second = acts.end(bond=others[0], node=own(others[0]), writer=facts.writer())
    undoing.undo(write=second, now=NOW)

    with pytest.raises(FactError) as undone:
        telling.tell(write=second, now=NOW)

    assert (moved.value.code, undone.value.code) == ("changed", "invalid")
    assert facts.live(others[1]) == [facts.LEEDS]
    assert telling.find_untold(others[0], [second]) == set()


def test_an_act_of_a_person_is_not_told(bond, others, home):
    [write, *_] = sharing.confirm(node=home, now=NOW)

    with pytest.raises(FactError):
        telling.tell(write=write, now=NOW)
