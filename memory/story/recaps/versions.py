"""The versions of a scene's recap: ten are kept, one is chosen, and no job takes the place of a person's."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from echovessel import events
from echovessel.errors import CodedError
from memory import sessions
from memory.models import Message, Scene, SceneRecap
from memory.models.story.made_by import MadeBy
from memory.story import lines
from memory.story.recaps.content import RecapContent
from memory.story.recaps.rules import recap_by_rules

KEPT = 10


class SceneGone(CodedError):
    """A scene, or a version of its recap, that went meanwhile."""


@transaction.atomic
def add_recap(
    *, scene: Scene, content: RecapContent, made_by: str, model: str, source_hash: str, now: datetime
) -> SceneRecap:
    """Add a version of a scene's recap, and choose it unless a person's is chosen and a job made this one.

    The oldest of more than ten goes, persons' and the chosen one last. Raises SceneGone.
    """
    locked = lock_scene(scene)
    earlier = list(SceneRecap.objects.filter(scene=locked).order_by("n"))
    recap = write_recap(
        scene=locked,
        content=content,
        made_by=made_by,
        model=model,
        source_hash=source_hash,
        now=now,
        n=earlier[-1].n + 1 if earlier else 1,
    )
    prune(locked, [*earlier, recap])
    scene.recap, scene.title, scene.title_by = locked.recap, locked.title, locked.title_by
    return recap


def write_recap(
    *, scene: Scene, content: RecapContent, made_by: str, model: str, source_hash: str, now: datetime, n: int = 1
) -> SceneRecap:
    """Write a version of the recap of a scene that is locked, or new."""
    recap = SceneRecap.objects.create(
        bond=scene.bond,
        scene=scene,
        n=n,
        content=content.model_dump(),
        source_hash=source_hash,
        made_by=made_by,
        model=model[:200],
        created_at=now,
    )
    if made_by == MadeBy.PERSON or not is_of_person(scene.recap):
        write_choice(scene, recap)
    events.record(bond_id=scene.bond_id, type="memory.recap.updated", refs={"scene": scene.pk}, now=now)
    return recap


@transaction.atomic
def choose_recap(*, recap: SceneRecap, now: datetime) -> Scene:
    """Choose a version, for a person. Raises SceneGone."""
    locked = lock_scene(recap.scene)
    found = SceneRecap.objects.filter(pk=recap.pk).first()
    if found is None:
        raise SceneGone("not_found", "This version of the recap is not there any more.")
    write_choice(locked, found)
    events.record(bond_id=locked.bond_id, type="memory.recap.updated", refs={"scene": locked.pk}, now=now)
    return locked


def recap_anew_by_rules(
    *, scene: Scene, told: Sequence[Message], now: datetime, is_new: bool = False
) -> SceneRecap | None:
    """Recap a scene by rules, of these told lines, so that it misses none of them; None where there are none."""
    content = recap_by_rules(told)
    if content is None:
        return None
    made_of = lines.hash_lines(told)
    add = write_recap if is_new else add_recap
    return add(scene=scene, content=content, made_by=MadeBy.RULES, model="", source_hash=made_of, now=now)


def load_hash(scene: Scene) -> str:
    """Hash the texts that a scene's told messages have now: a recap with another hash is outdated."""
    return lines.hash_lines(lines.load_scene(scene))


def lock_scene(scene: Scene) -> Scene:
    """Read a scene again under its bond's lock. Raises SceneGone."""
    sessions.lock_bond(scene.bond)
    locked = Scene.objects.select_related("bond__user", "bond__persona", "recap").filter(pk=scene.pk).first()
    if locked is None:
        raise SceneGone("not_found", "This scene is not there any more.")
    return locked


def is_of_person(recap: SceneRecap | None) -> bool:
    return recap is not None and recap.made_by == MadeBy.PERSON


def write_choice(scene: Scene, recap: SceneRecap) -> None:
    """Choose a version, with its title unless a person wrote one."""
    scene.recap = recap
    if scene.title_by != MadeBy.PERSON:
        scene.title, scene.title_by = recap.content.get("title", ""), recap.made_by
    scene.save(update_fields=["recap", "title", "title_by"])


def prune(scene: Scene, versions: Sequence[SceneRecap]) -> None:
    by_worth = sorted(versions, key=lambda one: (one.pk == scene.recap_id, is_of_person(one), one.n))
    for one in by_worth[: max(0, len(versions) - KEPT)]:
        one.delete()
