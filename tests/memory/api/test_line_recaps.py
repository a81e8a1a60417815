import pytest
import time_machine

from memory.models import LineRecap, Message, StoryStep
from memory.models.messages import MessageQuerySet
from memory.story.line_recaps import due, writing
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, MessageFactory, SessionFactory
from tests.support.rest import NOT_FOUND, answered, api

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def message(bond):
    return MessageFactory(session=SessionFactory(bond=bond), content="Lin sold her boat.")


def url(message, what="recap/"):
    return f"/api/bonds/{message.bond_id}/messages/{message.pk}/{what}"


def test_a_person_writes_a_recap_of_their_own(bond, message):
    client = api(bond.user)
    none = {"message": message.pk, "content": "Lin sold her boat.", "status": None, "made_by": None}
    assert answered(client.get(url(message))) == (200, none | {"sources": [message.pk], "created_at": None})

    written = {
        "message": message.pk,
        "content": "The boat is gone, password: [secret].",
        "status": "ok",
        "made_by": "person",
        "sources": [message.pk],
        "created_at": "2026-11-21T20:00:00Z",
    }
    assert answered(client.put(url(message), {"content": " The boat\nis gone, password: hunter2. "})) == (200, written)
    assert answered(client.get(url(message))) == (200, written)


@pytest.mark.parametrize("body", [{}, {"content": ""}, {"content": "x" * 501}, {"text": "x"}])
def test_a_wrong_recap_is_refused(bond, message, body):
    assert api(bond.user).put(url(message), body).status_code == 400
    assert LineRecap.objects.count() == 0


def test_a_message_may_be_recapped_anew(bond, message):
    answer = api(bond.user).post(url(message))

    step = StoryStep.objects.get()
    assert answered(answer) == (202, {"step": step.pk})
    assert (step.kind, step.target, step.by, step.state) == ("line_recaps", message.pk, "person", "waiting")


@pytest.mark.parametrize("method", ["get", "put", "post"])
def test_others_and_what_is_not_told_have_none(bond, message, method):
    charlie = api(BondFactory(user__username="charlie").user)
    assert answered(getattr(charlie, method)(url(message), {"content": "x"} if method == "put" else None)) == NOT_FOUND

    Message.objects.filter(pk=message.pk).update(left_out=True)
    assert answered(getattr(api(bond.user), method)(url(message))) == NOT_FOUND


def test_a_message_is_left_out_of_memory_and_taken_in_again(bond, message):
    later = MessageFactory(session=message.session)
    writing.put(due.DueLine(later, [message]), text="It is.", status="ok", made_by="rules", now=NOW)
    client = api(bond.user)

    answer = client.patch(url(message, ""), {"left_out": True})
    assert (answer.status_code, answer.json()["left_out"], LineRecap.objects.count()) == (200, True, 0)
    assert message.pk not in Message.objects.past_watermark(message.session).values_list("pk", flat=True)
    assert client.patch(url(message, ""), {"left_out": False}).json()["left_out"] is False
    assert isinstance(Message.objects.past_watermark(message.session), MessageQuerySet)
    assert message.pk in Message.objects.past_watermark(message.session).values_list("pk", flat=True)


def test_leaving_out_offers_memories_that_come_of_what_is_left_out_alone(bond, message):
    also_out = MessageFactory(session=message.session, left_out=True)
    told = MessageFactory(session=message.session)
    alone = ConceptNodeFactory(bond=bond, sources=[message])
    both = ConceptNodeFactory(bond=bond, sources=[message, also_out])
    ConceptNodeFactory(bond=bond, sources=[message, told])
    ConceptNodeFactory(bond=bond, sources=[also_out])
    client = api(bond.user)

    def offer(**body):
        return [node["id"] for node in client.patch(url(message, ""), body).json()["offered"]]

    assert (offer(left_out=True), offer(left_out=False)) == ([alone.pk, both.pk], [])


@pytest.mark.parametrize("body", [{}, {"left_out": "maybe"}, {"content": "x"}])
def test_nothing_else_of_a_message_is_changed(bond, message, body):
    assert api(bond.user).patch(url(message, ""), body).status_code == 400


def test_strangers_leave_nothing_out(message):
    charlie = api(BondFactory(user__username="charlie").user)

    assert answered(charlie.patch(url(message, ""), {"left_out": True})) == NOT_FOUND
    assert not Message.objects.get(pk=message.pk).left_out
