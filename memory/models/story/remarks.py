from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow
from memory.models.entities import Entity
from memory.models.story.scenes import Scene
from personas.models import Bond, BondRowQuerySet


class EntityRemarkQuerySet(BondRowQuerySet["EntityRemark"]):
    def live(self) -> "EntityRemarkQuerySet":
        """Exclude remarks that a later one replaces, and those that a description has taken up."""
        return self.filter(replaced_by=None, absorbed_at=None)


class EntityRemark(NamedRow):
    """What a scene tells about a person or a thing."""

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="entity_remarks")
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="remarks")
    scene = models.ForeignKey(Scene, on_delete=models.CASCADE, related_name="remarks")
    label = models.CharField(max_length=60, blank=True)
    text = models.CharField(max_length=500)
    # The message it was told in, by a plain id.
    line = models.BigIntegerField()
    replaced_by = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    # When the entity's description took it up.
    absorbed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    objects = EntityRemarkQuerySet.as_manager()

    class Meta:
        verbose_name = _("remark")
        verbose_name_plural = _("remarks")
        indexes = [
            models.Index(fields=["bond"], name="entity_remark_bond"),
            models.Index(
                fields=["entity", "-id"], condition=Q(replaced_by=None, absorbed_at=None), name="entity_remark_live"
            ),
        ]
