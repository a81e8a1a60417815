from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.apps import apps
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.validators import MaxLengthValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Length
from django.db.models.lookups import LessThanOrEqual
from django.utils.translation import gettext_lazy as _

BLOCK_CHARACTERS = 5000
# An older mood counts as neutral; the row stays as it is.
MOOD_LASTS = timedelta(hours=12)
NEUTRAL_MOOD = "neutral"
NEUTRAL_ENERGY = 5


class User(AbstractUser):
    class Language(models.TextChoices):
        FOLLOW_BROWSER = "", "follow the browser"
        ENGLISH = "en", "English"
        CHINESE = "zh-hans", "简体中文"

    display_name = models.CharField(max_length=80, blank=True)
    # An IANA name; empty until the first page load stores the browser's.
    time_zone = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=16, choices=Language, blank=True, default="")
    # When the person last started the tour of the conversation page.
    toured_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"user {self.pk}: {self.username}"

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone or "UTC")

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username


class SignIn(AbstractBaseSession):
    """A Django session. People who are not signed in have one too if a page stores something for them."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sign_ins")

    def __str__(self) -> str:
        return f"sign-in of user {self.user_id}"

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        from personas.sign_ins import SessionStore  # noqa: PLC0415 - it imports this model

        return SessionStore


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

    # Null after the owner's account is erased while others still talk with the persona.
    owner = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="personas")
    name = models.CharField(max_length=80)
    tagline = models.CharField(max_length=200, blank=True)
    avatar = models.FileField(upload_to="avatars/", blank=True)
    language = models.CharField(max_length=8, choices=Language, default=Language.ENGLISH)
    visibility = models.CharField(max_length=16, choices=Visibility, default=Visibility.PRIVATE)
    created_at = models.DateTimeField()
    # Set when the owner deletes it: no new bonds, existing ones continue.
    archived_at = models.DateTimeField(null=True, blank=True)

    objects = PersonaQuerySet.as_manager()

    class Meta:
        verbose_name = _("companion")
        verbose_name_plural = _("companions")
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="persona_has_name"),
            models.CheckConstraint(condition=Q(visibility__in=["private", "shared"]), name="persona_visibility_known"),
            models.CheckConstraint(condition=Q(language__in=["en", "zh"]), name="persona_language_known"),
        ]

    def __str__(self) -> str:
        return f"persona {self.pk}: {self.name}"


class PersonaFacts(models.Model):
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
        "full_name",
        "gender",
        "birth_date",
        "nationality",
        "native_language",
        "location",
        "time_zone",
        "occupation",
        "education",
        "relationship_status",
        "notes",
    )

    class Meta:
        verbose_name_plural = "companion facts"

    def __str__(self) -> str:
        return f"facts of persona {self.pk}"

    def as_dict(self) -> dict[str, str | None]:
        return {name: getattr(self, name) or None for name in self.NAMES}


class BondQuerySet(models.QuerySet["Bond"]):
    def for_user(self, user: User) -> "BondQuerySet":
        return self.filter(user=user)


class Bond(models.Model):
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

    def __str__(self) -> str:
        return f"bond {self.pk}"

    def episodic_state(self, now: datetime) -> dict[str, Any]:
        """Return the current mood; one that is more than 12 hours old counts as neutral."""
        if self.mood_updated_at is None or now - self.mood_updated_at > MOOD_LASTS:
            return {
                "mood": NEUTRAL_MOOD,
                "energy": NEUTRAL_ENERGY,
                "last_user_signal": None,
                "updated_at": self.mood_updated_at,
            }
        return {
            "mood": self.mood,
            "energy": self.energy,
            "last_user_signal": self.last_user_signal,
            "updated_at": self.mood_updated_at,
        }


class RateCount(models.Model):
    """The number of requests of one kind in the user's last active minute."""

    # Erased with the account. No constraint: a concurrent request needs no account.
    user = models.ForeignKey(User, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    kind = models.CharField(max_length=16)
    # Minutes since 1970.
    minute = models.BigIntegerField()
    taken = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="rate_once_per_user_and_kind")]

    def __str__(self) -> str:
        return f"rate {self.pk}: {self.kind}"


class CoreBlock(models.Model):
    """L1: an authored text. Only an explicit save by a person writes it."""

    class Label(models.TextChoices):
        PERSONA = "persona", _("companion")
        STYLE = "style", _("style")
        USER = "user", _("user")

    label = models.CharField(max_length=16, choices=Label)
    # Exactly one holder: the persona for `persona` and `style`, the bond for `user` and its own `style`.
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
                condition=Q(persona__isnull=False, bond=None, label__in=["persona", "style"])
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
        return f"block {self.pk}: {self.label}"


class BlockRevision(models.Model):
    """A text that a later save replaced; `n` is its version."""

    block = models.ForeignKey(CoreBlock, on_delete=models.CASCADE, related_name="revisions")
    n = models.PositiveIntegerField()
    content = models.TextField(blank=True)
    saved_at = models.DateTimeField()
    saved_by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["block", "n"], name="revision_once_per_version")]

    def __str__(self) -> str:
        return f"revision {self.n} of block {self.block_id}"


class Install(models.Model):
    """One row: records that the install has had its operator, even after the account is erased."""

    singleton = models.BooleanField(primary_key=True, default=True)
    operator_id = models.BigIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(singleton=True), name="install_only_one")]

    def __str__(self) -> str:
        return f"install, operated first by user {self.operator_id}"


class AccessLogQuerySet(models.QuerySet["AccessLog"]):
    def for_user(self, user: User) -> "AccessLogQuerySet":
        """Return who read this person's rows, newest first."""
        return self.filter(person=user).order_by("-hour", "-id")


class AccessLog(models.Model):
    """A reader saw another person's rows: one row per reader, person, section and hour."""

    reader = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    # Kept when the reader's account is erased.
    reader_name = models.CharField(max_length=150)
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="read_by")
    # The model that was read, in lower case: `message`.
    section = models.CharField(max_length=40)
    # The start of the hour.
    hour = models.DateTimeField()

    objects = AccessLogQuerySet.as_manager()

    class Meta:
        verbose_name = _("access")
        verbose_name_plural = _("access log")
        permissions = [("see_others_memory", _("see other people's memories"))]
        constraints = [
            models.UniqueConstraint(fields=["person", "reader", "section", "hour"], name="access_once_an_hour"),
        ]
        indexes = [models.Index(fields=["person", "-hour"], name="access_person_newest")]

    def __str__(self) -> str:
        return f"access {self.pk}: {self.section} of user {self.person_id}"

    @property
    def section_name(self) -> str:
        """Return the translated name of the section."""
        names = (model._meta for model in apps.get_models() if model._meta.model_name == self.section)
        return next((str(name.verbose_name_plural) for name in names), self.section)
