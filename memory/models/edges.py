"""How memories hang together: on what they rest, and how one fact belongs to another."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow
from memory.models.messages import Message
from personas.models import Bond

if TYPE_CHECKING:
    from memory.models.nodes import ConceptNode


class FillingQuerySet(models.QuerySet["Filling"]):
    def not_orphaned(self) -> "FillingQuerySet":
        """Without edges to forgotten events."""
        return self.filter(orphaned=False, child__deleted_at=None)

    def without_deleted_parents(self) -> "FillingQuerySet":
        return self.filter(parent__deleted_at=None)


class Filling(NamedRow):
    """The evidence edge: a thought (parent) cites an event (child)."""

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    parent = models.ForeignKey("memory.ConceptNode", on_delete=models.CASCADE, related_name="filling_edges")
    child = models.ForeignKey("memory.ConceptNode", on_delete=models.CASCADE, related_name="cited_edges")
    # Set when the event was forgotten and the thought stayed.
    orphaned = models.BooleanField(default=False)

    objects = FillingQuerySet.as_manager()

    class Meta:
        verbose_name = _("piece of evidence")
        verbose_name_plural = _("evidence")
        constraints = [
            models.UniqueConstraint(fields=["parent", "child"], name="filling_once"),
            models.CheckConstraint(condition=~Q(parent=F("child")), name="filling_never_itself"),
        ]
        indexes = [models.Index(fields=["bond", "child"], name="filling_bond_child")]


class NodeSourceQuerySet(models.QuerySet["NodeSource"]):
    def without_deleted_messages(self) -> "NodeSourceQuerySet":
        """Without messages that were deleted alone or with their session."""
        return self.filter(message__deleted_at=None, message__session__deleted_at=None)

    def add_to(self, node: "ConceptNode", messages: Iterable[int]) -> None:
        """Link messages to a node; those that are linked already stay so."""
        rows = (NodeSource(bond_id=node.bond_id, node=node, message_id=pk) for pk in messages)
        self.bulk_create(rows, ignore_conflicts=True)


class NodeSource(NamedRow):
    """A message that a node was drawn from."""

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    node = models.ForeignKey("memory.ConceptNode", on_delete=models.CASCADE, related_name="source_edges")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="node_edges")

    objects = NodeSourceQuerySet.as_manager()

    class Meta:
        verbose_name = _("source message")
        verbose_name_plural = _("source messages")
        constraints = [models.UniqueConstraint(fields=["node", "message"], name="node_source_once")]
        indexes = [models.Index(fields=["bond", "message"], name="node_source_bond_message")]


class NodeLink(NamedRow):
    """A named relation from one fact to another."""

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    a = models.ForeignKey("memory.ConceptNode", on_delete=models.CASCADE, related_name="links_from")
    b = models.ForeignKey("memory.ConceptNode", on_delete=models.CASCADE, related_name="links_to")
    relation = models.CharField(max_length=40)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("link")
        verbose_name_plural = _("links")
        constraints = [
            models.UniqueConstraint(fields=["a", "b", "relation"], name="node_link_once"),
            models.CheckConstraint(condition=~Q(a=F("b")), name="node_link_of_two"),
            models.CheckConstraint(condition=~Q(relation=""), name="node_link_has_relation"),
        ]
