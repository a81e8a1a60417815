import secrets
from typing import Any

from allauth.account import forms as allauth_forms
from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from echovessel import datafolder
from personas.models import Install


def needs_setup_code() -> bool:
    """Whether strangers can reach the sign-up page of an install that has no operator yet; `serve` has printed a code then."""
    return datafolder.needs_setup_code(settings.DATA_DIR) and not Install.objects.exists()


class SignupForm(allauth_forms.SignupForm):
    """Asks for the set-up code as long as who signs up becomes the operator."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if needs_setup_code():
            self.fields["setup_code"] = forms.CharField(
                label=_("Set-up code"),
                help_text=_(
                    "It was printed where this install was started, and is in the file setup_code of its data folder."
                ),
                max_length=40,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )

    def clean_setup_code(self) -> str:
        given: str = self.cleaned_data["setup_code"]
        if not secrets.compare_digest(given.encode(), datafolder.setup_code(settings.DATA_DIR).encode()):
            raise forms.ValidationError(_("This is not the set-up code of this install."))
        return given
