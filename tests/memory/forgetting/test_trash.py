import copy
from datetime import timedelta

import pytest
from django_q.models import OrmQ

from echovessel.models import BondEvent
from memory import sessions
from memory.entities import merging
from memory.forgetting import removal, trash
from memory.forgetting.trash import TrashError
from memory.models import ConceptNode, Entity, Forgotten, Message, Session, Tombstone
from memory.models.leased import HOLD
from memory.nodes import corrections
from memory.story import leaving_out
from tests.support import rows, worlds
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    MoodChangeFactory,
    SessionFactory,
)
from tests.support.talks import CAT, event, extraction, remember, talk, thoughts

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)
NIMBUS = {"canonical_name": "Nimbus", "kind": "pet", "aliases": ["Nim"], "in_events": [0]}
MOOD = {"mood": "tender", "energy": 7, "last_user_signal": "warm"}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture(scope="module")
def remembered(django_db_setup, django_db_blocker):
    with worlds.shared(made, database=django_db_blocker) as session:
        yield session


@pytest.fixture
def session(remembered):
    """A talk with a memory, a thought that rests on it, a cat with a description, a mood and a summary."""
    return copy.deepcopy(remembered)


def made():
    bond = BondFactory(user__username="lin")
    found = remember(
        *CAT,
        bond=bond,
        answer=extraction(event(lines=[1, 2, 3]), mentioned_entities=[NIMBUS], session_mood_signal=MOOD),
        reflections=[thoughts({"description": "Nights are theirs.", "emotional_impact": 2, "filling": [0]})],
    )
    told = ConceptNode.objects.events().get()
    ConceptNodeFactory(bond=bond, type="thought", evidence=[told])
    ConceptNodeFactory(bond=bond, type="expectation", evidence=[told, ConceptNodeFactory(bond=bond, stale=True)])
    Entity.objects.update(description="A white cat.", description_by="slow_tick")
    return found


def restored(bond, kind, pk):
    trash.restore(act=trash.find(bond=bond, kind=kind, object_id=pk), now=LATER)


def told(bond, *types):
    return [entry.refs for entry in BondEvent.objects.filter(bond_id=bond.pk, type__in=types).order_by("seq")]


@pytest.mark.parametrize("dependents", ["orphan", "cascade"])
@pytest.mark.parametrize("lines", ["keep", "forget"])
def test_a_restored_event_is_as_before_with_all_that_went_with_it(dependents, lines, session):
    before = rows.of_memory()
    node = ConceptNode.objects.events().get(description__contains="Nimbus")

    removal.forget_node(node=node, dependents=dependents, lines=lines, now=LATER)
    between = rows.of_memory()
    restored(session.bond, "event", node.pk)

    assert rows.of_memory() == before != between
    assert not Forgotten.objects.exists()
    assert not Tombstone.objects.exists()
    assert told(session.bond, "memory.node.restored")[0] == {"node": node.pk}


def test_a_restored_message_is_as_before(session):
    before = rows.of_memory()
    line = Message.objects.order_by("id").first()

    removal.forget_message(message=line, now=LATER)
    between = rows.of_memory()
    restored(session.bond, "message", line.pk)

    assert rows.of_memory() == before != between
    assert told(session.bond, "chat.message.deleted", "chat.message.restored") == [{"message": line.pk}] * 2


def test_a_restored_session_is_as_before(session):
    before = rows.of_memory()

    removal.forget_session(session=session, now=LATER)
    between = rows.of_memory()
    restored(session.bond, "session", session.pk)

    assert rows.of_memory() == before != between
    assert told(session.bond, "chat.session.forgotten", "chat.session.restored") == [{"session": session.pk}] * 2


def test_a_restored_entity_is_as_before_with_what_was_merged_into_it_and_who_was_in_doubt(session):
    bond = session.bond
    cat = Entity.objects.get()
    merging.merge_entities(kept=cat, merged=EntityFactory(bond=bond, canonical_name="Inky"), by="owner", now=NOW)
    doubtful = {"merge_status": "uncertain", "merge_target": cat, "kind": "pet"}
    EntityFactory(bond=bond, canonical_name="Ink", **doubtful)
    EntityFactory(bond=bond, canonical_name="Ninja", confirmed_at=NOW, **doubtful)
    before = rows.of_memory()

    removal.forget_entity(entity=cat, now=LATER)
    between = rows.of_memory()
    restored(bond, "entity", cat.pk)

    assert rows.of_memory() == before != between
    assert told(bond, "memory.entity.restored") == [{"entity": cat.pk}]


def test_an_entity_whose_name_something_else_goes_by_meanwhile_stays_in_the_trash(bond):
    cat = EntityFactory(bond=bond, canonical_name="Nimbus")
    removal.forget_entity(entity=cat, now=NOW)
    EntityFactory(bond=bond, canonical_name="nimbus")
    before = rows.of_memory()

    with pytest.raises(TrashError, match="has the name “Nimbus” now") as refused:
        restored(bond, "entity", cat.pk)

    assert (refused.value.code, rows.of_memory()) == ("name_taken", before)


def test_an_event_comes_back_to_who_goes_by_the_name_now(session):
    node = ConceptNode.objects.events().get(description__contains="Nimbus")
    removal.forget_node(node=node, lines="forget", now=LATER)
    other = EntityFactory(bond=session.bond, canonical_name="Nimbus")
    restored(session.bond, "event", node.pk)

    assert list(Entity.objects.values_list("pk", flat=True)) == [other.pk]
    assert [mention.node_id for mention in other.mentions.all()] == [node.pk]


def test_what_went_with_an_event_is_brought_back_alone(bond):
    known = ConceptNodeFactory(bond=bond)
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[known])
    removal.forget_node(node=known, dependents="cascade", now=NOW)
    trash.restore_node(node=thought, now=LATER)

    thought.refresh_from_db()
    assert (thought.deleted_at, thought.filling_edges.get().orphaned) == (None, True)
    assert [(act.object_id, act.node_ids) for act in Forgotten.objects.all()] == [(known.pk, [known.pk])]
    restored(bond, "event", known.pk)
    assert thought.filling_edges.get().orphaned is False


def test_a_node_that_is_not_in_the_trash_is_not_brought_back(bond):
    with pytest.raises(TrashError, match="not in the trash"):
        trash.restore_node(node=ConceptNodeFactory(bond=bond, deleted_at=NOW), now=NOW)


def test_a_message_of_a_forgotten_session_waits_for_it(bond):
    line = MessageFactory(session=SessionFactory(bond=bond, status="closed"))
    removal.forget_message(message=line, now=NOW)
    removal.forget_session(session=line.session, now=NOW)

    with pytest.raises(TrashError) as refused:
        restored(bond, "message", line.pk)
    restored(bond, "session", line.session_id)

    assert refused.value.code == "conflict"
    visible = Message.objects.for_bond(bond).visible()
    assert not visible.exists()
    restored(bond, "message", line.pk)
    assert visible.get() == line


def test_two_acts_on_one_session_keep_no_text_of_each_other(session):
    first, second, _ = Message.objects.order_by("id")
    removal.forget_message(message=first, now=LATER)
    kept = Forgotten.objects.get().kept
    removal.forget_message(message=second, now=LATER)

    assert kept == {"summaries": {str(session.pk): ["A cat at night.", session.watermark]}}
    assert [act.kept for act in Forgotten.objects.order_by("id")] == [{"summaries": {}}, {}]
    restored(session.bond, "message", first.pk)
    assert [entry.task["func"] for entry in OrmQ.objects.all()].count("memory.tasks.summarise") == 2


def test_no_summary_comes_back_that_tells_what_was_left_out_since(session):
    first, second, _ = Message.objects.order_by("id")
    removal.forget_message(message=first, now=LATER)
    leaving_out.set_left_out(message=second, left_out=True, now=LATER)

    restored(session.bond, "message", first.pk)

    assert Session.objects.get().summary == ""
    assert OrmQ.objects.last().task["func"] == "memory.tasks.summarise"


def test_a_summary_that_was_written_since_stays(session):
    line = Message.objects.order_by("id").first()
    removal.forget_message(message=line, now=LATER)
    Session.objects.update(summary="A cat, and tea.", watermark=session.watermark + 1)
    restored(session.bond, "message", line.pk)

    assert Session.objects.get().summary == "A cat, and tea."


def test_an_open_session_is_closed_when_the_session_went_on_in_another(bond):
    first = talk("Hello.", bond=bond)
    Session.objects.update(loaded_text="- You live in Leeds", loaded_at=NOW)
    removal.forget_session(session=first, now=NOW)
    second = talk("Hello again.", bond=bond)
    restored(bond, "session", first.pk)

    found = list(Session.objects.for_bond(bond).order_by("pk").values_list("pk", "status", "loaded_text"))
    assert found == [(first.pk, "closing", ""), (second.pk, "open", "")]


def test_the_mood_of_a_forgotten_session_gives_way_to_the_one_before(session):
    bond = session.bond
    MoodChangeFactory(
        bond=bond, session=SessionFactory(bond=bond, channel="api"), mood="calm", created_at=NOW - LATER.resolution
    )
    removal.forget_session(session=session, now=LATER)

    bond.refresh_from_db()
    assert (bond.mood, bond.energy) == ("calm", 6)
    assert told(bond, "chat.mood.update")[-1] == {}


def test_a_text_that_a_person_corrected_goes_with_the_memory_and_comes_back(bond):
    old = ConceptNodeFactory(bond=bond, description="Lives in Bern.")
    new = corrections.correct(node=old, description="Lives in Basel.", now=NOW)
    before = rows.of_memory()
    gone = removal.forget_node(node=new, now=LATER)

    assert gone == [new.pk, old.pk]
    restored(bond, "event", new.pk)
    assert rows.of_memory() == before


def test_a_correction_that_was_taken_back_goes_with_the_memory(bond):
    old = ConceptNodeFactory(bond=bond, description="Lives in Bern.")
    new = corrections.correct(node=old, description="Lives in Basel.", now=NOW)
    corrections.restore(node=old, now=NOW)
    old.refresh_from_db()

    assert set(removal.forget_node(node=old, now=LATER)) == {old.pk, new.pk}


def test_what_something_else_took_the_place_of_stays(bond):
    old = ConceptNodeFactory(bond=bond, description="Lives in Bern.")
    new = ConceptNodeFactory(bond=bond, description="Moved to Basel.")
    old.supersede(by=new, now=NOW)

    assert removal.forget_node(node=new, now=LATER) == [new.pk]


def test_what_rested_on_superseded_evidence_beside_is_stale_until_it_is_back(bond):
    known, past = ConceptNodeFactory(bond=bond), ConceptNodeFactory(bond=bond)
    past.supersede(by=ConceptNodeFactory(bond=bond), now=NOW)
    thought = ConceptNodeFactory(bond=bond, type="thought", evidence=[known, past])
    removal.forget_node(node=known, now=NOW)
    thought.refresh_from_db()
    between = thought.stale
    restored(bond, "event", known.pk)

    thought.refresh_from_db()
    assert (between, thought.stale) == (True, False)


def test_a_session_in_which_a_reply_is_awaited_is_not_forgotten(bond):
    session = talk("Hello.", bond=bond)
    sessions.hold(session_id=session.pk, until=NOW + HOLD)

    with pytest.raises(removal.ForgettingError) as refused:
        removal.forget_session(session=session, now=NOW)

    assert (refused.value.code, Session.objects.for_bond(bond).get().deleted_at) == ("turn_running", None)


def test_what_is_forgotten_already_is_not_forgotten_again(session):
    node, line, cat = ConceptNode.objects.events().first(), Message.objects.first(), Entity.objects.get()
    for _ in range(2):
        removal.forget_node(node=node, now=NOW)
        removal.forget_message(message=line, now=NOW)
        removal.forget_entity(entity=cat, now=NOW)
        removal.forget_session(session=session, now=NOW)

    assert [act.kind for act in Forgotten.objects.order_by("id")] == ["event", "message", "entity", "session"]
