"""The lines of a bond as its page shows them: one conversation over all sessions, with days and sessions marked."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone

from memory.models import Message, Session
from personas.models import Bond

PAGE_OF_LINES = 50
# A jump to an old session loads all lines since, up to this many.
MOST_LINES = 1000


@dataclass(frozen=True)
class Line:
    message: Message
    # The day, where this line is its first; the session, where this line begins it.
    day: date | None
    session: Session | None


def lines(*, bond: Bond, before: int | None = None, reach: int | None = None) -> list[Line]:
    """The newest lines below message id `before`, oldest first: a page of them, or all down to message id `reach`."""
    said = Message.objects.of(bond).live().select_related("session").order_by("-id")
    if before is not None:
        said = said.filter(id__lt=before)
    most = PAGE_OF_LINES
    if reach is not None:
        most = min(max(said.filter(id__gte=reach).count(), 1), MOST_LINES)
    newest = list(reversed(said[: most + 1]))
    earlier, shown = newest[: len(newest) - most], newest[-most:]
    return mark(shown, previous=earlier[0] if earlier else None)


def first_of_session(bond: Bond, session_id: int) -> int | None:
    """The id of a session's first line."""
    said = Message.objects.of(bond).live().filter(session=session_id)
    return said.order_by("id").values_list("id", flat=True).first()


def mark(messages: Iterable[Message], *, previous: Message | None) -> list[Line]:
    """Say of each line whether a day or a session begins with it."""
    marked = []
    for message in messages:
        day = timezone.localdate(message.created_at)
        new_day = previous is None or timezone.localdate(previous.created_at) != day
        new_session = previous is None or previous.session_id != message.session_id
        marked.append(Line(message, day if new_day else None, message.session if new_session else None))
        previous = message
    return marked


def has_older(bond: Bond, shown: list[Line]) -> bool:
    return bool(shown) and Message.objects.of(bond).live().filter(id__lt=shown[0].message.pk).exists()


@dataclass(frozen=True)
class SessionGroup:
    key: str
    sessions: list[Session]


def grouped_sessions(bond: Bond, *, now: datetime) -> list[SessionGroup]:
    """The bond's sessions, newest first, by how long ago they were talked in."""
    groups: dict[str, list[Session]] = {}
    listed = Session.objects.of(bond).listed().filter(archived_at=None).order_by("-last_message_at", "-id")
    for session in listed:
        groups.setdefault(age(session.last_message_at, now), []).append(session)
    return [SessionGroup(key, sessions) for key, sessions in groups.items()]


def age(at: datetime, now: datetime) -> str:
    today = timezone.localdate(now)
    day = timezone.localdate(at)
    if day >= today:
        return "today"
    if day == today - timedelta(days=1):
        return "yesterday"
    return "week" if day >= today - timedelta(days=7) else "older"


def blank() -> dict[str, Message | Session | date]:
    """Stand-ins without content, from which the page's templates for live lines are made."""
    return {
        "user": Message(role=Message.Role.USER),
        "persona": Message(role=Message.Role.PERSONA),
        "day": timezone.localdate(),
        "session": Session(),
    }
