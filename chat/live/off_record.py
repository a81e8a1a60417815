"""Frames of sessions off the record. They are in no log, so they are built from rows and have no number."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from chat.broadcast import frames
from chat.broadcast.frames import Frame
from chat.models import Turn
from memory.models import Message, Session
from memory.serializers.messages import MessageSerializer

LONG_AGO = datetime.min.replace(tzinfo=UTC)


class OffRecordReader:
    """Which messages off the record a follower of a bond has received."""

    def __init__(self, bond_id: int) -> None:
        self.bond_id = bond_id
        self.seen_ids: set[int] = set()
        self.ended_at = LONG_AGO

    def reset(self) -> None:
        self.seen_ids, self.ended_at = set(), LONG_AGO

    def read_new_frames(self) -> list[Frame]:
        """Return new messages and chosen replies, then erased messages, then turns that ended without a reply."""
        open_ids = list(Session.objects.filter(bond=self.bond_id, off_record=True).values_list("pk", flat=True))
        if not open_ids:
            self.seen_ids = set()
            return []
        present = set(Message.objects.visible().filter(session__in=open_ids).values_list("pk", flat=True))
        new, gone = present - self.seen_ids, self.seen_ids - present
        self.seen_ids = present
        unanswered = list(list_unanswered_turns(open_ids, self.ended_at))
        self.ended_at = max([self.ended_at, *(turn.finished_at for turn in unanswered if turn.finished_at)])
        return [
            *build_frames(list_messages(new)),
            *self._build_deleted_frames(gone),
            *map(build_error_frame, unanswered),
        ]

    def _build_deleted_frames(self, gone: set[int]) -> Iterable[Frame]:
        """Announce messages that are gone. A reply that is no longer chosen still exists."""
        kept = set(Message.objects.filter(pk__in=gone).values_list("pk", flat=True)) if gone else set()
        for pk in sorted(gone - kept):
            yield frames.build_transient_frame(
                bond_id=self.bond_id, type="chat.message.deleted", now=timezone.now(), message=pk
            )


def list_messages(ids: Iterable[int]) -> list[Message]:
    messages = Message.objects.filter(pk__in=ids).without_heavy_columns()
    return list(messages.order_by("id")) if ids else []


def list_unanswered_turns(session_ids: Iterable[int], after: datetime) -> QuerySet[Turn]:
    replies = Message.objects.filter(turn_id=OuterRef("pk"), role=Message.Role.PERSONA)
    ended = Turn.objects.filter(session__in=session_ids, finished_at__gt=after).exclude(error_code="")
    return ended.exclude(Exists(replies)).order_by("finished_at")


def build_frames(messages: list[Message]) -> Iterable[Frame]:
    turns = Turn.objects.in_bulk({message.turn_id for message in messages if message.role == Message.Role.PERSONA})
    for message, serialized in zip(messages, MessageSerializer(messages, many=True).data, strict=True):
        if message.role == Message.Role.PERSONA and message.turn_id in turns:
            yield build_done_frame(message, turns[message.turn_id])
            continue
        if message.greeting:
            yield build_frame(message, "chat.message.greeted", message=dict(serialized), off_record=True)
        else:
            keys = frames.build_appended_keys(dict(serialized), client_id=message.client_id, off_record=True)
            yield build_frame(message, "chat.message.user_appended", **keys)


def build_done_frame(message: Message, turn: Turn) -> Frame:
    return build_frame(
        message,
        "chat.message.done",
        turn=str(turn.pk),
        message=message.pk,
        content=message.content,
        channel=message.channel,
        variant=message.variant,
        cut_off=message.cut_off,
        offline=turn.offline,
        unnoted=False,
        error=turn.error,
    )


def build_error_frame(turn: Turn) -> Frame:
    return frames.build_transient_frame(
        bond_id=turn.bond_id,
        type="chat.message.error",
        now=turn.finished_at or turn.created_at,
        turn=str(turn.pk),
        **(turn.error or {}),
        stopped=turn.is_stopped,
    )


def build_frame(about: Message, type: str, **keys: Any) -> Frame:
    return frames.build_transient_frame(bond_id=about.bond_id, type=type, now=about.created_at, **keys)
