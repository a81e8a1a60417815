"""Serialize events for clients: an event holds ids, and a frame has the rows they refer to.

An event whose row was forgotten or deleted is left out.
"""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from echovessel.models import BondEvent
from memory.doubts import sides
from memory.models import ConceptNode, Entity, FactWrite, Message, Session
from memory.serializers.doubts import DoubtSerializer
from memory.serializers.facts import serialize_writes
from memory.serializers.memories import EntitySerializer, FailureSerializer
from memory.serializers.messages import MessageSerializer
from memory.serializers.nodes import NodeSerializer
from personas.models import Bond

Frame = dict[str, Any]


def serialize_events(*, bond: Bond, rows: Iterable[BondEvent], now: datetime) -> list[Frame]:
    rows = list(rows)
    texts = FrameContents(bond=bond, rows=rows, now=now)
    made: list[Frame] = []
    for row in rows:
        join = SERIALIZERS.get(row.type)
        keys = dict(row.refs) if join is None else join(texts, row.refs)
        if keys is not None:
            made.append(
                {"type": row.type, "at": format_timestamp(row.created_at), "seq": row.seq, "bond": bond.pk} | keys
            )
    return made


def build_transient_frame(*, bond_id: int, type: str, now: datetime, **keys: Any) -> Frame:
    return {"type": type, "at": format_timestamp(now), "seq": None, "bond": bond_id} | keys


def build_appended_keys(message: Frame, *, client_id: str | None, off_record: bool) -> Frame:
    return {"message": message, "client_id": client_id, "channel": message["channel"], "off_record": off_record}


def build_appended_again(message: Message, *, now: datetime) -> Frame | None:
    """Build the frame that answers a message sent again under its client id; None if it was forgotten."""
    if message.deleted_at is not None or message.session.deleted_at is not None:
        return None
    keys = build_appended_keys(
        dict(MessageSerializer(message).data), client_id=message.client_id, off_record=message.session.off_record
    )
    return build_transient_frame(bond_id=message.bond_id, type="chat.message.user_appended", now=now, **keys)


def encode(frame: Frame) -> str:
    return json.dumps(frame, ensure_ascii=False, default=str)


def format_timestamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


class FrameContents:
    """The rows that the events refer to, with one query for each kind."""

    def __init__(self, *, bond: Bond, rows: list[BondEvent], now: datetime) -> None:
        self.bond = bond
        self.now = now
        kinds = ("message", "node", "entity", "write", "doubt")
        ids = {name: {row.refs[name] for row in rows if row.refs.get(name)} for name in kinds}
        messages = Message.objects.for_bond(bond).not_deleted().without_deleted_sessions()
        nodes = ConceptNode.objects.for_bond(bond).not_deleted().for_serializer()
        entities = Entity.objects.for_bond(bond).not_deleted_or_merged().for_serializer()
        writes = FactWrite.objects.for_bond(bond).filter(pk__in=ids["write"])
        doubts = sides.load_sides(sides.filter_shown(bond).filter(pk__in=ids["doubt"])) if ids["doubt"] else []
        named = {row.refs.get(name) for row in rows for name in ("session", "closed_session", "new_session")} - {None}
        self.rows: dict[str, dict[int, Any]] = {
            "message": serialize_by_id(messages, ids["message"], MessageSerializer),
            "node": serialize_by_id(nodes, ids["node"], NodeSerializer),
            "entity": serialize_by_id(entities, ids["entity"], EntitySerializer),
            "write": {one["id"]: one for one in serialize_writes(bond_id=bond.pk, writes=writes, now=now)},
            "doubt": {doubt.pk: dict(DoubtSerializer(doubt).data) for doubt in doubts},
            "session": Session.objects.for_bond(bond).in_bulk(named) if named else {},
        }

    def build_restored(self, refs: Frame) -> Frame:
        message = self.rows["message"].get(refs["message"])
        return refs | {"channel": message["channel"] if message else None}

    def build_boundary(self, refs: Frame) -> Frame:
        """Add the title of the closed session, and channel and privacy of the new one."""
        closed, new = (self.rows["session"].get(refs[name]) for name in ("closed_session", "new_session"))
        one = new or closed
        return refs | {
            "title": (closed.shown_title or None) if closed else None,
            "channel": one.channel if one else None,
            "off_record": new.off_record if new else None,
        }

    def build_mood(self, refs: Frame) -> Frame:
        state = self.bond.episodic_state(self.now)
        updated_at = state["updated_at"] and format_timestamp(state["updated_at"])
        return {"episodic_state": state | {"updated_at": updated_at}}

    def build_doubt(self, refs: Frame) -> Frame:
        """Add the doubt; of one about what was forgotten, only its id."""
        return refs | {"doubt": self.rows["doubt"].get(refs["doubt"], {"id": refs["doubt"]})}


Join = Callable[[FrameContents, Frame], Frame | None]


def join_row(name: str, build: Callable[[Any, Frame], Frame]) -> Join:
    """Build the keys of a frame of the row that an event names; there is no frame where that is gone."""

    def join(contents: FrameContents, refs: Frame) -> Frame | None:
        row = contents.rows[name].get(refs[name])
        return None if row is None else build(row, refs)

    return join


def pick(row: Frame, *names: str) -> Frame:
    return {name: row[name] for name in names}


JOIN_NODE = join_row("node", lambda node, refs: refs | {"node": node})
JOIN_ENTITY = join_row("entity", lambda entity, refs: refs | {"entity": entity})
JOIN_WRITE = join_row("write", lambda write, refs: {"write": write})
SERIALIZERS: dict[str, Join] = {
    "chat.message.user_appended": join_row(
        "message", lambda message, refs: build_appended_keys(message, client_id=refs["client_id"], off_record=False)
    ),
    "chat.message.greeted": join_row("message", lambda message, refs: {"message": message, "off_record": False}),
    "chat.message.done": join_row("message", lambda message, refs: refs | pick(message, "content", "channel")),
    "chat.message.chosen": join_row(
        "message", lambda message, refs: refs | pick(message, "content", "channel", "cut_off", "kept", "created_at")
    ),
    "chat.message.kept": join_row("message", lambda message, refs: refs | pick(message, "kept")),
    "chat.message.restored": FrameContents.build_restored,
    "chat.session.boundary": FrameContents.build_boundary,
    "chat.session.failed": join_row(
        "session", lambda session, refs: {"session": session.pk, **FailureSerializer(session).data}
    ),
    "chat.session.updated": join_row("session", lambda session, refs: refs | {"title": session.shown_title or None}),
    "chat.mood.update": FrameContents.build_mood,
    "memory.event.created": JOIN_NODE,
    "memory.fact.created": JOIN_NODE,
    "memory.thought.created": JOIN_NODE,
    "memory.fact.written": JOIN_WRITE,
    "memory.fact.undone": JOIN_WRITE,
    "memory.node.updated": JOIN_NODE,
    "memory.node.forgotten": lambda _, refs: {"node": {"id": refs["forgotten"], "type": refs["node_type"]}},
    "memory.node.restored": JOIN_NODE,
    "memory.doubt.opened": FrameContents.build_doubt,
    "memory.doubt.settled": FrameContents.build_doubt,
    "memory.entity.confirmed": JOIN_ENTITY,
    "memory.entity.description_updated": JOIN_ENTITY,
    "memory.entity.merged": JOIN_ENTITY,
    "memory.entity.forgotten": lambda _, refs: {"entity": {"id": refs["forgotten"]}},
    "memory.entity.restored": JOIN_ENTITY,
}


def serialize_by_id(rows: Any, ids: set[int], serializer: type[Any]) -> dict[int, Frame]:
    return {row["id"]: dict(row) for row in serializer(rows.filter(pk__in=ids), many=True).data} if ids else {}
