"""Sign-ins by cookie as Django keeps them, in rows that say whose they are: they end with the account, and none is read for that."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import CreateError, UpdateError
from django.db import IntegrityError

from personas.models import SignIn, User


class SessionStore(db.SessionStore):
    # Named as Django's own, which signs what is in a session with its name.

    @classmethod
    def get_model_class(cls) -> type[SignIn]:
        return SignIn

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 - as Django has it
        """A sign-in whose account is erased at this moment is kept as nobody's: who sent it is signed out."""
        try:
            super().save(must_create)
        except (IntegrityError, CreateError, UpdateError):
            whose = self.get(SESSION_KEY)
            if whose is None or User.objects.filter(pk=whose).exists():
                raise
            self.flush()
            super().save(must_create)

    def create_model_instance(self, data: dict[str, Any]) -> SignIn:
        row: SignIn = super().create_model_instance(data)  # type: ignore[assignment]  # of the class above
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        return row
