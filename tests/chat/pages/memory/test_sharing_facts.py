import pytest
from django.urls import reverse

from memory.facts import acts
from memory.facts.shared import sharing
from memory.models import ConceptNode
from tests.support import facts
from tests.support.factories import NOW, BondFactory, PersonaFactory

pytestmark = pytest.mark.django_db
ALL, HERE, TELL = "For all my companions", "Only here", "Tell the others"


@pytest.fixture
def bond(client):
    bond = BondFactory(user__username="mara")
    client.force_login(bond.user)
    return bond


@pytest.fixture
def other(bond):
    return BondFactory(user=bond.user, persona=PersonaFactory(owner=bond.user))


def press(client, name, bond, pk, **said):
    return client.post(reverse(name, args=[bond.pk, pk]), said, follow=True).content.decode()


def own(bond):
    return ConceptNode.objects.live_facts().get(bond=bond)


def test_a_fact_is_told_to_all_companions_and_kept_to_one(client, bond, other):
    node = facts.save(bond).node
    before = client.get(reverse("memory", args=[bond.pk, node.pk])).content.decode()

    shared = press(client, "share_fact", bond, node.pk)
    everywhere = facts.live(other)
    alone = press(client, "share_fact", bond, node.pk, only_here="1")

    assert [(ALL in page, HERE in page) for page in (before, shared, alone)] == [
        (True, False),
        (False, True),
        (True, False),
    ]
    assert "All your companions know it now." in shared
    assert "Only this companion knows it now." in alone
    assert (everywhere, facts.live(other), facts.live(bond)) == ([facts.NUTS], [], [facts.NUTS])


def test_what_is_about_the_two_is_not_offered_and_refused(client, bond, other):
    node = facts.save(bond, facet="about_us").node

    page = press(client, "share_fact", bond, node.pk)

    assert ALL not in page
    assert "Only what is about you can be told to all companions." in page
    assert facts.live(other) == []


def test_the_buttons_of_a_fact_reach_all_copies(client, bond, other):
    node = facts.save(bond).node
    sharing.share(node=node, now=NOW)

    press(client, "change_fact", other, own(other).pk, description=facts.LEEDS, facet="about_you")
    changed = facts.live(bond)
    press(client, "confirm_fact", other, own(other).pk)
    confirmed = own(bond).last_confirmed_at
    ended = own(bond)
    press(client, "end_fact", bond, ended.pk, reason="ended")
    past = facts.live(other)
    press(client, "bring_back_memory", bond, ended.pk)
    back = facts.live(other)
    client.post(reverse("forget_many", args=[bond.pk]), {"memory": own(bond).pk, "sure": "1"})

    assert (changed, confirmed is None, past, back) == ([facts.LEEDS], False, [], [facts.LEEDS])
    assert facts.live(bond) == facts.live(other) == []


def test_a_change_in_talk_offers_to_tell_the_others(client, bond, other):
    node = facts.save(bond).node
    sharing.share(node=node, now=NOW)
    write = acts.end(bond=bond, node=node, writer=facts.writer())
    asked = client.get(reverse("fact_changes", args=[bond.pk])).content.decode()

    told = press(client, "tell_others", bond, write.pk)

    assert (asked.count(TELL), told.count(TELL)) == (1, 0)
    assert "Your other companions know it now." in told
    assert facts.live(other) == []


def test_charlie_shares_and_tells_nothing_of_mara(client, bond, other):
    node = facts.save(bond).node
    sharing.share(node=node, now=NOW)
    write = acts.end(bond=bond, node=node, writer=facts.writer())
    charlie = BondFactory(user__username="charlie")
    client.force_login(charlie.user)

    for place in (bond, charlie):
        for name, pk in (("share_fact", own(other).pk), ("tell_others", write.pk)):
            assert client.post(reverse(name, args=[place.pk, pk])).status_code == 404

    assert (facts.live(other), facts.live(charlie)) == ([facts.NUTS], [])
