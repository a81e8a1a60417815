"""What stops a step: looked for before each call, and in each write."""

from datetime import timedelta

import pytest
from pydantic import BaseModel

from echovessel.llm.connection import Connection
from echovessel.llm.protocol import Usage
from memory.jobs.lease import LeaseLost, claim_story
from memory.models import Message, Scene, Story, StoryStep
from memory.storytelling.work import quiet
from memory.storytelling.work.quiet import Quiet
from memory.storytelling.work.running import StepChanged, StepDelayed, StepStopped
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM
from tests.support.story import create_scene, run_step
from tests.support.talks import talk

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(minutes=11)
SECOND = timedelta(seconds=1)


class Told(BaseModel):
    text: str = ""


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def ask(asker) -> None:
    asker.ask("What was told?", feature="scene_recap", schema=Told)


def act_with(bond, act, *, llm=None):
    return run_step(act, bond=bond, llm=llm or FakeLLM(answers={"scene_recap": {"text": "A cat."}}), kind="scene_recap")


def write(bond, step, **more):
    with step.transaction(**more):
        create_scene(bond, Message.objects.latest("id"))


DISTURBANCES = {
    "cancelled": (lambda: StoryStep.objects.update(state="cancelled"), StepStopped),
    "generation": (lambda: Story.objects.update(generation=1), StepStopped),
    "paused": (lambda: Story.objects.update(paused=True), StepDelayed),
    "off": (lambda: Story.objects.update(enabled=False), StepDelayed),
    "taken over": (lambda: claim_story(bond_id=Story.objects.get().pk, now=LATER), LeaseLost),
}


@pytest.mark.parametrize("name", DISTURBANCES)
@pytest.mark.parametrize("moment", ["before the call", "after the call"])
def test_what_is_stopped_in_mid_call_writes_nothing(bond, name, moment):
    talk("We have a cat.", bond=bond)
    disturb, raised = DISTURBANCES[name]
    llm = FakeLLM(answers={"scene_recap": {"text": "A cat."}})

    def act(*, asker, step, now):
        if moment == "before the call":
            disturb()
        ask(asker)
        disturb()
        write(bond, step)

    with pytest.raises(raised):
        act_with(bond, act, llm=llm)

    assert Scene.objects.count() == 0
    assert len(llm.calls) == (0 if moment == "before the call" else 1)


def test_the_last_write_ends_the_step_in_its_transaction(bond):
    talk("We have a cat.", bond=bond)

    def act(*, asker, step, now):
        write(bond, step, is_last=False)
        assert StoryStep.objects.get().state == "running"
        with step.transaction():
            pass
        assert StoryStep.objects.get().state == "done"

    assert act_with(bond, act).ended_at == NOW


def test_what_is_found_changed_undoes_the_write(bond):
    talk("We have a cat.", bond=bond)

    def act(*, asker, step, now):
        with step.transaction():
            create_scene(bond, Message.objects.latest("id"))
            raise StepChanged

    with pytest.raises(StepChanged):
        act_with(bond, act)
    assert Scene.objects.count() == 0


def test_tokens_are_those_of_the_answers(bond):
    def act(*, asker, step, now):
        ask(asker)
        ask(asker)

    llm = FakeLLM(answers={"scene_recap": {"text": "A cat."}}, usage=Usage(100, 20))

    row = act_with(bond, act, llm=llm)

    assert (row.tokens_in, row.tokens_out) == (200, 40)


def test_limits_are_halved_each_time_that_the_input_is_too_long(bond):
    found = []

    def act(*, asker, step, now):
        for halvings in (0, 1, 4):
            step.halvings = halvings
            found.append(step.shrink(12_000))

    act_with(bond, act)

    assert found == [12_000, 6_000, 750]


@pytest.mark.parametrize(("after", "end"), [(19 * SECOND, 20 * SECOND), (20 * SECOND, None)])
def test_no_call_within_20_seconds_of_a_message(bond, after, end):
    talk("We have a cat.", bond=bond)

    found = Quiet(20 * SECOND).find_end(bond_id=bond.pk, now=NOW + after)

    assert found == (end and NOW + end)


def test_a_message_of_the_future_is_waited_for_once(bond):
    talk("We have a cat.", bond=bond, now=NOW + timedelta(days=300))

    assert Quiet(20 * SECOND).find_end(bond_id=bond.pk, now=NOW) == NOW + 20 * SECOND


def test_other_bonds_talk_on(bond):
    talk("We have a cat.", bond=BondFactory())

    assert Quiet(20 * SECOND).is_over(bond_id=bond.pk, now=NOW)


@pytest.mark.parametrize(
    ("address", "seconds"),
    [
        ("http://127.0.0.1:11434/v1", 300),
        ("http://[::1]:8080/v1", 300),
        ("http://192.168.1.20:8100/v1", 300),
        ("http://localhost:8100/v1", 300),
        ("http://ollama:11434/v1", 300),
        ("http://box.local/v1", 300),
        ("https://8.8.8.8/v1", 20),
        ("https://models.example.org/v1", 20),
        ("", 20),
    ],
)
def test_a_server_near_by_is_left_to_the_talk_longer(monkeypatch, address, seconds):
    monkeypatch.setattr("echovessel.llm.connection.get_active", lambda: Connection(address=address, key="", main="m"))

    assert quiet.get_quiet(has_model=True) == Quiet(timedelta(seconds=seconds))


def test_the_rules_need_no_quiet():
    assert quiet.get_quiet(has_model=False) == Quiet(timedelta(0))
