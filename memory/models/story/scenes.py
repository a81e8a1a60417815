from django.db import models
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow, require_known
from memory.models.story.made_by import MadeBy
from personas.models import Bond, BondRowQuerySet

SCENE_TITLE_CHARACTERS = 50


class SceneQuerySet(BondRowQuerySet["Scene"]):
    def in_order(self) -> "SceneQuerySet":
        return self.order_by("last_message_id")


class Scene(NamedRow):
    """A break in a bond's messages: the scene is what lies behind the break before it, up to this one.

    So scenes are contiguous, whatever is removed or moved. Messages past the last break are the open scene, without a row.
    """

    class ClosedBy(models.TextChoices):
        SILENCE = "silence", _("a long silence")
        SESSION = "session", _("the end of a chat")
        PERSON = "person", _("you")
        CONTENT = "content", _("a new subject")
        SIZE = "size", _("its length")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="scenes")
    # Its last message, by a plain id that outlives the row.
    last_message_id = models.BigIntegerField(unique=True)
    closed_by = models.CharField(max_length=16, choices=ClosedBy)
    title = models.CharField(max_length=SCENE_TITLE_CHARACTERS, blank=True)
    title_by = models.CharField(max_length=16, choices=MadeBy, blank=True)
    # The version that is told.
    recap = models.ForeignKey(
        "memory.SceneRecap", null=True, blank=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )
    created_at = models.DateTimeField()

    objects = SceneQuerySet.as_manager()

    class Meta:
        verbose_name = _("scene")
        verbose_name_plural = _("scenes")
        constraints = [
            require_known("scene_closed_by_known", closed_by=["silence", "session", "person", "content", "size"])
        ]
        indexes = [models.Index(fields=["bond", "-last_message_id"], name="scene_bond_newest")]
