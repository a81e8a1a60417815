from datetime import timedelta
from uuid import uuid4

import pytest

from chat.broadcast import frames
from echovessel.models import BondEvent
from memory.facts import acts, undoing
from memory.models import ConceptNode, FactWrite
from memory.serializers.facts import serialize_writes
from memory.serializers.nodes import NodeSerializer
from tests.support.factories import NOW, BondFactory, FactFactory, MessageFactory, SessionFactory
from tests.support.facts import LEEDS, home, save, writer

pytestmark = pytest.mark.django_db
AT = "2026-11-21T20:00:00Z"


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def shown(node):
    return dict(NodeSerializer(ConceptNode.objects.for_serializer().get(pk=node.pk)).data)


def serialized(*writes, now=NOW):
    return serialize_writes(bond_id=writes[0].bond_id, writes=writes, now=now)


def test_a_fact_shows_its_columns_and_whether_a_prompt_holds_it(bond):
    node = FactFactory(
        bond=bond, slot="diet", value="no nuts", detail="A night in hospital.", grave=True, last_confirmed_at=NOW
    )
    names = ("type", "facet", "tier", "slot", "value", "detail", "grave", "last_confirmed_at", "shared", "loaded")
    columns = dict(zip(names, ("fact", "about_you", "stated", "diet", "no nuts"), strict=False))
    columns |= {"detail": "A night in hospital.", "grave": True, "last_confirmed_at": AT, "shared": False}

    assert {name: shown(node)[name] for name in names} == columns | {"loaded": False}

    SessionFactory(bond=bond, status="closed", loaded_ids=[node.pk])
    assert shown(node)["loaded"] is False
    SessionFactory(bond=bond, status="open", loaded_ids=[node.pk])
    assert shown(node)["loaded"] is True
    assert shown(FactFactory(bond=bond, description=LEEDS)) | {"slot": None, "loaded": False} == shown(
        ConceptNode.objects.get(description=LEEDS)
    )


def test_a_write_shows_what_it_did(bond):
    session = SessionFactory(bond=bond)
    reply = MessageFactory(session=session, role="persona")
    turn = uuid4()
    old = acts.save(bond=bond, draft=home(), writer=writer()).node
    by = writer(session=session, turn_id=turn, offset=7, by="rule")
    write = acts.save(bond=bond, draft=home("The user lives in York.", "York"), writer=by)
    FactWrite.objects.filter(pk=write.pk).update(message=reply)

    assert serialized(FactWrite.objects.get(pk=write.pk)) == [
        {
            "id": write.pk,
            "op": "changed",
            "by": "rule",
            "node": shown(write.node),
            "old": [shown(old)],
            "session": session.pk,
            "message": reply.pk,
            "turn": str(turn),
            "offset": 7,
            "at": AT,
            "undone_at": None,
            "undoable": True,
        }
    ]


def test_a_forgotten_text_is_shown_by_no_write_until_the_forgetting_is_undone(bond):
    saved = save(bond)
    forgot = acts.forget(bond=bond, node=saved.node, writer=writer())

    first, second = serialized(saved, forgot)
    assert (first["node"], second["node"]) == (None, None)

    undoing.undo(write=forgot, now=NOW)
    forgot.refresh_from_db()
    first, second = serialized(saved, forgot)
    assert first["node"]["id"] == second["node"]["id"] == saved.node_id
    assert (second["undone_at"], second["undoable"]) == (AT, False)


def test_an_old_write_is_not_undoable(bond):
    assert serialized(save(bond), now=NOW + timedelta(days=30, seconds=1))[0]["undoable"] is False


def test_writes_of_a_page_cost_one_query_for_all_nodes(bond, django_assert_num_queries):
    writes = [save(bond, f"Fact number {at}.") for at in range(3)]

    for some in (writes[:1], writes):
        with django_assert_num_queries(1):
            serialize_writes(bond_id=bond.pk, writes=some, now=NOW)


def test_an_open_page_is_told_of_facts_writes_and_undos(bond):
    write = save(bond)
    undoing.undo(write=write, now=NOW)

    sent = frames.serialize_events(bond=bond, rows=BondEvent.objects.filter(bond_id=bond.pk).order_by("seq"), now=NOW)

    told = {frame["type"]: frame for frame in sent}
    assert list(told) == ["memory.fact.written", "memory.node.forgotten", "memory.fact.undone"]
    assert (told["memory.fact.undone"]["write"]["id"], told["memory.fact.undone"]["write"]["undone_at"]) == (
        write.pk,
        AT,
    )


def test_a_strangers_page_is_told_nothing(bond):
    write = save(bond)
    other = BondFactory()
    row = BondEvent(bond_id=other.pk, seq=1, type="memory.fact.written", refs={"write": write.pk}, created_at=NOW)

    assert frames.serialize_events(bond=other, rows=[row], now=NOW) == []
