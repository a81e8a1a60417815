"""A recap as a person writes it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from pydantic import ValidationError

from echovessel.errors import CodedError
from memory.models import Scene, SceneRecap
from memory.models.story.made_by import MadeBy
from memory.story import lines
from memory.story.recaps import versions
from memory.story.recaps.content import RecapContent


class RecapRefused(CodedError):
    """A content that is no recap of its scene: `invalid`, with a sentence that names what is wrong."""


@transaction.atomic
def edit_recap(*, scene: Scene, content: Mapping[str, Any], now: datetime) -> SceneRecap:
    """Add a person's version of a scene's recap and choose it: no job replaces it. Raises RecapRefused, Scene.DoesNotExist."""
    locked = versions.lock_scene(scene)
    told = lines.load_scene(locked)
    written = read_content(content)
    foreign = sorted(written.cited - {line.pk for line in told})
    if foreign:
        named = ", ".join(map(str, foreign[:5]))
        raise RecapRefused(
            "invalid", "A recap cites messages that its scene tells; these it does not tell: %(named)s.", named=named
        )
    return versions.add_recap(
        scene=locked, content=written, made_by=MadeBy.PERSON, model="", source_hash=lines.hash_lines(told), now=now
    )


def read_content(content: Mapping[str, Any]) -> RecapContent:
    """Read what a person wrote. Raises RecapRefused."""
    try:
        return RecapContent.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "content"
        raise RecapRefused("invalid", "%(where)s: %(said)s.", where=where, said=first["msg"]) from error
