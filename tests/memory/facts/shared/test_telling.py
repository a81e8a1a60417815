import pytest

from memory.facts import acts, undoing
from memory.facts.drafts import FactError
from memory.facts.shared import sharing, telling
from memory.models import ConceptNode
from tests.support import facts
from tests.support.factories import NOW, BondFactory, PersonaFactory

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


def test_what_no_other_knows_is_not_offered(bond, others):
    acts.save(bond=bond, draft=facts.home(), writer=facts.writer())

    assert telling.find_untold(bond, [change(bond)]) == set()


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
