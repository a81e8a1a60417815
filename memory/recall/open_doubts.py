"""Read what is in doubt in a bond, as a part of the statement that loads the memory of a prompt."""

import json
from dataclasses import dataclass
from typing import Any

# Twenty of a bond are open at most, and one was asked about in a session.
MOST = 25
# Open doubts, and what was asked about in this session: most severe first, then oldest. Nobody else can say whether a thought of the persona holds.
ARM = f"""
    SELECT 'doubt', doubt.id, jsonb_build_object(
            'kind', doubt.kind, 'is_open', doubt.state = 'open', 'asked_in', asked_in, 'values', jsonb_build_array(a.value, b.value),
            'nodes', jsonb_build_array(a_node_id, b_node_id),
            'entities', jsonb_build_array(a_entity_id, b_entity_id) || coalesce(
                (SELECT jsonb_agg(entity_id) FROM memory_mention WHERE node_id IN (a_node_id, b_node_id)), '[]'::jsonb
            )
        )::text, coalesce(b.description, bb.canonical_name, ''), coalesce(a.description, aa.canonical_name),
        0, NULL, NULL, opened_at
    FROM memory_doubt AS doubt
    LEFT JOIN memory_conceptnode AS a ON a.id = a_node_id LEFT JOIN memory_conceptnode AS b ON b.id = b_node_id
    LEFT JOIN memory_entity AS aa ON aa.id = a_entity_id LEFT JOIN memory_entity AS bb ON bb.id = b_entity_id
    WHERE doubt.bond_id = %(bond)s AND coalesce(a.type, '') <> 'thought' AND (doubt.state = 'open' OR asked_in @> ARRAY[%(session)s::bigint])
    ORDER BY severity DESC, opened_at, doubt.id LIMIT {MOST}
"""


@dataclass(frozen=True, kw_only=True)
class OpenDoubt:
    """A doubt as a turn reads it: the texts or names of its sides, what slots they fill, and the ids of memories and
    entities by which it comes up.
    """

    id: int
    kind: str
    this: str
    that: str
    values: tuple[str, ...]
    nodes: frozenset[int]
    entities: frozenset[int]
    asked_in: tuple[int, ...]
    is_open: bool


def build(values: list[Any]) -> OpenDoubt:
    """Build a doubt from a row, without its source."""
    pk, read, that, this, *_ = values
    found = json.loads(read)
    return OpenDoubt(
        id=pk,
        kind=found["kind"],
        this=this,
        that=that,
        values=tuple(filter(None, found["values"])),
        nodes=frozenset(filter(None, found["nodes"])),
        entities=frozenset(filter(None, found["entities"])),
        asked_in=tuple(found["asked_in"]),
        is_open=found["is_open"],
    )
