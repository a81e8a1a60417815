"""A bond's settings of its story."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from echovessel import events
from echovessel.errors import CodedError
from memory import sessions
from memory.models import Story, StoryVersion
from memory.story import foreign
from personas.models import Bond

# The least and the most of each number, which forms and requests are checked by.
BOUNDS: Mapping[str, tuple[int, int]] = {
    "keep_scenes": (0, 10),
    "exclude_latest": (0, 5),
    "recap_limit": (0, 1_000_000),
    "recap_min_tokens": (0, 1_000),
}
PERCENT_MOST = 100
NAMES = ("enabled", "paused", "recap_user", "recap_persona", *BOUNDS, "recap_limit_kind")


class SettingRefused(CodedError):
    """A limit of more than all: `invalid`, with a sentence that names the setting and what is allowed."""


def get_story(bond: Bond) -> Story:
    """Get the story of a bond, as `find_story` does; it is created when it is first asked for."""
    return find_story(bond) or Story.objects.get_or_create(bond=bond)[0]


def find_story(bond: Bond) -> Story | None:
    """Find the story of a bond, with its current version. A version of another bond is left out."""
    story = Story.objects.filter(bond=bond).select_related("current").first()
    if story is None:
        return None
    story.bond = bond
    if story.current is not None and story.current.bond_id != story.pk:
        foreign.report("the story", bond_id=story.pk)
        story.current = None
    return story


@transaction.atomic
def change_settings(*, bond: Bond, changes: Mapping[str, Any], now: datetime) -> Story:
    """Change settings of a bond's story, by their names and within their bounds; those that are not named stay.

    Switching it off ends running work: it writes nothing more, and what a rebuild has made so far goes.
    Raises SettingRefused.
    """
    sessions.lock_bond(bond)
    story = get_story(bond)
    was_enabled = story.enabled
    for name, value in changes.items():
        setattr(story, name, value)
    if story.recap_limit_kind == Story.LimitKind.PERCENT and story.recap_limit > PERCENT_MOST:
        raise SettingRefused(
            "invalid", "recap_limit is at most %(most)s where recap_limit_kind is percent.", most=PERCENT_MOST
        )
    changed = [*changes]
    if was_enabled and not story.enabled:
        stop_running_work(story)
        changed.append("generation")
    story.save(update_fields=changed)
    events.record(bond_id=bond.pk, type="memory.story.updated", refs={"settings": sorted(changes)}, now=now)
    return story


def stop_running_work(story: Story) -> None:
    """Void running work of a story, and drop the hidden versions of a rebuild. The caller saves `generation`."""
    story.generation += 1
    StoryVersion.objects.filter(bond=story.bond_id).exclude(chain=None).delete()
