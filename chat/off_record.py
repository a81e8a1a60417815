"""What is said off the record, as frames. No log has it, so it is read from its rows while they are there, and has no number."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from chat import frames
from chat.frames import Frame
from chat.models import Turn
from memory.models import Message, Session
from memory.serializers import MessageSerializer

LONG_AGO = datetime.min.replace(tzinfo=UTC)


class OffRecord:
    """How far one follower of a bond has heard what is said there off the record."""

    def __init__(self, bond_id: int) -> None:
        self.bond_id = bond_id
        self.line_id = 0
        self.ended_at = LONG_AGO

    def begin_again(self) -> None:
        self.line_id, self.ended_at = 0, LONG_AGO

    def look(self) -> list[Frame]:
        """New lines, then turns that have ended without a reply."""
        open_ids = list(Session.objects.filter(bond=self.bond_id, off_record=True).values_list("pk", flat=True))
        if not open_ids:
            return []
        lines = list(new_lines(open_ids, self.line_id))
        unanswered = list(unanswered_turns(open_ids, self.ended_at))
        self.line_id = max([self.line_id, *(line.pk for line in lines)])
        self.ended_at = max([self.ended_at, *(turn.finished_at for turn in unanswered if turn.finished_at)])
        return [*told(lines), *map(failed, unanswered)]


def new_lines(session_ids: Iterable[int], after: int) -> QuerySet[Message]:
    lines = Message.objects.live().filter(session__in=session_ids, id__gt=after)
    return lines.defer("embedding", "search", "sketch").order_by("id")


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
            yield passing(line, "chat.message.user_appended", message=shown(line), client_id=line.client_id)


def done(line: Message, turn: Turn) -> Frame:
    return passing(
        line,
        "chat.message.done",
        turn=str(turn.pk),
        message=line.pk,
        content=line.content,
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
    )


def passing(line: Message, type: str, **keys: Any) -> Frame:
    return frames.passing(bond_id=line.bond_id, type=type, now=line.created_at, **keys)


def shown(line: Message) -> dict[str, Any]:
    return dict(MessageSerializer(line).data)
