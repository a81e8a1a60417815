"""Sign-ins by cookie as Django keeps them, in rows that say whose they are: they end with the account, and none is read for that."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

from personas.models import SignIn


class SessionStore(db.SessionStore):
    # Named as Django's own, which signs what is in a session with its name.

    @classmethod
    def get_model_class(cls) -> type[SignIn]:
        return SignIn

    def create_model_instance(self, data: dict[str, Any]) -> SignIn:
        row: SignIn = super().create_model_instance(data)  # type: ignore[assignment]  # of the class above
        row.user_id = int(data[SESSION_KEY]) if SESSION_KEY in data else None
        return row
