"""Load what a prompt may tell of a bond by one statement: its newest messages with their recaps, its scenes, its story."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from itertools import starmap
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.conf import settings

from echovessel.postgres import prepared
from memory.messages.tombstones import HIDDEN, PROMPTED
from memory.models import Story
from memory.story import foreign
from personas.models import Bond

# How many of the newest messages and scenes are looked at, and of how many scenes that the story does not tell the recap.
MESSAGES_MOST = 600
SCENES_MOST = 60
RECAPS_MOST = 12
# Of the newest messages so many times more are read than are surely needed: some are deleted, or other variants.
READ_FACTOR = 3
# A message that is surely not in the window is read by its beginning.
BEGINNING_CHARACTERS = 2000
# Messages that no prompt tells are counted up to here, those of at least so many tokens.
BEYOND_MOST = 1000
TOLD_TOKENS = 8
# Above every id.
ENDLESS = 2**62

# A told message that counts, but for tombstones.
_TOLD = f"""
    bond_id = %(bond)s AND deleted_at IS NULL AND chosen AND role <> 'system' AND NOT left_out AND token_count >= {TOLD_TOKENS}
    AND session_id NOT IN (SELECT id FROM memory_session WHERE bond_id = %(bond)s AND (deleted_at IS NOT NULL OR off_record))
"""
_STORY = """
story AS MATERIALIZED (
    SELECT story.*, version.number, version.points, version.untold, coalesce(last.last_message_id, 0) AS last_message
    FROM memory_story story LEFT JOIN memory_storyversion version ON version.id = story.current_id AND version.deleted_at IS NULL
        AND version.bond_id = %(bond)s
    LEFT JOIN memory_scene last ON last.id = version.to_scene AND last.bond_id = %(bond)s
    WHERE story.bond_id = %(bond)s
)
"""
# A scene begins behind the scene before it, so one more than are told is read.
_SCENES = f"""
scenes AS MATERIALIZED (
    SELECT *, in_story IS NOT TRUE AND (
        row_number() OVER (PARTITION BY in_story IS TRUE ORDER BY last_message_id DESC) <= {RECAPS_MOST} OR untold
    ) AS is_read FROM (
        SELECT scene.id, last_message_id, title, recap_id, created_at, last_message_id <= coalesce((SELECT last_message FROM story), 0)
            AND scene.id <> ALL (coalesce((SELECT untold FROM story), '{{}}')) AS in_story,
            scene.id = ANY (coalesce((SELECT untold FROM story), '{{}}')) AS untold,
            row_number() OVER newest_first AS rank, coalesce(lead(last_message_id) OVER newest_first, 0) AS after
        FROM (
            SELECT * FROM memory_scene WHERE bond_id = %(bond)s AND last_message_id < %(before)s
            ORDER BY last_message_id DESC LIMIT {SCENES_MOST} + 1
        ) AS scene WINDOW newest_first AS (ORDER BY last_message_id DESC)
    ) AS ranked WHERE rank <= {SCENES_MOST}
),
fold AS (
    SELECT coalesce(max(last_message_id), 0) AS last_message FROM scenes
    WHERE in_story AND rank > (SELECT keep_scenes FROM story) AND (SELECT keep_scenes FROM story) > 0 AND NOT %(all)s
),
cited AS MATERIALIZED (
    SELECT cited::bigint AS id, bool_or(point ->> 'part' = 'state') AS is_state
    FROM story, jsonb_array_elements(points) AS point, jsonb_array_elements_text(point -> 'scenes') AS cited GROUP BY cited
)
"""
# What is newer is read by its order, and the newest have a bound for their ids: else, as planned for a bond of average size, all of
# the bond's messages would be read and sorted.
_NEWEST = f"""
later AS (
    SELECT turn_id FROM (
        SELECT turn_id, role FROM memory_message WHERE bond_id = %(bond)s AND id > %(up_to)s ORDER BY id DESC OFFSET 0
    ) AS newer WHERE role = 'user' AND turn_id IS NOT NULL
),
newest AS MATERIALIZED (
    SELECT id, session_id, role, {PROMPTED} AS content, turn_id, token_count, created_at, left_out,
        row_number() OVER (ORDER BY id DESC) AS rank, sum(token_count) OVER (ORDER BY id DESC) AS running
    FROM memory_message line
    WHERE bond_id = %(bond)s AND id < %(endless)s AND deleted_at IS NULL AND chosen AND role <> 'system'
        AND session_id NOT IN (SELECT id FROM memory_session WHERE bond_id = %(bond)s AND deleted_at IS NOT NULL)
        AND (id NOT IN ({HIDDEN} %(bond)s) OR remainder <> '')
        AND turn_id IS DISTINCT FROM %(turn)s AND (turn_id IS NULL OR turn_id NOT IN (SELECT turn_id FROM later)) {{behind}}
    ORDER BY id DESC LIMIT {MESSAGES_MOST}
),
gone AS (SELECT DISTINCT unnest(lines) AS id FROM memory_tombstone WHERE bond_id = %(bond)s AND of = 'node')
SELECT 'line', newest.id, session_id, role,
    CASE WHEN newest.rank <= %(least)s OR running <= %(full)s THEN content ELSE left(content, {BEGINNING_CHARACTERS}) END,
    turn_id::text, token_count, newest.created_at::text, left_out, newest.id IN (SELECT id FROM gone),
    session_id IN (SELECT id FROM memory_session WHERE bond_id = %(bond)s AND off_record), recap.text
FROM newest LEFT JOIN memory_linerecap recap ON recap.message_id = newest.id AND recap.status <> 'failed'
"""
_REST = f"""
UNION ALL SELECT 'story', coalesce(number, 0), last_message, '', coalesce(points, '[]')::text, NULL,
    (current_id IS NOT NULL AND number IS NULL)::int, NULL, number IS NOT NULL, enabled, paused,
    json_build_object(
        'keep_scenes', keep_scenes, 'exclude_latest', exclude_latest, 'recap_limit', recap_limit, 'recap_limit_kind', recap_limit_kind,
        'recap_user', recap_user, 'recap_persona', recap_persona, 'recap_min_tokens', recap_min_tokens
    )::text
FROM story
UNION ALL SELECT 'beyond', 0, 0, '', '', NULL, count(*), NULL, false, false, false, NULL FROM (
    SELECT FROM memory_message WHERE {_TOLD}
    AND id > coalesce((SELECT last_message FROM story), 0) AND id < (SELECT min(id) FROM newest) ORDER BY id DESC LIMIT {BEYOND_MOST}
) AS beyond
"""
_LOADED = "newest.id > (SELECT last_message FROM fold) OR newest.rank <= %(least)s"
_BEHIND_FOLD = f"""
    AND line.id > least((SELECT last_message FROM fold), coalesce((
        SELECT id FROM memory_message WHERE bond_id = %(bond)s ORDER BY id DESC OFFSET {READ_FACTOR} * %(least)s LIMIT 1
    ), 0))
"""
_TOLD_SCENES = f"""
UNION ALL SELECT 'scene', scenes.id, last_message_id, scenes.title, recap.content::text, after::text,
    CASE WHEN is_read AND last_message_id < (SELECT coalesce(min(id), {ENDLESS}) FROM newest WHERE {_LOADED}) THEN (
        SELECT count(*) FROM memory_message WHERE {_TOLD} AND id > after AND id <= last_message_id
    ) ELSE 0 END, coalesce((SELECT created_at FROM memory_message WHERE id = last_message_id), scenes.created_at)::text, in_story, untold,
    is_read AND recap_id IS NOT NULL AND recap.id IS NULL, NULL
FROM scenes LEFT JOIN memory_scenerecap recap ON recap.id = scenes.recap_id AND recap.bond_id = %(bond)s AND scenes.is_read
UNION ALL SELECT 'cited', scene.id, scene.last_message_id, '', '', NULL, 0,
    coalesce((SELECT created_at FROM memory_message WHERE id = last_message_id), scene.created_at)::text, cited.is_state AND EXISTS (
        SELECT FROM memory_nodesource source JOIN memory_conceptnode node ON node.id = source.node_id
        WHERE source.bond_id = %(bond)s AND source.message_id <= scene.last_message_id AND source.message_id > coalesce((
            SELECT max(before.last_message_id) FROM memory_scene before
            WHERE before.bond_id = %(bond)s AND before.last_message_id < scene.last_message_id
        ), 0) AND node.type = 'fact' AND node.state = 'superseded' AND node.deleted_at IS NULL
    ), false, false, NULL
FROM cited JOIN memory_scene scene ON scene.id = cited.id AND scene.bond_id = %(bond)s
"""
_WITH_SCENES = f"WITH {_STORY}, {_SCENES}, {_NEWEST.format(behind=_BEHIND_FOLD)}WHERE {_LOADED} {_REST} {_TOLD_SCENES}"
# PostgreSQL plans it in a third of the time: a bond without scenes is the commonest.
_WITHOUT_SCENES = f"WITH {_STORY}, {_NEWEST.format(behind='')} {_REST}"


class LoadedMessage(NamedTuple):
    """A message as it was loaded; `recap` is the text of its own recap, if it has one."""

    id: int
    session_id: int
    role: str
    content: str
    # As text: of hundreds of messages a row has no time for more.
    turn_id: str | None
    token_count: int
    # When it was said: of most it is never read.
    said_at: str
    left_out: bool
    forgotten: bool
    off_record: bool
    recap: str | None

    @property
    def pk(self) -> int:
        return self.id

    @property
    def created_at(self) -> datetime:
        return datetime.fromisoformat(self.said_at)


@dataclass(frozen=True, kw_only=True)
class LoadedScene:
    """A scene: the message that it ends with, and the one before its first."""

    id: int
    after: int
    last_message: int
    title: str
    # When its last message was said.
    at: datetime
    in_story: bool
    # Whether it was withdrawn from the story.
    is_untold: bool
    # Where the story does not tell it: how many of its messages are to be told, if none of them is loaded, and its recap.
    told_count: int
    recap: dict[str, Any] | None


@dataclass(frozen=True)
class CitedScene:
    """A scene that points of the story name: when it was, and whether what it told of facts holds no longer."""

    last_message: int
    at: datetime
    is_past: bool


@dataclass(frozen=True, kw_only=True)
class LoadedStory:
    """A bond's story with its settings; its messages and scenes, oldest first; the scenes that its points cite, by id."""

    settings: Story
    # The number of the version, None where there is none, its points, and the last message it tells.
    version: int | None = None
    points: Sequence[dict[str, Any]] = ()
    last_message: int = 0
    messages: Sequence[LoadedMessage] = ()
    scenes: Sequence[LoadedScene] = ()
    cited: dict[int, CitedScene] = field(default_factory=dict)
    # How many messages to be told are older than those loaded and behind the story; counted up to `BEYOND_MOST`.
    beyond: int = 0

    @property
    def is_told(self) -> bool:
        """Whether prompts hold recaps and the story."""
        return settings.STORY_ENABLED and self.settings.enabled

    @cached_property
    def by_id(self) -> dict[int, LoadedMessage]:
        return {message.id: message for message in self.messages}


def load(
    bond: Bond,
    *,
    turn_id: UUID | None = None,
    up_to: int = ENDLESS,
    before: int = ENDLESS,
    load_all: bool = False,
    has_scenes: bool = True,
) -> LoadedStory:
    """Load the newest messages back to the story, without those of the turn and of later ones, as `messages.window.load_recent`.

    `before` is the id of the turn's first message: breaks behind it are not looked at. With `load_all` messages in the story
    are loaded, too. Whoever knows that the bond has no scenes says so: that costs less.
    """
    given: dict[str, int | UUID] = {"bond": bond.pk, "turn": turn_id or uuid4()}
    given |= {
        "up_to": up_to,
        "before": before,
        "endless": ENDLESS,
        "all": load_all,
        "least": 2 * settings.RECENT_WINDOW_SIZE + 10,
        "full": 2 * settings.HISTORY_TOKENS,
    }
    rows = prepared.fetch_all(_WITH_SCENES if has_scenes else _WITHOUT_SCENES, given)
    of_kind: dict[str, list[tuple[Any, ...]]] = {kind: [] for kind in ("line", "story", "scene", "cited", "beyond")}
    for row in rows:
        of_kind[row[0]].append(row[1:])
    report_foreign(of_kind, bond_id=bond.pk)
    scenes = sorted((build_scene(values) for values in of_kind["scene"]), key=lambda scene: scene.last_message)
    loaded: dict[str, Any] = {
        "messages": sort_by_turn(list(starmap(LoadedMessage, of_kind["line"]))),
        "scenes": scenes,
        "cited": {
            pk: CitedScene(last, datetime.fromisoformat(at), is_past)
            for pk, last, _, _, _, _, at, is_past, *_ in of_kind["cited"]
        },
        "beyond": of_kind["beyond"][0][5],
    }
    if not of_kind["story"]:
        return LoadedStory(settings=Story(bond=bond), **loaded)
    number, last, _, points, _, _, _, has_version, enabled, paused, how = of_kind["story"][0]
    own = Story(bond=bond, enabled=enabled, paused=paused, **json.loads(how))
    return LoadedStory(
        settings=own, version=number if has_version else None, points=json.loads(points), last_message=last, **loaded
    )


def report_foreign(of_kind: dict[str, list[tuple[Any, ...]]], *, bond_id: int) -> None:
    """Report a version and recaps of other bonds, which were left out."""
    found = ["the story" for _, _, _, _, _, is_foreign, *_ in of_kind["story"] if is_foreign]
    found += [f"scene {pk}" for pk, *_, is_foreign, _ in of_kind["scene"] if is_foreign]
    for what in found:
        foreign.report(what, bond_id=bond_id)


def build_scene(values: tuple[Any, ...]) -> LoadedScene:
    pk, last, title, recap, after, told_count, at, in_story, is_untold, *_ = values
    return LoadedScene(
        id=pk,
        after=int(after),
        last_message=last,
        title=title,
        at=datetime.fromisoformat(at),
        in_story=in_story,
        is_untold=is_untold,
        told_count=told_count,
        recap=json.loads(recap) if recap else None,
    )


def sort_by_turn(messages: Sequence[LoadedMessage]) -> list[LoadedMessage]:
    """Sort messages by id, and a reply before what was said while it was streaming."""
    began: dict[str, int] = {}

    def find_beginning(message: LoadedMessage) -> int:
        return began.setdefault(message.turn_id, message.id) if message.turn_id else message.id

    return sorted(sorted(messages, key=attrgetter("id")), key=find_beginning)
