"""A recap as a person writes it: whole, or its lines."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from pydantic import ValidationError

from echovessel.errors import CodedError
from memory.models import Message, Scene, SceneRecap
from memory.models.story.made_by import MadeBy
from memory.story import lines
from memory.story.recaps import versions
from memory.story.recaps.content import RecapContent


class RecapRefused(CodedError):
    """A content that is no recap of its scene: `invalid`, with a sentence that names what is wrong."""


@transaction.atomic
def edit_recap(*, scene: Scene, content: Mapping[str, Any], now: datetime) -> SceneRecap:
    """Add a person's version of a scene's recap and choose it: no job replaces it. Raises RecapRefused, SceneGone."""
    locked = versions.lock_scene(scene)
    told = lines.load_scene(locked)
    written = read_content(content)
    foreign = sorted(written.cited - {line.pk for line in told})
    if foreign:
        named = ", ".join(map(str, foreign[:5]))
        raise RecapRefused(
            "invalid", "A recap cites messages that its scene tells; these it does not tell: %(named)s.", named=named
        )
    return add(locked, written, told, now=now)


@transaction.atomic
def edit_lines(*, scene: Scene, outcomes: Sequence[str], still_open: Sequence[str], now: datetime) -> SceneRecap:
    """Put a person's lines in the place of what happened and of what is open, as `edit_recap`. Lines that stay keep their sources;
    others rest on the whole scene. Raises RecapRefused, SceneGone.
    """
    locked = versions.lock_scene(scene)
    told = lines.load_scene(locked)
    before: Mapping[str, Any] = locked.recap.content if locked.recap else {}
    written = {"outcomes": outcomes, "open": still_open}
    cited = {name: cite(texts, before=before.get(name, []), told=told) for name, texts in written.items()}
    return add(locked, read_content({**before, **cited}), told, now=now)


def cite(texts: Sequence[str], *, before: Sequence[Mapping[str, Any]], told: Sequence[Message]) -> list[dict[str, Any]]:
    known = {row["text"]: row["lines"] for row in before}
    return [{"text": text, "lines": known.get(text) or [line.pk for line in told]} for text in texts]


def add(scene: Scene, content: RecapContent, told: Sequence[Message], *, now: datetime) -> SceneRecap:
    source_hash = lines.hash_lines(told)
    return versions.add_recap(
        scene=scene, content=content, made_by=MadeBy.PERSON, model="", source_hash=source_hash, now=now
    )


def read_content(content: Mapping[str, Any]) -> RecapContent:
    """Read what a person wrote. Raises RecapRefused."""
    try:
        return RecapContent.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "content"
        raise RecapRefused("invalid", "%(where)s: %(said)s.", where=where, said=first["msg"]) from error
