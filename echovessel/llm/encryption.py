"""Encrypts secrets in the database with the install's SECRET_KEY, so that the database alone does not reveal them."""

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from django.utils.crypto import salted_hmac

# The former name of this module: changing it makes every stored key unreadable.
_SALT = "echovessel.llm.sealing"


def encrypt(secret: str) -> str:
    return _get_fernet().encrypt(secret.encode()).decode()


def decrypt(sealed: str) -> str | None:
    """Return the secret, or None if it was encrypted with another SECRET_KEY."""
    try:
        return _get_fernet().decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def _get_fernet() -> Fernet:
    return Fernet(urlsafe_b64encode(salted_hmac(_SALT, "box", algorithm="sha256").digest()))
