"""The sessions of a bond as its page lists them: the newest, by how long ago they were talked in, and apart what was put away."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext_lazy

from chat.pages.display.errors import SENTENCES
from memory.models import Message, Session
from memory.models.sessions import SessionQuerySet
from personas.models import Bond

PAGE = 40
# However often more were asked for.
MOST = 2000
WHY = {
    **SENTENCES,
    "model_refused": gettext_lazy("The model did not want to read this talk."),
    "interrupted": gettext_lazy("The work on it was interrupted several times."),
}


@dataclass(frozen=True)
class Shown:
    """A session with what stands beside it."""

    row: Session
    # Where it begins in the conversation.
    first_line: int | None

    @property
    def why_failed(self) -> str:
        return str(WHY.get(self.row.failure_code, self.row.failure_detail))

    @property
    def may_be_changed(self) -> bool:
        return self.row.message_count > 0 and not self.row.off_record


@dataclass(frozen=True)
class Group:
    key: str
    sessions: list[Shown]


@dataclass(frozen=True)
class SessionList:
    groups: list[Group]
    # How many are asked for, and how many next where there are more.
    most: int
    more: int | None
    has_archived: bool
    # Only where they were asked for.
    archived: list[Shown] | None


def of(bond: Bond, *, now: datetime, most: int | None = None, is_archive_open: bool = False) -> SessionList:
    most = min(max(most or PAGE, PAGE), MOST)
    found = [shown(row) for row in newest(bond).filter(archived_at=None)[: most + 1]]
    away = newest(bond).exclude(archived_at=None)
    archived = [shown(row) for row in away[:MOST]] if is_archive_open else None
    return SessionList(
        groups=grouped(found[:most], now=now),
        most=most,
        more=most + PAGE if len(found) > most and most < MOST else None,
        has_archived=bool(archived) if archived is not None else away.exists(),
        archived=archived or None,
    )


def newest(bond: Bond) -> SessionQuerySet:
    first = Message.objects.live().filter(session=OuterRef("pk")).order_by("id").values("id")[:1]
    # A new chat is listed while it is the one that pages talk in.
    new = Q(message_count=0, status=Session.Status.OPEN, channel=Session.Channel.WEB)
    listed = Session.objects.of(bond).filter(Q(message_count__gt=0) | new).annotate(first_line=Subquery(first))
    return listed.order_by("-last_message_at", "-id")


def shown(row: Session) -> Shown:
    return Shown(row, row.first_line)  # type: ignore[attr-defined]  # annotated by `newest`


def grouped(sessions: list[Shown], *, now: datetime) -> list[Group]:
    groups: dict[str, list[Shown]] = {}
    for session in sessions:
        groups.setdefault(age(session.row.last_message_at, now), []).append(session)
    return [Group(key, of_age) for key, of_age in groups.items()]


def age(at: datetime, now: datetime) -> str:
    today = timezone.localdate(now)
    day = timezone.localdate(at)
    if day >= today:
        return "today"
    if day == today - timedelta(days=1):
        return "yesterday"
    return "week" if day >= today - timedelta(days=7) else "older"
