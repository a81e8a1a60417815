"""Keeps a secret in the database so that the database alone does not give it away: it is encrypted by the install's SECRET_KEY."""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from django.utils.crypto import salted_hmac

# The name of the module that sealed first: another one makes every stored key unreadable.
_SALT = "echovessel.llm.sealing"


def encrypt(secret: str) -> str:
    return _get_fernet().encrypt(secret.encode()).decode()


def decrypt(sealed: str) -> str | None:
    """The secret; None where it was sealed by another SECRET_KEY."""
    try:
        return _get_fernet().decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def _get_fernet() -> Fernet:
    return Fernet(urlsafe_b64encode(salted_hmac(_SALT, "box", algorithm="sha256").digest()))
