"""Sign-in for the API, with the checks and limits of the sign-in page."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, cast

from allauth.account.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from knox.models import AuthToken

from echovessel.errors import CodedError
from personas.models import ApiToken, User

# The longer of the two windows in which allauth counts failed sign-ins.
LOCKED_SECONDS = 300
# Of a token for which nobody chose another.
TOKEN_LIFE = cast(timedelta, settings.REST_KNOX["TOKEN_TTL"])


class SignInError(CodedError):
    """A refused sign-in; `field` names the value that is missing or wrong."""

    def __init__(self, code: str, sentence: str, *, field: str | None = None) -> None:
        super().__init__(code, sentence)
        self.field = field


def sign_in(request: HttpRequest, *, username: str, password: str, code: str | None) -> User:
    """Return the user of these credentials. Allauth counts failed tries. Raises SignInError."""
    try:
        user: User | None = get_adapter(request).authenticate(request, username=username, password=password)
    except ValidationError as error:
        raise SignInError("rate_limited", "Too many failed sign-ins. Wait a few minutes.") from error
    # Allauth also returns inactive users: its page tells them that they are inactive.
    if user is None or not user.is_active:
        raise SignInError("not_signed_in", "The username or the password is wrong.")
    if is_mfa_enabled(user):
        check_code(user, code)
    return user


def check_password(request: HttpRequest, *, user: User, password: str) -> None:
    """Confirm the user's identity before something is erased for good. Raises SignInError."""
    try:
        found = get_adapter(request).authenticate(request, username=user.username, password=password)
    except ValidationError as error:
        raise SignInError("rate_limited", "Too many wrong passwords; wait a few minutes.") from error
    if found != user:
        raise SignInError("invalid", "The password is wrong.", field="password")


def check_code(user: User, code: str | None) -> None:
    if not code:
        raise SignInError("not_signed_in", "This account also needs a two-factor code.", field="code")
    form = AuthenticateForm(data={"code": code}, user=user)
    if form.is_valid():
        return
    if form.has_error("code", "too_many_login_attempts"):
        raise SignInError("rate_limited", "Too many wrong codes. Wait a few minutes.")
    raise SignInError("not_signed_in", "This code is wrong or expired.", field="code")


def issue_token(
    user: User, *, now: datetime, name: str = "", life: timedelta | None = TOKEN_LIFE
) -> tuple[str, ApiToken]:
    """Return a new API token, which is not to be had again, and its row. A life of None has no end.

    Raises SignInError if the account has too many.
    """
    current = AuthToken.objects.filter(Q(expiry__gt=now) | Q(expiry=None), user=user)
    if current.count() >= settings.REST_KNOX["TOKEN_LIMIT_PER_USER"]:
        raise SignInError("conflict", "This account has too many tokens. Sign out some, or all with auth/logoutall/.")
    with transaction.atomic():
        row, token = AuthToken.objects.create(user=user, expiry=life)
        return token, ApiToken.objects.create(token=row, name=name)


def revoke_tokens(user: User) -> None:
    """Revoke all tokens. Their sockets and streams close within seconds: they check their token regularly."""
    AuthToken.objects.filter(user=user).delete()


def change(user: User, values: Mapping[str, Any]) -> User:
    for name, value in values.items():
        setattr(user, name, value)
    user.save(update_fields=list(values))
    return user
