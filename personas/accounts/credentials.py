"""The credential behind a connection that outlives a request, so that the connection can check that it is still valid."""

from dataclasses import dataclass
from datetime import datetime
from importlib import import_module
from typing import cast

from django.conf import settings
from django.contrib import auth
from django.db.models import Q
from django.http import HttpRequest
from knox.models import AuthToken
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from personas.accounts.token_authentication import StrictTokenAuthentication
from personas.models import User


class SignedOut(Exception):
    """The session or token that opened a connection is no longer valid, or its account was deactivated."""


@dataclass(frozen=True)
class Credential:
    """An account with the session or token that opened it. With neither, it is valid as long as the account is."""

    user_id: int
    session_key: str = ""
    token: str = ""

    def find_holder(self, now: datetime) -> User | None:
        """Return the user, or None after a sign-out, a changed password or a revoked token."""
        if self.session_key:
            return find_session_user(self.session_key)
        users = User.objects.filter(pk=self.user_id, is_active=True)
        if self.token:
            users = users.filter(
                auth_token_set__in=AuthToken.objects.filter(Q(expiry__gt=now) | Q(expiry=None), pk=self.token)
            )
        return users.first()


def get_credential(request: Request) -> Credential:
    user_id = cast(User, request.user).pk
    if isinstance(request.auth, AuthToken):
        return Credential(user_id, token=request.auth.pk)
    return Credential(user_id, session_key=request.session.session_key or "")


def is_signed_in(request: HttpRequest) -> bool:
    """Whether the headers of a request carry a valid token or session cookie."""
    if "Authorization" in request.headers:
        try:
            return StrictTokenAuthentication().authenticate(Request(request)) is not None
        except AuthenticationFailed:
            return False
    return find_session_user(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")) is not None


def find_session_user(key: str) -> User | None:
    """Return the user of a Django session, with the same checks as a page."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = auth.get_user(request)
    return user if isinstance(user, User) else None
