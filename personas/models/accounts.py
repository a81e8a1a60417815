from datetime import date, datetime, time, timedelta
from importlib import import_module
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow
from echovessel.text import is_one_line


def check_time_zone(name: str) -> None:
    """Raises ValidationError for what is no IANA name."""
    if name not in available_timezones():
        raise ValidationError(gettext("This is not a time zone. Use an IANA name such as Europe/Berlin."))


class User(AbstractUser):
    class Language(models.TextChoices):
        FOLLOW_BROWSER = "", _("follow the browser")
        ENGLISH = "en", "English"
        CHINESE = "zh-hans", "简体中文"

    display_name = models.CharField(max_length=80, blank=True)
    # An IANA name; empty until the first page load stores the browser's.
    time_zone = models.CharField(max_length=64, blank=True)
    language = models.CharField(max_length=16, choices=Language, blank=True, default="")
    # When the person last started the tour of the conversation page.
    toured_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.username}"

    def clean(self) -> None:
        """Check what every form sets: no page opens for an account in an unknown zone."""
        super().clean()
        if self.time_zone:
            try:
                check_time_zone(self.time_zone)
            except ValidationError as error:
                raise ValidationError({"time_zone": error.messages}) from error
        if self.display_name and not is_one_line(self.display_name):
            raise ValidationError({"display_name": _("Use one line without control characters.")})

    @property
    def zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.time_zone or "UTC")
        except (ZoneInfoNotFoundError, ValueError):
            # A name that this machine does not know, or knows no longer: no page may fail over it.
            return ZoneInfo("UTC")

    def get_day(self, at: datetime) -> date:
        """Return the day that a moment is on where the user is."""
        return at.astimezone(self.zone).date()

    def get_midnight(self, at: datetime, *, days_on: int = 0) -> datetime:
        """Return when the day of a moment began where the user is, or one that is so many days on."""
        return datetime.combine(self.get_day(at) + timedelta(days_on), time.min, tzinfo=self.zone)

    @property
    def shown_name(self) -> str:
        return self.display_name or self.username


class SignIn(AbstractBaseSession):
    """A Django session. People who are not signed in have one too if a page stores something for them."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sign_ins")

    class Meta:
        verbose_name = _("sign-in")
        verbose_name_plural = _("sign-ins")

    def __str__(self) -> str:
        return f"sign-in of user {self.user_id}"

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        # By its name: it imports this model.
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store


class ApiToken(NamedRow):
    """What its owner calls an API token, and when it was last used. The token itself is knox's, and stored as a hash."""

    token = models.OneToOneField("knox.AuthToken", on_delete=models.CASCADE, related_name="label")
    name = models.CharField(max_length=80, blank=True)
    # To the minute; empty until its first use.
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")


class RateCount(NamedRow):
    """The number of requests of one kind in the user's last active minute."""

    # Erased with the account. No constraint: a concurrent request needs no account.
    user = models.ForeignKey(User, on_delete=models.CASCADE, db_constraint=False, related_name="+")
    kind = models.CharField(max_length=16)
    # Minutes since 1970.
    minute = models.BigIntegerField()
    taken = models.BigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "kind"], name="rate_once_per_user_and_kind")]


class Install(NamedRow):
    """One row: records that the install has had its operator, even after the account is erased."""

    singleton = models.BooleanField(primary_key=True, default=True)
    operator_id = models.BigIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(singleton=True), name="install_only_one")]


class AccessLogQuerySet(models.QuerySet["AccessLog"]):
    def for_user(self, user: User) -> "AccessLogQuerySet":
        """Return who read this person's rows, newest first."""
        return self.filter(person=user).order_by("-hour", "-id")


class AccessLog(NamedRow):
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
            models.UniqueConstraint(fields=["person", "reader", "section", "hour"], name="access_once_an_hour")
        ]
        indexes = [models.Index(fields=["person", "-hour"], name="access_person_newest")]

    @property
    def section_name(self) -> str:
        # The project's models come last: Django's sessions are no chats.
        names = [model._meta for model in apps.get_models() if model._meta.model_name == self.section]
        return str(names[-1].verbose_name_plural) if names else self.section
