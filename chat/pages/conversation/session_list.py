"""The list of a bond's sessions, the pinned ones first, then grouped by age, with archived ones apart."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, OuterRef, Q, Subquery
from django.db.models.functions import Left
from django.utils import timezone

from chat.pages.display import errors
from memory.messages import secrets
from memory.models import Message, Session
from memory.models.sessions import SessionQuerySet, cut_to_title
from personas.models import Bond

PAGE_SIZE = 40
# How much of a message is read for a title.
FIRST_CHARACTERS = 200
# The limit for loading more.
MAX_SESSIONS = 2000


@dataclass(frozen=True)
class SessionItem:
    row: Session
    # The ids of its first and its last message.
    first_line: int | None
    last_line: int | None
    # What was said first, where it has no title.
    first_words: str = ""

    @property
    def title(self) -> str:
        return self.row.shown_title or self.first_words

    @property
    def goes_on_here(self) -> bool:
        return goes_on_here(self.row)

    @property
    def why_failed(self) -> str:
        return errors.get_sentence(self.row.failure_code, about="chat") or self.row.failure_detail

    @property
    def may_be_changed(self) -> bool:
        return self.row.message_count > 0 and not self.row.off_record


@dataclass(frozen=True)
class SessionGroup:
    key: str
    sessions: list[SessionItem]


@dataclass(frozen=True)
class SessionList:
    groups: list[SessionGroup]
    # How many are shown, and how many the next step shows if there are more.
    most: int
    more: int | None
    has_archived: bool
    # None unless requested.
    archived: list[SessionItem] | None


def build(bond: Bond, *, now: datetime, most: int | None = None, is_archive_open: bool = False) -> SessionList:
    most = min(max(most or PAGE_SIZE, PAGE_SIZE), MAX_SESSIONS)
    pinned_first = (F("pinned_at").asc(nulls_last=True), "-last_message_at", "-id")
    found = build_items(bond, list_newest(bond).filter(archived_at=None).order_by(*pinned_first)[: most + 1])
    away = list_newest(bond).exclude(archived_at=None)
    archived = build_items(bond, away[:MAX_SESSIONS]) if is_archive_open else None
    return SessionList(
        groups=group_by_age(found[:most], now=now),
        most=most,
        more=most + PAGE_SIZE if len(found) > most and most < MAX_SESSIONS else None,
        has_archived=bool(archived) if archived is not None else away.exists(),
        archived=archived or None,
    )


def list_newest(bond: Bond) -> SessionQuerySet:
    said = Message.objects.visible().filter(session=OuterRef("pk")).values("id")
    ends = {"first_line": Subquery(said.order_by("id")[:1]), "last_line": Subquery(said.order_by("-id")[:1])}
    # An empty session is listed while it is the open one.
    new = Q(message_count=0, status=Session.Status.OPEN, channel=Session.Channel.WEB)
    listed = Session.objects.for_bond(bond).filter(Q(message_count__gt=0) | new).annotate(**ends)
    return listed.order_by("-last_message_at", "-id")


def build_items(bond: Bond, listed: Iterable[Session]) -> list[SessionItem]:
    rows = list(listed)
    words = load_first_words(
        bond, [row.pk for row in rows if row.message_count and not row.shown_title and not goes_on_here(row)]
    )
    # Both ends are annotated by `list_newest`.
    return [SessionItem(row, row.first_line, row.last_line, words.get(row.pk, "")) for row in rows]  # type: ignore[attr-defined]


def goes_on_here(row: Session) -> bool:
    """Whether the page's next message joins it: a program may have a chat of its own open meanwhile."""
    return row.status == Session.Status.OPEN and row.channel == Session.Channel.WEB


def load_first_words(bond: Bond, sessions: Collection[int]) -> dict[int, str]:
    """Load what was said first in sessions without a title, cut to the length of one."""
    if not sessions:
        return {}
    said = Message.objects.for_bond(bond).visible().not_hidden(bond).filter(session__in=sessions)
    first = said.order_by("session", "id").distinct("session").values_list("session", Left("content", FIRST_CHARACTERS))
    return {session: cut_to_title(secrets.mask(" ".join(words.split()))) for session, words in first}


def group_by_age(sessions: list[SessionItem], *, now: datetime) -> list[SessionGroup]:
    groups: dict[str, list[SessionItem]] = {}
    for session in sessions:
        group = "pinned" if session.row.pinned_at else get_age_group(session.row.last_message_at, now)
        groups.setdefault(group, []).append(session)
    return [SessionGroup(key, of_age) for key, of_age in groups.items()]


def get_age_group(at: datetime, now: datetime) -> str:
    today = timezone.localdate(now)
    day = timezone.localdate(at)
    if day >= today:
        return "today"
    if day == today - timedelta(days=1):
        return "yesterday"
    return "week" if day >= today - timedelta(days=7) else "older"
