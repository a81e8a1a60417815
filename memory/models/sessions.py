import re
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from echovessel import text
from echovessel.models import require_known
from memory.models.counting import count_subquery
from memory.models.leased import (
    HOLD,
    RetriedModel,
    build_lease_constraint,
    filter_expired,
    filter_free,
    filter_retry_due,
    filter_too_far,
    is_expired,
)
from personas.models import Bond

MAX_SESSION_MESSAGES = 200
MAX_SESSION_TOKENS = 20_000
TITLE_CHARACTERS = 48
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？])")


def cut_to_title(summary: str) -> str:
    """Cut a summary, or what is meant to be a title, to its first sentence or to the words that fit."""
    sentence = _SENTENCE.match(summary)
    if sentence is not None and len(sentence[0]) <= TITLE_CHARACTERS:
        return sentence[0].rstrip(".。")
    return text.cut_short(summary, TITLE_CHARACTERS)


class SessionQuerySet(models.QuerySet["Session"]):
    def for_bond(self, bond: Bond) -> "SessionQuerySet":
        return self.not_deleted().filter(bond=bond)

    def not_deleted(self) -> "SessionQuerySet":
        return self.filter(deleted_at=None)

    def due_for_erasure(self, now: datetime) -> "SessionQuerySet":
        """Filter ended sessions off the record that no turn holds any more."""
        unheld = Q(held_until=None) | filter_expired("held_until", now=now, most=HOLD)
        return self.filter(unheld, off_record=True).exclude(status=Session.Status.OPEN)

    def not_titled(self) -> "SessionQuerySet":
        """Filter sessions that may get an automatic title: off the record, and under a person's title, there is none."""
        return self.not_deleted().filter(title="", auto_title="", off_record=False)

    def not_empty(self) -> "SessionQuerySet":
        """Exclude empty sessions: they are reused and not shown."""
        return self.filter(message_count__gt=0)

    def being_remembered(self) -> "SessionQuerySet":
        """Filter sessions that are over and not turned into memories yet; without empty ones and those that failed."""
        return self.not_empty().filter(status__in=[Session.Status.CLOSING, Session.Status.CONSOLIDATING])

    def for_serializer(self) -> "SessionQuerySet":
        """Annotate what `SessionSerializer` shows beside the row: `events_count` and `thoughts_count`."""
        return self.annotate(
            events_count=count_subquery(join_session_nodes("event")),
            thoughts_count=count_subquery(join_session_nodes("thought", "intention", "expectation")),
        )

    def drop_loaded(self) -> None:
        """Empty the facts that their prompts hold: the next turn loads them anew."""
        self.update(loaded_text="", loaded_hash="", loaded_ids=[], loaded_left=0, loaded_name="", loaded_at=None)

    def idle(self, now: datetime) -> "SessionQuerySet":
        """Filter idle sessions as `is_idle` does, also where the last message has a time too far in the future."""
        around = (now - settings.SESSION_IDLE, now + settings.SESSION_IDLE)
        return self.filter(status=Session.Status.OPEN).exclude(last_message_at__range=around)

    def silent_since(self, at: datetime) -> "SessionQuerySet":
        """Filter closed sessions, neither archived nor pinned, in which nothing was said since then."""
        closed = self.not_deleted().not_empty().filter(status=Session.Status.CLOSED, off_record=False)
        return closed.filter(archived_at=None, pinned_at=None, last_message_at__lt=at)

    def left(self, now: datetime) -> "SessionQuerySet":
        """Filter open sessions whose last page has been closed for long enough."""
        over = Q(left_at__lte=now - settings.CLOSE_LEFT_AFTER) | filter_too_far("left_at", now=now, most=timedelta())
        return self.not_deleted().not_empty().filter(over, status=Session.Status.OPEN)

    def due(self, now: datetime) -> "SessionQuerySet":
        """Filter sessions to consolidate that no worker has: fresh, stuck, or failed with a retry due."""
        unheld = Q(held_until=None) | filter_expired("held_until", now=now, most=HOLD)
        waiting = Q(status__in=[Session.Status.CLOSING, Session.Status.CONSOLIDATING])
        due = waiting & filter_free(now) | Q(status=Session.Status.FAILED) & filter_retry_due(now)
        return self.not_deleted().filter(due, unheld, off_record=False)


def join_session_nodes(*types: str) -> SessionQuerySet:
    """Join the nodes of the outer query's session: nodes refer to sessions, not the other way."""
    return Session.objects.filter(pk=OuterRef("pk"), nodes__type__in=types, nodes__deleted_at__isnull=True)


class Session(RetriedModel):
    class Status(models.TextChoices):
        OPEN = "open", _("open")
        CLOSING = "closing", _("closing")
        CONSOLIDATING = "consolidating", _("consolidating")
        CLOSED = "closed", _("closed")
        FAILED = "failed", _("failed")

    class Channel(models.TextChoices):
        WEB = "web", _("web")
        API = "api", _("api")

    class CloseReason(models.TextChoices):
        IDLE = "idle", _("idle")
        MAX_LENGTH = "max_length", _("full")
        EXPLICIT = "explicit", _("explicit")
        CATCHUP = "catchup", _("catchup")
        # The bond's last page was closed.
        LEFT = "left", _("left")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="sessions")
    channel = models.CharField(max_length=16, choices=Channel)
    status = models.CharField(max_length=16, choices=Status, default=Status.OPEN)
    # A person's title; without one `auto_title`, then the summary's first words serve.
    title = models.CharField(max_length=120, blank=True)
    # What a small model calls it after the first exchange.
    auto_title = models.CharField(max_length=120, blank=True)
    # Never extracted, found or kept: erased when it closes, see `memory.sessions.lifecycle.queue_follow_up`.
    off_record = models.BooleanField(default=False)
    started_at = models.DateTimeField()
    last_message_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    close_reason = models.CharField(max_length=16, choices=CloseReason, blank=True)
    # When the bond's last page went away.
    left_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    # Listed before all others, and never archived for its age.
    pinned_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    message_count = models.PositiveIntegerField(default=0)
    token_count = models.PositiveIntegerField(default=0)
    summary = models.CharField(max_length=200, blank=True)
    trivial = models.BooleanField(null=True, blank=True)
    # The last message whose extraction is written: nothing up to it is extracted again.
    watermark = models.BigIntegerField(default=0)
    # The facts that its prompts hold, the same from its first turn to its end: see `memory.facts.loaded_set`.
    loaded_text = models.TextField(blank=True)
    loaded_hash = models.CharField(max_length=64, blank=True)
    loaded_ids = ArrayField(models.BigIntegerField(), default=list, blank=True)
    # How many facts there was no room for.
    loaded_left = models.PositiveIntegerField(default=0)
    # What the user is called in its prompts.
    loaded_name = models.CharField(max_length=120, blank=True)
    loaded_at = models.DateTimeField(null=True, blank=True)
    # The facts about health or safety that the persona was told to make sure of: once a session.
    checked_ids = ArrayField(models.BigIntegerField(), default=list, blank=True)
    # Until then a turn may add its reply, so consolidation waits.
    held_until = models.DateTimeField(null=True, blank=True)

    objects = SessionQuerySet.as_manager()

    class Meta:
        verbose_name = _("chat")
        verbose_name_plural = _("chats")
        constraints = [
            models.UniqueConstraint(
                fields=["bond", "channel"],
                condition=Q(status="open", deleted_at=None),
                name="session_one_open_per_bond_and_channel",
            ),
            require_known("session_status_known", status=["open", "closing", "consolidating", "closed", "failed"]),
            models.CheckConstraint(condition=Q(started_at__lte=F("last_message_at")), name="session_starts_first"),
            build_lease_constraint("session_lease_whole"),
        ]
        indexes = [
            models.Index(fields=["bond", "-last_message_at"], name="session_bond_recent"),
            models.Index(
                fields=["status", "last_message_at"], condition=~Q(status="closed"), name="session_not_closed"
            ),
            models.Index(fields=["bond"], condition=Q(off_record=True), name="session_off_record"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_status_display()}"

    def is_idle(self, now: datetime) -> bool:
        return self.message_count > 0 and abs(now - self.last_message_at) > settings.SESSION_IDLE

    def is_full(self) -> bool:
        return self.message_count >= MAX_SESSION_MESSAGES or self.token_count >= MAX_SESSION_TOKENS

    def is_held(self, now: datetime) -> bool:
        return self.held_until is not None and not is_expired(self.held_until, now=now, most=HOLD)

    def is_late(self, now: datetime) -> bool:
        """Whether the scanner found it more than one pass (a minute) after it became idle."""
        return now - self.last_message_at > settings.SESSION_IDLE + timedelta(minutes=2)

    @property
    def shown_title(self) -> str:
        return self.title or self.auto_title or cut_to_title(self.summary)
