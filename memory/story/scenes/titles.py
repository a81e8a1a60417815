"""A person's title of a scene, which no recap replaces."""

from datetime import datetime

from django.db import transaction

from echovessel import text
from memory.models import Scene
from memory.models.story.made_by import MadeBy
from memory.story.recaps import versions
from memory.story.recaps.content import cut_title
from memory.story.scenes import breaks


@transaction.atomic
def set_title(*, scene: Scene, title: str, now: datetime) -> Scene:
    """Give a scene a title of at most 50 characters; an empty one gives it back to its recap. Raises SceneGone, TextError."""
    locked = versions.lock_scene(scene)
    wanted = cut_title(title)
    if wanted:
        text.check(wanted, most=len(wanted))
        locked.title, locked.title_by = wanted, MadeBy.PERSON
    else:
        recap = locked.recap
        locked.title, locked.title_by = (recap.content.get("title", ""), recap.made_by) if recap else ("", "")
    locked.save(update_fields=["title", "title_by"])
    breaks.record("memory.scene.updated", locked, now=now)
    return locked
