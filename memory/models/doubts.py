from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from memory.models.entities import Entity
from memory.models.nodes import ConceptNode
from personas.models import Bond


class DoubtQuerySet(models.QuerySet["Doubt"]):
    def for_bond(self, bond: Bond) -> "DoubtQuerySet":
        return self.filter(bond=bond)

    def open(self) -> "DoubtQuerySet":
        return self.filter(state=Doubt.State.OPEN)


class Doubt(models.Model):
    """Two memories or two entities that may not both hold, or one alone that may not hold any more."""

    class Kind(models.TextChoices):
        CONTRADICTION = "contradiction"
        AMBIGUOUS = "ambiguous"
        UNVERIFIED = "unverified"
        STALE = "stale"

    class State(models.TextChoices):
        OPEN = "open"
        SETTLED = "settled"
        LET_GO = "let_go"

    class Outcome(models.TextChoices):
        THIS = "this"
        THAT = "that"
        BOTH = "both"
        NEITHER = "neither"
        SAME = "same"
        DIFFERENT = "different"
        # A side was forgotten.
        GONE = "gone"

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="doubts")
    kind = models.CharField(max_length=16, choices=Kind)
    # This: the newer side, which is in doubt. That: what it stands against.
    a_node = models.ForeignKey(ConceptNode, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts_this")
    b_node = models.ForeignKey(ConceptNode, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts_that")
    a_entity = models.ForeignKey(Entity, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts_this")
    b_entity = models.ForeignKey(Entity, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts_that")
    # What opened it, in a few fixed words: no text of a person.
    reason = models.CharField(max_length=200, blank=True)
    severity = models.FloatField()
    state = models.CharField(max_length=16, choices=State, default=State.OPEN)
    # The ids of the sessions in which the persona asked.
    asked_in = ArrayField(models.BigIntegerField(), default=list, blank=True)
    outcome = models.CharField(max_length=16, choices=Outcome, blank=True)
    # The job or person that opened it.
    opened_by = models.CharField(max_length=16)
    opened_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)

    objects = DoubtQuerySet.as_manager()

    class Meta:
        verbose_name = _("doubt")
        verbose_name_plural = _("doubts")
        constraints = [
            models.UniqueConstraint(
                fields=["bond", "a_node", "b_node"],
                condition=Q(state="open", a_node__isnull=False),
                nulls_distinct=False,
                name="doubt_one_open_about_nodes",
            ),
            models.UniqueConstraint(
                fields=["bond", "a_entity", "b_entity"],
                condition=Q(state="open", a_entity__isnull=False),
                nulls_distinct=False,
                name="doubt_one_open_about_entities",
            ),
            models.CheckConstraint(
                condition=Q(a_node__isnull=False, a_entity=None, b_entity=None)
                | Q(a_entity__isnull=False, a_node=None, b_node=None),
                name="doubt_of_one_sort",
            ),
            models.CheckConstraint(condition=~Q(a_node=F("b_node")) & ~Q(a_entity=F("b_entity")), name="doubt_of_two"),
            models.CheckConstraint(
                condition=Q(kind__in=["contradiction", "ambiguous", "unverified", "stale"]), name="doubt_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(state="open", outcome="")
                | Q(state="settled") & ~Q(outcome="")
                | Q(state="let_go", outcome=""),
                name="doubt_outcome_once_settled",
            ),
        ]
        indexes = [
            models.Index(fields=["bond", "-severity", "id"], condition=Q(state="open"), name="doubt_bond_open"),
            models.Index(fields=["bond", "-id"], name="doubt_bond_newest"),
        ]

    def __str__(self) -> str:
        return f"doubt {self.pk}: {self.kind} {self.state}"
