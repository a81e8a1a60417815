from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow, require_known
from personas.models.accounts import User


class PersonaQuerySet(models.QuerySet["Persona"]):
    def owned_by(self, user: User) -> "PersonaQuerySet":
        return self.filter(owner=user, archived_at=None)

    def open_to(self, user: User) -> "PersonaQuerySet":
        """Return personas with which the user may begin a bond: the user's own and shared ones."""
        return self.filter(Q(owner=user) | Q(visibility=Persona.Visibility.SHARED), archived_at=None)


class Persona(models.Model):
    class Visibility(models.TextChoices):
        PRIVATE = "private", _("private")
        SHARED = "shared", _("shared")

    class Language(models.TextChoices):
        ENGLISH = "en", _("English")
        CHINESE = "zh", _("Chinese")

    class AnswerLength(models.TextChoices):
        SHORT = "short", _("short")
        LONG = "long", _("long")

    # Null after the owner's account is erased while others still talk with the persona.
    owner = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="personas")
    name = models.CharField(max_length=80)
    # What texts call it in the place of {{char}}, where that is not the name.
    nickname = models.CharField(max_length=80, blank=True)
    tagline = models.CharField(max_length=200, blank=True)
    avatar = models.FileField(upload_to="avatars/", blank=True)
    language = models.CharField(max_length=8, choices=Language, default=Language.ENGLISH)
    visibility = models.CharField(max_length=16, choices=Visibility, default=Visibility.PRIVATE)
    # How it answers, as its owner set it; what is empty is as everywhere on this install.
    answer_model = models.CharField(max_length=200, blank=True)
    answer_temperature = models.FloatField(null=True, blank=True)
    answer_top_p = models.FloatField(null=True, blank=True)
    # How many tokens a reply has at most.
    answer_tokens = models.PositiveIntegerField(null=True, blank=True)
    answer_length = models.CharField(max_length=8, choices=AnswerLength, blank=True)
    created_at = models.DateTimeField()
    # Set when the owner deletes it: no new bonds, existing ones continue.
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = PersonaQuerySet.as_manager()

    class Meta:
        verbose_name = _("companion")
        verbose_name_plural = _("companions")
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="persona_has_name"),
            require_known("persona_visibility_known", visibility=["private", "shared"]),
            require_known("persona_language_known", language=["en", "zh"]),
            models.CheckConstraint(
                condition=Q(answer_temperature=None) | Q(answer_temperature__gte=0, answer_temperature__lte=2),
                name="persona_temperature_range",
            ),
            models.CheckConstraint(
                condition=Q(answer_top_p=None) | Q(answer_top_p__gt=0, answer_top_p__lte=1), name="persona_top_p_range"
            ),
            models.CheckConstraint(
                condition=Q(answer_tokens=None) | Q(answer_tokens__gte=16, answer_tokens__lte=32_000),
                name="persona_tokens_range",
            ),
            require_known("persona_answer_length_known", answer_length=["", "short", "long"]),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.name}"

    @property
    def called(self) -> str:
        return self.nickname or self.name


class PersonaFacts(NamedRow):
    """Plain facts about a persona. All are free text: invented people have invented calendars."""

    persona = models.OneToOneField(Persona, on_delete=models.CASCADE, primary_key=True, related_name="facts")
    full_name = models.CharField(max_length=120, blank=True)
    gender = models.CharField(max_length=60, blank=True)
    birth_date = models.CharField(max_length=60, blank=True)
    nationality = models.CharField(max_length=80, blank=True)
    native_language = models.CharField(max_length=80, blank=True)
    location = models.CharField(max_length=120, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    occupation = models.CharField(max_length=120, blank=True)
    education = models.CharField(max_length=200, blank=True)
    relationship_status = models.CharField(max_length=80, blank=True)
    notes = models.CharField(max_length=1000, blank=True)

    NAMES = (
        "full_name", "gender", "birth_date", "nationality", "native_language", "location", "time_zone", "occupation",
        "education", "relationship_status", "notes",
    )  # fmt: skip

    class Meta:
        verbose_name = _("facts of a companion")
        verbose_name_plural = _("companion facts")

    def as_dict(self) -> dict[str, str | None]:
        return {name: getattr(self, name) or None for name in self.NAMES}
