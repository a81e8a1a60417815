"""Rows of a bond's story, for tests."""

from datetime import timedelta

from echovessel.llm.protocol import Origin
from memory.jobs.lease import claim_story
from memory.models import EntityRemark, LineRecap, Scene, SceneRecap, Story, StoryStep, StoryVersion
from memory.story import lines
from memory.storytelling.work import steps
from memory.storytelling.work.quiet import Quiet
from memory.storytelling.work.running import RunningStep, StepAsker
from tests.support.factories import NOW


def build_content(text="The cat jumps.", *, line=1, **parts):
    """Build the content of a recap with one outcome."""
    empty = {"open": [], "state": [], "quotes": [], "entities": []}
    return {"title": text[:50], "outcomes": [{"text": text, "lines": [line]}], **empty, **parts}


def create_scene(bond, last, *, text="The cat jumps.", made_by="rules", closed_by="silence", now=NOW) -> Scene:
    """Create a break behind a message, with one recap of the scene."""
    before = Scene.objects.filter(bond=bond, last_message_id__lt=last.pk).order_by("-last_message_id").first()
    told = lines.load_told(bond, after=before.last_message_id if before else 0, up_to=last.pk)
    scene = Scene.objects.create(
        bond=bond, last_message_id=last.pk, closed_by=closed_by, title=text[:50], title_by=made_by, created_at=now
    )
    scene.recap = SceneRecap.objects.create(
        bond=bond,
        scene=scene,
        n=1,
        content=build_content(text, line=last.pk),
        source_hash=lines.hash_lines(told),
        made_by=made_by,
        created_at=now,
    )
    scene.save(update_fields=["recap"])
    return scene


def build_point(text, *scenes, part="happened", label="", by="rules", id="p1", weight=0):
    cited = [one.pk for one in scenes]
    return {"id": id, "part": part, "label": label, "text": text, "scenes": cited, "by": by, "weight": weight}


def shown(point):
    """A point as the API shows it: what it weighs is for prompts alone."""
    return {name: value for name, value in point.items() if name != "weight"}


def create_version(bond, *scenes, points=(), now=NOW, **columns):
    """Create a version that tells these scenes, and make it current."""
    number = StoryVersion.objects.filter(bond=bond).count() + 1
    version = StoryVersion.objects.create(
        bond=bond,
        number=number,
        points=list(points),
        scene_count=len(scenes),
        from_scene=scenes[0].pk if scenes else None,
        to_scene=scenes[-1].pk if scenes else None,
        recaps={str(scene.pk): scene.recap_id for scene in scenes},
        **{"made_by": "rules", "created_at": now} | columns,
    )
    Story.objects.update_or_create(bond=bond, defaults={"current": version})
    return version


def create_all(bond, last, *, text, entity=None, now=NOW):
    """Create a row of each table of the story, with `text` in each that holds words."""
    scene = create_scene(bond, last, text=text, now=now)
    version = create_version(bond, scene, points=[build_point(text, scene)], now=now)
    StoryStep.objects.create(bond=bond, kind="merge", state="done", created_at=now, ended_at=now)
    LineRecap.objects.create(
        bond=bond,
        message=last,
        text=text,
        sources=[last.pk],
        source_hash=lines.hash_lines([last]),
        made_by="rules",
        created_at=now,
    )
    if entity is not None:
        EntityRemark.objects.create(bond=bond, entity=entity, scene=scene, text=text, line=last.pk, created_at=now)
    return scene, version


def run_step(act, *, bond, llm, kind, target=0, source_hash="", now=NOW, pause=lambda _: None):
    """Do a piece of work as the worker does: `act(asker=…, step=…, now=…)`. Returns its row."""
    Story.objects.get_or_create(bond=bond)
    held = claim_story(bond_id=bond.pk, now=now)
    work = steps.Work(kind=kind, target=target, source_hash=source_hash, since=now)
    row = steps.begin(bond=bond, work=work, generation=Story.objects.get(pk=bond.pk).generation, now=now)
    step = RunningStep(row=row, held=held, quiet_for=Quiet(timedelta(0)), clock=lambda: now)
    asker = StepAsker(llm=llm, origin=Origin(bond_id=bond.pk), before_call=step.check_call, pause=pause, step=step)
    try:
        act(asker=asker, step=step, now=now)
    finally:
        Story.objects.filter(pk=bond.pk).update(lease_token=None, lease_until=None)
    steps.finish(row, now=now)
    row.refresh_from_db()
    return row
