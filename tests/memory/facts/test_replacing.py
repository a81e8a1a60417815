from datetime import date, timedelta

import pytest

from memory.facts import acts
from memory.models import ConceptNode, FactWrite, NodeLink
from tests.support.factories import (
    NOW,
    BondFactory,
    EntityFactory,
    FactFactory,
    FillingFactory,
    MessageFactory,
    SessionFactory,
)
from tests.support.facts import LEEDS, YORK, draft, fresh, guess, home, job, live, refused, save, writer

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=3)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def replace(old, content=YORK, by=None, **more):
    return acts.replace(bond=old.bond, old=old, draft=draft(content, **more), writer=by or writer(now=LATER))


def test_the_new_fact_takes_facet_slot_lines_evidence_and_entities_of_the_old(bond):
    lines = MessageFactory.create_batch(2, session=SessionFactory(bond=bond))
    old = FactFactory(
        bond=bond,
        description="Mia lives in Leeds.",
        slot="home",
        value="Leeds",
        mention_count=3,
        sources=lines[:1],
        source_deleted=True,
    )
    event = FillingFactory(parent=old, child__bond=bond).child
    mia = EntityFactory(bond=bond, canonical_name="Mia", nodes=[old])

    write = replace(old, "Mia lives in York.", by=writer(now=LATER, messages=lines[1:]))

    node = fresh(write.node)
    assert (node.facet, node.slot, node.value, node.mention_count) == ("about_you", "home", "York", 3)
    assert node.source_deleted
    assert list(node.source_messages.order_by("id")) == lines
    assert (list(node.filling.all()), list(node.entities.all())) == ([event], [mia])
    assert (write.op, write.old) == ("changed", [old.pk])


def test_links_move_with_the_replaced_end(bond):
    old, cat, dog = (FactFactory(bond=bond, description=said) for said in (LEEDS, "A cat.", "A dog."))
    for a, b in ((old, cat), (dog, old)):
        acts.link(bond=bond, a=a, b=b, relation="goes with", writer=writer())

    node = replace(old).node

    assert list(NodeLink.objects.order_by("id").values_list("a", "b")) == [(node.pk, cat.pk), (dog.pk, node.pk)]


@pytest.mark.parametrize(
    ("was", "value", "content", "then"),
    [
        (LEEDS, "Leeds", YORK, "York"),
        (LEEDS, "Leeds", "The user still lives in Leeds, by the river.", "Leeds"),
        ("The user's partner is Sam.", "Sam", "The user's partner is Ann.", "Ann"),
        ("用户住在上海。", "上海", "用户住在苏州。", "苏州"),
        (LEEDS, "Leeds", "The user lives in York, no longer in Leeds.", "York"),
        (LEEDS, "Leeds", "Mara lives in York; the office is still in Leeds.", "York"),
        ("用户住在上海。", "上海", "用户住在苏州，不在上海了。", "苏州"),
    ],
)
def test_the_slot_gets_its_new_value_from_the_text(was, value, content, then, bond):
    old = FactFactory(bond=bond, description=was, slot="home", value=value)

    node = replace(old, content).node

    assert (node.slot, node.value) == ("home", then)


def test_days_and_detail_stay_with_the_value_they_belong_to(bond):
    told = {"value": "Leeds", "description": LEEDS, "event_time_start": date(2019, 1, 1), "detail": "By the river."}
    first, second = (FactFactory(bond=bond, slot=slot, **told) for slot in ("home", "work"))

    moved, same = replace(first, YORK).node, replace(second, "The user lives in Leeds now.").node

    assert (moved.event_time_start, moved.detail) == (None, "")
    assert (same.event_time_start, same.detail) == (date(2019, 1, 1), "By the river.")
    assert replace(same, LEEDS, detail="By the wall.").node.detail == "By the wall."


@pytest.mark.parametrize("state", ["superseded", "uncertain"])
def test_only_a_live_fact_is_replaced(state, bond):
    assert refused(lambda: replace(FactFactory(bond=bond, state=state))) == "changed"


def test_a_forgotten_fact_and_one_of_a_stranger_are_not_replaced(bond):
    gone = FactFactory(bond=bond, deleted_at=NOW)
    foreign = FactFactory()

    assert refused(lambda: replace(gone)) == "changed"
    assert refused(lambda: acts.replace(bond=bond, old=foreign, draft=draft(YORK), writer=writer())) == "changed"
    assert live(foreign.bond) == [foreign.description]


def test_the_same_again_is_no_change(bond):
    old = save(bond).node

    assert refused(lambda: replace(old, old.description)) == "invalid"
    assert FactWrite.objects.count() == 1


@pytest.mark.parametrize("by", [job(), guess()])
def test_jobs_and_guesses_leave_what_was_stated(by, bond):
    old = FactFactory(bond=bond)

    assert refused(lambda: replace(old, by=by)) == "not_asked"
    assert refused(lambda: acts.end(bond=bond, node=old, writer=by)) == "not_asked"
    assert refused(lambda: acts.forget(bond=bond, node=old, writer=by)) == "not_asked"
    assert live(bond) == [old.description]


def test_another_fact_in_the_new_slot_gives_way_too(bond):
    standing = FactFactory(bond=bond, description=LEEDS, slot="home", value="Leeds")
    old = FactFactory(bond=bond, description="The user has moved.")

    write = acts.replace(bond=bond, old=old, draft=home(YORK, "York"), writer=writer(now=LATER))

    assert (write.old, live(bond)) == ([old.pk, standing.pk], [YORK])
    assert fresh(standing).superseded_by == write.node


def test_a_reshaped_fact_may_change_its_facet(bond):
    old = FactFactory(bond=bond, tier="extracted", confidence=0.7, description="The user likes short answers.")

    node = replace(old, "Keep answers short.", facet="how_to_talk", by=job(now=LATER), confidence=0.7).node

    assert (node.facet, node.confidence, node.tier) == ("how_to_talk", 0.7, "extracted")


def test_history_of_a_slot_is_a_chain(bond):
    for content, value in ((LEEDS, "Leeds"), (YORK, "York"), ("The user lives in Bath.", "Bath")):
        acts.save(bond=bond, draft=home(content, value), writer=writer())

    first, second, third = ConceptNode.objects.order_by("id")
    assert (first.superseded_by, second.superseded_by, third.superseded_by) == (second, third, None)
