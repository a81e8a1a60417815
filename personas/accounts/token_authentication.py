"""API tokens in requests. Their last use is recorded once a minute and process, so that a busy program costs little."""

import threading
from datetime import datetime, timedelta
from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext
from knox.auth import TokenAuthentication
from knox.models import AuthToken
from rest_framework import exceptions
from rest_framework.authentication import get_authorization_header
from rest_framework.request import Request

from personas.models import ApiToken, User

MINUTE = timedelta(minutes=1)


class UsedTokens:
    """The tokens whose use this process has recorded within a minute, each with the time of it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.recorded_at: dict[str, datetime] = {}

    def add(self, token: str, now: datetime) -> bool:
        """Add a token; True if its use was not recorded within the last minute."""
        with self.lock:
            if self._is_fresh(token, now):
                return False
            self.recorded_at = {other: at for other, at in self.recorded_at.items() if self._is_fresh(other, now)}
            self.recorded_at[token] = now
        return True

    def holds(self, token: str, now: datetime) -> bool:
        with self.lock:
            return self._is_fresh(token, now)

    def _is_fresh(self, token: str, now: datetime) -> bool:
        # A clock that was set back ends a record too.
        return token in self.recorded_at and timedelta(0) <= now - self.recorded_at[token] < MINUTE


recorded = UsedTokens()


def record(token: AuthToken, *, now: datetime) -> None:
    if recorded.add(token.pk, now):
        ApiToken.objects.filter(token=token).update(used_at=now)


class StrictTokenAuthentication(TokenAuthentication):  # type: ignore[misc]  # knox has no types
    """Knox's authentication, which fails on bytes that no token has, and records when a token is used."""

    def authenticate(self, request: Request) -> tuple[User, Any] | None:
        header = get_authorization_header(request)
        if not header.isascii() or b"\0" in header:
            raise exceptions.AuthenticationFailed(gettext("Invalid token."))
        signed_in = cast("tuple[User, Any] | None", super().authenticate(request))
        if signed_in is not None:
            record(signed_in[1], now=timezone.now())
        return signed_in

    def _cleanup_token(self, auth_token: AuthToken) -> bool:
        """Delete the user's tokens that have ended when a use is recorded: Knox would read all of them for each request."""
        now = timezone.now()
        has_ended = auth_token.expiry is not None and auth_token.expiry < now
        if recorded.holds(auth_token.pk, now) and not has_ended:
            return False
        return bool(super()._cleanup_token(auth_token))
