"""The messages of a bond as its page shows them: one conversation over all sessions, with days and sessions marked.

The page holds only stretches of it: the newest messages, and those around a message that was searched for. Between
them are gaps, which the page fills from either end. Scenes that the story tells are rows, which open in place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.utils import timezone

from chat.pages.conversation import folding
from chat.pages.conversation.folding import FoldedScene, Gap
from memory.models import Message, Scene, Session
from memory.models.messages import MessageQuerySet
from personas.models import Bond

PAGE_SIZE = 50
# How many messages are shown before one that the page jumps to.
MESSAGES_BEFORE_TARGET = 15
ALL = Gap(None, None)


@dataclass(frozen=True)
class MarkedMessage:
    message: Message
    # The day, if this is its first message; the session, if this message begins it.
    day: date | None
    session: Session | None
    # The scene that ended before it, within its session.
    scene: Scene | None = None


@dataclass(frozen=True)
class Stretch:
    lines: list[MarkedMessage]
    above: Gap | None = None
    below: Gap | None = None
    # What stands between the gap above and the messages.
    folds: list[FoldedScene] = field(default_factory=list)

    @property
    def messages(self) -> list[Message]:
        return [line.message for line in self.lines]

    @property
    def begun_sessions(self) -> list[Session]:
        return [line.session for line in self.lines if line.session is not None]


def load_last(bond: Bond, gap: Gap = ALL, *, folds: bool = True) -> Stretch:
    """Load the last messages of a gap, by default the newest of all; or the last scenes of it that are folded."""
    folded = folding.find_last_folded(bond) if folds and gap.after is None else 0
    if gap.before is not None and folded:
        # The gap may end within a scene, of which the rest is shown as messages.
        folded = folding.find_end_before(bond, min(folded, gap.before - 1))
    if not folded:
        return load_last_messages(bond, gap)
    stretch = load_last_messages(bond, Gap(folded, gap.before))
    if stretch.above is not None:
        return replace(stretch, above=Gap(None, stretch.above.before))
    rows, above = folding.load_folds(bond, up_to=folded)
    return replace(stretch, lines=mark_first_day(stretch.lines), folds=rows, above=above)


def load_last_messages(bond: Bond, gap: Gap) -> Stretch:
    found = list(reversed(filter_gap(bond, gap).order_by("-id")[: PAGE_SIZE + 1]))
    left, shown = found[:-PAGE_SIZE], found[-PAGE_SIZE:]
    above = Gap(gap.after, shown[0].pk) if left else None
    return Stretch(mark_starts(bond, shown, left=left, gap=gap), above=above)


def load_first(bond: Bond, gap: Gap) -> Stretch:
    found = list(filter_gap(bond, gap).order_by("id")[: PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    below = Gap(shown[-1].pk, gap.before) if len(found) > PAGE_SIZE else None
    return Stretch(mark_starts(bond, shown, left=[], gap=gap), below=below)


def load_around(bond: Bond, gap: Gap, *, target: int) -> Stretch:
    earlier = list(reversed(filter_gap(bond, gap).filter(id__lt=target).order_by("-id")[: MESSAGES_BEFORE_TARGET + 1]))
    later = list(filter_gap(bond, gap).filter(id__gte=target).order_by("id")[: PAGE_SIZE + 1])
    left = earlier[:-MESSAGES_BEFORE_TARGET]
    shown = earlier[-MESSAGES_BEFORE_TARGET:] + later[:PAGE_SIZE]
    messages = mark_starts(bond, shown, left=left, gap=gap)
    return Stretch(
        mark_first_day(messages) if left else messages,
        above=Gap(gap.after, shown[0].pk) if left else None,
        below=Gap(shown[-1].pk, gap.before) if len(later) > PAGE_SIZE else None,
    )


def filter_gap(bond: Bond, gap: Gap) -> MessageQuerySet:
    messages = Message.objects.for_bond(bond).visible().select_related("session").without_heavy_columns()
    if gap.after is not None:
        messages = messages.filter(id__gt=gap.after)
    return messages if gap.before is None else messages.filter(id__lt=gap.before)


def get_message(bond: Bond, message_id: int | None) -> Message | None:
    if message_id is None:
        return None
    return Message.objects.for_bond(bond).only("created_at", "session_id").filter(pk=message_id).first()


def get_first_message_id(bond: Bond, session_id: int) -> int | None:
    messages = Message.objects.for_bond(bond).visible().filter(session=session_id)
    return messages.order_by("id").values_list("id", flat=True).first()


def mark_starts(bond: Bond, messages: Sequence[Message], *, left: Sequence[Message], gap: Gap) -> list[MarkedMessage]:
    """Mark messages with which a day, a session or, within a session, a scene begins; those that are left in the gap stand before."""
    previous = left[-1] if left else get_message(bond, gap.after)
    ended = folding.load_ends(bond, [*left, *messages[:-1]])
    marked = []
    for message in messages:
        day = timezone.localdate(message.created_at)
        new_day = previous is None or timezone.localdate(previous.created_at) != day
        new_session = previous is None or previous.session_id != message.session_id
        scene = ended.get(previous.pk) if previous is not None and not new_session else None
        marked.append(MarkedMessage(message, day if new_day else None, message.session if new_session else None, scene))
        previous = message
    return marked


def mark_first_day(messages: list[MarkedMessage]) -> list[MarkedMessage]:
    """Add the day to the first message, even if it is not the first of that day."""
    if not messages:
        return []
    return [replace(messages[0], day=timezone.localdate(messages[0].message.created_at)), *messages[1:]]


def build_blank_rows() -> dict[str, Any]:
    """Return empty rows, from which the page's templates for new messages are rendered."""
    return {
        "user": Message(role=Message.Role.USER),
        "persona": Message(role=Message.Role.PERSONA),
        "day": timezone.localdate(),
        "session": Session(),
        "off_record": Session(off_record=True),
        "failure": {"can_retry": True, "is_of_server": True},
    }
