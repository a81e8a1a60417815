import uuid
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from echovessel.llm.protocol import Origin
from echovessel.models import NamedRow, require_known
from memory.models import Message, Session
from memory.models.messages import MessageQuerySet
from personas.models import Bond, BondRowQuerySet, User


class TurnQuerySet(BondRowQuerySet["Turn"]):
    def active(self) -> "TurnQuerySet":
        return self.filter(status__in=[Turn.Status.PENDING, Turn.Status.RUNNING])

    def with_messages(self) -> "TurnQuerySet":
        """Leave out the turns whose messages were all deleted, as by an edit of an earlier one."""
        there = Message.objects.not_deleted().filter(bond=OuterRef("bond"), turn_id=OuterRef("pk"))
        return self.filter(Exists(there))


class Turn(models.Model):
    """One exchange: a burst of user messages and the reply to it."""

    class Status(models.TextChoices):
        PENDING = "pending", _("pending")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        STOPPED = "stopped", _("stopped")
        INTERRUPTED = "interrupted", _("interrupted")

    # The steps of which `timings` has the milliseconds, as the API returns them; null for one that was not made.
    TIMINGS = ("recall_ms", "embed_ms", "prompt_ms", "first_token_ms", "total_ms")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="turns")
    # The session of its messages. The reply goes there too, whatever happens meanwhile.
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="turns")
    status = models.CharField(max_length=16, choices=Status, default=Status.PENDING)
    created_at = models.DateTimeField()
    # A pending turn is claimed once no message has come for the debounce time.
    due_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Who runs it, and until when the lease lasts unless it is renewed.
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    stop_requested = models.BooleanField(default=False)
    # Whether it goes on with the reply that stands, instead of making another.
    continues = models.BooleanField(default=False)
    # The reply so far, saved about once a second while it streams.
    text = models.TextField(blank=True)
    offline = models.BooleanField(default=False)
    error_code = models.CharField(max_length=32, blank=True)
    error_detail = models.CharField(max_length=500, blank=True)
    error_retryable = models.BooleanField(default=False)
    tokens_in = models.PositiveIntegerField(null=True, blank=True)
    tokens_out = models.PositiveIntegerField(null=True, blank=True)
    tokens_cached = models.PositiveIntegerField(null=True, blank=True)
    timings = models.JSONField(default=dict, blank=True)
    # What was recalled and why, as ids and numbers only.
    trace = models.JSONField(default=dict, blank=True)
    # The user's messages that it answers, set by `claiming.claim`.
    burst: list[Message]
    # Whether its bond has scenes, known once it is claimed.
    has_scenes = True

    objects = TurnQuerySet.as_manager()

    class Meta:
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        constraints = [
            models.UniqueConstraint(fields=["bond"], condition=Q(status="pending"), name="turn_one_pending_per_bond"),
            models.UniqueConstraint(fields=["bond"], condition=Q(status="running"), name="turn_one_running_per_bond"),
            require_known(
                "turn_status_known", status=["pending", "running", "done", "failed", "stopped", "interrupted"]
            ),
            models.CheckConstraint(
                condition=~Q(status="running") | Q(lease_token__isnull=False, lease_until__isnull=False),
                name="turn_running_is_leased",
            ),
        ]
        indexes = [
            models.Index(fields=["bond", "-created_at"], name="turn_bond_newest"),
            # For the admin, which looks through all bonds.
            models.Index(fields=["-created_at", "-id"], name="turn_newest"),
            models.Index(
                fields=["status", "due_at"], condition=Q(status__in=["pending", "running"]), name="turn_active"
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_status_display()}"

    @property
    def is_stopped(self) -> bool:
        """Whether a person stopped it, which is no error."""
        return self.status == self.Status.STOPPED

    @property
    def error(self) -> dict[str, Any] | None:
        if not self.error_code:
            return None
        return {"code": self.error_code, "detail": self.error_detail, "retryable": self.error_retryable}

    def build_origin(self) -> Origin:
        """Return whom the ledger counts the reply for: off the record, only the user."""
        if self.session.off_record:
            return Origin(user_id=self.bond.user_id)
        return Origin(user_id=self.bond.user_id, bond_id=self.bond_id, turn_id=self.pk)

    def replies(self) -> MessageQuerySet:
        """Return all variants of its reply, also deleted ones."""
        return Message.objects.filter(bond=self.bond_id, turn_id=self.pk, role=Message.Role.PERSONA)


class Restoration(models.Model):
    """A large export that a worker restores. Its zip is kept in pieces until then."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    OPEN = (State.WAITING, State.RUNNING)

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="restorations")
    name = models.CharField(max_length=200)
    state = models.CharField(max_length=16, choices=State, default=State.WAITING)
    # Rows, as counted in its manifest.
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    # How often a worker started it without finishing.
    attempt_count = models.PositiveSmallIntegerField(default=0)
    failure_code = models.CharField(max_length=32, blank=True)
    failure_detail = models.CharField(max_length=500, blank=True)
    # The ids of the restored bonds.
    restored = ArrayField(models.BigIntegerField(), default=list, blank=True)
    created_at = models.DateTimeField()
    touched_at = models.DateTimeField()

    class Meta:
        verbose_name = _("restored export")
        verbose_name_plural = _("restored exports")
        constraints = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(state__in=["waiting", "running"]), name="restoration_one_at_a_time"
            ),
            require_known("restoration_state_known", state=["waiting", "running", "done", "failed"]),
            models.CheckConstraint(condition=Q(done__lte=F("total")), name="restoration_done_of_total"),
        ]

    def __str__(self) -> str:
        return f"restoration {self.pk}: {self.state}"


class RestorationPiece(NamedRow):
    of = models.ForeignKey(Restoration, on_delete=models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["of", "number"], name="restoration_piece_once")]
