"""Django sessions in rows that name their user: erasing an account deletes them without decoding any."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import CreateError, UpdateError
from django.db import IntegrityError

from personas.models import SignIn, User


class SessionStore(db.SessionStore):
    # It has the name of Django's class: Django signs session data with the class name.

    @classmethod
    def get_model_class(cls) -> type[SignIn]:
        return SignIn

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 - as Django has it
        """Save the session; if its account was erased meanwhile, sign the person out and save an empty one."""
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
