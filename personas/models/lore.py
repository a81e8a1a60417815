from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow
from personas.models.personas import Persona

LORE_CHARACTERS = 2000
LORE_MOST = 1000
KEYS_MOST = 50
KEY_CHARACTERS = 100
DEFAULT_ORDER = 100


class KeptCard(NamedRow):
    """What a character card brought that this program does not use, given back when the persona is exported."""

    persona = models.OneToOneField(Persona, on_delete=models.CASCADE, primary_key=True, related_name="kept_card")
    # By field of the card; `character_book` without its entries.
    fields = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("character card")
        verbose_name_plural = _("character cards")


class LoreEntry(NamedRow):
    """L1: what is known in a persona's world, told to the model where one of the keys occurs. Its persona's owner writes it."""

    persona = models.ForeignKey(Persona, on_delete=models.CASCADE, related_name="lore")
    # The place among the persona's entries, from 0.
    place = models.PositiveIntegerField(default=0)
    keys = ArrayField(models.TextField(), default=list, blank=True)
    # Where the entry is selective, one of these must occur too.
    secondary_keys = ArrayField(models.TextField(), default=list, blank=True)
    # The keys by which the database finds entries; without those that are regular expressions, which are kept and not used.
    folded_keys = ArrayField(models.TextField(), default=list, blank=True)
    content = models.TextField(blank=True, validators=[MaxLengthValidator(LORE_CHARACTERS)])
    # Always told.
    constant = models.BooleanField(default=False)
    enabled = models.BooleanField(default=True)
    selective = models.BooleanField(default=False)
    case_sensitive = models.BooleanField(null=True, blank=True)
    use_regex = models.BooleanField(default=False)
    # Where not all fits, the higher one is told.
    priority = models.IntegerField(null=True, blank=True)
    # In the prompt, the lower one comes first.
    insertion_order = models.IntegerField(default=DEFAULT_ORDER)
    # The card's fields of this entry, as they came.
    kept = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = _("lore entry")
        verbose_name_plural = _("lore entries")
        constraints = [
            models.CheckConstraint(
                condition=LessThanOrEqual(Length("content"), LORE_CHARACTERS), name="lore_at_most_2000_characters"
            ),
            models.CheckConstraint(
                condition=Q(keys__len__lte=KEYS_MOST) & Q(secondary_keys__len__lte=KEYS_MOST),
                name="lore_at_most_50_keys",
            ),
        ]
        indexes = [models.Index(fields=["persona", "place"], name="lore_of_persona")]

    def fold_keys(self) -> None:
        """Set the keys by which the database finds it."""
        self.folded_keys = [] if self.use_regex else [folded for key in self.keys if (folded := key.casefold().strip())]
