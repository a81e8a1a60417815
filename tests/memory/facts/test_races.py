from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection

from echovessel.models import BondEvent
from memory.facts import acts, undoing
from memory.facts.drafts import FactError
from memory.models import ConceptNode, FactWrite
from personas.models import Bond
from tests.memory.test_races import at_once
from tests.support.factories import NOW, BondFactory, FactFactory
from tests.support.facts import LEEDS, YORK, draft, home, live, save, writer

pytestmark = pytest.mark.django_db(transaction=True)
CITIES = [f"City{chr(97 + at)}" for at in range(20)]


def code_of(act):
    try:
        return act().op
    except FactError as error:
        return error.code


def test_twenty_updates_of_one_slot_leave_one_live_fact_with_its_history():
    bond = BondFactory()
    acts.save(bond=bond, draft=home(), writer=writer())

    def move(city):
        told = home(f"The user lives in {city}.", city)
        return lambda: acts.save(bond=bond, draft=told, writer=writer(turn_id=uuid4()), accepts_near=True).op

    assert at_once(*map(move, CITIES)) == ["changed"] * 20
    rows = {node.pk: node for node in ConceptNode.objects.for_bond(bond)}
    [standing] = [node for node in rows.values() if node.state == "live"]
    [first] = [node for node in rows.values() if node.value == "Leeds"]
    chain = [first]
    while chain[-1].superseded_by_id:
        chain.append(rows[chain[-1].superseded_by_id])
    assert (len(chain), chain[-1]) == (21, standing)


def test_one_of_many_that_change_the_same_fact_does():
    node = FactFactory(description=LEEDS)

    def change(at):
        act = {"bond": node.bond, "old": node, "draft": draft(f"Text {at}."), "writer": writer()}
        return lambda: code_of(lambda: acts.replace(**act))

    assert sorted(at_once(*map(change, range(6)))) == ["changed"] * 6
    assert (ConceptNode.objects.live_facts().count(), FactWrite.objects.count()) == (1, 1)


def test_the_same_text_told_at_once_is_one_row():
    bond = BondFactory()

    at_once(*[lambda: save(bond)] * 6)

    assert ConceptNode.objects.get().mention_count == 6


def test_an_undo_pressed_many_times_happens_once():
    write = save(BondFactory())

    at_once(*[lambda: undoing.undo(write=FactWrite.objects.get(pk=write.pk), now=NOW + timedelta(hours=1))] * 5)

    assert not ConceptNode.objects.not_deleted().exists()
    assert write.bond.forgotten.count() == 1
    assert BondEvent.objects.filter(type="memory.fact.undone").count() == 1


class Killed(DatabaseError):
    """The process ends before a statement."""


def kill_before(number):
    seen = 0

    def execute(run, sql, params, many, context):
        nonlocal seen
        # Once it is committed, readers are woken.
        seen += connection.in_atomic_block
        if seen == number:
            raise Killed
        return run(sql, params, many, context)

    return execute


def snapshot():
    nodes = list(ConceptNode.objects.order_by("id").values_list("description", "state", "deleted_at", "mention_count"))
    return nodes, FactWrite.objects.filter(undone_at=None).count()


@pytest.mark.parametrize("name", ["save", "change", "end", "forget", "undo"])
def test_a_writer_killed_between_two_statements_leaves_all_or_nothing(name):
    bond = BondFactory()
    write = acts.save(bond=bond, draft=home(), writer=writer())
    bond = Bond.objects.select_related("user", "persona").get()
    node = write.node
    doing = {
        "save": lambda: save(bond, "The user likes tea."),
        "change": lambda: acts.save(bond=bond, draft=home(YORK, "York"), writer=writer()),
        "end": lambda: acts.end(bond=bond, node=node, writer=writer()),
        "forget": lambda: acts.forget(bond=bond, node=node, writer=writer()),
        "undo": lambda: undoing.undo(write=FactWrite.objects.get(pk=write.pk), now=NOW),
    }[name]
    before, number = snapshot(), 0

    while True:
        number += 1
        try:
            with connection.execute_wrapper(kill_before(number)):
                doing()
        except Killed:
            assert snapshot() == before
            continue
        break

    assert snapshot() != before
    assert number > 5
    assert len(live(bond)) <= 2
