"""Load the memory of every prompt: authored texts, earlier sessions, thoughts, promises and expectations, and the facts
that have a slot.

One statement loads it all: it runs at every turn, and each further statement would cost as much.
"""

import json
import math
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from echovessel.llm.inputs import NotedFact
from echovessel.postgres import prepared
from echovessel.postgres.rows import build_model
from memory.messages.tombstones import HIDDEN
from memory.models import ConceptNode, Message, Session
from memory.recall import open_doubts, recent_topics, scoring
from memory.recall.open_doubts import OpenDoubt
from memory.recall.recent_topics import RecentTopics
from personas.authored import lore
from personas.authored.lore import OfferedLore
from personas.models import Bond

SESSIONS = 5
# Messages that the user keeps, and how much of each is read.
MOMENTS = 10
MOMENT_CHARACTERS = 400
OWN_THOUGHTS = 5
USER_THOUGHTS = 5
# The ones nearest to today, by their day or, without one, by the day of the promise.
PROMISES = 10
# Events that were ahead when they were told and have come since the last message, or come within these days.
# More than are told of: several may tell the same.
DUE = 12
DUE_WITHIN_DAYS = 2
# The weightiest are chosen among so many of the newest: older thoughts weigh next to nothing.
WEIGHED_MOST = 500
# The newest changes of facts since the session loaded them, chosen among so many of the newest.
WRITES = 20
WRITES_READ = 200

# Not forgotten, superseded, stale or settled.
_LIVE = "bond_id = %(bond)s AND deleted_at IS NULL AND NOT stale AND state IN ('live', 'pending', 'open')"
_COLUMNS = "id, type, subject, description, emotional_impact, event_time_start, event_time_end, created_at"
_NODE = f"'node', {_COLUMNS}"
# The logarithm of recency x |impact|: PostgreSQL refuses powers as small as those of old thoughts.
_WEIGHT = f"""
    ln(nullif(abs(emotional_impact), 0)) - greatest(extract(epoch FROM %(now)s::timestamptz - created_at), 0)
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
    SELECT 'moment', message.id, role, '', left(content, {MOMENT_CHARACTERS} + 1), 0, NULL, NULL, message.created_at
    FROM memory_message AS message JOIN memory_session AS session ON session.id = message.session_id
    WHERE message.bond_id = %(bond)s AND kept_at IS NOT NULL AND message.deleted_at IS NULL AND chosen AND session.deleted_at IS NULL
    AND message.id NOT IN ({HIDDEN} %(bond)s)
    ORDER BY kept_at DESC, message.id DESC LIMIT {MOMENTS}
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
    ORDER BY abs(coalesce(event_time_end, created_at::date) - %(today)s::date), created_at DESC, id DESC LIMIT {PROMISES}
)
UNION ALL SELECT {_NODE} FROM memory_conceptnode WHERE {_LIVE} AND type = 'expectation'
UNION ALL (
    SELECT 'due', {_COLUMNS} FROM memory_conceptnode WHERE {_LIVE} AND type = 'event'
    AND (created_at AT TIME ZONE 'UTC' + %(from_utc)s::interval)::date < event_time_start
    AND event_time_start BETWEEN %(due_since)s::date AND %(today)s::date + {DUE_WITHIN_DAYS}
    ORDER BY abs(emotional_impact) DESC, event_time_start DESC, id DESC LIMIT {DUE}
)
UNION ALL ({recent_topics.ARM})
UNION ALL (
    SELECT 'lore', id, jsonb_build_object(
            'keys', keys, 'secondary_keys', secondary_keys, 'constant', constant, 'selective', selective,
            'case_sensitive', coalesce(case_sensitive, false), 'insertion_order', insertion_order
        )::text, '', content, coalesce(priority, 0), NULL, NULL, %(now)s::timestamptz
    FROM personas_loreentry WHERE persona_id = %(persona)s AND enabled AND content <> ''
    AND (constant OR EXISTS (SELECT FROM unnest(folded_keys) AS key WHERE strpos(%(said)s::text, key) > 0))
    ORDER BY constant DESC, coalesce(priority, 0) DESC, insertion_order, id LIMIT {lore.OFFERED_MOST}
)
UNION ALL SELECT 'slot', id, slot, value, description, 0, NULL, NULL, created_at FROM memory_conceptnode
WHERE bond_id = %(bond)s AND type = 'fact' AND state = 'live' AND deleted_at IS NULL AND slot <> ''
UNION ALL (
    SELECT 'write', written.id, jsonb_build_object(
            'op', op, 'facet', node.facet, 'is_undone', undone_at IS NOT NULL, 'is_new', coalesce(written.turn_id = %(turn)s AND written.by IN ('rule', 'backstop'), false)
        )::text, coalesce(
            (SELECT description FROM memory_conceptnode WHERE id = written.old[1] AND deleted_at IS NULL), ''
        ), CASE WHEN node.deleted_at IS NULL THEN node.description ELSE '' END, 0, NULL, NULL, changed_at
    FROM (
        SELECT *, coalesce(undone_at, created_at) AS changed_at FROM memory_factwrite
        WHERE bond_id = %(bond)s ORDER BY id DESC LIMIT {WRITES_READ}
    ) AS written JOIN memory_conceptnode node ON node.id = written.node_id
    WHERE changed_at >= %(loaded_at)s OR written.turn_id = %(turn)s ORDER BY changed_at DESC, written.id DESC LIMIT {WRITES}
)
UNION ALL ({open_doubts.ARM})
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


@dataclass(frozen=True)
class SlotFact:
    """What a live fact puts into its slot."""

    value: str
    content: str


@dataclass
class PromptMemory:
    """L1 texts by label; sessions, oldest first; nodes, newest first; thoughts about the user, weightiest first; kept
    messages, the last one kept first; facts by slot; changes of facts, oldest first.
    """

    blocks: dict[str, str] = field(default_factory=dict)
    sessions: list[Session] = field(default_factory=list)
    moments: list[Message] = field(default_factory=list)
    own_thoughts: list[ConceptNode] = field(default_factory=list)
    user_thoughts: list[ConceptNode] = field(default_factory=list)
    intentions: list[ConceptNode] = field(default_factory=list)
    expectations: list[ConceptNode] = field(default_factory=list)
    slots: dict[str, SlotFact] = field(default_factory=dict)
    writes: list[NotedFact] = field(default_factory=list)
    # Events that have come since the last message, the weightiest first.
    due: list[ConceptNode] = field(default_factory=list)
    topics: RecentTopics = field(default_factory=RecentTopics)
    # Most severe first, then oldest.
    doubts: list[OpenDoubt] = field(default_factory=list)
    # Entries of the persona's lore that may bear on what is said.
    lore: list[OfferedLore] = field(default_factory=list)


def load(
    *,
    bond: Bond,
    now: datetime,
    loaded_at: datetime,
    turn_id: UUID,
    session_id: int | None = None,
    due_since: date | None = None,
    off_record: bool = False,
    said: str = "",
) -> PromptMemory:
    """Load the memory of a prompt, with the changes of facts of this turn and since the session loaded its facts, and with
    what is in doubt or was asked about in the session.

    With `due_since`, events of that day and later are loaded that were ahead when they were told. Off the record, no
    topics are.

    A bond's own style replaces the persona's. Loaded are the newest sessions with a summary, the newest thoughts of the
    persona about itself, the weightiest about the user, the open promises nearest to today, pending expectations,
    and the messages that the user kept last. Of the persona's lore, those entries are loaded that are constant, or of
    which a key occurs in `said`.
    """
    given: dict[str, Any] = {"bond": bond.pk, "persona": bond.persona_id, "now": now, "today": bond.user.get_day(now)}
    given |= {"loaded_at": loaded_at, "turn": turn_id, "session": session_id}
    # By the offset from UTC, not by name: a database may lack a zone that Python knows.
    given |= {
        "from_utc": now.astimezone(bond.user.zone).utcoffset(),
        "due_since": due_since,
        "off_record": off_record,
        "said": said.casefold(),
    }
    rows = prepared.fetch_all(_STANDING, given)
    sources = ("persona", "bond", "session", "moment", "node", "due", "topic", "slot", "write", "doubt", "lore")
    of_source: dict[str, list[Any]] = {source: [] for source in sources}
    for source, *values in rows:
        of_source[source].append(values)
    nodes = [build_model(ConceptNode, _FIELDS, values) for values in of_source["node"]]
    nodes.sort(key=lambda node: (node.created_at, node.pk), reverse=True)
    thoughts = [node for node in nodes if node.type == ConceptNode.Type.THOUGHT]
    return PromptMemory(
        blocks={label: content for _, label, _, content, *_ in (*of_source["persona"], *of_source["bond"])},
        sessions=[build_session(values) for values in reversed(of_source["session"])],
        moments=[build_moment(values) for values in of_source["moment"]],
        own_thoughts=[node for node in thoughts if node.subject == ConceptNode.Subject.PERSONA],
        user_thoughts=sorted(
            (node for node in thoughts if node.subject != ConceptNode.Subject.PERSONA),
            key=lambda node: -scoring.compute_recency(node.created_at, now) * abs(node.emotional_impact),
        ),
        intentions=[node for node in nodes if node.type == ConceptNode.Type.INTENTION],
        expectations=[node for node in nodes if node.type == ConceptNode.Type.EXPECTATION],
        slots={slot: SlotFact(value, content) for _, slot, value, content, *_ in of_source["slot"]},
        writes=[build_noted_fact(values) for values in reversed(of_source["write"])],
        due=[build_model(ConceptNode, _FIELDS, values) for values in of_source["due"]],
        topics=recent_topics.build(of_source["topic"]),
        doubts=[open_doubts.build(values) for values in of_source["doubt"]],
        lore=[
            OfferedLore(content=content, priority=first, **json.loads(how))
            for _, how, _, content, first, *_ in of_source["lore"]
        ],
    )


def load_slots(bond: Bond) -> dict[str, SlotFact]:
    """Load the live facts that have a slot."""
    rows = ConceptNode.objects.for_bond(bond).live_facts().exclude(slot="").values_list("slot", "value", "description")
    return {slot: SlotFact(value, content) for slot, value, content in rows}


def build_session(values: list[Any]) -> Session:
    pk, _, _, summary, *_, at = values
    return build_model(Session, ("id", "last_message_at", "summary"), (pk, at, summary))


def build_moment(values: list[Any]) -> Message:
    pk, role, _, content, *_, at = values
    cut = content[:MOMENT_CHARACTERS] + "…" if len(content) > MOMENT_CHARACTERS else content
    return build_model(Message, ("id", "role", "content", "created_at"), (pk, role, cut, at))


def build_noted_fact(values: list[Any]) -> NotedFact:
    _, flags, old, text, *_ = values
    return NotedFact(text=text, old=old, **json.loads(flags))
