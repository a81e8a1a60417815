"""The bond's topics, as an arm of the statement of `memory.recall.prompt_memory`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.models import Topic
from memory.models.topics import CURRENT_FOR, KEPT_FOR

MOST = 20
# Of each topic's entities so many of the newest memories are looked at for others beside them.
MEMORIES_MOST = 200
_OWN = "entity_ids, session_ids, terms, centre_model, centre_count, turn_count, streak, turns_off, acc, focus"
_IS_CURRENT = f"place = 1 AND last_turn_at > %(now)s::timestamptz - interval '{CURRENT_FOR.total_seconds()} seconds'"
_BESIDE = f"""
    SELECT array_agg(DISTINCT beside.entity_id) FROM (
        SELECT node_id FROM memory_mention JOIN memory_conceptnode AS node ON node.id = node_id
        WHERE entity_id = ANY(topic.entity_ids) AND deleted_at IS NULL ORDER BY node_id DESC LIMIT {MEMORIES_MOST}
    ) AS held JOIN memory_mention AS beside USING (node_id)
"""
# Rows of: 'topic', id, its columns, its centre, '', 0, null, null, the time of its last turn. The current one is the first.
ARM = f"""
    SELECT 'topic', id, jsonb_build_object(
            'own', (SELECT to_jsonb(own) FROM (SELECT {", ".join(f"topic.{name.strip()}" for name in _OWN.split(","))}) AS own),
            'session_id', session_id, 'turn_id', turn_id, 'began_at', began_at, 'focus_at', focus_at, 'is_current', {_IS_CURRENT},
            'beside', CASE WHEN {_IS_CURRENT} THEN ({_BESIDE}) END
        )::text, CASE WHEN {_IS_CURRENT} THEN coalesce(centre::text, '') ELSE '' END, '', 0, NULL::date, NULL::date, last_turn_at
    FROM (
        SELECT *, row_number() OVER (ORDER BY last_turn_at DESC, id DESC) AS place FROM memory_topic
        WHERE bond_id = %(bond)s AND NOT %(off_record)s::boolean AND last_turn_at > %(now)s::timestamptz - interval '{KEPT_FOR.days} days'
        ORDER BY last_turn_at DESC, id DESC LIMIT {MOST}
    ) AS topic
"""


@dataclass(frozen=True, kw_only=True)
class RecentTopics:
    """The current topic, with the ids of entities that share a memory with its own; earlier topics, newest first, without
    their centres.
    """

    current: Topic | None = None
    beside: frozenset[int] = frozenset()
    earlier: Sequence[Topic] = ()


def build(rows: Sequence[Sequence[Any]]) -> RecentTopics:
    """Build the topics from the arm's rows, without their first column."""
    topics = sorted((build_topic(row) for row in rows), key=lambda one: (one[0].last_turn_at, one[0].pk), reverse=True)
    if not topics or not topics[0][1]["is_current"]:
        return RecentTopics(earlier=tuple(topic for topic, _ in topics))
    current, told = topics[0]
    return RecentTopics(
        current=current, beside=frozenset(told["beside"] or ()), earlier=tuple(topic for topic, _ in topics[1:])
    )


def build_topic(row: Sequence[Any]) -> tuple[Topic, dict[str, Any]]:
    pk, told, centre, *_, last_turn_at = row
    read = json.loads(told)
    topic = Topic(
        pk=pk,
        session_id=read["session_id"],
        turn_id=UUID(read["turn_id"]),
        began_at=datetime.fromisoformat(read["began_at"]),
        focus_at=datetime.fromisoformat(read["focus_at"]) if read["focus_at"] else None,
        last_turn_at=last_turn_at,
        **read["own"],
    )
    topic.centre = json.loads(centre) if centre else None
    return topic, read
