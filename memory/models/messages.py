from collections.abc import Sequence

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _
from pgvector.django import BitField, CosineDistance, HalfVectorField

from echovessel.models import NamedRow, require_known
from memory.models.forgetting import Tombstone
from memory.models.sessions import Session
from personas.models import Bond, BondRowQuerySet

VECTOR_DIMENSIONS = 384


class MessageQuerySet(BondRowQuerySet["Message"]):
    # Read by the database alone.
    HEAVY_COLUMNS = ("embedding", "search", "sketch")

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

    def told(self) -> "MessageQuerySet":
        """Filter the messages that a scene tells: visible, on the record, not left out. Tombstoned ones are still among them."""
        return self.visible().not_off_record().filter(left_out=False).exclude(role=Message.Role.SYSTEM)

    def not_hidden(self, bond: Bond | int) -> "MessageQuerySet":
        """Exclude what the bond's chats asked to forget, which no prompt holds any more."""
        hidden = Tombstone.objects.filter(bond=bond).annotate(message=Func(F("hidden"), function="unnest"))
        return self.exclude(pk__in=hidden.values("message"))

    def in_prompts(self, bond: Bond | int) -> "MessageQuerySet":
        """Filter what prompts hold whole, and the hidden ones of which they hold what is left."""
        return self.not_hidden(bond) | self.exclude(remainder="")

    def nearest(self, vector: Sequence[float], *, model: str) -> "MessageQuerySet":
        """Sort the messages with vectors of the model, nearest first, each with its distance."""
        known = self.filter(embedding_model=model, embedding__isnull=False).without_heavy_columns()
        return known.annotate(distance=CosineDistance("embedding", vector)).order_by("distance")

    def past_watermark(self, session: Session) -> "MessageQuerySet":
        """Filter the messages that are still to be extracted. A greeting is authored text, so nothing is learned from it,
        nor from what is left out of memory.
        """
        messages = self.visible().filter(
            bond=session.bond_id, session=session, id__gt=session.watermark, greeting=False, left_out=False
        )
        return messages.without_heavy_columns().order_by("id")


class Message(models.Model):
    """L2: one message, verbatim."""

    class Role(models.TextChoices):
        USER = "user", _("user")
        PERSONA = "persona", _("companion")
        SYSTEM = "system", _("system")

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
    # What the companion said first, before any turn: one of the persona's greetings.
    greeting = models.BooleanField(default=False)
    token_count = models.PositiveIntegerField()
    # The memory it asks to change: for the turn that answers it, not for the reader.
    about = models.ForeignKey(
        "memory.ConceptNode", null=True, blank=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )
    # A moment that the user keeps, with a note of theirs.
    kept_at = models.DateTimeField(null=True, blank=True)
    kept_note = models.CharField(max_length=500, blank=True)
    # Said, shown and found, but in no recap, story or memory.
    left_out = models.BooleanField(default=False)
    # What prompts still hold of it where a wish to forget that it tells hides it.
    remainder = models.TextField(blank=True, default="", db_default="")
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
            require_known("message_role_known", role=["user", "persona", "system"]),
        ]
        indexes = [
            models.Index(fields=["bond", "-id"], name="message_bond_newest"),
            # For the admin, which searches all bonds.
            models.Index(fields=["created_at"], name="message_created"),
            models.Index(fields=["bond", "turn_id"], name="message_bond_turn"),
            models.Index(fields=["session", "id"], name="message_session"),
            models.Index(
                fields=["bond", "id"], condition=Q(embedding_model="", deleted_at=None), name="message_not_embedded"
            ),
            models.Index(
                fields=["bond", "-kept_at"], condition=Q(kept_at__isnull=False, deleted_at=None), name="message_kept"
            ),
            models.Index(fields=["about"], condition=Q(about__isnull=False), name="message_about"),
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
        return f"{self._meta.verbose_name} {self.pk}: {self.get_role_display()}"


class MainDirections(NamedRow):
    """The two directions in which the vectors of a bond's messages lie most, by one embedding model: unit vectors, at right angles."""

    bond = models.OneToOneField(Bond, on_delete=models.CASCADE, primary_key=True, related_name="main_directions")
    embedding_model = models.CharField(max_length=200)
    first = HalfVectorField(dimensions=VECTOR_DIMENSIONS)
    second = HalfVectorField(dimensions=VECTOR_DIMENSIONS)
    # How many messages the bond had.
    message_count = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("main directions")
        verbose_name_plural = _("main directions")
