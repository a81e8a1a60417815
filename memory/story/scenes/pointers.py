"""What versions of the story say of scenes, kept true as breaks come and go. What changed is told anew by later merges."""

from collections.abc import Iterable, Sequence

from memory.models import Scene, StoryVersion
from personas.models import Bond


def mark_untold(*, bond: Bond, scenes: Sequence[Scene]) -> None:
    """Mark scenes whose lines are others now as not told yet, in each version that goes up to them or past them."""
    for version in StoryVersion.objects.for_bond(bond).exclude(to_scene=None):
        last = Scene.objects.filter(pk__in=[version.to_scene]).values_list("last_message_id", flat=True).first() or 0
        reached = [scene.pk for scene in scenes if scene.last_message_id <= last and scene.pk not in version.untold]
        if reached:
            version.untold = [*version.untold, *reached]
            version.save(update_fields=["untold"])


def leave_scene(*, bond: Bond, gone: Scene, before: Scene | None, behind: Scene | None) -> None:
    """Let points of a scene that is joined to the next cite that one; the last scene's points go, as its lines are
    told by no scene now, and a story that ended with it ends one scene earlier.
    """
    for version in StoryVersion.objects.for_bond(bond):
        is_last = version.to_scene == gone.pk
        heir = None if is_last or behind is None else behind.pk
        version.points = list(_leave(version.points, gone=gone.pk, heir=heir))
        version.untold = [pk for pk in version.untold if pk != gone.pk]
        version.recaps = {key: recap for key, recap in version.recaps.items() if key != str(gone.pk)}
        if is_last:
            version.to_scene = before.pk if before is not None else None
        if version.from_scene == gone.pk:
            version.from_scene = heir or version.to_scene
        version.scene_count = len(version.recaps)
        version.save(update_fields=["points", "untold", "recaps", "from_scene", "to_scene", "scene_count"])


def _leave(points: Iterable[dict], *, gone: int, heir: int | None) -> Iterable[dict]:  # type: ignore[type-arg]  # as JSON
    for point in points:
        cited = point.get("scenes", [])
        if gone not in cited:
            yield point
            continue
        scenes = list(dict.fromkeys(heir if pk == gone else pk for pk in cited if pk != gone or heir))
        if scenes or point.get("by") == "person":
            yield point | {"scenes": scenes}
