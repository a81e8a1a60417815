from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from echovessel.models import NamedRow, require_known
from memory.models.messages import VECTOR_DIMENSIONS
from memory.models.sessions import Session
from personas.models import Bond, BondRowQuerySet

MOST_TERMS = 12
TERM_CHARACTERS = 64
# How long the newest topic stays the current one, and for how long any is kept.
CURRENT_FOR = timedelta(hours=2)
KEPT_FOR = timedelta(days=14)


class TopicQuerySet(BondRowQuerySet["Topic"]):
    def about(self, *, session_ids: Collection[int] = (), entity_ids: Collection[int] = ()) -> "TopicQuerySet":
        """Filter those with words of these sessions, and those that name one of these entities."""
        return self.filter(Q(session_ids__overlap=list(session_ids)) | Q(entity_ids__overlap=list(entity_ids)))

    def old(self, now: datetime) -> "TopicQuerySet":
        """Filter those that are kept no longer."""
        return self.filter(last_turn_at__lt=now - KEPT_FOR)


class Topic(NamedRow):
    """What a bond's messages are about for a while: by names, words and vectors. It never divides memory."""

    class Focus(models.TextChoices):
        # The user said what they want to talk about, or kept to it for turns on end.
        EXPLICIT = "explicit", _("explicit")
        INFERRED = "inferred", _("inferred")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="topics")
    # The session of its last turn, and all sessions that its words are from.
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="topics")
    session_ids = ArrayField(models.BigIntegerField(), default=list)
    # The ids of the entities that were named.
    entity_ids = ArrayField(models.BigIntegerField(), default=list, blank=True)
    terms = ArrayField(models.CharField(max_length=TERM_CHARACTERS), size=MOST_TERMS, default=list, blank=True)
    # The mean of so many vectors of one model.
    centre = HalfVectorField(dimensions=VECTOR_DIMENSIONS, null=True, blank=True)
    centre_model = models.CharField(max_length=200, blank=True)
    centre_count = models.PositiveSmallIntegerField(default=0)
    turn_count = models.PositiveIntegerField(default=1)
    # Turns in a row.
    streak = models.PositiveIntegerField(default=1)
    # Turns in a row that led away from it.
    turns_off = models.PositiveIntegerField(default=0)
    # The gathered evidence of a change of subject.
    acc = models.FloatField(default=0)
    focus = models.CharField(max_length=16, choices=Focus, blank=True)
    focus_at = models.DateTimeField(null=True, blank=True)
    # The last turn that it counted.
    turn_id = models.UUIDField()
    began_at = models.DateTimeField()
    last_turn_at = models.DateTimeField()

    objects = TopicQuerySet.as_manager()

    class Meta:
        verbose_name = _("topic")
        verbose_name_plural = _("topics")
        constraints = [
            require_known("topic_focus_known", focus=["", "explicit", "inferred"]),
            models.CheckConstraint(
                condition=Q(focus="", focus_at=None) | ~Q(focus="") & Q(focus_at__isnull=False),
                name="topic_focus_has_its_time",
            ),
            models.CheckConstraint(condition=Q(turn_count__gte=1, streak__gte=1), name="topic_of_a_turn"),
            models.CheckConstraint(
                condition=Q(centre=None, centre_count=0) | Q(centre__isnull=False, centre_count__gte=1),
                name="topic_centre_of_vectors",
            ),
        ]
        indexes = [
            models.Index(fields=["bond", "-last_turn_at", "-id"], name="topic_bond_newest"),
            models.Index(fields=["last_turn_at"], name="topic_age"),
        ]

    def store(self, *, session: Session, turn_id: UUID) -> None:
        """Store it as a turn's topic; the caller has locked the bond. One that was forgotten meanwhile does not come back."""
        self.bond_id, self.session_id, self.turn_id = session.bond_id, session.pk, turn_id
        self.session_ids = list(dict.fromkeys([*self.session_ids, session.pk]))
        if not self.pk:
            self.save()
            return
        # One that goes on keeps when it began and whose it is.
        kept = ("id", "bond_id", "began_at")
        names = [column.attname for column in self._meta.concrete_fields if column.attname not in kept]
        Topic.objects.filter(pk=self.pk, bond=session.bond_id).update(**{name: getattr(self, name) for name in names})
