import pytest

from memory.models import SceneRecap, StoryStep
from tests.support.factories import NOW, BondFactory
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db


def ask(method, bond, path=""):
    return answered(getattr(api(bond.user), method)(f"/api/bonds/{bond.pk}/tidying/{path}"))


def create_step(bond, **columns):
    known = {"kind": "scene_recap", "target": 7, "state": "failed", "error": "model_timeout", "created_at": NOW}
    return StoryStep.objects.create(bond=bond, **known | columns)


def test_the_work_on_a_story_is_shown(bond, scenes):
    # So that only the merge is due.
    SceneRecap.objects.update(made_by="model")
    running = create_step(bond, state="running", error="")
    failed = create_step(bond, kind="detect", target=0, detail="No answer.", attempts=1)
    create_step(bond, state="done", target=8, error="")

    status, body = ask("get", bond)

    assert (status, body["waiting"], body["running"], body["failed"], body["paused"]) == (200, 1, 1, 1, False)
    assert [(one["id"], one["kind"], one["state"], one["error"]) for one in body["steps"]] == [
        (running.pk, "scene_recap", "running", None),
        (failed.pk, "detect", "failed", "model_timeout"),
        (None, "merge", "waiting", None),
    ]


def test_a_failed_step_is_tried_again_and_cancelled(bond):
    step = create_step(bond, attempts=4)

    tried = ask("post", bond, f"{step.pk}/retry/")
    assert (tried[0], tried[1]["state"], tried[1]["attempts"], tried[1]["by"]) == (200, "waiting", 0, "person")
    again = refusal("conflict", "This step is waiting; only a failed or cancelled one can be tried again.")
    assert ask("post", bond, f"{step.pk}/retry/") == (409, again)
    cancelled = ask("post", bond, f"{step.pk}/cancel/")
    assert (cancelled[0], cancelled[1]["state"]) == (200, "cancelled")
    assert ask("post", bond, f"{step.pk}/cancel/") == (409, refusal("conflict", "This step is cancelled already."))


def test_charlie_touches_no_step_of_maras(bond):
    step = create_step(bond)
    charlie = BondFactory(user__username="charlie")

    assert ask("post", charlie, f"{step.pk}/retry/") == ask("post", charlie, f"{step.pk}/cancel/") == NOT_FOUND
    assert ask("get", BondFactory(user=charlie.user))[1]["steps"] == []
    assert StoryStep.objects.get().state == "failed"
