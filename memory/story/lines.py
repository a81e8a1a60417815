"""The messages that a scene tells: which they are, and the hash of their texts."""

import hashlib
from collections.abc import Iterable

from django.db.models import Max

from memory.messages import tombstones
from memory.models import Message, Scene
from personas.models import Bond


def load_told(bond: Bond, *, after: int = 0, up_to: int | None = None, most: int | None = None) -> list[Message]:
    """Load the told messages with ids above `after`, up to `up_to`, the oldest first and of these `most`: those from which
    something was forgotten are no longer told.
    """
    found = Message.objects.for_bond(bond).told().filter(pk__gt=after).without_heavy_columns().order_by("id")
    messages = list((found if up_to is None else found.filter(pk__lte=up_to))[:most])
    gone = tombstones.find_forgotten_messages(bond, messages)
    return [message for message in messages if message.pk not in gone]


def hash_lines(lines: Iterable[Message]) -> str:
    """Hash the texts of messages, without ids: a restored recap is of the same texts."""
    made = hashlib.sha256()
    for line in lines:
        made.update(f"{line.role}:{len(line.content)}:{line.content}\n".encode())
    return made.hexdigest()


def load_scene(scene: Scene) -> list[Message]:
    """Load the told messages of a scene, oldest first."""
    return load_told(scene.bond, after=find_start(scene), up_to=scene.last_message_id)


def find_start(scene: Scene) -> int:
    """Find the id of the break before a scene, 0 for the first."""
    earlier = Scene.objects.filter(bond=scene.bond_id, last_message_id__lt=scene.last_message_id)
    return earlier.aggregate(newest=Max("last_message_id"))["newest"] or 0
