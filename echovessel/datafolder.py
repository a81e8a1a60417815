"""The data folder: everything of an install that is not in a server named by `DATABASE_URL`."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def secret_key(folder: Path) -> str:
    """The install's key, made once, readable by its owner alone. Raises ImproperlyConfigured where it cannot be kept."""
    path = folder / "secret_key"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return path.read_text().strip()
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(50))
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"ECHOVESSEL_DATA_DIR is {str(folder)!r} and cannot be written ({error.strerror}); name a folder that can."
        ) from error
