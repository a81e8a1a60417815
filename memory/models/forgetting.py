"""Forgotten rows: in the trash for a while, then only a hash, so that they are not learned again."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow, require_known
from personas.models import Bond, BondRowQuerySet

KEPT_FOR = timedelta(days=30)


class ForgottenQuerySet(BondRowQuerySet["Forgotten"]):
    def due(self, now: datetime) -> "ForgottenQuerySet":
        return self.filter(created_at__lte=now - KEPT_FOR)

    def drop_kept(self, ids: Iterable[int | str], *names: str) -> None:
        """Drop what acts keep of these texts: it may hold what is forgotten, or left out of memory, since."""
        keys = {str(pk) for pk in ids}
        holding = Q(*((f"kept__{name}__has_any_keys", [*keys]) for name in names), _connector=Q.OR)
        for act in self.filter(holding) if keys else ():
            for name in {*names} & {*act.kept}:
                act.kept[name] = {key: kept for key, kept in act.kept[name].items() if key not in keys}
            act.save(update_fields=["kept"])


class Forgotten(models.Model):
    """One act of forgetting while it can be undone: the meant row, and all rows that went with it."""

    class Kind(models.TextChoices):
        MESSAGE = "message", _("Message")
        SESSION = "session", _("Chat")
        EVENT = "event", _("Event")
        FACT = "fact", _("Fact")
        THOUGHT = "thought", _("Thought")
        INTENTION = "intention", _("Promise")
        EXPECTATION = "expectation", _("Expectation")
        ENTITY = "entity", _("Person or thing")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="forgotten")
    kind = models.CharField(max_length=16, choices=Kind)
    # The meant row; it is among the hidden ones.
    object_id = models.BigIntegerField()
    # The ids of the hidden rows, by kind: see `memory.forgetting.acts`.
    taken = models.JSONField(default=dict)
    # The emptied summaries and descriptions, by session and entity, until more of these is forgotten.
    kept = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    objects = ForgottenQuerySet.as_manager()

    class Meta:
        verbose_name = _("forgotten item")
        verbose_name_plural = _("trash")
        constraints = [
            models.UniqueConstraint(fields=["bond", "kind", "object_id"], name="forgotten_once"),
            models.CheckConstraint(
                condition=Q(
                    kind__in=["message", "session", "event", "fact", "thought", "intention", "expectation", "entity"]
                ),
                name="forgotten_kind_known",
            ),
        ]
        indexes = [
            models.Index(fields=["bond", "-created_at"], name="forgotten_bond_newest"),
            # For the nightly purge, which reads all bonds.
            models.Index(fields=["created_at"], name="forgotten_oldest"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_kind_display()} {self.object_id}"

    @property
    def node_ids(self) -> list[int]:
        return sorted(self.taken.get("nodes", []))

    @property
    def line_ids(self) -> list[int]:
        return sorted(self.taken.get("lines", []))

    @property
    def entity_ids(self) -> list[int]:
        return sorted(self.taken.get("entities", []))

    @property
    def purged_at(self) -> datetime:
        return self.created_at + KEPT_FOR


class Tombstone(NamedRow):
    """Identifies a forgotten row without keeping it: no text, no vector."""

    class Of(models.TextChoices):
        NODE = "node", _("memory")
        NAME = "name", _("name")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    of = models.CharField(max_length=8, choices=Of)
    # The forgotten node, or the entity of a forgotten name; its row may be gone.
    object_id = models.BigIntegerField()
    # A keyed hash of the folded text.
    mark = models.CharField(max_length=64)
    # The ids of the messages it was drawn from.
    lines = ArrayField(models.BigIntegerField(), default=list, blank=True)
    # Of what a chat asked to forget: the messages that no prompt holds any more.
    hidden = ArrayField(models.BigIntegerField(), default=list, blank=True)
    # The bond's newest message then: a later one may teach it anew.
    last_message_id = models.BigIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("mark of something forgotten")
        verbose_name_plural = _("marks of what was forgotten")
        constraints = [require_known("tombstone_of_known", of=["node", "name"])]
        indexes = [
            models.Index(fields=["bond", "mark"], name="tombstone_bond_mark"),
            models.Index(fields=["bond", "of", "object_id"], name="tombstone_bond_object"),
        ]
