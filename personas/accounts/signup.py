import logging
import secrets
from typing import Any

from allauth.account import forms as allauth_forms
from allauth.core import context
from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from echovessel.configuration import data_folder
from echovessel.http import clients
from personas.models import Install

logger = logging.getLogger("echovessel.signup")


def needs_setup_code(request: HttpRequest) -> bool:
    """Whether strangers can reach the sign-up page before the install has an operator."""
    if Install.objects.exists():
        return False
    if data_folder.needs_setup_code(settings.DATA_DIR):
        return True
    if not clients.is_proxied(request):
        return False
    # `serve` printed no code because it listens on this machine alone.
    data_folder.load_setup_code(settings.DATA_DIR)
    logger.warning(
        "The sign-up page is reached through a proxy. The first to sign up becomes the administrator and needs the set-up code in %s",
        settings.DATA_DIR / "setup_code",
    )
    return True


class SignupForm(allauth_forms.SignupForm):
    """Asks for the set-up code as long as the next account becomes the administrator."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if needs_setup_code(context.request):
            self.fields["setup_code"] = forms.CharField(
                label=_("Set-up code"),
                help_text=_(
                    "It was printed when this server was started, and is in the file setup_code of its data folder."
                ),
                max_length=40,
                widget=forms.TextInput(attrs={"autocomplete": "off"}),
            )

    def clean_setup_code(self) -> str:
        given: str = self.cleaned_data["setup_code"]
        if not secrets.compare_digest(given.encode(), data_folder.load_setup_code(settings.DATA_DIR).encode()):
            raise forms.ValidationError(_("This is not the set-up code of this server."))
        return given
