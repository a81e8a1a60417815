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
        self.messages = serialize_by_id(
            Message.objects.for_bond(bond).not_deleted().without_deleted_sessions(), ids["message"], MessageSerializer
        )
        self.nodes = serialize_by_id(
            ConceptNode.objects.for_bond(bond).not_deleted().for_serializer(), ids["node"], NodeSerializer
        )
        self.entities = serialize_by_id(
            Entity.objects.for_bond(bond).not_deleted_or_merged().for_serializer(), ids["entity"], EntitySerializer
        )
        writes = FactWrite.objects.for_bond(bond).filter(pk__in=ids["write"])
        self.writes = {write["id"]: write for write in serialize_writes(bond_id=bond.pk, writes=writes, now=now)}
        doubts = sides.load_sides(sides.filter_shown(bond).filter(pk__in=ids["doubt"])) if ids["doubt"] else []
        self.doubts = {doubt.pk: dict(DoubtSerializer(doubt).data) for doubt in doubts}
        named = {row.refs.get(name) for row in rows for name in ("session", "closed_session", "new_session")} - {None}
        self.sessions = {row.pk: row for row in Session.objects.for_bond(bond).filter(pk__in=named)} if named else {}

    def build_appended(self, refs: Frame) -> Frame | None:
        message = self.messages.get(refs["message"])
        return message and build_appended_keys(message, client_id=refs["client_id"], off_record=False)

    def build_greeted(self, refs: Frame) -> Frame | None:
        message = self.messages.get(refs["message"])
        return message and {"message": message, "off_record": False}

    def build_done(self, refs: Frame) -> Frame | None:
        message = self.messages.get(refs["message"])
        return message and refs | {name: message[name] for name in ("content", "channel")}

    def build_chosen(self, refs: Frame) -> Frame | None:
        message = self.messages.get(refs["message"])
        return message and refs | {
            name: message[name] for name in ("content", "channel", "cut_off", "kept", "created_at")
        }

    def build_kept(self, refs: Frame) -> Frame | None:
        message = self.messages.get(refs["message"])
        return message and refs | {"kept": message["kept"]}

    def build_restored(self, refs: Frame) -> Frame:
        message = self.messages.get(refs["message"])
        return refs | {"channel": message["channel"] if message else None}

    def build_boundary(self, refs: Frame) -> Frame:
        """Add the title of the closed session, and channel and privacy of the new one."""
        closed, new = (self.sessions.get(refs[name]) for name in ("closed_session", "new_session"))
        one = new or closed
        return refs | {
            "title": (closed.shown_title or None) if closed else None,
            "channel": one.channel if one else None,
            "off_record": new.off_record if new else None,
        }

    def build_updated(self, refs: Frame) -> Frame | None:
        session = self.sessions.get(refs["session"])
        return refs | {"title": session.shown_title or None} if session else None

    def build_failed(self, refs: Frame) -> Frame | None:
        session = self.sessions.get(refs["session"])
        return {"session": session.pk, **FailureSerializer(session).data} if session else None

    def build_mood(self, refs: Frame) -> Frame:
        state = self.bond.episodic_state(self.now)
        updated_at = state["updated_at"] and format_timestamp(state["updated_at"])
        return {"episodic_state": state | {"updated_at": updated_at}}

    def build_node(self, refs: Frame) -> Frame | None:
        node = self.nodes.get(refs["node"])
        return node and refs | {"node": node}

    def build_write(self, refs: Frame) -> Frame | None:
        write = self.writes.get(refs["write"])
        return write and {"write": write}

    def build_doubt(self, refs: Frame) -> Frame:
        """Add the doubt; of one about what was forgotten, only its id."""
        return refs | {"doubt": self.doubts.get(refs["doubt"], {"id": refs["doubt"]})}

    def build_forgotten_node(self, refs: Frame) -> Frame:
        return {"node": {"id": refs["forgotten"], "type": refs["node_type"]}}

    def build_forgotten_entity(self, refs: Frame) -> Frame:
        return {"entity": {"id": refs["forgotten"]}}

    def build_entity(self, refs: Frame) -> Frame | None:
        entity = self.entities.get(refs["entity"])
        return entity and refs | {"entity": entity}


SERIALIZERS: dict[str, Callable[[FrameContents, Frame], Frame | None]] = {
    "chat.message.user_appended": FrameContents.build_appended,
    "chat.message.greeted": FrameContents.build_greeted,
    "chat.message.done": FrameContents.build_done,
    "chat.message.chosen": FrameContents.build_chosen,
    "chat.message.kept": FrameContents.build_kept,
    "chat.message.restored": FrameContents.build_restored,
    "chat.session.boundary": FrameContents.build_boundary,
    "chat.session.failed": FrameContents.build_failed,
    "chat.session.updated": FrameContents.build_updated,
    "chat.mood.update": FrameContents.build_mood,
    "memory.event.created": FrameContents.build_node,
    "memory.fact.created": FrameContents.build_node,
    "memory.thought.created": FrameContents.build_node,
    "memory.fact.written": FrameContents.build_write,
    "memory.fact.undone": FrameContents.build_write,
    "memory.node.updated": FrameContents.build_node,
    "memory.node.forgotten": FrameContents.build_forgotten_node,
    "memory.node.restored": FrameContents.build_node,
    "memory.doubt.opened": FrameContents.build_doubt,
    "memory.doubt.settled": FrameContents.build_doubt,
    "memory.entity.confirmed": FrameContents.build_entity,
    "memory.entity.description_updated": FrameContents.build_entity,
    "memory.entity.merged": FrameContents.build_entity,
    "memory.entity.forgotten": FrameContents.build_forgotten_entity,
    "memory.entity.restored": FrameContents.build_entity,
}


def serialize_by_id(rows: Any, ids: set[int], serializer: type[Any]) -> dict[int, Frame]:
    return {row["id"]: dict(row) for row in serializer(rows.filter(pk__in=ids), many=True).data} if ids else {}
