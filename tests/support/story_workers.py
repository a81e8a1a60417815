"""A worker for tests: one kind of work, scenes recapped by a model, beside what the real one does."""

from datetime import timedelta
from functools import partial

from pydantic import BaseModel

from echovessel.models import LedgerEntry
from memory.models import Scene, SceneRecap, StoryStep
from memory.story import lines
from memory.storytelling.work import story_worker
from memory.storytelling.work.running import StepAsker, StepChanged
from memory.storytelling.work.step_handlers import StepHandlers
from memory.storytelling.work.steps import Work
from tests.support.factories import NOW
from tests.support.fakes import FakeLLM
from tests.support.story import build_content, create_scene
from tests.support.talks import talk


class Told(BaseModel):
    text: str


def load_hash(scene):
    before = Scene.objects.filter(bond=scene.bond, last_message_id__lt=scene.last_message_id).order_by("id").last()
    told = lines.load_told(scene.bond, after=before.last_message_id if before else 0, up_to=scene.last_message_id)
    return lines.hash_lines(told)


def find_untold(context):
    for scene in Scene.objects.for_bond(context.bond).filter(recap__made_by="rules").select_related("bond"):
        yield Work(kind="scene_recap", target=scene.pk, source_hash=load_hash(scene), since=scene.created_at)


def recap(*, bond, target, asker, step, now):
    scene = Scene.objects.select_related("bond").get(pk=target)
    made_of = load_hash(scene)
    asked = asker.ask(f"Scene {scene.pk}: {'x' * step.shrink(4_000)}", feature="scene_recap", schema=Told)
    with step.transaction():
        if load_hash(scene) != made_of:
            raise StepChanged
        newest = scene.recaps.count() + 1
        content = build_content(asked.parsed["text"], line=scene.last_message_id)
        columns = {"n": newest, "content": content, "source_hash": made_of, "made_by": "model", "created_at": now}
        scene.recap = SceneRecap.objects.create(bond=bond, scene=scene, **columns)
        scene.save()


RECAPPING = StepHandlers(finders=(find_untold,), acts={"scene_recap": recap})


def tell(bond, llm, *, now=NOW, handlers=RECAPPING, pause=lambda _: None, clock=None):
    asker = partial(StepAsker, pause=pause)
    return story_worker.tell(bond_id=bond.pk, llm=llm, clock=clock or (lambda: now), asker=asker, handlers=handlers)


def told_bond(bond, *, scenes=2, now=NOW):
    """Scenes of one message each, recapped by rules. Returns them, oldest first."""
    made = []
    for number in range(1, scenes + 1):
        session = talk(f"Talk {number} about the cat.", bond=bond, now=now)
        made.append(create_scene(bond, session.messages.latest("id"), text=f"Talk {number}.", now=now))
    return made


class Recapper(FakeLLM):
    """Says the same about the same scene, to whichever worker asks; `fail` are errors for its first calls."""

    def __init__(self, *fail):
        super().__init__()
        self.fail = list(fail)

    def answer(self, messages, *, feature, **more):
        prompt = messages[0]["content"]
        error = self.fail.pop(0) if self.fail else None
        self.answers[feature] = error if error is not None else {"text": f"A cat ({prompt.partition(':')[0]})."}
        return super().answer(messages, feature=feature, **more)


def spend(bond, *, at, tokens_in=0, tokens_out=0):
    """Let a step of some days ago, which was tried again, have used so many tokens."""
    StoryStep.objects.create(bond=bond, kind="merge", state="done", created_at=NOW - timedelta(days=3), ended_at=at)
    LedgerEntry.objects.create(
        feature="story_merge",
        user_id=bond.user_id,
        bond_id=bond.pk,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        duration_ms=1,
        outcome="ok",
        created_at=at,
    )
