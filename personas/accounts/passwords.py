"""Another password: what it ends besides the other sign-ins, which Django ends by itself."""

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
    """Whoever forgot a password cannot say which tokens are still theirs."""

    def save(self) -> None:
        super().save()
        authentication.revoke_tokens(self.user)


class OperatorPasswordForm(AdminPasswordChangeForm):  # type: ignore[misc]  # unfold has no types
    """By which an operator sets somebody's password."""

    def save(self, *args: Any, **kwargs: Any) -> User:
        user: User = super().save(*args, **kwargs)
        authentication.revoke_tokens(user)
        return user
