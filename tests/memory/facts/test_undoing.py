from datetime import timedelta

import pytest

from echovessel.models import BondEvent
from memory.doubts import settling
from memory.facts import acts, undoing
from memory.forgetting import removal, trash
from memory.forgetting.trash import TrashError
from memory.messages import tombstones
from memory.models import ConceptNode, Doubt, FactWrite, NodeLink, Tombstone
from memory.nodes import corrections
from memory.nodes.corrections import CorrectionError
from tests.support.doubts import contradiction
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FactFactory, MessageFactory, SessionFactory
from tests.support.facts import LEEDS, NUTS, YORK, draft, fresh, home, job, live, refused, save, writer

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=2)
BATH = "The user lives in Bath."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def undo(write, now=LATER):
    return undoing.undo(write=write, now=now)


def lives_in(bond, content, value, **more):
    return acts.save(bond=bond, draft=home(content, value), writer=writer(**more))


def test_what_was_saved_is_forgotten_and_only_its_text_stays_away(bond):
    message = MessageFactory(session__bond=bond)
    write = save(bond, by=writer(messages=[message]))

    undo(write)

    assert (live(bond), write.undone_at) == ([], LATER)
    assert Tombstone.objects.get().lines == []
    told = [(NUTS, [message.pk]), ("The user is glad.", [message.pk])]
    assert tombstones.are_forgotten(bond=bond, told=told) == [True, False]
    assert BondEvent.objects.filter(type="memory.fact.undone", refs={"write": write.pk}).count() == 1


def test_an_undo_happens_once(bond):
    write = save(bond)

    undo(write)
    again = undo(FactWrite.objects.get(), LATER + timedelta(days=90))

    assert (again.undone_at, Tombstone.objects.count()) == (LATER, 1)
    assert not undoing.is_offered(again, now=LATER)


def test_what_was_changed_stands_again_and_the_new_text_stays_away(bond):
    line = MessageFactory(session__bond=bond)
    lives_in(bond, LEEDS, "Leeds")
    write = lives_in(bond, YORK, "York", messages=[line])

    undo(write)

    assert live(bond) == [LEEDS]
    gone = fresh(write.node)
    assert (gone.state, gone.state_reason) == ("superseded", "wrong")
    back = ConceptNode.objects.live_facts().get()
    assert (back.state_reason, back.superseded_by, back.valid_until) == ("", None, None)
    assert tombstones.are_forgotten(bond=bond, told=[(YORK, [line.pk]), (LEEDS, [line.pk])]) == [True, False]


def test_a_change_that_was_changed_again_is_not_undone(bond):
    lives_in(bond, LEEDS, "Leeds")
    second = lives_in(bond, YORK, "York")
    third = lives_in(bond, BATH, "Bath")

    assert refused(lambda: undo(second)) == "changed"
    undo(third)
    undo(second)
    assert live(bond) == [LEEDS]


def test_a_change_that_replaced_two_is_undone_for_both(bond):
    FactFactory(bond=bond, description=LEEDS, slot="home", value="Leeds")
    old = FactFactory(bond=bond, description="The user has moved.")
    write = acts.replace(bond=bond, old=old, draft=home(YORK, "York"), writer=writer())

    undo(write)

    assert live(bond) == [LEEDS, "The user has moved."]


def test_what_was_ended_holds_again(bond):
    node = save(bond).node
    write = acts.end(bond=bond, node=node, writer=writer())

    undo(write)

    assert (live(bond), fresh(node).state_reason, Tombstone.objects.count()) == ([NUTS], "", 0)


def test_a_past_fact_that_was_brought_back_is_past_again(bond):
    first = lives_in(bond, LEEDS, "Leeds").node
    second = lives_in(bond, YORK, "York").node
    write = acts.restore(bond=bond, node=first, writer=writer(by="person"))
    assert (write.op, write.old, live(bond)) == ("changed", [second.pk], [LEEDS])

    undo(write)

    assert (live(bond), fresh(first).superseded_by, Tombstone.objects.count()) == ([YORK], second, 0)


def test_an_ended_fact_that_was_brought_back_is_ended_again(bond):
    node = save(bond).node
    acts.end(bond=bond, node=node, reason="wrong", writer=writer())
    write = acts.restore(bond=bond, node=node, writer=writer(by="person"))
    assert (write.old, live(bond)) == ([], [NUTS])

    undo(write)

    assert (live(bond), fresh(node).state_reason) == ([], "wrong")
    assert refused(lambda: acts.restore(bond=BondFactory(), node=node, writer=writer())) == "changed"


def test_what_was_forgotten_comes_back_with_all_that_went_along(bond):
    told, asked = MessageFactory.create_batch(2, session=SessionFactory(bond=bond))
    node = FactFactory(bond=bond, sources=[told])
    event = ConceptNodeFactory(bond=bond, description="The user cannot eat nuts at all.", sources=[told])
    other = FactFactory(bond=bond, description=LEEDS)
    doubt = Doubt.objects.create(
        bond=bond, kind="contradiction", a_node=node, b_node=other, severity=1, opened_by="extraction", opened_at=NOW
    )
    write = acts.forget(bond=bond, node=node, writer=writer(messages=[asked]))
    doubt.refresh_from_db()
    assert (doubt.state, doubt.outcome) == ("settled", "gone")

    undo(write)

    assert live(bond) == [NUTS, LEEDS]
    assert (fresh(event).deleted_at, Tombstone.objects.count()) == (None, 0)
    doubt.refresh_from_db()
    assert (doubt.state, doubt.outcome, doubt.settled_at) == ("open", "", None)


def test_what_was_confirmed_is_as_it_was(bond):
    node = FactFactory(bond=bond, tier="extracted", confidence=0.7)
    first = acts.confirm(bond=bond, node=node, writer=writer())
    second = acts.confirm(bond=bond, node=node, writer=writer(by="person", now=LATER))

    assert refused(lambda: undo(first)) == "changed"
    undo(second)
    node.refresh_from_db()
    assert (node.tier, node.confidence, node.mention_count, node.last_confirmed_at) == ("extracted", 0.75, 2, NOW)
    undo(first)
    node.refresh_from_db()
    assert (node.tier, node.confidence, node.mention_count, node.last_confirmed_at) == ("extracted", 0.7, 1, None)


def test_a_link_is_deleted(bond):
    a, b = FactFactory(bond=bond), FactFactory(bond=bond, description=LEEDS)
    write = acts.link(bond=bond, a=a, b=b, relation="with", writer=writer())
    again = acts.link(bond=bond, a=b, b=a, relation="with", writer=writer())
    NodeLink.objects.filter(a=b).delete()

    undo(write)

    assert not NodeLink.objects.exists()
    assert refused(lambda: undo(again)) == "changed"


def test_merged_facts_stand_again(bond):
    rows = [FactFactory(bond=bond, tier="extracted", confidence=c, description=f"Wording {c}.") for c in (0.5, 0.6)]
    far = FactFactory(bond=bond, description=LEEDS)
    acts.link(bond=bond, a=rows[1], b=far, relation="near", writer=writer())
    write = acts.merge(bond=bond, survivor=rows[0], retired=rows[1:], writer=job(by="sweep"))

    undo(write)

    assert live(bond) == ["Wording 0.5.", "Wording 0.6.", LEEDS]
    node = fresh(rows[0])
    assert (node.confidence, node.mention_count) == (0.5, 1)
    assert list(NodeLink.objects.values_list("a", "b")) == [(rows[1].pk, far.pk)]


def test_a_merge_whose_retired_fact_was_forgotten_is_not_undone(bond):
    rows = [FactFactory(bond=bond, tier="extracted", description=f"Wording {at}.") for at in (1, 2)]
    write = acts.merge(bond=bond, survivor=rows[0], retired=rows[1:], writer=job(by="sweep"))
    removal.forget_node(node=rows[1], now=NOW)

    assert refused(lambda: undo(write)) == "changed"


def test_a_settled_doubt_is_open_again(bond):
    stated = FactFactory(bond=bond, description=LEEDS, slot="home", value="Leeds", state="superseded")
    other = FactFactory(bond=bond, description=YORK, slot="home", value="York")
    doubt = Doubt.objects.create(
        bond=bond,
        kind="contradiction",
        a_node=other,
        b_node=stated,
        severity=1,
        opened_by="extraction",
        opened_at=NOW,
        state="settled",
        outcome="this",
        settled_at=NOW,
    )
    before = {"doubt": doubt.pk, "states": {str(stated.pk): "live", str(other.pk): "uncertain"}}
    write = FactWrite.objects.create(
        bond=bond, node=other, old=[stated.pk], op="settled", by="tool", before=before, created_at=NOW
    )

    undo(write)

    assert (live(bond), fresh(other).state) == ([LEEDS], "uncertain")
    doubt.refresh_from_db()
    assert (doubt.state, doubt.outcome) == ("open", "")


def play(bond, op):
    """Make a write of this kind; return it with an act that leaves its result no more."""
    leeds, nuts = lives_in(bond, LEEDS, "Leeds").node, save(bond, NUTS).node
    if op == "saved":
        return FactWrite.objects.get(node=nuts), lambda: acts.end(bond=bond, node=nuts, writer=writer())
    if op == "changed":
        made = lives_in(bond, YORK, "York")
        return made, lambda: lives_in(bond, BATH, "Bath")
    if op == "ended":
        made = acts.end(bond=bond, node=leeds, writer=writer())
        return made, lambda: lives_in(bond, YORK, "York")
    if op == "forgotten":
        made = acts.forget(bond=bond, node=leeds, writer=writer())
        return made, lambda: lives_in(bond, YORK, "York")
    if op == "confirmed":
        made = acts.confirm(bond=bond, node=nuts, writer=writer())
        return made, lambda: acts.confirm(bond=bond, node=nuts, writer=writer(now=NOW + timedelta(hours=1)))
    if op == "linked":
        made = acts.link(bond=bond, a=leeds, b=nuts, relation="beside", writer=writer())
        return made, lambda: NodeLink.objects.all().delete()
    if op == "merged":
        made = acts.merge(bond=bond, survivor=leeds, retired=[nuts], writer=writer())
        return made, lambda: acts.end(bond=bond, node=leeds, writer=writer())
    doubt = contradiction(BondFactory())
    made = settling.settle(doubt=doubt, outcome="this", writer=writer())
    return made, lambda: acts.end(bond=doubt.bond, node=doubt.a_node, writer=writer())


@pytest.mark.parametrize("op", FactWrite.Op.values)
def test_each_kind_is_undone_once(bond, op):
    write, _ = play(bond, op)
    assert write.op == op

    undone = undo(write)
    stand = list(ConceptNode.objects.order_by("id").values("state", "deleted_at", "mention_count", "last_confirmed_at"))
    again = undo(FactWrite.objects.get(pk=write.pk), now=LATER + timedelta(hours=1))

    assert (undone.undone_at, again.undone_at) == (LATER, LATER)
    assert stand == list(
        ConceptNode.objects.order_by("id").values("state", "deleted_at", "mention_count", "last_confirmed_at")
    )
    assert BondEvent.objects.filter(type="memory.fact.undone", refs={"write": write.pk}).count() == 1


@pytest.mark.parametrize("op", FactWrite.Op.values)
def test_no_kind_is_undone_once_it_moved_on(bond, op):
    write, move_on = play(bond, op)
    move_on()
    stand = list(ConceptNode.objects.order_by("id").values("state", "deleted_at", "superseded_by"))

    assert refused(lambda: undo(FactWrite.objects.get(pk=write.pk))) == "changed"
    assert stand == list(ConceptNode.objects.order_by("id").values("state", "deleted_at", "superseded_by"))
    assert FactWrite.objects.get(pk=write.pk).undone_at is None


@pytest.mark.parametrize("again", ["forgotten", "ended", "changed"])
def test_what_moved_on_is_not_undone(again, bond):
    write = save(bond, LEEDS)
    acts_by_name = {
        "forgotten": lambda: acts.forget(bond=bond, node=write.node, writer=writer()),
        "ended": lambda: acts.end(bond=bond, node=write.node, writer=writer()),
        "changed": lambda: acts.replace(bond=bond, old=write.node, draft=draft(YORK), writer=writer()),
    }
    acts_by_name[again]()

    assert refused(lambda: undo(FactWrite.objects.get(pk=write.pk))) == "changed"


def test_nothing_stands_up_in_a_taken_slot(bond):
    ended = lives_in(bond, LEEDS, "Leeds").node
    end = acts.end(bond=bond, node=ended, writer=writer())
    forgotten = lives_in(bond, YORK, "York").node
    forgetting = acts.forget(bond=bond, node=forgotten, writer=writer())
    lives_in(bond, BATH, "Bath")

    assert refused(lambda: undo(end)) == "changed"
    assert refused(lambda: undo(forgetting)) == "changed"
    with pytest.raises(CorrectionError) as correction:
        corrections.restore(node=ended, now=LATER)
    with pytest.raises(TrashError) as restoring:
        trash.restore_node(node=fresh(forgotten), now=LATER)
    assert (correction.value.code, restoring.value.code, live(bond)) == ("changed", "changed", [BATH])


def test_a_restored_fact_ends_its_successor_in_the_same_slot(bond):
    old = lives_in(bond, LEEDS, "Leeds").node
    lives_in(bond, YORK, "York")

    corrections.restore(node=fresh(old), now=LATER)

    assert live(bond) == [LEEDS]


@pytest.mark.parametrize(
    ("passed", "is_offered", "is_undoable"),
    [
        (timedelta(hours=24), True, True),
        (timedelta(hours=24, seconds=1), False, True),
        (timedelta(days=30), False, True),
        (timedelta(days=30, seconds=1), False, False),
    ],
)
def test_an_undo_is_offered_for_a_day_and_possible_for_thirty(passed, is_offered, is_undoable, bond):
    write = save(bond)
    now = NOW + passed

    assert undoing.is_offered(write, now=now) == is_offered
    assert undoing.is_undoable(write, now=now) == is_undoable
    if is_undoable:
        assert undo(write, now).undone_at == now
    else:
        assert refused(lambda: undo(write, now)) == "changed"
