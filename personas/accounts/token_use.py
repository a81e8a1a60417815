"""Records when an API token was last used, so that a busy program costs one statement a minute and process."""

import threading
from datetime import datetime, timedelta

from knox.models import AuthToken

from personas.models import ApiToken

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

    def _is_fresh(self, token: str, now: datetime) -> bool:
        # A clock that was set back ends a record too.
        return token in self.recorded_at and timedelta(0) <= now - self.recorded_at[token] < MINUTE


recorded = UsedTokens()


def record(token: AuthToken, *, now: datetime) -> None:
    if recorded.add(token.pk, now):
        ApiToken.objects.filter(token=token).update(used_at=now)
