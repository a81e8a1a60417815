from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

from personas.models.accounts import User
from personas.models.personas import Persona

GREETINGS_MOST = 10
GREETING_CHARACTERS = 2000
STARTERS_MOST = 6
STARTER_CHARACTERS = 200


def make_text_column(most: int) -> "models.TextField[str, str]":
    # No varchar: in an array, PostgreSQL would cut a longer text without a word.
    return models.TextField(validators=[MaxLengthValidator(most)])


def count_characters(name: str) -> Length:
    """Return the length of all texts of an array, for a constraint."""
    return Length(Func(F(name), Value(""), function="array_to_string", output_field=models.TextField()))


class OpeningTexts(models.Model):
    # What the companion may say first, each whole.
    greetings = ArrayField(make_text_column(GREETING_CHARACTERS), default=list, blank=True)
    # What the user may say first: buttons that fill the composer.
    starters = ArrayField(make_text_column(STARTER_CHARACTERS), default=list, blank=True)

    class Meta:
        abstract = True


class Opening(OpeningTexts):
    """L1: how the first chat with a persona begins. Only an explicit save by a person writes it, always as a whole."""

    persona = models.OneToOneField(Persona, on_delete=models.CASCADE, primary_key=True, related_name="opening")
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField()
    updated_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("opening")
        verbose_name_plural = _("greetings and starters")
        constraints = [
            models.CheckConstraint(
                condition=Q(greetings__len__lte=GREETINGS_MOST), name="opening_at_most_10_greetings"
            ),
            models.CheckConstraint(condition=Q(starters__len__lte=STARTERS_MOST), name="opening_at_most_6_starters"),
            models.CheckConstraint(
                condition=LessThanOrEqual(count_characters("greetings"), GREETINGS_MOST * GREETING_CHARACTERS),
                name="opening_greetings_not_too_long",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(count_characters("starters"), STARTERS_MOST * STARTER_CHARACTERS),
                name="opening_starters_not_too_long",
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class OpeningRevision(OpeningTexts):
    """An opening that a later save replaced; `n` is its version."""

    opening = models.ForeignKey(Opening, on_delete=models.CASCADE, related_name="revisions")
    n = models.PositiveIntegerField()
    saved_at = models.DateTimeField()
    saved_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        verbose_name = _("earlier opening")
        verbose_name_plural = _("earlier openings")
        constraints = [models.UniqueConstraint(fields=["opening", "n"], name="opening_revision_once_per_version")]

    def __str__(self) -> str:
        return f"revision {self.n} of opening {self.opening_id}"
