"""Four scenes, a story of the first three, and work that failed, for the sample."""

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from memory.models import Entity, EntityRemark, Message, Scene, StoryStep
from personas.models import Bond
from tests.support.story import build_point, create_scene, create_version


def tell(bond: Bond, lines: list[Message], cat: Entity, words: Callable[[str], str]) -> Scene:
    """Tell the first talks of the sample, and of its cat. Returns a scene that is in the story."""
    now = timezone.now() - timedelta(days=2)
    told = [line for line in lines if not line.session.off_record]
    first, violin, audition, second = (
        create_scene(bond, last, text=words(text)[:50], now=now)
        for last, text in (
            (told[4], "Mara's cat wakes her."),
            (told[8], "Grandmother's violin stays on the wall."),
            (told[12], "Yiyang comes along to the audition."),
            (told[-3], "The workshop by the river."),
        )
    )
    points = [
        build_point(words("A white cat came to live with Mara.")[:200], first),
        build_point(words("Mara's grandmother died; her violin stays on the wall.")[:200], violin, id="p2"),
        build_point(words("She was asked to an audition at the Volksoper.")[:200], violin, audition, id="p3"),
        build_point(words("Marian asks on Saturday how it went.")[:200], audition, part="open", id="p4"),
        build_point(words("not enough")[:200], first, part="state", label=words("sleep")[:30], id="p5", by="person"),
    ]
    create_version(bond, first, points=points[:1], now=now)
    create_version(bond, first, violin, audition, points=points, excluded_count=1, made_by="person", now=now)
    StoryStep.objects.create(
        bond=bond,
        kind="scene_recap",
        target=second.pk,
        state="failed",
        error="model_unavailable",
        detail="The model server cannot be reached.",
        attempts=1,
        next_try_at=now + timedelta(days=3),
        created_at=now,
        ended_at=now,
    )
    EntityRemark.objects.create(
        bond=bond,
        entity=cat,
        scene=first,
        label=words("habit")[:30],
        text=words("Nimbus jumps on her face at night.")[:200],
        line=first.last_message_id,
        created_at=now,
    )
    StoryStep.objects.create(bond=bond, kind="merge", state="done", created_at=now, ended_at=now)
    return first
