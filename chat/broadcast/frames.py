"""Events as they are sent: the ids of the log joined with the text they stand for now.

What was forgotten since has no text any more, and its event is passed over.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from echovessel.models import BondEvent
from memory.models import ConceptNode, Entity, Message, Session
from memory.serializers.memories import EntitySerializer, MessageSerializer, NodeSerializer
from personas.models import Bond

Frame = dict[str, Any]


def of(*, bond: Bond, rows: Iterable[BondEvent], now: datetime) -> list[Frame]:
    """The frames of a bond's events, in their order."""
    rows = list(rows)
    texts = Texts(bond=bond, rows=rows, now=now)
    made: list[Frame] = []
    for row in rows:
        keys = texts.keys(row)
        if keys is not None:
            made.append({"type": row.type, "at": stamp(row.created_at), "seq": row.seq, "bond": bond.pk} | keys)
    return made


def passing(*, bond_id: int, type: str, now: datetime, **keys: Any) -> Frame:
    """A frame that is in no log."""
    return {"type": type, "at": stamp(now), "seq": None, "bond": bond_id} | keys


def appended(message: Frame, *, client_id: str | None, off_record: bool) -> Frame:
    """The keys of a line of the user's."""
    return {"message": message, "client_id": client_id, "channel": message["channel"], "off_record": off_record}


def stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


class Texts:
    """What the rows' ids stand for, read in one query a kind."""

    def __init__(self, *, bond: Bond, rows: list[BondEvent], now: datetime) -> None:
        self.bond = bond
        self.now = now
        ids = {name: {row.refs[name] for row in rows if row.refs.get(name)} for name in ("message", "node", "entity")}
        self.messages = by_id(
            Message.objects.of(bond).filter(deleted_at=None, session__deleted_at=None),
            ids["message"],
            MessageSerializer,
        )
        self.nodes = by_id(ConceptNode.objects.of(bond).filter(deleted_at=None).shown(), ids["node"], NodeSerializer)
        self.entities = by_id(Entity.objects.of(bond).live().shown(), ids["entity"], EntitySerializer)
        named = {row.refs.get(name) for row in rows for name in ("session", "closed_session", "new_session")} - {None}
        self.sessions = {row.pk: row for row in Session.objects.of(bond).filter(pk__in=named)} if named else {}

    def keys(self, row: BondEvent) -> Frame | None:
        """The event's further keys, or nothing where its text is gone."""
        join = JOINS.get(row.type)
        return dict(row.refs) if join is None else join(self, row.refs)

    def appended(self, refs: Frame) -> Frame | None:
        message = self.messages.get(refs["message"])
        return message and appended(message, client_id=refs["client_id"], off_record=False)

    def done(self, refs: Frame) -> Frame | None:
        message = self.messages.get(refs["message"])
        return message and refs | {name: message[name] for name in ("content", "channel")}

    def chosen(self, refs: Frame) -> Frame | None:
        message = self.messages.get(refs["message"])
        return message and refs | {name: message[name] for name in ("content", "channel", "cut_off", "created_at")}

    def restored(self, refs: Frame) -> Frame:
        message = self.messages.get(refs["message"])
        return refs | {"channel": message["channel"] if message else None}

    def boundary(self, refs: Frame) -> Frame:
        """With the title of the session that closed, and how it stands with the one that begins."""
        closed, new = (self.sessions.get(refs[name]) for name in ("closed_session", "new_session"))
        one = new or closed
        return refs | {
            "title": (closed.shown_title or None) if closed else None,
            "channel": one.channel if one else None,
            "off_record": new.off_record if new else None,
        }

    def updated(self, refs: Frame) -> Frame | None:
        session = self.sessions.get(refs["session"])
        return refs | {"title": session.shown_title or None} if session else None

    def failed(self, refs: Frame) -> Frame | None:
        session = self.sessions.get(refs["session"])
        if session is None:
            return None
        next_try_at = session.failure_next_try_at
        return {
            "session": session.pk,
            "code": session.failure_code,
            "detail": session.failure_detail,
            "next_try_at": stamp(next_try_at) if next_try_at else None,
        }

    def mood(self, refs: Frame) -> Frame:
        state = self.bond.episodic_state(self.now)
        updated_at = state["updated_at"] and stamp(state["updated_at"])
        return {"episodic_state": state | {"updated_at": updated_at}}

    def node(self, refs: Frame) -> Frame | None:
        node = self.nodes.get(refs["node"])
        return node and refs | {"node": node}

    def forgotten(self, refs: Frame) -> Frame:
        return {"node": {"id": refs["forgotten"], "type": refs["node_type"]}}

    def forgotten_entity(self, refs: Frame) -> Frame:
        return {"entity": {"id": refs["forgotten"]}}

    def entity(self, refs: Frame) -> Frame | None:
        entity = self.entities.get(refs["entity"])
        return entity and refs | {"entity": entity}


JOINS: dict[str, Callable[[Texts, Frame], Frame | None]] = {
    "chat.message.user_appended": Texts.appended,
    "chat.message.done": Texts.done,
    "chat.message.chosen": Texts.chosen,
    "chat.message.restored": Texts.restored,
    "chat.session.boundary": Texts.boundary,
    "chat.session.failed": Texts.failed,
    "chat.session.updated": Texts.updated,
    "chat.mood.update": Texts.mood,
    "memory.event.created": Texts.node,
    "memory.thought.created": Texts.node,
    "memory.node.updated": Texts.node,
    "memory.node.forgotten": Texts.forgotten,
    "memory.node.restored": Texts.node,
    "memory.entity.confirmed": Texts.entity,
    "memory.entity.description_updated": Texts.entity,
    "memory.entity.merged": Texts.entity,
    "memory.entity.forgotten": Texts.forgotten_entity,
    "memory.entity.restored": Texts.entity,
}


def by_id(rows: Any, ids: set[int], serializer: type[Any]) -> dict[int, Frame]:
    return {row.pk: dict(serializer(row).data) for row in rows.filter(pk__in=ids)} if ids else {}
