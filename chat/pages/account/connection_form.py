"""The form of the model server: what the operator can enter, and what the environment has set."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.validators import RegexValidator
from django.http import QueryDict
from django.utils.html import escape
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from echovessel.llm import connection, trial
from echovessel.llm.connection import OPENAI, VARIABLES, Connection
from echovessel.llm.discovery import FoundServer
from echovessel.llm.presets import KnownServer
from echovessel.models import ModelConnection

# It must fit into a header.
KEY_VALIDATOR = RegexValidator(r"^[!-~]*$", _("A key has only letters, digits and symbols, without spaces."))
PLAIN_ATTRS = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
MODEL_FIELDS = ("main", "medium", "small")


def make_model_field(label: Any, help_text: Any, *, required: bool = False) -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=help_text,
        max_length=200,
        required=required,
        widget=forms.TextInput(attrs={**PLAIN_ATTRS, "list": "offered-models"}),
    )


class ConnectionForm(forms.Form):
    address = forms.CharField(
        label=_("Address"),
        max_length=500,
        help_text=_("The address of its API; on most servers it ends in /v1."),
        widget=forms.TextInput(
            attrs={
                **PLAIN_ATTRS,
                "list": "known-addresses",
                "inputmode": "url",
                "placeholder": "http://127.0.0.1:11434/v1",
            }
        ),
    )
    key = forms.CharField(
        label=_("Key"),
        max_length=500,
        required=False,
        validators=[KEY_VALIDATOR],
        # Otherwise a browser fills in the account's password.
        widget=forms.PasswordInput(attrs={**PLAIN_ATTRS, "autocomplete": "new-password"}),
    )
    main = make_model_field(_("Main model"), _("For replies."), required=True)
    medium = make_model_field(
        _("Medium model"),
        _("For reflection and for thinking between chats. Leave blank to use the main model."),
    )
    small = make_model_field(
        _("Small model"), _("For creating memories from chats and files. Leave blank to use the main model.")
    )
    json_mode = forms.ChoiceField(
        label=_("Answer mode"),
        help_text=_(
            "The format in which memories are requested. Most servers support JSON schemas; run a test to see."
        ),
        choices=ModelConnection.JsonMode.choices,
    )
    tools = forms.ChoiceField(
        label=_("Tools"),
        help_text=_("With tools the model can save and change memories while it replies. A test shows if they work."),
        choices=ModelConnection.Tools.choices,
    )

    def __init__(self, *args: Any, row: ModelConnection | None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.row = row
        for name, value in get_locked_fields().items():
            field = self.fields[name]
            field.disabled, self.initial[name] = True, value
            field.help_text = describe_variable(VARIABLES[name])
        if row is not None and row.sealed_key and not self.fields["key"].disabled:
            self.fields["key"].help_text = describe_kept_key(row)

    def offer(self, models: Sequence[str]) -> None:
        """Let one choose among the models that the server lists; what is typed already stays a choice."""
        for name in MODEL_FIELDS if models else ():
            field, typed = self.fields[name], self[name].value() or ""
            listed = [typed, *models] if typed and typed not in models else list(models)
            blank = [("", gettext("Choose a model") if name == "main" else gettext("Same as the main model"))]
            if not field.disabled:
                field.widget = forms.Select(choices=blank + [(one, one) for one in listed])

    def clean_address(self) -> str:
        """Return an address to which the client can add its paths, without secrets.

        Without a path, it gets the usual one.
        """
        address: str = self.cleaned_data["address"].rstrip("/")
        try:
            parts = urlsplit(address)
            is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_usable = False
        if not is_usable or not address.isprintable() or " " in address:
            raise forms.ValidationError(gettext("An address starts with http:// or https:// and a name."))
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise forms.ValidationError(gettext("The address must not contain a user name, key or query."))
        return address if parts.path else f"{address}/v1"

    def build_connection(self) -> Connection:
        """Build the entered connection, with the stored key if none is entered and the server is the same."""
        asked = dict(self.cleaned_data)
        key = asked.pop("key") or connection.get_stored_key(self.row, address=asked["address"])
        return Connection(key=key, refused=self.find_refused(), **asked)

    def find_refused(self) -> frozenset[str]:
        """Return the settings that a test found the main model to refuse: the test on this page, or one of the stored connection."""
        row, address, main = self.row, self.cleaned_data["address"], self.cleaned_data["main"]
        if isinstance(self.data, QueryDict) and self.data.get("tried_model") == main:
            return frozenset(self.data.getlist("refused")) & trial.ALL_SETTINGS.as_params().keys()
        is_stored = row is not None and (row.address, row.main_model) == (address, main)
        return frozenset(row.refused) if row is not None and is_stored else frozenset()


def build_connection_form(row: ModelConnection | None, *, found: FoundServer | None = None) -> ConnectionForm:
    if found is not None:
        return ConnectionForm(row=row, initial={"address": found.place.address, "main": found.suggested})
    if row is None:
        return ConnectionForm(row=row)
    return ConnectionForm(row=row, initial={"address": row.address, **connection.get_stored_fields(row)})


def build_preset_form(row: ModelConnection | None, preset: KnownServer) -> ConnectionForm:
    return ConnectionForm(row=row, initial={"address": preset.address})


def get_locked_fields() -> dict[str, str]:
    """Return the fields that the environment sets, with their values; never a key."""
    if not settings.MODEL_SERVER:
        return connection.get_overrides()
    return {
        "address": settings.OPENAI_BASE_URL or OPENAI,
        "key": "",
        "json_mode": settings.LLM_JSON_MODE,
        "tools": settings.LLM_TOOLS,
        **settings.LLM_MODELS,
    }


def describe_kept_key(row: ModelConnection) -> str:
    if connection.build_from_row(row).key is None:
        return gettext("The stored key can no longer be read. Enter it again.")
    said = gettext("A key is stored for %(address)s, and is sent nowhere else. Leave blank to keep using it.")
    # Hints are rendered as HTML.
    return said % {"address": escape(row.address)}


def describe_variable(variable: str) -> str:
    if variable in settings.MODEL_VARIABLES:
        return gettext("Set by %(variable)s.") % {"variable": variable}
    return gettext("%(variable)s is not set.") % {"variable": variable}
