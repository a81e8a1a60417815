from datetime import datetime, timedelta
from typing import Any, Self, TypeVar

from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow
from personas.models.accounts import User
from personas.models.personas import Persona

BLOCK_CHARACTERS = 5000
# An older mood counts as neutral; the row stays as it is.
MOOD_LASTS = timedelta(hours=12)
NEUTRAL_MOOD = "neutral"
NEUTRAL_ENERGY = 5
Row = TypeVar("Row", bound=models.Model)


class BondQuerySet(models.QuerySet["Bond"]):
    def for_user(self, user: User) -> "BondQuerySet":
        return self.filter(user=user)


class Bond(NamedRow):
    """One user's relationship with one persona: the unit of isolation of all memory."""

    class Signal(models.TextChoices):
        WARM = "warm", _("warm")
        COOL = "cool", _("cool")
        TIRED = "tired", _("tired")
        FRUSTRATED = "frustrated", _("frustrated")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="bonds")
    persona = models.ForeignKey(Persona, on_delete=models.PROTECT, related_name="bonds")
    created_at = models.DateTimeField()
    # L6. Only consolidation writes it, and always as a whole.
    mood = models.CharField(max_length=60, default=NEUTRAL_MOOD)
    energy = models.PositiveSmallIntegerField(default=NEUTRAL_ENERGY)
    last_user_signal = models.CharField(max_length=16, choices=Signal, null=True, blank=True)  # noqa: DJ001 - the contract's null: nothing was signalled
    mood_updated_at = models.DateTimeField(null=True, blank=True)
    # When facts were drawn from the memories that were there before there were facts.
    facts_drawn_at = models.DateTimeField(null=True, blank=True)

    objects = BondQuerySet.as_manager()

    class Meta:
        verbose_name = _("bond")
        verbose_name_plural = _("bonds")
        constraints = [
            models.UniqueConstraint(fields=["user", "persona"], name="bond_once_per_user_and_persona"),
            models.CheckConstraint(condition=Q(energy__range=(0, 10)), name="bond_energy_0_to_10"),
            models.CheckConstraint(
                condition=Q(last_user_signal=None) | Q(last_user_signal__in=["warm", "cool", "tired", "frustrated"]),
                name="bond_signal_known",
            ),
        ]

    def episodic_state(self, now: datetime) -> dict[str, Any]:
        """Return the current mood; one that is more than 12 hours old counts as neutral."""
        is_old = self.mood_updated_at is None or now - self.mood_updated_at > MOOD_LASTS
        return {
            "mood": NEUTRAL_MOOD if is_old else self.mood,
            "energy": NEUTRAL_ENERGY if is_old else self.energy,
            "last_user_signal": None if is_old else self.last_user_signal,
            "updated_at": self.mood_updated_at,
        }


class BondRowQuerySet(models.QuerySet[Row]):
    """Of a table whose rows belong to a bond each."""

    def for_bond(self, bond: Bond) -> Self:
        return self.filter(bond=bond)


class CoreBlock(models.Model):
    """L1: an authored text. Only an explicit save by a person writes it."""

    class Label(models.TextChoices):
        PERSONA = "persona", _("companion")
        STYLE = "style", _("style")
        USER = "user", _("user")
        SCENARIO = "scenario", _("scenario")
        EXAMPLES = "examples", _("example dialogue")

    label = models.CharField(max_length=16, choices=Label)
    # Exactly one holder: the bond for `user` and its own `style`, the persona for all others.
    persona = models.ForeignKey(Persona, null=True, blank=True, on_delete=models.CASCADE, related_name="blocks")
    bond = models.ForeignKey(Bond, null=True, blank=True, on_delete=models.CASCADE, related_name="blocks")
    content = models.TextField(blank=True, validators=[MaxLengthValidator(BLOCK_CHARACTERS)])
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField()
    updated_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("core text")
        verbose_name_plural = _("core texts")
        constraints = [
            models.CheckConstraint(
                condition=Q(persona__isnull=False, bond=None, label__in=["persona", "style", "scenario", "examples"])
                | Q(bond__isnull=False, persona=None, label__in=["user", "style"]),
                name="block_label_fits_holder",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("content"), BLOCK_CHARACTERS), name="block_at_most_5000_characters"
            ),
            models.UniqueConstraint(fields=["persona", "label"], name="block_once_per_persona"),
            models.UniqueConstraint(fields=["bond", "label"], name="block_once_per_bond"),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_label_display()}"


class BlockRevision(NamedRow):
    """A text that a later save replaced; `n` is its version."""

    block = models.ForeignKey(CoreBlock, on_delete=models.CASCADE, related_name="revisions")
    n = models.PositiveIntegerField()
    content = models.TextField(blank=True)
    saved_at = models.DateTimeField()
    saved_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("earlier text")
        verbose_name_plural = _("earlier texts")
        constraints = [models.UniqueConstraint(fields=["block", "n"], name="revision_once_per_version")]
