"""Signs the test client in by the one row that signing in leaves."""

from types import SimpleNamespace

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.test.client import ClientMixin
from django.utils.crypto import get_random_string

from personas.models import SignIn
from personas.sign_ins import SessionStore

sign_in_at_length = ClientMixin.force_login


def sign_in(client, user, backend=None):
    """In place of `force_login`, which takes fifteen statements and stores a session three times."""
    if settings.SESSION_COOKIE_NAME in client.cookies:
        # Of one that has a session already something may be kept.
        sign_in_at_length(client, user, backend)
        return
    user.backend = backend or client._get_backend()
    store, key = SessionStore(), get_random_string(32)
    held = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: user.backend,
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    SignIn(session_key=key, session_data=store.encode(held), expire_date=store.get_expiry_date(), user_id=user.pk).save(
        force_insert=True
    )
    client._set_login_cookies(SimpleNamespace(session=SimpleNamespace(session_key=key)))
