"""A bond's scenes as people and programs see them, by three statements however many there are."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from echovessel.postgres.rows import fetch_all
from memory.models import Scene, SceneRecap, Story, Tombstone
from memory.story.settings import find_story
from personas.models import Bond


class State(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    RECAPPED = "recapped"
    MERGED = "merged"


@dataclass(frozen=True, kw_only=True)
class ListedScene:
    """A scene with what its told messages are; `scene` is None for the open one, which has no row.

    Where all its messages are forgotten, their ids and times are None.
    """

    scene: Scene | None
    number: int
    state: State
    first_message: int | None
    last_message: int | None
    line_count: int
    token_count: int
    started_at: datetime | None
    ended_at: datetime | None
    # Of the texts that it holds now, and whether its recap was made of others.
    source_hash: str
    outdated: bool = False

    @property
    def recap(self) -> SceneRecap | None:
        return self.scene.recap if self.scene is not None else None


# The hash is that of `memory.story.lines.hash_lines`. The last row is the open scene.
_LIST = """
WITH scene AS (
    SELECT id, last_message_id AS until, coalesce(lag(last_message_id) OVER (ORDER BY last_message_id), 0) AS past
    FROM memory_scene WHERE bond_id = %(bond)s
    UNION ALL
    SELECT NULL, 9223372036854775807, coalesce(max(last_message_id), 0) FROM memory_scene WHERE bond_id = %(bond)s
)
SELECT scene.id, told.* FROM scene CROSS JOIN LATERAL (
    SELECT min(line.id), max(line.id), count(*), coalesce(sum(line.token_count), 0), min(line.created_at), max(line.created_at),
        encode(sha256(convert_to(coalesce(
            string_agg(line.role || ':' || length(line.content) || ':' || line.content || E'\n', '' ORDER BY line.id), ''
        ), 'UTF8')), 'hex')
    FROM memory_message line JOIN memory_session session ON session.id = line.session_id
    WHERE line.bond_id = %(bond)s AND line.id > scene.past AND line.id <= scene.until
        AND line.deleted_at IS NULL AND line.chosen AND NOT line.left_out AND line.role <> 'system'
        AND session.deleted_at IS NULL AND NOT session.off_record AND NOT line.id = ANY(%(gone)s)
) told ORDER BY scene.until
"""


def list_scenes(*, bond: Bond, story: Story | None = None) -> list[ListedScene]:
    """List the scenes of a bond, oldest first, the open one last if it has messages. `story` is the bond's where it is at hand."""
    story = story or find_story(bond)
    version = story.current if story is not None else None
    merged = {int(pk) for pk in version.recaps} - set(version.untold) if version is not None else set()
    scenes = {scene.pk: scene for scene in Scene.objects.for_bond(bond).select_related("recap")}
    for one in scenes.values():
        one.bond = bond
    listed: list[ListedScene] = []
    for pk, *measured in read_rows(bond):
        scene = scenes.get(pk)
        if pk is None and not measured[2]:
            continue
        listed.append(describe(scene, measured, number=len(listed) + 1, is_merged=pk in merged))
    return listed


def read_rows(bond: Bond) -> list[tuple[Any, ...]]:
    stones = Tombstone.objects.filter(bond=bond, of=Tombstone.Of.NODE).values_list("lines", "hidden")
    gone = sorted({line for told, hidden in stones for line in (*told, *hidden)})
    return fetch_all(_LIST, {"bond": bond.pk, "gone": gone})


def describe(scene: Scene | None, measured: list[Any], *, number: int, is_merged: bool) -> ListedScene:
    first, last, line_count, token_count, started_at, ended_at, source_hash = measured
    recap = scene.recap if scene is not None else None
    return ListedScene(
        scene=scene,
        number=number,
        state=find_state(scene, is_merged=is_merged),
        first_message=first,
        last_message=last,
        line_count=line_count,
        token_count=token_count,
        started_at=started_at,
        ended_at=ended_at,
        source_hash=source_hash,
        outdated=recap is not None and recap.source_hash != source_hash,
    )


def find_state(scene: Scene | None, *, is_merged: bool) -> State:
    if scene is None:
        return State.OPEN
    if is_merged:
        return State.MERGED
    return State.CLOSED if scene.recap is None else State.RECAPPED
