"""Load the memory of every prompt: authored texts, earlier sessions, thoughts, promises and expectations.

One statement loads it all: it runs at every turn, and each further statement would cost as much.
"""

import math
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection

from memory.models import ConceptNode, Session
from memory.recall import scoring
from personas.models import Bond

SESSIONS = 5
OWN_THOUGHTS = 5
USER_THOUGHTS = 5
# The ones nearest to today, by their day or, without one, by the day of the promise.
PROMISES = 10
# The weightiest are chosen among so many of the newest: older thoughts weigh next to nothing.
WEIGHED_MOST = 500

# Not forgotten, superseded, stale or settled.
_LIVE = "bond_id = %(bond)s AND deleted_at IS NULL AND NOT stale AND state IN ('live', 'pending', 'open')"
_NODE = "'node', id, type, subject, description, emotional_impact, event_time_start, event_time_end, created_at"
# The logarithm of recency x |impact|: PostgreSQL refuses powers as small as those of old thoughts.
_WEIGHT = f"""
    ln(nullif(abs(emotional_impact), 0)) - greatest(extract(epoch FROM %(now)s - created_at), 0)
    * {math.log(2) / 86_400 / scoring.RECENCY_HALF_LIFE_DAYS}
"""
_STANDING = f"""
SELECT 'persona', id, label, '', content, 0, NULL::date, NULL::date, updated_at
FROM personas_coreblock WHERE persona_id = %(persona)s AND content <> ''
UNION ALL SELECT 'bond', id, label, '', content, 0, NULL, NULL, updated_at
FROM personas_coreblock WHERE bond_id = %(bond)s AND content <> ''
UNION ALL (
    SELECT 'session', id, '', '', summary, 0, NULL, NULL, last_message_at FROM memory_session
    WHERE bond_id = %(bond)s AND deleted_at IS NULL AND summary <> '' ORDER BY last_message_at DESC, id DESC LIMIT {SESSIONS}
)
UNION ALL (
    SELECT {_NODE} FROM memory_conceptnode WHERE {_LIVE} AND type = 'thought' AND subject = 'persona'
    ORDER BY created_at DESC, id DESC LIMIT {OWN_THOUGHTS}
)
UNION ALL (
    SELECT {_NODE} FROM (
        SELECT * FROM memory_conceptnode WHERE {_LIVE} AND type = 'thought' AND subject <> 'persona'
        ORDER BY created_at DESC, id DESC LIMIT {WEIGHED_MOST}
    ) AS newest ORDER BY {_WEIGHT} DESC NULLS LAST, created_at DESC, id DESC LIMIT {USER_THOUGHTS}
)
UNION ALL (
    SELECT {_NODE} FROM memory_conceptnode WHERE {_LIVE} AND type = 'intention'
    ORDER BY abs(coalesce(event_time_end, created_at::date) - %(today)s), created_at DESC, id DESC LIMIT {PROMISES}
)
UNION ALL SELECT {_NODE} FROM memory_conceptnode WHERE {_LIVE} AND type = 'expectation'
"""
# In the order of the model's columns.
_FIELDS = (
    "id",
    "type",
    "subject",
    "description",
    "emotional_impact",
    "event_time_start",
    "event_time_end",
    "created_at",
)


@dataclass
class PromptMemory:
    """L1 texts by label; sessions, oldest first; nodes, newest first; thoughts about the user, weightiest first."""

    blocks: dict[str, str] = field(default_factory=dict)
    sessions: list[Session] = field(default_factory=list)
    own_thoughts: list[ConceptNode] = field(default_factory=list)
    user_thoughts: list[ConceptNode] = field(default_factory=list)
    intentions: list[ConceptNode] = field(default_factory=list)
    expectations: list[ConceptNode] = field(default_factory=list)


def load(*, bond: Bond, now: datetime) -> PromptMemory:
    """Load the memory of a prompt.

    A bond's own style replaces the persona's. Loaded are the newest sessions with a summary, the newest thoughts of the
    persona about itself, the weightiest about the user, the open promises nearest to today, and pending expectations.
    """
    today = now.astimezone(bond.user.zone).date()
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, {"bond": bond.pk, "persona": bond.persona_id, "now": now, "today": today})
        rows = cursor.fetchall()
    of_source: dict[str, list[Any]] = {source: [] for source in ("persona", "bond", "session", "node")}
    for source, *values in rows:
        of_source[source].append(values)
    nodes = [ConceptNode.from_db(connection.alias, _FIELDS, values) for values in of_source["node"]]
    nodes.sort(key=lambda node: (node.created_at, node.pk), reverse=True)
    thoughts = [node for node in nodes if node.type == ConceptNode.Type.THOUGHT]
    return PromptMemory(
        blocks={label: content for _, label, _, content, *_ in (*of_source["persona"], *of_source["bond"])},
        sessions=[build_session(values) for values in reversed(of_source["session"])],
        own_thoughts=[node for node in thoughts if node.subject == ConceptNode.Subject.PERSONA],
        user_thoughts=sorted(
            (node for node in thoughts if node.subject != ConceptNode.Subject.PERSONA),
            key=lambda node: -scoring.compute_recency(node.created_at, now) * abs(node.emotional_impact),
        ),
        intentions=[node for node in nodes if node.type == ConceptNode.Type.INTENTION],
        expectations=[node for node in nodes if node.type == ConceptNode.Type.EXPECTATION],
    )


def build_session(values: list[Any]) -> Session:
    pk, _, _, summary, *_, at = values
    return Session.from_db(connection.alias, ("id", "last_message_at", "summary"), (pk, at, summary))
