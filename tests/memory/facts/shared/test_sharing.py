from datetime import timedelta

import pytest
from django.db.models import Q
from django_q.models import OrmQ

from chat.erasure import erasing
from memory import tasks
from memory.facts import acts, undoing
from memory.facts.drafts import FactDraft, FactError
from memory.facts.shared import sharing
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, NodeSource
from personas import onboarding
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    FactFactory,
    MessageFactory,
    PersonaFactory,
    SessionFactory,
)

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


def talk():
    return Writer(by=FactWrite.By.TOOL, tier="stated", now=LATER)


def live(bond):
    return list(ConceptNode.objects.for_bond(bond).live_facts().order_by("id").values_list("description", flat=True))


def load_shared():
    return list(ConceptNode.objects.filter(shared=True))


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


@pytest.mark.parametrize("told", [NUTS.removesuffix("."), "Nuts make the user ill."])
def test_what_a_bond_knows_already_becomes_the_copy(others, nuts, told):
    known = FactFactory(bond=others[0], description=told)

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

    acts.replace(bond=others[0], old=copies(nuts)[0], draft=FactDraft(content="They eat hazelnuts."), writer=talk())
    sharing.end(node=nuts, now=LATER)

    assert [live(one) for one in (bond, *others)] == [[], ["They eat hazelnuts."], []]


@pytest.mark.parametrize("at", [0, 1, 2], ids=["the first", "a copy", "another"])
def test_what_is_shared_no_longer_stays_where_that_was_said_alone(bond, others, nuts, at):
    event = ConceptNodeFactory(
        bond=bond,
        description="The user told about the nuts.",
        sources=[edge.message for edge in NodeSource.objects.filter(node=nuts)],
    )
    sharing.share(node=nuts, now=LATER)
    kept = [nuts, *copies(nuts)][at]

    assert sharing.unshare(node=kept, now=LATER) == 2

    kept.refresh_from_db()
    assert [live(one) for one in (bond, *others)] == [[NUTS] if place == at else [] for place in range(3)]
    assert not ConceptNode.objects.filter(Q(shared=True) | Q(copy_of__isnull=False)).exists()
    event.refresh_from_db()
    assert event.deleted_at is None
    [gone, _] = FactWrite.objects.filter(op="forgotten").order_by("id")
    undoing.undo(write=gone, now=LATER)
    assert live(gone.bond) == [NUTS]


def test_a_copy_that_is_shared_again_keeps_its_first(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)
    third = BondFactory(user=bond.user, persona=PersonaFactory(owner=bond.user))

    [write] = sharing.share(node=copies(nuts)[0], now=LATER)

    nuts.refresh_from_db()
    assert (write.bond_id, len(copies(nuts)), nuts.copy_of_id) == (third.pk, 3, None)
    assert ConceptNode.objects.filter(shared=True).get() == nuts


def test_a_copy_takes_the_place_of_a_first_one_that_changed_in_talk(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)
    first, second = copies(nuts)
    acts.replace(bond=bond, old=nuts, draft=FactDraft(content="They eat hazelnuts."), writer=talk())

    sharing.share(node=first, now=LATER)

    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.shared, first.copy_of_id, second.copy_of_id) == (True, None, first.pk)
    assert live(bond) == ["They eat hazelnuts.", NUTS]


def test_copies_stay_together_when_the_companion_of_the_first_one_is_erased(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)
    first, second = copies(nuts)
    erasing.delete_bond(bond)
    second.refresh_from_db()
    assert (second.copy_of, load_shared()) == (first, [first])

    sharing.forget(node=second, now=LATER)

    assert [live(one) for one in others] == [[], []]


def test_what_is_told_to_all_is_not_made_to_be_about_one_companion(others, nuts):
    sharing.share(node=nuts, now=LATER)

    with pytest.raises(FactError) as raised:
        sharing.replace(node=nuts, draft=FactDraft(content="We bake.", facet="about_us"), now=LATER)

    assert (raised.value.code, live(others[0])) == ("invalid", [NUTS])


def test_what_is_restored_holds_with_every_companion_again(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)
    walnuts = FactDraft(content="The user cannot eat walnuts.")
    replaced = sharing.replace(node=ConceptNode.objects.get(pk=nuts.pk), draft=walnuts, now=LATER)

    sharing.restore(node=ConceptNode.objects.get(pk=nuts.pk), now=LATER)
    after = [live(one) for one in (bond, *others)]
    sharing.end(node=nuts, now=LATER)
    sharing.restore(node=ConceptNode.objects.get(pk=nuts.pk), now=LATER)

    assert len(replaced) == 3
    assert after == [live(one) for one in (bond, *others)] == [[NUTS]] * 3
    assert [one.bond_id for one in copies(nuts)] == [other.pk for other in others]


def test_what_is_restored_in_one_bond_alone_stays_there(bond, others, nuts):
    known = FactFactory(bond=others[0], description="The user cannot eat nuts at all.")
    acts.end(bond=bond, node=nuts, writer=talk())

    sharing.restore(node=ConceptNode.objects.get(pk=nuts.pk), now=LATER)

    assert [live(one) for one in (bond, *others)] == [[NUTS], [known.description], []]


def test_copies_outlive_the_bond_of_the_first(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)
    stays = copies(nuts)[0]

    erasing.erase_bond(bond=bond, confirm=bond.persona.name)

    assert [live(one) for one in others] == [[NUTS], [NUTS]]
    sharing.confirm(node=ConceptNode.objects.get(pk=stays.pk), now=LATER)


def test_a_bond_that_is_erased_meanwhile_is_passed_over(bond, others, nuts):
    sharing.share(node=nuts, now=LATER)
    erasing.erase_bond(bond=others[0], confirm=others[0].persona.name)

    assert [write.bond_id for write in sharing.confirm(node=nuts, now=LATER)] == [bond.pk, others[1].pk]


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
