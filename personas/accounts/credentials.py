"""What somebody came in by, for what stays open longer than a request: whether they are still let in by it."""

from dataclasses import dataclass
from datetime import datetime
from importlib import import_module

from django.conf import settings
from django.contrib import auth
from django.db.models import Q
from django.http import HttpRequest
from knox.models import AuthToken
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from personas.models import User
from personas.rest.drf_policies import StrictTokenAuthentication
from personas.rest.views import get_user


@dataclass(frozen=True)
class Credential:
    """An account, and the sign-in or the token by which it was entered; with neither it lasts as long as the account."""

    user_id: int
    session_key: str = ""
    token: str = ""

    def holder(self, now: datetime) -> User | None:
        """Whom it lets in now: nobody after a sign-out, a changed password or a revoked token."""
        if self.session_key:
            return find_session_user(self.session_key)
        users = User.objects.filter(pk=self.user_id, is_active=True)
        if self.token:
            users = users.filter(
                auth_token_set__in=AuthToken.objects.filter(Q(expiry__gt=now) | Q(expiry=None), pk=self.token)
            )
        return users.first()


def get_credential(request: Request) -> Credential:
    user_id = get_user(request).pk
    if isinstance(request.auth, AuthToken):
        return Credential(user_id, token=request.auth.pk)
    return Credential(user_id, session_key=request.session.session_key or "")


def is_signed_in(request: HttpRequest) -> bool:
    """Whether a request's headers alone are those of somebody who is signed in, by token or by cookie."""
    if "Authorization" in request.headers:
        try:
            return StrictTokenAuthentication().authenticate(Request(request)) is not None
        except AuthenticationFailed:
            return False
    return find_session_user(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")) is not None


def find_session_user(key: str) -> User | None:
    """Who is signed in by a session, by the same checks as for a page."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    user = auth.get_user(request)
    return user if isinstance(user, User) else None
