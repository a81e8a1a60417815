"""Password changes also revoke API tokens; Django ends the other sign-ins by itself."""

from typing import Any

from allauth.account import forms as allauth_forms
from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.forms import AdminPasswordChangeForm

from personas.accounts import authentication
from personas.models import User


class ChangePasswordForm(allauth_forms.ChangePasswordForm):  # type: ignore[misc]  # allauth has no types
    end_tokens = forms.BooleanField(label=_("Revoke my API tokens too"), required=False, initial=True)

    def save(self) -> None:
        super().save()
        if self.cleaned_data["end_tokens"]:
            authentication.revoke_tokens(self.user)


class ResetPasswordForm(allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]  # the same
    """Also revokes all tokens: a person who forgot the password may not know who holds them."""

    def save(self) -> None:
        super().save()
        authentication.revoke_tokens(self.user)


class OperatorPasswordForm(AdminPasswordChangeForm):  # type: ignore[misc]  # unfold has no types
    """The form with which an operator sets another person's password."""

    def save(self, *args: Any, **kwargs: Any) -> User:
        user: User = super().save(*args, **kwargs)
        authentication.revoke_tokens(user)
        return user
