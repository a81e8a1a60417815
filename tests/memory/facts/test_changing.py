from datetime import timedelta

import pytest

from echovessel.models import BondEvent
from memory.facts import acts, undoing
from memory.messages import tombstones
from memory.models import ConceptNode, Forgotten, NodeLink, Session, Tombstone
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    FactFactory,
    FillingFactory,
    MessageFactory,
    SessionFactory,
)
from tests.support.facts import LEEDS, NUTS, YORK, fresh, guess, job, live, refused, save, writer

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=3)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_an_ended_fact_is_history_without_a_successor(bond):
    node = FactFactory(bond=bond)
    thought = FillingFactory(parent__bond=bond, child=node).parent

    write = acts.end(bond=bond, node=node, writer=writer(now=LATER))

    node.refresh_from_db()
    assert (write.op, write.node, write.old) == ("ended", node, [])
    assert (node.state, node.state_reason, node.superseded_by, node.valid_until) == (
        "superseded",
        "ended",
        None,
        LATER,
    )
    assert fresh(thought).stale is True
    assert BondEvent.objects.filter(type="memory.fact.written", refs={"write": write.pk}).exists()


def test_a_fact_that_never_was_is_wrong(bond):
    node = FactFactory(bond=bond)

    acts.end(bond=bond, node=node, reason="wrong", writer=writer())

    assert fresh(node).state_reason == "wrong"
    assert refused(lambda: acts.end(bond=bond, node=node, writer=writer())) == "changed"
    assert refused(lambda: acts.end(bond=bond, node=FactFactory(bond=bond), reason="x", writer=writer())) == "invalid"


@pytest.mark.parametrize(
    ("tier", "confidence", "by", "then"),
    [
        ("stated", 1.0, writer(now=LATER), ("stated", 1.0)),
        ("extracted", 0.7, writer(now=LATER), ("extracted", 0.75)),
        ("extracted", 0.97, writer(now=LATER), ("extracted", 1.0)),
        ("inferred", 0.5, writer(now=LATER), ("inferred", 0.5)),
        ("extracted", 0.7, writer(by="person", now=LATER), ("stated", 1.0)),
        ("inferred", 0.5, writer(by="person", now=LATER), ("stated", 1.0)),
        ("stated", 1.0, job(now=LATER), ("stated", 1.0)),
    ],
)
def test_a_confirmed_fact_is_surer(tier, confidence, by, then, bond):
    node = FactFactory(bond=bond, tier=tier, confidence=confidence)

    write = acts.confirm(bond=bond, node=node, writer=by)

    node.refresh_from_db()
    assert (write.op, node.tier, node.confidence) == ("confirmed", *then)
    assert (node.mention_count, node.last_confirmed_at) == (2, LATER)


def test_a_link_joins_two_live_facts_once(bond):
    a, b = FactFactory(bond=bond), FactFactory(bond=bond, description=LEEDS)

    write = acts.link(bond=bond, a=a, b=b, relation=" goes\nwith ", writer=writer())

    link = NodeLink.objects.get()
    assert (link.a, link.b, link.relation, write.node, write.old) == (a, b, "goes with", a, [b.pk])
    assert refused(lambda: acts.link(bond=bond, a=a, b=b, relation="goes with", writer=writer())) == "invalid"


@pytest.mark.parametrize(("relation", "is_fine"), [("", False), ("x", True), ("x" * 40, True), ("x" * 41, False)])
def test_a_relation_has_one_to_forty_characters(relation, is_fine, bond):
    a, b = FactFactory(bond=bond), FactFactory(bond=bond, description=LEEDS)

    def link():
        return acts.link(bond=bond, a=a, b=b, relation=relation, writer=writer())

    assert link().op == "linked" if is_fine else refused(link) == "invalid"


def test_nothing_is_linked_with_itself_or_with_what_is_not_there(bond):
    a = FactFactory(bond=bond)
    for b, code in (
        (a, "invalid"),
        (FactFactory(bond=bond, state="superseded"), "changed"),
        (FactFactory(), "changed"),
        (ConceptNodeFactory(bond=bond), "changed"),
    ):
        assert refused(lambda b=b: acts.link(bond=bond, a=a, b=b, relation="with", writer=writer())) == code


def test_facts_and_events_that_tell_the_same_are_forgotten_together(bond):
    line, other = MessageFactory.create_batch(2, session=SessionFactory(bond=bond))
    node = FactFactory(bond=bond, sources=[line])
    same = ConceptNodeFactory(bond=bond, description="The user told that they cannot eat nuts.", sources=[line])
    older = FactFactory(bond=bond, description="The user cannot eat peanuts.", sources=[line], state="superseded")
    unlike = ConceptNodeFactory(bond=bond, description="A wedding by the sea was lovely.", sources=[line])
    elsewhere = ConceptNodeFactory(bond=bond, description=NUTS, sources=[line, other])
    foreign = ConceptNodeFactory(description=NUTS)

    write = acts.forget(bond=bond, node=node, writer=writer(now=LATER))

    assert (write.op, write.node, write.old) == ("forgotten", node, [same.pk, older.pk])
    left = ConceptNode.objects.not_deleted().order_by("id")
    assert list(left) == [unlike, elsewhere, foreign]
    act = Forgotten.objects.get()
    assert (act.kind, act.object_id, act.node_ids) == ("fact", node.pk, [node.pk, same.pk, older.pk])


def test_thoughts_that_rest_on_nothing_else_are_forgotten_along(bond):
    line = MessageFactory(session=SessionFactory(bond=bond))
    node = FactFactory(bond=bond, sources=[line])
    same = ConceptNodeFactory(bond=bond, description=NUTS, sources=[line])
    elsewhere = ConceptNodeFactory(bond=bond, description="A wedding by the sea was lovely.")
    alone = ConceptNodeFactory(bond=bond, type="thought", description=f"It weighs on them: {NUTS}")
    more = ConceptNodeFactory(bond=bond, type="thought", description="They are careful.")
    for thought, child in ((alone, same), (more, same), (more, elsewhere)):
        FillingFactory(parent=thought, child=child)

    write = acts.forget(bond=bond, node=node, writer=writer())

    assert write.old == [same.pk, alone.pk]
    undoing.undo(write=write, now=LATER)
    assert fresh(alone).deleted_at is None


def test_what_rests_on_an_event_that_a_wish_means_is_forgotten_along(bond):
    line = MessageFactory(session=SessionFactory(bond=bond), content="I had a miscarriage.")
    event = ConceptNodeFactory(bond=bond, description="The user had a miscarriage.", sources=[line])
    elsewhere = ConceptNodeFactory(bond=bond, description="A wedding by the sea was lovely.")
    thought, other = (
        ConceptNodeFactory(bond=bond, type="thought", description=said)
        for said in ("They still think of the child they lost.", "They like the sea.")
    )
    for parent, child in ((thought, event), (thought, elsewhere), (other, elsewhere)):
        FillingFactory(parent=parent, child=child)

    draft = acts.FactDraft(content="The user had a miscarriage.", facet="about_you")
    write = acts.forget_said(bond=bond, draft=draft, lines=[line], told=[event], writer=writer())

    assert (write.old, fresh(other).deleted_at) == ([event.pk, thought.pk], None)
    undoing.undo(write=write, now=LATER)
    assert (fresh(event).deleted_at, fresh(thought).deleted_at) == (None, None)


def test_what_was_promised_of_a_forgotten_fact_goes_with_it(bond):
    session = SessionFactory(bond=bond)
    line = MessageFactory(session=session, content="Remember that the Christmas bikes are in the loft.")
    reply = MessageFactory(session=session, role="persona", content="I'll remember.", turn_id=line.turn_id)
    node = FactFactory(bond=bond, description="The Christmas bikes are in the loft.", sources=[line])
    promise, other = (
        ConceptNodeFactory(bond=bond, type="intention", description=said, sources=[reply])
        for said in ("I'll remember that the Christmas bikes are in the loft.", "I'll ask how the exam went.")
    )

    write = acts.forget(bond=bond, node=node, writer=writer())

    assert (write.old, fresh(other).deleted_at) == ([promise.pk], None)


def test_what_a_forgotten_fact_has_replaced_is_forgotten_along_with_its_event(bond):
    line = MessageFactory(session=SessionFactory(bond=bond))
    pub = save(bond, "The user's book club meets at the pub on Tuesdays.", by=writer(messages=[line])).node
    event = ConceptNodeFactory(
        bond=bond, description="The user's book club meets at the pub on Tuesdays.", sources=[line]
    )
    other = save(bond, "The user lives in Leeds.").node
    club = acts.replace(
        bond=bond, old=pub, draft=acts.FactDraft(content="It is the library now for the club."), writer=writer()
    ).node

    write = acts.forget(bond=bond, node=club, writer=writer())

    assert {*write.old} == {pub.pk, event.pk}
    assert fresh(other).deleted_at is None
    undoing.undo(write=write, now=LATER)
    assert [fresh(one).deleted_at for one in (pub, event, club)] == [None, None, None]
    assert (fresh(pub).state, fresh(club).state) == ("superseded", "live")


@pytest.mark.parametrize(
    ("terms", "others", "is_same"),
    [(["a", "b", "c", "d"], ["a", "b", "x"], True), (["a", "b", "c"], ["a", "x"], False), ([], ["a"], False)],
)
def test_half_of_the_terms_is_the_same(terms, others, is_same, bond):
    line = MessageFactory(session__bond=bond)
    node = FactFactory(bond=bond, sources=[line], terms=terms)
    FactFactory(bond=bond, sources=[line], terms=others, description=LEEDS)

    assert len(acts.forget(bond=bond, node=node, writer=writer()).old) == is_same


def test_a_fact_without_lines_is_forgotten_alone(bond):
    node = FactFactory(bond=bond)
    FactFactory(bond=bond, description="The user cannot eat any nuts.")

    assert acts.forget(bond=bond, node=node, writer=writer()).old == []


def test_the_line_that_asked_teaches_nothing_of_it(bond):
    told, asked = MessageFactory.create_batch(2, session=SessionFactory(bond=bond))
    node = FactFactory(bond=bond, sources=[told])

    acts.forget(bond=bond, node=node, writer=writer(messages=[asked]))

    assert Tombstone.objects.get().lines == [told.pk, asked.pk]
    assert tombstones.are_forgotten(bond=bond, told=[("The user asked to forget nuts.", [asked.pk])]) == [True]
    later = MessageFactory(session=asked.session)
    assert tombstones.are_forgotten(bond=bond, told=[(NUTS, [later.pk])]) == [False]


def test_a_superseded_fact_is_not_forgotten_in_a_talk_and_an_uncertain_one_is(bond):
    gone, unsure = (FactFactory(bond=bond, state=state, description=state) for state in ("superseded", "uncertain"))

    assert refused(lambda: acts.forget(bond=bond, node=gone, writer=writer())) == "changed"
    assert acts.forget(bond=bond, node=unsure, writer=writer()).op == "forgotten"
    assert refused(lambda: acts.forget(bond=bond, node=unsure, writer=writer())) == "changed"


def test_a_stranger_forgets_nothing(bond):
    node = FactFactory()

    assert refused(lambda: acts.forget(bond=bond, node=node, writer=writer())) == "changed"
    assert live(node.bond) == [NUTS]


def test_only_prompts_that_hold_the_forgotten_fact_are_made_anew(bond):
    node, other = FactFactory(bond=bond), FactFactory(bond=bond, description=LEEDS)
    loaded = {"loaded_text": NUTS, "loaded_hash": "x", "loaded_left": 3, "loaded_name": "Mara", "loaded_at": NOW}
    holding = SessionFactory(bond=bond, status="closed", loaded_ids=[other.pk, node.pk], **loaded)
    without = SessionFactory(bond=bond, loaded_ids=[other.pk], **loaded)

    acts.replace(bond=bond, old=other, draft=acts.FactDraft(content=YORK), writer=writer())
    assert Session.objects.filter(loaded_text=NUTS).count() == 2
    acts.forget(bond=bond, node=node, writer=writer())

    holding.refresh_from_db()
    assert (holding.loaded_text, holding.loaded_ids, holding.loaded_at, holding.loaded_name) == ("", [], None, "")
    without.refresh_from_db()
    assert (without.loaded_text, without.loaded_ids) == (NUTS, [other.pk])


def test_merged_facts_stand_as_one(bond):
    lines = MessageFactory.create_batch(3, session=SessionFactory(bond=bond))
    rows = [
        FactFactory(
            bond=bond,
            tier="extracted",
            confidence=confidence,
            mention_count=at + 1,
            description=f"Wording {at}.",
            source_deleted=at == 2,
            sources=[lines[at]],
        )
        for at, confidence in enumerate((0.6, 0.9, 0.7))
    ]
    far = FactFactory(bond=bond, description=LEEDS)
    for one in rows:
        acts.link(bond=bond, a=one, b=far, relation="near", writer=writer())

    write = acts.merge(bond=bond, survivor=rows[0], retired=rows, writer=job(by="sweep", now=LATER))

    node = fresh(rows[0])
    assert (write.op, write.old) == ("merged", [rows[1].pk, rows[2].pk])
    assert (node.confidence, node.mention_count, node.source_deleted) == (0.9, 6, True)
    assert list(node.source_messages.order_by("id")) == lines
    assert live(bond) == ["Wording 0.", LEEDS]
    assert fresh(rows[1]).state_reason == "merged"
    assert list(NodeLink.objects.values_list("a", "b")) == [(node.pk, far.pk)]


def test_a_sweep_retires_nothing_stated(bond):
    survivor, stated = FactFactory(bond=bond, tier="extracted", confidence=0.7), FactFactory(bond=bond)

    merge = {"bond": bond, "survivor": survivor, "retired": [stated]}
    assert refused(lambda: acts.merge(**merge, writer=job(by="sweep"))) == "not_asked"
    assert refused(lambda: acts.merge(**merge, writer=guess())) == "not_asked"
