from collections.abc import Mapping
from datetime import datetime

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from echovessel import events
from echovessel.models import require_known
from memory.models.entities import Entity
from memory.models.nodes import ConceptNode
from personas.models import Bond, BondRowQuerySet


class DoubtQuerySet(BondRowQuerySet["Doubt"]):
    def open(self) -> "DoubtQuerySet":
        return self.filter(state=Doubt.State.OPEN)

    def about_entities(self) -> "DoubtQuerySet":
        return self.filter(a_entity__isnull=False)

    def about_nodes(self, *ids: int) -> "DoubtQuerySet":
        return self.filter(Q(a_node__in=ids) | Q(b_node__in=ids))

    def open_about_nodes(
        self, *, kind: str, this: ConceptNode, that: ConceptNode | None, by: str, now: datetime
    ) -> "Doubt":
        """Open a doubt whether `this`, the newer, holds against `that`; one that is open about the two stays as it is.

        The caller has locked the bond, here and wherever a doubt changes.
        """
        known = self.for_bond(this.bond).open().filter(a_node=this, b_node=that).first()
        made = Doubt(bond=this.bond, kind=kind, a_node=this, b_node=that, opened_by=by)
        return known or self._open(made, now=now)

    def open_about_entities(self, *, this: Entity, that: Entity, by: str, now: datetime) -> "Doubt":
        """Open a doubt whether two entities are one; one that is open about the two stays as it is."""
        known = self.for_bond(this.bond).open().filter(a_entity=this, b_entity=that).first()
        made = Doubt(bond=this.bond, kind=Doubt.Kind.AMBIGUOUS, a_entity=this, b_entity=that, opened_by=by)
        return known or self._open(made, now=now)

    def _open(self, doubt: "Doubt", *, now: datetime) -> "Doubt":
        doubt.severity, doubt.reason, doubt.opened_at = SEVERITY[doubt.kind], find_reason(doubt), now
        doubt.save(force_insert=True)
        doubt.announce_opened(now)
        self.let_go_of_least(doubt.bond)
        return doubt

    def let_go_of_least(self, bond: Bond) -> None:
        """Let go of what exceeds twenty open doubts: the least severe, of these the oldest."""
        ranked = self.for_bond(bond).open().order_by(F("severity").desc(), "-id")
        beyond = list(ranked.values_list("pk", flat=True)[Doubt.OPEN_MOST :])
        self.filter(pk__in=beyond).update(state=Doubt.State.LET_GO)


class Doubt(models.Model):
    """Two memories or two entities that may not both hold, or one alone that may not hold any more."""

    # Of a bond.
    OPEN_MOST = 20
    # Who opens one, beside the writers of facts: a change of what a memory rests on, the clock.
    BY_CHANGE, BY_CLOCK = "change", "clock"

    class Kind(models.TextChoices):
        CONTRADICTION = "contradiction", _("May not both hold")
        AMBIGUOUS = "ambiguous", _("May be the same")
        UNVERIFIED = "unverified", _("Read, but never told")
        STALE = "stale", _("May not hold any more")

    class Reason(models.TextChoices):
        AGAINST_TOLD = "against_told", _("It stands against what you said or wrote.")
        AGAINST_TEXT = "against_text", _("It stands against the text about you.")
        ALIKE = "alike", _("Their names, or what is known of them, are alike.")
        NEVER_TOLD = "never_told", _("It was read in a file, and no chat spoke of it in 30 days.")
        UNTOUCHED = "untouched", _("It was left open, and no chat spoke of it in 45 days.")
        BASIS_GONE = "basis_gone", _("What it rests on no longer holds.")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        SETTLED = "settled", _("settled")
        LET_GO = "let_go", _("not asked about")

    class Outcome(models.TextChoices):
        THIS = "this", _("The first holds")
        THAT = "that", _("The second holds")
        BOTH = "both", _("Both hold")
        NEITHER = "neither", _("Neither holds")
        SAME = "same", _("The same")
        DIFFERENT = "different", _("Not the same")
        # A side was forgotten.
        GONE = "gone", _("One side was deleted")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="doubts")
    kind = models.CharField(max_length=16, choices=Kind)
    # This: the newer side, which is in doubt. That: what it stands against.
    a_node = models.ForeignKey(ConceptNode, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts_this")
    b_node = models.ForeignKey(ConceptNode, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts_that")
    a_entity = models.ForeignKey(Entity, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts_this")
    b_entity = models.ForeignKey(Entity, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts_that")
    # What opened it, one of `Reason`; empty of those that were opened before reasons were written.
    reason = models.CharField(max_length=200, blank=True)
    severity = models.FloatField()
    state = models.CharField(max_length=16, choices=State, default=State.OPEN)
    # The ids of the sessions in which the persona asked.
    asked_in = ArrayField(models.BigIntegerField(), default=list, blank=True)
    outcome = models.CharField(max_length=16, choices=Outcome, blank=True)
    # Whether it was let go when it was settled: undone, it is let go again.
    was_let_go = models.BooleanField(default=False, db_default=False)
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
            require_known("doubt_kind_known", kind=["contradiction", "ambiguous", "unverified", "stale"]),
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
        return f"{self._meta.verbose_name} {self.pk}: {self.get_kind_display()}, {self.get_state_display()}"

    def settle(self, *, outcome: str, now: datetime) -> None:
        self.was_let_go = self.state == self.State.LET_GO
        self.state, self.outcome, self.settled_at = self.State.SETTLED, outcome, now
        self.save(update_fields=["state", "outcome", "settled_at", "was_let_go"])
        refs = {"doubt": self.pk, "outcome": outcome}
        events.record(bond_id=self.bond_id, type="memory.doubt.settled", refs=refs, now=now)

    def open_again(self, *, now: datetime) -> None:
        """Open what was settled or let go; what was let go when it was settled is let go. How often it was asked stays."""
        self.state = self.State.LET_GO if self.was_let_go else self.State.OPEN
        self.outcome, self.settled_at, self.was_let_go = "", None, False
        self.save(update_fields=["state", "outcome", "settled_at", "was_let_go"])
        if self.state == self.State.LET_GO:
            return
        self.announce_opened(now)
        Doubt.objects.let_go_of_least(self.bond)

    def announce_opened(self, now: datetime) -> None:
        events.record(bond_id=self.bond_id, type="memory.doubt.opened", refs={"doubt": self.pk}, now=now)


SEVERITY: Mapping[str, float] = {
    Doubt.Kind.CONTRADICTION: 1.0,
    Doubt.Kind.AMBIGUOUS: 0.8,
    Doubt.Kind.UNVERIFIED: 0.5,
    Doubt.Kind.STALE: 0.4,
}


def find_reason(doubt: Doubt) -> Doubt.Reason:
    """Find what opens a doubt, by its kind, its second side and who opens it."""
    if doubt.kind == Doubt.Kind.CONTRADICTION:
        return Doubt.Reason.AGAINST_TEXT if doubt.b_node is None else Doubt.Reason.AGAINST_TOLD
    if doubt.kind == Doubt.Kind.STALE:
        return Doubt.Reason.BASIS_GONE if doubt.opened_by == Doubt.BY_CHANGE else Doubt.Reason.UNTOUCHED
    return Doubt.Reason.ALIKE if doubt.kind == Doubt.Kind.AMBIGUOUS else Doubt.Reason.NEVER_TOLD
