import pytest
from django_q.models import OrmQ, Task

from memory.facts import by_hand, undoing
from memory.forgetting import purging
from memory.forgetting.removal import forget_node, forget_session
from memory.jobs.queue import enqueue
from memory.models import ConceptNode, Entity, FactWrite, Forgotten, ImportChunk, Proposal
from tests.memory.importing.files import chat, mara, read, said, taken, thought, told
from tests.support.factories import NOW, EntityFactory, MessageFactory

pytestmark = pytest.mark.django_db
LINE = {"content": "Has a white cat.", "source_quote": "white cat"}
RAN = {"started": NOW, "stopped": NOW, "success": False}
NIMBUS = {"canonical_name": "Nimbus", "kind": "pet"}


def imported(bond=None, **more):
    export = chat(("On Nimbus", "2024-05-04", ["I have a white cat called Nimbus. He jumps on my face."]))
    answer = said(told(), about_user=[LINE], mentioned_entities=[NIMBUS], thoughts=[thought()], **more)
    return read(answer, content=export, name="conversations.json", bond=bond or mara())


def test_what_is_forgotten_of_a_file_leaves_nothing_of_its_piece():
    bond = imported().bond

    forget_node(node=ConceptNode.objects.get(type="event"), dependents="cascade", now=NOW)

    assert ConceptNode.objects.for_bond(bond).filter(deleted_at=None).count() == 0
    assert (Proposal.objects.count(), Entity.objects.not_deleted_or_merged().count()) == (0, 0)
    assert list(ImportChunk.objects.values_list("text", "title", "notes")) == [("", "", "")]


def test_what_tells_a_forgotten_fact_of_a_file_goes_along_and_comes_back():
    quote, content = "white cat called Nimbus", "The user has a white cat called Nimbus."
    bond = imported(facts=[{"content": content, "source_quote": quote}]).bond
    fact = ConceptNode.objects.facts().get()

    by_hand.forget(bond=bond, node=fact, now=NOW)

    left = ConceptNode.objects.for_bond(bond).not_deleted().exclude(type="thought")
    assert left.count() == 0
    undoing.undo(write=FactWrite.objects.get(op="forgotten"), now=NOW)
    assert left.count() == 2


def test_whom_other_memories_name_stays():
    bond = mara()
    nimbus = EntityFactory(bond=bond, canonical_name="Nimbus", description_by="owner", description="A cat.")
    imported(bond)

    forget_node(node=ConceptNode.objects.get(type="event"), now=NOW)

    assert list(Entity.objects.not_deleted_or_merged()) == [nimbus]


def test_a_task_of_an_import_is_not_taken_for_one_of_a_session():
    line = MessageFactory(session__bond=mara())
    bond = line.bond
    enqueue("memory.tasks.read_import", line.session_id)
    others = Task.objects.create(id="1", name="read", func="memory.tasks.read_import", args=(0,), **RAN)
    Task.objects.create(id="2", name="read", func="memory.tasks.read_import", args=(taken(bond=bond).pk,), **RAN)
    forget_session(session=line.session, now=NOW)

    purging.erase(act=Forgotten.objects.get())

    waiting = [(one.task["func"], one.task["args"]) for one in OrmQ.objects.order_by("id")]
    assert waiting[0] == ("memory.tasks.read_import", (line.session_id,))
    assert list(Task.objects.all()) == [others]
