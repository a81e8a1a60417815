from datetime import timedelta

import pytest

from memory.facts import acts, by_hand, undoing
from memory.forgetting import purging, removal, sessions, trash
from memory.models import ConceptNode, Doubt, FactWrite, Forgotten, NodeLink, Proposal, Session
from memory.nodes import evidence
from tests.support.dumping import tables_with
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    FactFactory,
    FillingFactory,
    MessageFactory,
    SessionFactory,
)
from tests.support.facts import draft, fresh, save, writer
from tests.support.fakes import FakeLLM
from tests.support.rest import api
from tests.support.talking import say

pytestmark = pytest.mark.django_db
SECRET = "xylophone"
LATER = NOW + timedelta(days=31)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_a_fact_stands_on_its_lines_when_its_event_goes(bond):
    event = ConceptNodeFactory(bond=bond)
    fact = FillingFactory(parent=FactFactory(bond=bond), child=event).parent
    thought = FillingFactory(parent=ConceptNodeFactory(bond=bond, type="thought"), child=event).parent
    on_fact = FillingFactory(parent=ConceptNodeFactory(bond=bond, type="thought"), child=fact).parent

    assert evidence.find_citing_depths(event) == {thought.pk: 1}
    assert removal.forget_node(node=event, dependents=removal.CASCADE, now=NOW) == [event.pk, thought.pk]
    assert list(ConceptNode.objects.not_deleted().order_by("id")) == [fact, on_fact]


def test_a_fact_that_was_drawn_from_an_event_goes_with_it(bond):
    told = [MessageFactory(session=SessionFactory(bond=bond))]
    event, other = (
        ConceptNodeFactory(bond=bond, description=text, sources=told)
        for text in ("The user works as a nurse.", "The user went to the sea.")
    )
    fact = FactFactory(bond=bond, description="The user is a nurse.", tier="extracted", evidence=[event])

    by_hand.forget(bond=bond, node=fact, now=NOW)

    assert (fresh(event).deleted_at, fresh(other).deleted_at) == (NOW, None)


def test_a_fact_is_never_stale(bond):
    event = ConceptNodeFactory(bond=bond)
    fact = FillingFactory(parent=FactFactory(bond=bond), child=event).parent
    newer = ConceptNodeFactory(bond=bond)

    event.supersede(by=newer, now=NOW)
    removal.forget_node(node=newer, now=NOW)

    assert fresh(fact).stale is False


def test_a_thought_about_an_ended_fact_is_stale_until_it_holds_again(bond):
    fact = save(bond).node
    thought = FillingFactory(parent=ConceptNodeFactory(bond=bond, type="thought"), child=fact).parent

    write = acts.end(bond=bond, node=fact, writer=writer())
    assert fresh(thought).stale is True
    undoing.undo(write=write, now=NOW)
    assert fresh(thought).stale is False


@pytest.mark.parametrize("is_forgotten_alone", [True, False])
def test_a_fact_is_not_restored_into_a_slot_that_another_has_taken(bond, is_forgotten_alone):
    line = MessageFactory(session=SessionFactory(bond=bond, status="closed"))
    gone = FactFactory(bond=bond, slot="home", value="Leeds", sources=[line])
    if is_forgotten_alone:
        removal.forget_node(node=gone, now=NOW)
    else:
        sessions.forget(session=line.session, has_memories_go=True, now=NOW)
    taken = FactFactory(bond=bond, slot="home", value="York")

    with pytest.raises(trash.TrashError, match="Another fact stands in its place now"):
        trash.restore_node(node=fresh(gone), now=NOW)

    assert list(ConceptNode.objects.not_deleted()) == [taken]


def test_a_forgotten_session_takes_the_facts_that_were_only_told_in_it(bond):
    session = SessionFactory(bond=bond, status="closed")
    line = MessageFactory(session=session)
    own = FactFactory(bond=bond, sources=[line])
    also_elsewhere = FactFactory(
        bond=bond, description="A cat.", sources=[line, MessageFactory(session=SessionFactory(bond=bond))]
    )
    citing = FillingFactory(parent=FactFactory(bond=bond, description="A dog."), child=own).parent

    assert [node.pk for node in sessions.preview_forgetting(session).memories] == [own.pk]
    sessions.forget(session=session, has_memories_go=True, now=NOW)

    assert list(ConceptNode.objects.not_deleted().order_by("id")) == [also_elsewhere, citing]


def test_a_forgotten_fact_is_out_of_the_next_prompt_the_snapshot_and_the_search(bond):
    node = save(bond, f"The user plays the {SECRET}.").node
    llm, found = FakeLLM("Yes.", "Yes."), []
    for at in range(2):
        say(bond, "Good evening.", now=NOW + timedelta(minutes=at), llm=llm)
        [session] = Session.objects.for_bond(bond)
        at_once = api(bond.user).get(f"/api/bonds/{bond.pk}/sessions/{session.pk}/loaded/").json()["text"] or ""
        hits = api(bond.user).get(f"/api/bonds/{bond.pk}/memory/search/", {"q": SECRET}).json()["results"]
        found.append((SECRET in llm.calls[at].text, SECRET in at_once, len(hits)))
        if at == 0:
            acts.forget(bond=bond, node=node, writer=writer())

    assert found == [(True, True, 1), (False, False, 0)]


def test_of_a_purged_fact_no_byte_is_left(bond):
    line = MessageFactory(session__bond=bond, content="I like music")
    node = save(bond, f"The user plays the {SECRET}.", detail=f"A {SECRET} of wood.", by=writer(messages=[line])).node
    other = save(bond, "The user has a cat.").node
    acts.link(bond=bond, a=node, b=other, relation=f"{SECRET} cat", writer=writer())
    Doubt.objects.create(
        bond=bond, kind="contradiction", a_node=node, b_node=other, severity=1, opened_by="extraction", opened_at=NOW
    )
    Proposal.objects.create(bond=bond, node=node, content=f"Plays the {SECRET}.", source_quote="", created_at=NOW)
    SessionFactory(bond=bond, channel="api", loaded_text=f"- plays the {SECRET}", loaded_ids=[node.pk])
    changed = acts.replace(bond=bond, old=node, draft=draft(f"The user sold the {SECRET}."), writer=writer()).node

    for one in ConceptNode.objects.filter(description__contains=SECRET):
        removal.forget_node(node=one, now=NOW)
    purging.purge(now=LATER)

    assert tables_with(SECRET) == []
    assert not ConceptNode.objects.filter(pk__in=[node.pk, changed.pk]).exists()
    assert (NodeLink.objects.count(), Doubt.objects.count()) == (0, 0)
    assert list(FactWrite.objects.values_list("node", "op")) == [(other.pk, "saved")]


def test_a_proposal_of_a_forgotten_fact_goes(bond):
    node = FactFactory(bond=bond, state="uncertain")
    Proposal.objects.create(bond=bond, node=node, content="Likes tea.", source_quote="", created_at=NOW)

    removal.forget_node(node=node, now=NOW)

    assert not Proposal.objects.exists()


def test_a_doubt_opened_anew_meanwhile_stays_the_open_one(bond):
    node = FactFactory(bond=bond)
    told = {"bond": bond, "kind": "stale", "severity": 0.4, "opened_by": "extraction", "opened_at": NOW}
    Doubt.objects.create(**told, a_node=node)
    removal.forget_node(node=node, now=NOW)
    Doubt.objects.create(**told, a_node=node)

    trash.restore(act=Forgotten.objects.get(), now=NOW)

    assert sorted(Doubt.objects.values_list("state", flat=True)) == ["open", "settled"]
