from datetime import timedelta

import pytest

from memory.models import StoryStep
from memory.storytelling.work import steps
from memory.storytelling.work.steps import Work
from tests.support.factories import NOW, BondFactory

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def begin(bond, *, kind="scene_recap", target=7, source_hash="a", now=NOW, **more) -> StoryStep:
    work = Work(kind=kind, target=target, source_hash=source_hash, since=now, **more)
    return steps.begin(bond=bond, work=work, generation=0, now=now)


def rows() -> list[tuple[str, int, str, str, str]]:
    return list(StoryStep.objects.order_by("id").values_list("kind", "target", "source_hash", "state", "error"))


def test_a_step_is_written_as_it_begins_and_ended_once(bond):
    step = begin(bond)
    steps.finish(step, now=NOW + MINUTE)
    steps.finish(step, now=NOW + 2 * MINUTE)

    step.refresh_from_db()
    assert rows() == [("scene_recap", 7, "a", "done", "")]
    assert (step.created_at, step.ended_at, step.by, step.generation) == (NOW, NOW + MINUTE, "job", 0)


def test_the_same_kind_target_and_hash_are_one_row_until_it_is_done(bond):
    first = begin(bond)
    again = begin(bond)
    steps.fail(again, code="model_refused", detail="No.", now=NOW)
    tried = begin(bond)
    steps.finish(tried, now=NOW)
    new = begin(bond)

    assert first.pk == again.pk == tried.pk != new.pk
    assert tried.attempts == 1


def test_another_hash_cancels_the_older_also_where_it_failed(bond):
    begin(bond)
    steps.fail(begin(bond, target=8), code="model_refused", detail="No.", now=NOW)
    begin(bond, source_hash="b")
    begin(bond, target=8, source_hash="b")
    begin(bond, kind="detect", target=7, source_hash="c")

    assert rows() == [
        ("scene_recap", 7, "a", "cancelled", "superseded"),
        ("scene_recap", 8, "a", "cancelled", "superseded"),
        ("scene_recap", 7, "b", "running", ""),
        ("scene_recap", 8, "b", "running", ""),
        ("detect", 7, "c", "running", ""),
    ]


def test_a_failed_step_waits_1_6_and_24_hours_then_for_a_person(bond):
    waited = []
    for _ in range(4):
        step = begin(bond)
        steps.fail(step, code="model_unavailable", detail="x" * 501, now=NOW)
        step.refresh_from_db()
        waited.append(step.next_try_at and step.next_try_at - NOW)

    assert waited == [timedelta(hours=1), timedelta(hours=6), timedelta(hours=24), None]
    assert (step.state, step.error, len(step.detail), step.attempts) == ("failed", "model_unavailable", 500, 4)

    assert steps.retry(step, now=NOW)

    step.refresh_from_db()
    assert (step.state, step.by, step.attempts, step.error, step.detail) == ("waiting", "person", 0, "", "")
    assert begin(bond, by="person").pk == step.pk


@pytest.mark.parametrize(
    ("state", "may"),
    [("waiting", False), ("running", False), ("done", False), ("failed", True), ("cancelled", True)],
)
def test_what_a_person_may_try_again(bond, state, may):
    step = StoryStep.objects.create(bond=bond, kind="detect", state=state, created_at=NOW)

    assert steps.retry(step, now=NOW) is may


@pytest.mark.parametrize(
    ("state", "may"),
    [("waiting", True), ("running", True), ("done", False), ("failed", True), ("cancelled", False)],
)
def test_what_a_person_may_cancel(bond, state, may):
    step = StoryStep.objects.create(bond=bond, kind="detect", state=state, created_at=NOW)

    assert steps.cancel(step, now=NOW) is may

    step.refresh_from_db()
    assert (step.state, step.error) == ("cancelled" if may else state, "")


def test_a_wish_is_one_row_and_takes_up_what_waits(bond):
    waiting = begin(bond)
    steps.set_back(waiting)
    first = steps.request(bond=bond, kind="scene_recap", target=7, generation=0, now=NOW)
    again = steps.request(bond=bond, kind="scene_recap", target=7, generation=0, now=NOW)
    taken = begin(bond, by="person")

    assert waiting.pk == first.pk == again.pk == taken.pk
    assert (first.by, taken.source_hash, taken.state) == ("person", "a", "running")
    assert steps.request(bond=bond, kind="scene_recap", target=7, generation=0, now=NOW).state == "running"


def test_what_is_done_or_cancelled_goes_after_14_days_and_failures_stay(bond):
    ended = {"state": "done", "ended_at": NOW}
    for columns in (ended, ended | {"state": "cancelled"}, ended | {"state": "failed"}, {"state": "waiting"}):
        StoryStep.objects.create(bond=bond, kind="detect", target=1, created_at=NOW, **columns)
    StoryStep.objects.create(bond=bond, kind="merge", created_at=NOW, state="done", ended_at=NOW + MINUTE)

    assert steps.prune(NOW + timedelta(days=14)) == 0
    assert steps.prune(NOW + timedelta(days=14, seconds=1)) == 2
    assert [state for _, _, _, state, _ in rows()] == ["failed", "waiting", "done"]


def test_the_same_work_by_rules_is_another_step_that_needs_no_model():
    work = Work(kind="merge", source_hash="a", since=NOW, can_grow=True)

    by_rules = work.by_rules

    assert (by_rules.kind, by_rules.since, by_rules.needs_model, by_rules.can_grow) == ("merge", NOW, False, False)
    assert len({work.source_hash, by_rules.source_hash, by_rules.by_rules.source_hash}) == 3
