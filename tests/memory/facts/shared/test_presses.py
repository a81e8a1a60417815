from datetime import timedelta

import pytest

from memory.facts import acts
from memory.facts.drafts import FactDraft, FactError
from memory.facts.shared import presses, sharing
from memory.models import FactWrite, Forgotten
from tests.support.factories import NOW, BondFactory, FactFactory, PersonaFactory
from tests.support.facts import NUTS, live, writer

pytestmark = pytest.mark.django_db

LATER, LATEST = NOW + timedelta(hours=1), NOW + timedelta(hours=2)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def other(bond):
    return BondFactory(user=bond.user, persona=PersonaFactory(owner=bond.user))


@pytest.fixture
def nuts(bond, other):
    node = FactFactory(bond=bond, description=NUTS)
    sharing.share(node=node, now=NOW)
    return node


@pytest.mark.parametrize(
    "press",
    [
        lambda node: sharing.replace(node=node, draft=FactDraft(content="The user eats nuts."), now=LATER),
        lambda node: sharing.end(node=node, now=LATER),
        lambda node: sharing.confirm(node=node, now=LATER),
        lambda node: sharing.forget(node=node, now=LATER),
    ],
    ids=["changed", "ended", "confirmed", "forgotten"],
)
@pytest.mark.parametrize("at", [0, 1])
def test_a_press_on_a_shared_fact_is_undone_in_every_bond(bond, other, nuts, press, at):
    writes = press(nuts)

    undone = presses.undo(write=writes[at], now=LATEST)

    assert [one.pk for one in undone] == [writes[at].pk, writes[1 - at].pk]
    assert (live(bond), live(other)) == ([NUTS], [NUTS])
    assert not FactWrite.objects.exclude(op="saved").filter(undone_at=None).exists()
    assert presses.undo(write=writes[at], now=LATEST) == [writes[at]]


@pytest.mark.parametrize("at", [0, 1])
def test_a_shared_fact_is_restored_from_the_trash_of_every_bond(bond, other, nuts, at):
    writes = sharing.forget(node=nuts, now=LATER)

    act = Forgotten.objects.get(bond=writes[at].bond)
    presses.restore(act=act, now=LATEST)

    assert (live(bond), live(other)) == ([NUTS], [NUTS])
    assert not Forgotten.objects.exists()
    assert not FactWrite.objects.filter(op="forgotten", undone_at=None).exists()


def test_a_fact_that_was_forgotten_in_talk_is_restored_in_its_bond_alone(bond, other, nuts):
    acts.forget(bond=bond, node=nuts, writer=writer(by="rule", now=LATER))
    [copy] = sharing.load_family(nuts, [other])
    acts.forget(bond=other, node=copy, writer=writer(by="rule", now=LATER))

    presses.restore(act=Forgotten.objects.get(bond=bond), now=LATEST)

    assert (live(bond), live(other)) == ([NUTS], [])


def test_where_it_was_changed_since_it_stays(bond, other, nuts):
    own, copy = sharing.replace(node=nuts, draft=FactDraft(content="The user eats nuts."), now=LATER)
    acts.end(bond=other, node=copy.node, writer=writer(now=LATEST))

    undone = presses.undo(write=own, now=LATEST)

    copy.refresh_from_db()
    assert ([one.pk for one in undone], copy.undone_at, live(bond), live(other)) == ([own.pk], None, [NUTS], [])
    with pytest.raises(FactError):
        presses.undo(write=copy, now=LATEST)


def test_a_change_in_talk_is_undone_in_its_bond_alone(bond, other, nuts):
    write = acts.end(bond=bond, node=nuts, writer=writer(by="rule", now=LATER))
    copy = sharing.load_family(nuts, [other])[0]
    acts.end(bond=other, node=copy, writer=writer(by="rule", now=LATER))

    assert presses.undo(write=write, now=LATEST) == [write]
    assert (live(bond), live(other)) == ([NUTS], [])


def test_what_happened_at_the_same_moment_to_another_fact_stays(bond, other, nuts):
    tea = FactFactory(bond=other, description="The user likes tea.")
    sharing.end(node=tea, now=LATER)
    [own, _copy] = sharing.end(node=nuts, now=LATER)

    presses.undo(write=own, now=LATEST)

    assert (live(bond), live(other)) == ([NUTS], [NUTS])
