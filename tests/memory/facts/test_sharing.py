from datetime import timedelta

import pytest
from django_q.models import OrmQ

from memory import tasks
from memory.facts import acts, sharing
from memory.facts.drafts import FactDraft, FactError
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, NodeSource
from personas import onboarding
from tests.support.factories import NOW, BondFactory, FactFactory, MessageFactory, PersonaFactory, SessionFactory

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(hours=1)
NUTS = "The user cannot eat nuts."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def others(bond):
    return [BondFactory(user=bond.user, persona=PersonaFactory(owner=bond.user)) for _ in range(2)]


@pytest.fixture
def stranger():
    return BondFactory(user__username="charlie")


@pytest.fixture
def nuts(bond, others, stranger):
    line = MessageFactory(session=SessionFactory(bond=bond, status="closed"), content="I can't eat nuts.")
    return FactFactory(bond=bond, description=NUTS, detail="Not even in cakes.", sources=[line])


def live(bond):
    return list(ConceptNode.objects.for_bond(bond).live_facts().order_by("id").values_list("description", flat=True))


def copies(node):
    return list(ConceptNode.objects.live_facts().filter(copy_of=node).order_by("bond"))


def test_a_shared_fact_is_in_every_bond_of_its_user_without_lines(bond, others, stranger, nuts):
    writes = sharing.share(node=nuts, now=LATER)

    nuts.refresh_from_db()
    made = copies(nuts)
    assert [one.bond_id for one in made] == [other.pk for other in others] == [write.bond_id for write in writes]
    assert {(one.description, one.detail, one.tier, one.origin, one.confidence) for one in made} == {
        (NUTS, "Not even in cakes.", "stated", "user", 1.0)
    }
    assert not NodeSource.objects.filter(node__in=made).exists()
    assert (nuts.shared, live(stranger)) == (True, [])


def test_sharing_again_adds_only_what_is_missing(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)
    third = BondFactory(user=bond.user, persona=PersonaFactory(owner=bond.user))

    [write] = sharing.share(node=nuts, now=LATER)

    assert (write.bond_id, [len(live(one)) for one in (*others, third)]) == (third.pk, [1, 1, 1])


def test_what_a_bond_knows_already_becomes_the_copy(others, nuts):
    known = FactFactory(bond=others[0], description=NUTS.removesuffix("."))

    [write] = sharing.share(node=nuts, now=LATER)

    assert write.bond_id == others[1].pk
    assert [one.pk for one in copies(nuts)] == [known.pk, write.node_id]


def test_a_slot_that_is_taken_elsewhere_is_replaced_there(bond, others, nuts):
    home = FactFactory(bond=bond, description="The user lives in York.", slot="home", value="York")
    old = FactFactory(bond=others[0], description="The user lives in Leeds.", slot="home", value="Leeds")

    sharing.share(node=home, now=LATER)

    old.refresh_from_db()
    assert (old.state, live(others[0])) == ("superseded", ["The user lives in York."])


@pytest.mark.parametrize(("facet", "subject"), [("about_us", "shared"), ("persona_canon", "persona")])
def test_what_is_about_one_companion_is_not_shared(bond, others, facet, subject):
    own = FactFactory(bond=bond, facet=facet, subject=subject)

    with pytest.raises(FactError) as raised:
        sharing.share(node=own, now=LATER)

    assert (raised.value.code, live(others[0])) == ("invalid", [])


def test_what_holds_no_more_is_not_shared(nuts, others):
    ConceptNode.objects.filter(pk=nuts.pk).update(state="superseded")

    with pytest.raises(FactError) as raised:
        sharing.share(node=nuts, now=LATER)

    assert (raised.value.code, live(others[0])) == ("changed", [])


@pytest.mark.parametrize("at", [0, 1], ids=["the first", "a copy"])
def test_the_acts_of_a_page_reach_all_copies_from_any_of_them(bond, others, nuts, at):
    sharing.share(node=nuts, now=LATER)
    pressed = [nuts, copies(nuts)[0]][at]
    everywhere = [bond, *others]

    confirmed = sharing.confirm(node=ConceptNode.objects.get(pk=pressed.pk), now=LATER)
    draft = FactDraft(content="The user cannot eat walnuts.")
    replaced = sharing.replace(node=ConceptNode.objects.get(pk=pressed.pk), draft=draft, now=LATER)
    after_edit = [live(one) for one in everywhere]
    root = ConceptNode.objects.live_facts().get(bond=bond)
    sharing.end(node=copies(root)[0], now=LATER)

    assert after_edit == [["The user cannot eat walnuts."]] * 3
    assert (len(confirmed), replaced[0].bond_id, root.shared, len(replaced)) == (3, pressed.bond_id, True, 3)
    assert [live(one) for one in everywhere] == [[], [], []]


def test_forgetting_on_a_page_forgets_all_copies(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)

    sharing.forget(node=copies(nuts)[1], now=LATER)

    assert [live(one) for one in (bond, *others)] == [[], [], []]


def test_a_change_in_talk_stays_in_its_bond(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)
    writer = Writer(by=FactWrite.By.TOOL, tier="stated", now=LATER)

    acts.replace(bond=others[0], old=copies(nuts)[0], draft=FactDraft(content="They eat hazelnuts."), writer=writer)
    sharing.end(node=nuts, now=LATER)

    assert [live(one) for one in (bond, *others)] == [[], ["They eat hazelnuts."], []]


def test_what_is_shared_no_longer_stays_in_its_first_bond_alone(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)

    assert sharing.unshare(node=copies(nuts)[0], now=LATER) == 2

    nuts.refresh_from_db()
    assert (nuts.shared, [live(one) for one in (bond, *others)]) == (False, [[NUTS], [], []])


def test_a_new_bond_gets_what_is_shared_by_the_worker_once(bond, others, nuts, stranger):
    sharing.share(node=nuts, now=LATER)
    OrmQ.objects.all().delete()

    new, _ = onboarding.begin_bond(user=bond.user, persona=PersonaFactory(owner=bond.user), now=LATER)
    onboarding.begin_bond(user=bond.user, persona=new.persona, now=LATER)
    onboarding.begin_bond(user=stranger.user, persona=PersonaFactory(owner=stranger.user), now=LATER)
    queued = [(entry.task["func"], entry.task["args"]) for entry in OrmQ.objects.all()]
    tasks.copy_shared_facts(new.pk)
    tasks.copy_shared_facts(new.pk)

    assert queued == [("memory.tasks.copy_shared_facts", (new.pk,))]
    assert live(new) == [NUTS]
    assert [one.bond_id for one in copies(nuts)] == [*(other.pk for other in others), new.pk]
