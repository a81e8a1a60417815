from datetime import datetime
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow, require_known
from memory.models.messages import Message
from memory.models.nodes import ConceptNode
from memory.models.sessions import Session
from personas.models import Bond, BondRowQuerySet


class FactWriteQuerySet(BondRowQuerySet["FactWrite"]):
    def not_undone(self) -> "FactWriteQuerySet":
        return self.filter(undone_at=None)


class FactWrite(NamedRow):
    """One act on facts, so that it can be shown where it happened and taken back: ids and numbers, no text."""

    class Op(models.TextChoices):
        SAVED = "saved", _("Remembered")
        CHANGED = "changed", _("Changed")
        ENDED = "ended", _("No longer so")
        FORGOTTEN = "forgotten", _("Forgotten")
        CONFIRMED = "confirmed", _("Confirmed")
        LINKED = "linked", _("Linked")
        MERGED = "merged", _("Merged")
        SETTLED = "settled", _("Settled")

    class By(models.TextChoices):
        TOOL = "tool", _("companion")
        RULE = "rule", _("rule")
        BACKSTOP = "backstop", _("call after a reply")
        CLOSE = "close", _("end of a chat")
        SWEEP = "sweep", _("nightly sweep")
        PERSON = "person", _("user")
        IMPORT = "import", _("import")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="fact_writes")
    # What stands after the act; for an end or a forgetting, what it was about.
    node = models.ForeignKey(ConceptNode, on_delete=models.CASCADE, related_name="writes")
    # The ids of the nodes that gave way; of a link, the one it leads to; of a forgetting, those that went along.
    old = ArrayField(models.BigIntegerField(), default=list, blank=True)
    op = models.CharField(max_length=16, choices=Op)
    by = models.CharField(max_length=16, choices=By)
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.SET_NULL, related_name="fact_writes")
    # The reply it belongs to, once that is stored: it tells the variant.
    message = models.ForeignKey(Message, null=True, blank=True, on_delete=models.SET_NULL, related_name="fact_writes")
    turn_id = models.UUIDField(null=True, blank=True)
    # The characters of the reply before it.
    offset = models.PositiveIntegerField(default=0)
    # What an undo sets back: see `memory.facts.undoing`.
    before: Any = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()
    undone_at: "models.DateTimeField[datetime | None, datetime | None]" = models.DateTimeField(null=True, blank=True)

    objects = FactWriteQuerySet.as_manager()

    class Meta:
        verbose_name = _("change of a fact")
        verbose_name_plural = _("changes of facts")
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    op__in=["saved", "changed", "ended", "forgotten", "confirmed", "linked", "merged", "settled"]
                ),
                name="fact_write_op_known",
            ),
            require_known("fact_write_by_known", by=["tool", "rule", "backstop", "close", "sweep", "person", "import"]),
        ]
        indexes = [
            models.Index(fields=["bond", "-id"], name="fact_write_bond_newest"),
            models.Index(fields=["bond", "turn_id"], name="fact_write_bond_turn"),
        ]
