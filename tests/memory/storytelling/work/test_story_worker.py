from datetime import timedelta

import pytest
import time_machine
from django_q.models import OrmQ

from echovessel.llm.errors import (
    BadAnswerError,
    ModelRefusedError,
    ModelUnavailableError,
    TooLongError,
)
from echovessel.llm.ledger import RecordingLLM
from echovessel.llm.protocol import Usage
from echovessel.models import BondEvent
from memory import tasks
from memory.models import Message, SceneRecap, Story, StoryStep
from memory.storytelling.work import due, spending, steps, waking
from memory.storytelling.work.step_handlers import StepHandlers
from memory.storytelling.work.steps import Work
from tests.support.factories import NOW, BondFactory
from tests.support.story_workers import RECAPPING, Recapper, recap, spend, tell, told_bond
from tests.support.talks import talk

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
# Long after the talk, when models may be asked.
QUIET = NOW + timedelta(minutes=1)
DOWN = ModelUnavailableError("The model server cannot be reached.", transient=True)
KEY = ModelUnavailableError("The model server did not accept the key.", transient=False, answered="401")
NO = ModelRefusedError("The model will not answer.")


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__time_zone="Asia/Shanghai")


def told() -> list[str]:
    return list(
        SceneRecap.objects.filter(made_by="model").order_by("scene", "n").values_list("content__title", flat=True)
    )


def rows() -> list[tuple[int, str, int]]:
    return list(StoryStep.objects.order_by("id").values_list("target", "state", "attempts"))


def queued() -> list[tuple[str, int]]:
    return [(entry.task["func"], *entry.task["args"]) for entry in OrmQ.objects.order_by("id")]


def test_what_is_due_is_done_once_oldest_first(bond, django_assert_num_queries):
    first, second = told_bond(bond)
    llm = Recapper()

    assert tell(bond, llm, now=QUIET)
    with django_assert_num_queries(23):
        assert tell(bond, llm, now=QUIET)

    assert told() == [f"A cat (Scene {first.pk}).", f"A cat (Scene {second.pk})."]
    assert rows() == [(first.pk, "done", 0), (second.pk, "done", 0)]
    assert len(llm.calls) == 2
    story = Story.objects.get()
    assert (story.lease_token, story.lease_until, story.attempt_count) == (None, None, 0)
    assert OrmQ.objects.count() == 0


def test_pages_are_told_how_many_wait_run_and_failed(bond):
    told_bond(bond)

    tell(bond, Recapper(NO), now=QUIET)

    found = BondEvent.objects.filter(bond_id=bond.pk, type="memory.tidying.updated").order_by("seq")
    assert [[event.refs[name] for name in ("waiting", "running", "failed", "paused")] for event in found] == [
        [1, 1, 0, False],
        [0, 1, 1, False],
        [0, 0, 1, False],
    ]


def test_nothing_is_told_where_it_is_switched_off(bond, settings):
    told_bond(bond)
    settings.STORY_ENABLED = False

    assert tell(bond, Recapper(), now=QUIET) is False
    assert Story.objects.count() == 0


@pytest.mark.parametrize("columns", [{"paused": True}, {"enabled": False}])
def test_nothing_is_begun_while_it_is_paused_or_off_and_it_goes_on_after(bond, columns):
    told_bond(bond)
    Story.objects.create(bond=bond, **columns)
    llm = Recapper()

    tell(bond, llm, now=QUIET)
    assert (llm.calls, rows()) == ([], [])

    Story.objects.update(paused=False, enabled=True)
    tell(bond, llm, now=QUIET)
    assert len(told()) == 2


@pytest.mark.parametrize(("after", "calls"), [(19 * SECOND, 0), (20 * SECOND, 2)])
def test_no_call_within_20_seconds_of_a_message(bond, after, calls):
    told_bond(bond)
    llm = Recapper()

    tell(bond, llm, now=NOW + after)

    assert len(llm.calls) == calls
    assert Story.objects.get().wake_at == (None if calls else NOW + 20 * SECOND)


def test_a_message_in_mid_slice_stops_calls_and_costs_no_attempt(bond):
    told_bond(bond, scenes=3)

    class Interrupted(Recapper):
        def answer(self, messages, **more):
            if len(self.calls) == 1:
                talk("Are you there?", bond=bond, now=QUIET)
            return super().answer(messages, **more)

    llm = Interrupted()

    tell(bond, llm, now=QUIET)

    assert len(llm.calls) == 2
    assert [(state, attempts) for _, state, attempts in rows()] == [("done", 0), ("done", 0)]
    assert Story.objects.get().wake_at == QUIET + 20 * SECOND
    tell(bond, llm, now=QUIET + 20 * SECOND)
    assert len(told()) == 3


def test_after_a_minute_other_work_has_its_turn(bond):
    told_bond(bond, scenes=3)
    now = QUIET

    def clock():
        nonlocal now
        now += 10 * SECOND
        return now

    tell(bond, Recapper(), clock=clock)

    assert 0 < len(told()) < 3
    assert queued() == [("memory.tasks.tell", bond.pk)]
    tell(bond, Recapper(), now=now)
    assert len(told()) == 3


def test_failed_steps_are_tried_after_1_6_and_24_hours_then_by_hand(bond):
    [scene] = told_bond(bond, scenes=1)
    now, waited = QUIET, []
    for _ in range(4):
        tell(bond, Recapper(NO), now=now)
        step = StoryStep.objects.get()
        waited.append(step.next_try_at and step.next_try_at - now)
        early = Recapper()
        tell(bond, early, now=now + HOUR - SECOND)
        assert early.calls == []
        now = step.next_try_at or now

    assert waited == [HOUR, 6 * HOUR, 24 * HOUR, None]
    assert (step.error, step.detail) == ("model_refused", "The model will not answer.")
    tell(bond, Recapper(), now=now + timedelta(days=9))
    assert told() == []

    steps.retry(step, now=now)
    tell(bond, Recapper(), now=now)
    assert rows() == [(scene.pk, "done", 0)]


def test_a_failed_step_wakes_the_story_when_it_is_tried_again(bond):
    told_bond(bond, scenes=1)

    tell(bond, Recapper(NO), now=NOW + HOUR)

    assert Story.objects.get().wake_at == NOW + 2 * HOUR


@pytest.mark.parametrize(("error", "calls"), [(KEY, 1), (DOWN, 3)])
def test_a_server_that_is_away_or_refuses_the_key_is_asked_for_one_step_and_all_wait(bond, error, calls):
    told_bond(bond, scenes=3)
    llm = Recapper(*[error] * 9)

    tell(bond, llm, now=QUIET)
    assert len(llm.calls) == calls
    assert [(state, attempts) for _, state, attempts in rows()] == [("failed", 1)] * 3

    tell(bond, llm, now=QUIET + HOUR - SECOND)
    assert len(llm.calls) == calls
    tell(bond, Recapper(), now=QUIET + HOUR)
    assert len(told()) == 3


@pytest.mark.parametrize("error", [NO, BadAnswerError("The answer is empty.")])
def test_what_fails_for_one_step_does_not_stop_the_others(bond, error):
    told_bond(bond, scenes=3)

    tell(bond, Recapper(error), now=QUIET)

    assert [state for _, state, _ in rows()] == ["failed", "done", "done"]


@pytest.mark.parametrize(("refused", "state"), [(1, "done"), (4, "done"), (5, "failed")])
def test_what_is_too_long_is_halved_uncounted(bond, refused, state):
    told_bond(bond, scenes=1)
    llm = Recapper(*[TooLongError("400")] * refused)

    tell(bond, llm, now=QUIET)

    step = StoryStep.objects.get()
    assert (step.state, step.attempts) == (state, 1 if state == "failed" else 0)
    assert [call.text.count("x") for call in llm.calls] == [4_000 >> at for at in range(min(refused, 4) + 1)]


def test_lines_that_change_in_mid_call_are_asked_about_again_five_times_at_most(bond):
    told_bond(bond, scenes=1)

    class Changing(Recapper):
        def answer(self, messages, **more):
            message = Message.objects.get()
            message.content += " And again."
            message.save()
            return super().answer(messages, **more)

    llm = Changing()

    tell(bond, llm, now=QUIET)

    assert len(llm.calls) == 5
    assert told() == []
    assert [state for _, state, _ in rows()] == ["cancelled"] * 4 + ["waiting"]
    tell(bond, Recapper(), now=QUIET)
    assert len(told()) == 1


@pytest.mark.parametrize("moment", ["waiting", "in mid-call"])
def test_a_cancelled_step_writes_nothing_and_is_due_again_once_its_lines_change(bond, moment):
    [scene] = told_bond(bond, scenes=1)

    class Cancelled(Recapper):
        def answer(self, messages, **more):
            steps.cancel(StoryStep.objects.get(), now=QUIET)
            return super().answer(messages, **more)

    if moment == "waiting":
        requested = steps.request(bond=bond, kind="scene_recap", target=scene.pk, generation=0, now=NOW)
        StoryStep.objects.update(source_hash=next(RECAPPING.finders[0](type("S", (), {"bond": bond}))).source_hash)
        steps.cancel(requested, now=QUIET)
    tell(bond, Cancelled(), now=QUIET)
    tell(bond, Recapper(), now=QUIET)
    assert (told(), [state for _, state, _ in rows()]) == ([], ["cancelled"])

    Message.objects.update(content="Talk 1 about the dog.")
    tell(bond, Recapper(), now=QUIET)
    assert len(told()) == 1


def test_a_step_that_is_cancelled_and_tried_again_in_mid_call_is_done_for_the_person(bond):
    told_bond(bond, scenes=1)

    class TriedAgain(Recapper):
        def answer(self, messages, **more):
            if not self.calls:
                step = StoryStep.objects.get()
                steps.cancel(step, now=QUIET)
                step.refresh_from_db()
                steps.retry(step, now=QUIET)
            return super().answer(messages, **more)

    tell(bond, TriedAgain(), now=QUIET)

    assert list(StoryStep.objects.values_list("by", "state")) == [("person", "done")]


def test_a_new_generation_voids_running_work_and_it_is_done_again(bond):
    told_bond(bond, scenes=1)

    class Raised(Recapper):
        def answer(self, messages, **more):
            if not self.calls:
                Story.objects.update(generation=1)
            return super().answer(messages, **more)

    llm = Raised()

    tell(bond, llm, now=QUIET)

    assert list(StoryStep.objects.order_by("id").values_list("generation", "state", "error")) == [
        (0, "cancelled", "superseded"),
        (1, "done", ""),
    ]
    assert (len(llm.calls), len(told())) == (2, 1)


def test_paused_in_mid_call_nothing_is_written_and_the_step_waits(bond):
    told_bond(bond, scenes=1)

    class Paused(Recapper):
        def answer(self, messages, **more):
            Story.objects.update(paused=True)
            return super().answer(messages, **more)

    tell(bond, Paused(), now=QUIET)
    assert (told(), [state for _, state, _ in rows()]) == ([], ["waiting"])

    Story.objects.update(paused=False)
    tell(bond, Recapper(), now=QUIET)
    assert len(told()) == 1


def test_a_persons_request_comes_first_and_is_done_also_where_nothing_is_due(bond):
    scenes = told_bond(bond, scenes=3)
    tell(bond, Recapper(), now=QUIET)
    told_bond(bond, scenes=1)
    steps.request(bond=bond, kind="scene_recap", target=scenes[1].pk, generation=0, now=NOW)
    llm = Recapper()

    tell(bond, llm, now=QUIET)

    assert llm.calls[0].text.startswith(f"Scene {scenes[1].pk}:")
    assert scenes[1].recaps.count() == 3


def test_priorities_are_those_of_the_design(bond):
    order = []
    kinds = ["rebuild", "detect", "line_recaps", "scene_recap", "merge", "compact", "cards"]
    done = set()

    def find(context):
        yield from (Work(kind=kind, since=NOW, needs_model=False) for kind in kinds if kind not in done)

    def act(kind):
        def do(*, step, **_):
            order.append(kind)
            done.add(kind)

        return do

    handlers = StepHandlers(finders=(find,), acts={kind: act(kind) for kind in kinds})
    steps.request(bond=bond, kind="detect", generation=0, now=NOW)

    tell(bond, Recapper(), handlers=handlers)

    assert order == ["detect", "cards", "compact", "merge", "scene_recap", "line_recaps", "rebuild"]


@pytest.mark.parametrize(
    ("other", "columns", "first"),
    [
        ("scene_recap", {"can_grow": True}, "scene_recap"),
        ("detect", {"can_grow": True}, "detect"),
        ("scene_recap", {}, "merge"),
        ("line_recaps", {"can_grow": True}, "merge"),
        ("scene_recap", {"can_grow": True, "by": "person"}, "merge"),
    ],
)
def test_a_merge_that_could_tell_more_scenes_waits_for_these(other, columns, first):
    found = [Work(kind="merge", since=NOW, **columns), Work(kind=other, since=NOW)]

    assert due.order(found)[0].kind == first


def test_a_step_that_is_still_due_after_it_is_done_is_left_for_an_hour(bond):
    talk("Hello.", bond=bond)
    calls = []
    handlers = StepHandlers(
        finders=(lambda context: [Work(kind="detect", since=NOW)],), acts={"detect": lambda **_: calls.append(1)}
    )
    later = NOW + 2 * HOUR

    tell(bond, Recapper(), now=later, handlers=handlers)

    assert (len(calls), Story.objects.get().wake_at) == (1, later + HOUR)


def test_work_that_has_more_goes_on(bond):
    left = [1, 2, 3]
    handlers = StepHandlers(
        finders=(lambda context: [Work(kind="rebuild", since=NOW)] if left else [],),
        acts={"rebuild": lambda **_: (left.pop(), bool(left))[1]},
    )

    tell(bond, Recapper(), now=QUIET, handlers=handlers)

    assert (left, rows()) == ([], [(0, "done", 0)])


@pytest.mark.parametrize(
    ("tokens", "calls"),
    [
        ({"tokens_in": 149_999, "tokens_out": 29_999}, 1),
        ({"tokens_in": 150_000}, 0),
        ({"tokens_out": 30_000}, 0),
    ],
)
def test_a_days_tokens_end_its_work_but_for_requests(bond, tokens, calls):
    [scene] = told_bond(bond, scenes=1)
    spend(bond, at=QUIET, **tokens)
    llm = Recapper()

    tell(bond, llm, now=QUIET)
    assert len(llm.calls) == calls
    if calls:
        return
    # Midnight in Shanghai.
    assert Story.objects.get().wake_at == NOW.replace(day=22, hour=16, minute=0)

    steps.request(bond=bond, kind="scene_recap", target=scene.pk, generation=0, now=QUIET)
    tell(bond, llm, now=QUIET)
    assert len(llm.calls) == 1


def test_a_day_is_the_users(bond):
    # Half past three in the night of the 22nd, in Shanghai.
    spend(bond, tokens_in=150_000, at=NOW - timedelta(hours=4, seconds=1))
    assert not spending.is_spent(bond, now=NOW)
    spend(bond, tokens_in=150_000, at=NOW - timedelta(hours=4))
    assert spending.is_spent(bond, now=NOW)
    assert not spending.is_spent(BondFactory(user=bond.user), now=NOW)


def test_what_is_not_to_be_done_any_more_is_not_kept_waiting(bond):
    scenes = told_bond(bond)
    tell(bond, Recapper(NO, NO), now=QUIET)
    scenes[1].delete()

    tell(bond, Recapper(), now=QUIET)

    assert list(StoryStep.objects.order_by("id").values_list("state", "error")) == [
        ("failed", "model_refused"),
        ("cancelled", "superseded"),
    ]


def test_five_dead_workers_fail_the_step(bond):
    [scene] = told_bond(bond, scenes=1)
    Story.objects.create(bond=bond, attempt_count=4)

    class Dying(Recapper):
        def answer(self, messages, **more):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        tell(bond, Dying(), now=QUIET)
    assert rows() == [(scene.pk, "running", 0)]
    tell(bond, Recapper(), now=QUIET + timedelta(minutes=11))

    step = StoryStep.objects.get()
    assert (step.state, step.error, step.attempts) == ("failed", "interrupted", 1)
    assert step.detail == "It was taken up 5 times, and each time the worker ended before it was done."
    tell(bond, Recapper(), now=step.next_try_at)
    assert len(told()) == 1


def test_a_turn_wakes_the_story_once_its_talk_is_quiet_by_one_statement(bond, django_assert_num_queries, monkeypatch):
    monkeypatch.setattr("echovessel.llm.connection.get_active", lambda: type("Asked", (), {"is_near": False}))
    Story.objects.create(bond=bond)

    with django_assert_num_queries(1):
        waking.wake_after_turn(bond_id=bond.pk, now=NOW)

    assert (Story.objects.get().wake_at, queued()) == (NOW + 20 * SECOND, [])
    assert waking.requeue(now=NOW + 19 * SECOND) == 0
    assert waking.requeue(now=NOW + 20 * SECOND) == 1
    assert waking.requeue(now=NOW + 21 * SECOND) == 0
    assert queued() == [("memory.tasks.tell", bond.pk)]
    # Its task was lost.
    assert waking.requeue(now=NOW + timedelta(minutes=10, seconds=20)) == 1


def test_without_a_model_a_turn_queues_the_story_at_once(bond):
    tasks.embed_messages(bond.pk)

    assert queued() == [("memory.tasks.tell", bond.pk)]
    assert Story.objects.filter(bond=bond, wake_at__isnull=False).exists()


def test_an_erased_bond_is_not_woken():
    waking.wake(bond_id=987_654, at=NOW)
    tasks.tell(987_654)

    assert Story.objects.count() == 0


def test_what_wakes_a_story_while_a_worker_has_it_is_queued_behind(bond):
    told_bond(bond, scenes=1)

    class Woken(Recapper):
        def answer(self, messages, **more):
            waking.wake(bond_id=bond.pk, at=QUIET)
            return super().answer(messages, **more)

    tell(bond, Woken(), now=QUIET)

    assert queued() == [("memory.tasks.tell", bond.pk)]


def test_the_scanner_begins_stories_of_bonds_that_talked_before(bond):
    talk("Hello.", bond=bond)
    BondFactory(user__username="lin")

    assert waking.requeue(now=NOW) == 1
    assert list(Story.objects.values_list("bond", flat=True)) == [bond.pk]


def test_the_scanner_rests_where_it_is_switched_off(bond, settings, django_assert_num_queries):
    settings.STORY_ENABLED = False
    talk("Hello.", bond=bond)

    with django_assert_num_queries(0):
        assert waking.requeue(now=NOW) == 0
        waking.wake_after_turn(bond_id=bond.pk, now=NOW)


def test_tokens_of_steps_count_for_the_day(bond):
    told_bond(bond, scenes=2)
    llm = Recapper()
    llm.usage = Usage(150_000, 10)

    with time_machine.travel(QUIET, tick=False):
        tell(bond, RecordingLLM(llm), now=QUIET)

    assert len(told()) == 1
    assert recap is RECAPPING.acts["scene_recap"]
