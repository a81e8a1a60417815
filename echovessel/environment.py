"""Reads the environment. A wrong value stops the start with the variable, the value and what is allowed."""

from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

env = environ.Env()
_TRUE = {"1", "on", "true", "yes"}
_FALSE = {"0", "off", "false", "no", ""}


def read_dotenv(folder: Path) -> None:
    """Read `.env` of the working folder; what is set already wins."""
    if (folder / ".env").is_file():
        environ.Env.read_env(folder / ".env")


def text(name: str, default: str = "") -> str:
    value: str = env.str(name, default)
    return value.strip()


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}; allowed: {', '.join(allowed)}.")
    return value


def switch(name: str, *, default: bool = False) -> bool:
    value = text(name, "on" if default else "off").lower()
    if value not in _TRUE | _FALSE:
        raise ImproperlyConfigured(f"{name} is {value!r}; allowed: on, off.")
    return value in _TRUE


def number(name: str, default: float, *, low: float, high: float) -> float:
    value = text(name, str(default))
    try:
        parsed = float(value)
    except ValueError:
        parsed = float("nan")
    if not low <= parsed <= high:
        raise ImproperlyConfigured(f"{name} is {value!r}; allowed: a number from {low:g} to {high:g}.")
    return parsed


def whole(name: str, default: int, *, low: int, high: int) -> int:
    value = text(name, str(default))
    if not value.isascii() or not value.isdigit() or not low <= int(value) <= high:
        raise ImproperlyConfigured(f"{name} is {value!r}; allowed: a whole number from {low} to {high}.")
    return int(value)


def names(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def address(name: str, schemes: tuple[str, ...]) -> str:
    value = text(name)
    if value and not value.startswith(tuple(f"{scheme}://" for scheme in schemes)):
        raise ImproperlyConfigured(f"{name} is {value!r}; allowed: an address that begins with {', '.join(schemes)}.")
    return value
