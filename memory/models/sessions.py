import re
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Func, OuterRef, Q
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _
from pgvector.django import BitField, HalfVectorField

from memory.models.counting import count_subquery
from memory.models.expiry import HOLD, LEASE, RETRY_AFTER, filter_expired, filter_too_far, is_expired
from personas.models import Bond

VECTOR_DIMENSIONS = 384
MAX_SESSION_MESSAGES = 200
MAX_SESSION_TOKENS = 20_000
TITLE_CHARACTERS = 48
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？])")


def cut_to_title(summary: str) -> str:
    """Cut a summary to its first sentence, or to the words that fit a title."""
    sentence = _SENTENCE.match(summary)
    if sentence is not None and len(sentence[0]) <= TITLE_CHARACTERS:
        return sentence[0].rstrip(".。")
    if len(summary) <= TITLE_CHARACTERS:
        return summary
    cut = summary[:TITLE_CHARACTERS]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut).rstrip(" ,;:，；：、") + "…"


class SessionQuerySet(models.QuerySet["Session"]):
    def for_bond(self, bond: Bond) -> "SessionQuerySet":
        return self.not_deleted().filter(bond=bond)

    def not_deleted(self) -> "SessionQuerySet":
        return self.filter(deleted_at=None)

    def due_for_erasure(self, now: datetime) -> "SessionQuerySet":
        """Filter ended sessions off the record that no turn holds any more."""
        unheld = Q(held_until=None) | filter_expired("held_until", now=now, most=HOLD)
        return self.filter(unheld, off_record=True).exclude(status=Session.Status.OPEN)

    def not_empty(self) -> "SessionQuerySet":
        """Exclude empty sessions: they are reused and not shown."""
        return self.filter(message_count__gt=0)

    def for_serializer(self) -> "SessionQuerySet":
        """Annotate what `SessionSerializer` shows beside the row: `events_count` and `thoughts_count`."""
        return self.annotate(
            events_count=count_subquery(join_session_nodes("event")),
            thoughts_count=count_subquery(join_session_nodes("thought", "intention", "expectation")),
        )

    def idle(self, now: datetime) -> "SessionQuerySet":
        """Filter idle sessions as `is_idle` does, also where the last message has a time too far in the future."""
        around = (now - settings.SESSION_IDLE, now + settings.SESSION_IDLE)
        return self.filter(status=Session.Status.OPEN).exclude(last_message_at__range=around)

    def silent_since(self, at: datetime) -> "SessionQuerySet":
        """Filter closed sessions outside the archive in which nothing was said since then."""
        closed = self.not_deleted().not_empty().filter(status=Session.Status.CLOSED, off_record=False)
        return closed.filter(archived_at=None, last_message_at__lt=at)

    def due(self, now: datetime) -> "SessionQuerySet":
        """Filter sessions to consolidate that no worker has: fresh, stuck, or failed with a retry due."""
        free = Q(lease_until=None) | filter_expired("lease_until", now=now, most=LEASE)
        unheld = Q(held_until=None) | filter_expired("held_until", now=now, most=HOLD)
        waiting = Q(status__in=[Session.Status.CLOSING, Session.Status.CONSOLIDATING])
        tried = Q(failure_next_try_at__lte=now) | filter_too_far("failure_next_try_at", now=now, most=RETRY_AFTER[-1])
        due = waiting & free | Q(status=Session.Status.FAILED) & tried
        return self.not_deleted().filter(due, unheld, off_record=False)


def join_session_nodes(*types: str) -> SessionQuerySet:
    """Join the nodes of the outer query's session: nodes refer to sessions, not the other way."""
    return Session.objects.filter(pk=OuterRef("pk"), nodes__type__in=types, nodes__deleted_at__isnull=True)


class Session(models.Model):
    class Status(models.TextChoices):
        OPEN = "open"
        CLOSING = "closing"
        CONSOLIDATING = "consolidating"
        CLOSED = "closed"
        FAILED = "failed"

    class Channel(models.TextChoices):
        WEB = "web"
        API = "api"

    class CloseReason(models.TextChoices):
        IDLE = "idle"
        MAX_LENGTH = "max_length"
        EXPLICIT = "explicit"
        CATCHUP = "catchup"

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="sessions")
    channel = models.CharField(max_length=16, choices=Channel)
    status = models.CharField(max_length=16, choices=Status, default=Status.OPEN)
    # A person's title; without one the summary's first words serve.
    title = models.CharField(max_length=120, blank=True)
    # Never extracted, found or kept: erased when it closes, see `memory.sessions.queue_follow_up`.
    off_record = models.BooleanField(default=False)
    started_at = models.DateTimeField()
    last_message_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    close_reason = models.CharField(max_length=16, choices=CloseReason, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    message_count = models.PositiveIntegerField(default=0)
    token_count = models.PositiveIntegerField(default=0)
    summary = models.CharField(max_length=200, blank=True)
    trivial = models.BooleanField(null=True, blank=True)
    # The last message whose extraction is written: nothing up to it is extracted again.
    watermark = models.BigIntegerField(default=0)
    # Until then a turn may add its reply, so consolidation waits.
    held_until = models.DateTimeField(null=True, blank=True)
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    # The process that holds the lease, see `memory.leases.workers`.
    lease_holder = models.CharField(max_length=200, blank=True)
    # How often a worker took it up without ending it.
    attempt_count = models.PositiveSmallIntegerField(default=0)
    failure_code = models.CharField(max_length=32, blank=True)
    failure_detail = models.CharField(max_length=500, blank=True)
    failure_count = models.PositiveSmallIntegerField(default=0)
    # Empty when only a person retries.
    failure_next_try_at = models.DateTimeField(null=True, blank=True)

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
            models.CheckConstraint(
                condition=Q(status__in=["open", "closing", "consolidating", "closed", "failed"]),
                name="session_status_known",
            ),
            models.CheckConstraint(condition=Q(started_at__lte=F("last_message_at")), name="session_starts_first"),
            models.CheckConstraint(
                condition=Q(lease_token=None, lease_until=None)
                | Q(lease_token__isnull=False, lease_until__isnull=False),
                name="session_lease_whole",
            ),
        ]
        indexes = [
            models.Index(fields=["bond", "-last_message_at"], name="session_bond_recent"),
            models.Index(
                fields=["status", "last_message_at"],
                condition=~Q(status="closed"),
                name="session_not_closed",
            ),
            models.Index(fields=["bond"], condition=Q(off_record=True), name="session_off_record"),
        ]

    def __str__(self) -> str:
        return f"session {self.pk}: {self.status}"

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
        return self.title or cut_to_title(self.summary)


class MessageQuerySet(models.QuerySet["Message"]):
    # Read by the database alone.
    HEAVY_COLUMNS = ("embedding", "search", "sketch")

    def for_bond(self, bond: Bond) -> "MessageQuerySet":
        return self.filter(bond=bond)

    def not_deleted(self) -> "MessageQuerySet":
        """Without deleted messages; messages of a deleted session are not left out."""
        return self.filter(deleted_at=None)

    def without_deleted_sessions(self) -> "MessageQuerySet":
        return self.filter(session__deleted_at=None)

    def visible(self) -> "MessageQuerySet":
        """Filter messages that count: not deleted, and only the chosen variant of a reply."""
        return self.not_deleted().without_deleted_sessions().filter(chosen=True)

    def without_heavy_columns(self) -> "MessageQuerySet":
        return self.defer(*self.HEAVY_COLUMNS)

    def not_off_record(self) -> "MessageQuerySet":
        """Exclude messages off the record, which only their own session may show."""
        return self.filter(session__off_record=False)

    def past_watermark(self, session: Session) -> "MessageQuerySet":
        messages = self.visible().filter(bond=session.bond_id, session=session, id__gt=session.watermark)
        return messages.without_heavy_columns().order_by("id")


class Message(models.Model):
    """L2: one message, verbatim."""

    class Role(models.TextChoices):
        USER = "user"
        PERSONA = "persona"
        SYSTEM = "system"

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="messages")
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="messages")
    role = models.CharField(max_length=16, choices=Role)
    content = models.TextField()
    channel = models.CharField(max_length=16, choices=Session.Channel)
    # The id of its turn, which chat creates; memory knows nothing else about turns.
    turn_id = models.UUIDField(null=True, blank=True)
    client_id = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 - null: the client named none
    variant = models.PositiveSmallIntegerField(default=0)
    chosen = models.BooleanField(default=True)
    cut_off = models.BooleanField(default=False)
    token_count = models.PositiveIntegerField()
    # The day it was said in the user's zone.
    day = models.DateField()
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)
    # Words and CJK bigrams of the content, see `memory.models.lexemes`.
    search = SearchVectorField()
    # Empty with `embedding_model` set: the model cannot read this text.
    embedding = HalfVectorField(dimensions=VECTOR_DIMENSIONS, null=True, blank=True)
    embedding_model = models.CharField(max_length=80, blank=True)
    # The signs of the embedding: 48 bytes by which an index finds near messages.
    sketch = models.GeneratedField(
        expression=Cast(Func(F("embedding"), function="binary_quantize"), BitField(length=VECTOR_DIMENSIONS)),
        output_field=BitField(length=VECTOR_DIMENSIONS),
        db_persist=True,
    )

    objects = MessageQuerySet.as_manager()

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        constraints = [
            models.UniqueConstraint(
                fields=["bond", "client_id"], condition=Q(client_id__isnull=False), name="message_client_id_once"
            ),
            models.UniqueConstraint(
                fields=["bond", "turn_id", "variant"], condition=Q(role="persona"), name="message_variant_once"
            ),
            models.CheckConstraint(condition=~Q(content=""), name="message_not_empty"),
            models.CheckConstraint(condition=Q(role__in=["user", "persona", "system"]), name="message_role_known"),
        ]
        indexes = [
            models.Index(fields=["bond", "-id"], name="message_bond_newest"),
            # For the admin, which searches all bonds.
            models.Index(fields=["created_at"], name="message_created"),
            models.Index(fields=["bond", "turn_id"], name="message_bond_turn"),
            models.Index(fields=["session", "id"], name="message_session"),
            models.Index(
                fields=["bond", "id"],
                condition=Q(embedding_model="", deleted_at=None),
                name="message_not_embedded",
            ),
            # Every turn reads it, so it has no list of pending entries, which each search would walk.
            GinIndex(fields=["search"], name="message_search", fastupdate=False),
            models.Index(
                fields=["bond", "embedding_model"],
                include=["id", "session", "sketch"],
                condition=Q(deleted_at=None, chosen=True, embedding__isnull=False) & ~Q(role="system"),
                name="message_sketches",
            ),
            GinIndex(OpClass(F("content"), name="gin_trgm_ops"), name="message_trigrams"),
        ]

    def __str__(self) -> str:
        return f"message {self.pk}: {self.role}"
