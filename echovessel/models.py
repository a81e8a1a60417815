from collections.abc import Sequence

from django.db import models
from django.utils.translation import gettext_lazy as _


def require_known(name: str, **allowed: Sequence[str]) -> models.CheckConstraint:
    """Let a column hold only the values of its choices, which `Meta` cannot see: it names them again."""
    known = {f"{column}__in": values for column, values in allowed.items()}
    return models.CheckConstraint(condition=models.Q(**known), name=name)


class NamedRow(models.Model):
    """A row that is named by its kind and its number."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class LedgerEntry(models.Model):
    """One call to a model. It holds plain ids: it outlives its bond."""

    class Outcome(models.TextChoices):
        OK = "ok", _("ok")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")

    feature = models.CharField(max_length=32)
    model = models.CharField(max_length=200)
    # With what a companion's replies were asked for besides: temperature, top_p, max_tokens.
    options = models.JSONField(default=dict, blank=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    tokens_cached = models.PositiveIntegerField(default=0)
    # US dollars at the prices of that moment; null if they were unknown, and in rows older than this column.
    cost = models.DecimalField(max_digits=20, decimal_places=9, null=True)
    duration_ms = models.PositiveIntegerField()
    outcome = models.CharField(max_length=16, choices=Outcome)
    # The error's code if the call failed.
    error_code = models.CharField(max_length=32, blank=True)
    # Usage is summed per user, also after the bond is erased.
    user_id = models.BigIntegerField(null=True)
    bond_id = models.BigIntegerField(null=True)
    turn_id = models.UUIDField(null=True)
    session_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        indexes = [
            models.Index(fields=["user_id", "created_at"], name="ledger_user_created"),
            models.Index(fields=["created_at"], name="ledger_created"),
        ]
        constraints = [
            require_known("ledger_outcome_known", outcome=["ok", "stopped", "failed"]),
            models.CheckConstraint(
                condition=models.Q(cost=None) | models.Q(cost__gte=0), name="ledger_cost_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_outcome_display()}"


class BondCounter(NamedRow):
    """The last event number of a bond; a transaction that takes the next one locks it."""

    bond_id = models.BigIntegerField(primary_key=True)
    seq = models.PositiveBigIntegerField(default=0)


class BondEvent(NamedRow):
    """An entry of a bond's event log. It holds ids; texts are joined when it is sent."""

    bond_id = models.BigIntegerField()
    seq = models.PositiveBigIntegerField()
    type = models.CharField(max_length=48)
    refs = models.JSONField(default=dict)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["bond_id", "seq"], name="event_seq_once_per_bond")]
        indexes = [models.Index(fields=["created_at"], name="event_created")]


class ModelConnection(models.Model):
    """The model server that an operator connected on the pages: at most one row, read for each turn."""

    class JsonMode(models.TextChoices):
        SCHEMA = "schema", _("JSON schema")
        OBJECT = "object", _("JSON object")
        TEXT = "text", _("Plain text")

    class Tools(models.TextChoices):
        AUTO = "auto", _("If the server takes them")
        ON = "on", _("Always")
        OFF = "off", _("Never")

    singleton = models.BooleanField(primary_key=True, default=True)
    # If off, the row is kept and the offline voice answers.
    is_on = models.BooleanField()
    address = models.CharField(max_length=500)
    # Encrypted; empty if the server needs none.
    sealed_key = models.TextField(blank=True)
    main_model = models.CharField(max_length=200)
    # Empty: the main model.
    medium_model = models.CharField(max_length=200, blank=True)
    small_model = models.CharField(max_length=200, blank=True)
    json_mode = models.CharField(max_length=8, choices=JsonMode)
    tools = models.CharField(max_length=4, choices=Tools, default=Tools.AUTO)
    # Settings of replies that a test found the main model to refuse, by their names in the protocol.
    refused = models.JSONField(default=list, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(singleton=True), name="model_connection_only_one"),
            require_known("model_connection_json_mode_known", json_mode=["schema", "object", "text"]),
            require_known("model_connection_tools_known", tools=["auto", "on", "off"]),
        ]

    def __str__(self) -> str:
        return f"model connection {self.pk}: {self.address}"


class ModelPrice(NamedRow):
    """The operator's price for a model of a server, in US dollars per million tokens."""

    # The server's address: the same model may be free elsewhere.
    address = models.CharField(max_length=500)
    model = models.CharField(max_length=200)
    dollars_in = models.DecimalField(max_digits=10, decimal_places=4)
    dollars_out = models.DecimalField(max_digits=10, decimal_places=4)
    # For cached input tokens; null if they cost the same.
    dollars_cached = models.DecimalField(max_digits=10, decimal_places=4, null=True)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["address", "model"], name="price_once_per_model"),
            models.CheckConstraint(
                condition=models.Q(dollars_in__gte=0, dollars_out__gte=0)
                & (models.Q(dollars_cached=None) | models.Q(dollars_cached__gte=0)),
                name="price_not_negative",
            ),
        ]
