"""What is said off the record, as frames. No log has it, so it is read from its rows while they are there, and has no number."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from chat.broadcast import frames
from chat.broadcast.frames import Frame
from chat.models import Turn
from memory.models import Message, Session
from memory.serializers.memories import MessageSerializer

LONG_AGO = datetime.min.replace(tzinfo=UTC)


class OffRecord:
    """What one follower of a bond has heard of that is said there off the record."""

    def __init__(self, bond_id: int) -> None:
        self.bond_id = bond_id
        self.heard: set[int] = set()
        self.ended_at = LONG_AGO

    def begin_again(self) -> None:
        self.heard, self.ended_at = set(), LONG_AGO

    def look(self) -> list[Frame]:
        """New lines and replies chosen anew, then lines that were erased, then turns that have ended without a reply."""
        open_ids = list(Session.objects.filter(bond=self.bond_id, off_record=True).values_list("pk", flat=True))
        if not open_ids:
            self.heard = set()
            return []
        there = set(Message.objects.live().filter(session__in=open_ids).values_list("pk", flat=True))
        new, gone = there - self.heard, self.heard - there
        self.heard = there
        unanswered = list(unanswered_turns(open_ids, self.ended_at))
        self.ended_at = max([self.ended_at, *(turn.finished_at for turn in unanswered if turn.finished_at)])
        return [*told(lines_of(new)), *self.erased(gone), *map(failed, unanswered)]

    def erased(self, gone: set[int]) -> Iterable[Frame]:
        """Of lines that are there no more; a reply that another was chosen over still is."""
        kept = set(Message.objects.filter(pk__in=gone).values_list("pk", flat=True)) if gone else set()
        for pk in sorted(gone - kept):
            yield frames.passing(bond_id=self.bond_id, type="chat.message.deleted", now=timezone.now(), message=pk)


def lines_of(ids: Iterable[int]) -> list[Message]:
    lines = Message.objects.filter(pk__in=ids).defer("embedding", "search", "sketch")
    return list(lines.order_by("id")) if ids else []


def unanswered_turns(session_ids: Iterable[int], after: datetime) -> QuerySet[Turn]:
    replies = Message.objects.filter(turn_id=OuterRef("pk"), role=Message.Role.PERSONA)
    ended = Turn.objects.filter(session__in=session_ids, finished_at__gt=after).exclude(error_code="")
    return ended.exclude(Exists(replies)).order_by("finished_at")


def told(lines: list[Message]) -> Iterable[Frame]:
    turns = Turn.objects.in_bulk({line.turn_id for line in lines if line.role == Message.Role.PERSONA})
    for line in lines:
        if line.role == Message.Role.PERSONA and line.turn_id in turns:
            yield done(line, turns[line.turn_id])
        else:
            keys = frames.appended(shown(line), client_id=line.client_id, off_record=True)
            yield passing(line, "chat.message.user_appended", **keys)


def done(line: Message, turn: Turn) -> Frame:
    return passing(
        line,
        "chat.message.done",
        turn=str(turn.pk),
        message=line.pk,
        content=line.content,
        channel=line.channel,
        variant=line.variant,
        cut_off=line.cut_off,
        offline=turn.offline,
        error=turn.error,
    )


def failed(turn: Turn) -> Frame:
    return frames.passing(
        bond_id=turn.bond_id,
        type="chat.message.error",
        now=turn.finished_at or turn.created_at,
        turn=str(turn.pk),
        **(turn.error or {}),
        stopped=turn.is_stopped,
    )


def passing(line: Message, type: str, **keys: Any) -> Frame:
    return frames.passing(bond_id=line.bond_id, type=type, now=line.created_at, **keys)


def shown(line: Message) -> dict[str, Any]:
    return dict(MessageSerializer(line).data)
