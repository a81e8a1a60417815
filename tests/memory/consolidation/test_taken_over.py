from datetime import timedelta

import pytest

from echovessel.llm.errors import ModelRefusedError
from memory.consolidation import run
from memory.models import ConceptNode, Message, Session
from tests.support.factories import NOW
from tests.support.fakes import FakeLLM
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction, model, outcomes, step, talk

pytestmark = pytest.mark.django_db

NO = ModelRefusedError("The model will not answer.")


def test_a_session_of_another_worker_is_left_alone():
    session = closed_talk(*CAT)
    Session.objects.update(
        status="consolidating",
        lease_token="00000000-0000-0000-0000-000000000001",
        lease_until=NOW + timedelta(seconds=1),
    )
    llm = model()

    assert run.consolidate(session_id=session.pk, llm=llm, clock=lambda: NOW) is False
    assert llm.calls == []


@pytest.mark.parametrize("status", ["open", "closed"])
def test_a_session_that_is_not_due_is_left_alone(status):
    session = talk(*CAT)
    Session.objects.update(status=status)

    assert run.consolidate(session_id=session.pk, llm=model(), clock=lambda: NOW) is False


class Thief(FakeLLM):
    """Another worker takes the session over, or its person erases it, while the model is being asked."""

    def __init__(self, act, **more):
        super().__init__(**more)
        self.act = act

    def answer(self, messages, *, feature, **more):
        answer = super().answer(messages, feature=feature, **more)
        self.act(feature)
        return answer


def taken(feature):
    Session.objects.update(lease_token="00000000-0000-0000-0000-000000000001")


@pytest.mark.parametrize("act", [taken, lambda feature: Session.objects.update(deleted_at=NOW)])
@pytest.mark.parametrize("answer", [extraction(event()), NO])
def test_a_worker_that_lost_its_lease_writes_nothing(act, answer):
    session = closed_talk(*CAT)
    if isinstance(answer, ModelRefusedError):
        llm = ThiefThatFails(act, answers={"extraction": answer})
    else:
        llm = Thief(act, answers={"extraction": answer})

    assert run.consolidate(session_id=session.pk, llm=llm, clock=lambda: NOW) is False

    session.refresh_from_db()
    assert session.status == "consolidating"
    assert outcomes(session) == [("gate", "done")]
    assert ConceptNode.objects.count() == 0


class ThiefThatFails(Thief):
    def answer(self, messages, *, feature, **more):
        self.act(feature)
        return FakeLLM.answer(self, messages, feature=feature, **more)


def test_a_message_deleted_while_the_model_is_asked_drops_the_answer_and_asks_again():
    session = closed_talk(*CAT, "The password of my bank is my cat's name.")
    secret = Message.objects.latest("id")
    answers = [extraction(event("A leak.")), extraction(event())]
    llm = Thief(lambda _: Message.objects.filter(pk=secret.pk).update(deleted_at=NOW), answers={"extraction": answers})
    llm.answers["reflection"] = {"thoughts": []}

    session = consolidate(session, llm)

    assert [call.feature for call in llm.calls] == ["extraction", "extraction", "reflection"]
    assert "my bank" in llm.calls[0].text
    assert "my bank" not in llm.calls[1].text
    assert [node.description for node in ConceptNode.objects.all()] == [event()["description"]]
    assert "leak" not in step(session, "extraction").answer


def test_an_event_forgotten_while_the_model_reflects_drops_the_thought_and_asks_again():
    session = closed_talk(*CAT)

    def forget(feature):
        if feature == "reflection":
            ConceptNode.objects.filter(description="A leak.").update(deleted_at=NOW)

    leak, cat = event("A leak."), event()
    llm = Thief(forget, answers={"extraction": extraction(leak, cat), "reflection": {"thoughts": []}})

    session = consolidate(session, llm)

    assert session.status == "closed"
    assert ["A leak." in call.text for call in llm.calls] == [False, True, False]


def test_a_session_that_keeps_changing_is_left_to_a_later_worker():
    session = closed_talk(*CAT)
    llm = Thief(
        lambda _: Message.objects.filter(pk=Message.objects.visible().latest("id").pk).update(deleted_at=NOW),
        answers={"extraction": extraction()},
    )
    talk_lines = [f"Line {number}" for number in range(9)]
    Session.objects.update(status="open")
    talk(*talk_lines, bond=session.bond)
    Session.objects.update(status="closing")

    assert run.consolidate(session_id=session.pk, llm=llm, clock=lambda: NOW) is False

    session.refresh_from_db()
    assert (session.status, len(llm.calls)) == ("consolidating", 5)
    assert consolidate(session, model(extraction()), now=NOW + timedelta(minutes=11)).status == "closed"
