"""What is taken back while a model is being asked about it: its answer is dropped, and it is asked again without."""

import pytest

from memory.consolidation.slow_tick import run
from memory.forgetting import removal
from memory.models import ConceptNode, Message, SlowTickRun
from memory.story import leaving_out
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory
from tests.support.fakes import FakeLLM
from tests.support.talks import CAT, closed_talk, consolidate, event, extraction

pytestmark = pytest.mark.django_db

LEAK = "The code of the safe is the cat's birthday."
FIRST = ("We have a white cat.", f"He jumps on my face at night. {'x' * 9_000}", LEAK)
SECOND = (f"I gave in. {'y' * 9_000}", "He sleeps now.")


class Interrupted(FakeLLM):
    """Something happens while the call of that number, from 0, is being answered."""

    def __init__(self, at, act, **answers):
        super().__init__(answers=answers)
        self.at = at
        self.act = act

    def answer(self, messages, **more):
        answer = super().answer(messages, **more)
        if len(self.calls) == self.at + 1:
            self.act()
        return answer

    @property
    def told_of_the_leak(self):
        return [(call.feature, LEAK in call.text) for call in self.calls]


def take_back_the_line():
    Message.objects.filter(content=LEAK).update(deleted_at=NOW)


def leave_out_the_line():
    leaving_out.set_left_out(message=Message.objects.get(content=LEAK), left_out=True, now=NOW)


each_way = pytest.mark.parametrize("take_back", [take_back_the_line, leave_out_the_line])


def forget_the_event():
    removal.forget_node(node=ConceptNode.objects.get(description=LEAK), now=NOW)


@each_way
def test_of_the_first_chunk(take_back):
    llm = Interrupted(0, take_back, extraction=extraction(event(lines=[2])), reflection={"thoughts": []})

    session = consolidate(closed_talk(*FIRST, *SECOND), llm)

    assert session.status == "closed"
    assert llm.told_of_the_leak == [
        ("extraction", True),
        ("extraction", False),
        ("extraction", False),
        ("reflection", False),
    ]


@each_way
def test_of_the_messages_before_the_second_chunk(take_back):
    llm = Interrupted(1, take_back, extraction=extraction(event(lines=[4])), reflection={"thoughts": []})

    session = consolidate(closed_talk(*FIRST, *SECOND), llm)

    assert session.status == "closed"
    assert llm.told_of_the_leak == [
        ("extraction", True),
        ("extraction", True),
        ("extraction", False),
        ("reflection", False),
    ]


def test_between_an_answer_that_is_none_and_its_correction():
    answers = ["No.", extraction(event(LEAK)), extraction(event())]
    llm = Interrupted(0, take_back_the_line, extraction=answers, reflection={"thoughts": []})

    session = consolidate(closed_talk(*CAT, LEAK), llm)

    assert session.status == "closed"
    assert [node.description for node in ConceptNode.objects.all()] == [event()["description"]]
    assert llm.told_of_the_leak[-2:] == [("extraction", False), ("reflection", False)]


def test_of_the_events_that_are_reflected_on():
    llm = Interrupted(1, forget_the_event, extraction=extraction(event(LEAK), event()), reflection={"thoughts": []})

    consolidate(closed_talk(*CAT), llm)

    assert llm.told_of_the_leak == [("extraction", False), ("reflection", True), ("reflection", False)]


@pytest.mark.parametrize("correction", [False, True], ids=["at once", "while it is corrected"])
def test_of_the_events_that_a_slow_tick_looks_over(correction):
    bond = BondFactory(user__username="mara")
    session = closed_talk(*CAT, bond=bond)
    for description in (LEAK, "The user has a white cat."):
        ConceptNodeFactory(bond=bond, session=session, description=description)
    ids = list(ConceptNode.objects.order_by("id").values_list("pk", flat=True))
    written = {"thoughts": [{"description": "They keep something safe.", "filling": ids}]}
    answers = ["No.", written, written] if correction else [written, written]
    llm = Interrupted(0, forget_the_event, slow_tick=answers)

    run.run(session_id=session.pk, llm=llm, clock=lambda: NOW)

    assert llm.told_of_the_leak[-1] == ("slow_tick", False)
    assert SlowTickRun.objects.get().outcome == "done"
    [thought] = ConceptNode.objects.thoughts()
    assert list(thought.filling.values_list("pk", flat=True)) == ids[1:]
    assert LEAK not in SlowTickRun.objects.get().prompt
