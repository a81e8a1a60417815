"""Which model server is asked: the one that the environment names, else the one that an operator connected, if any.

What is stored is read anew for each turn and task, so that a change holds from the next one on in every process.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from urllib.parse import urlsplit

from django.conf import settings

from echovessel import encryption
from echovessel.models import ModelConnection

OPENAI = "https://api.openai.com/v1"
# By which variable the environment says each part of a connection.
VARIABLES = {
    "address": "OPENAI_BASE_URL",
    "key": "OPENAI_API_KEY",
    "main": "LLM_MAIN_MODEL",
    "medium": "LLM_MEDIUM_MODEL",
    "small": "LLM_SMALL_MODEL",
    "json_mode": "LLM_JSON_MODE",
}
Role = Literal["main", "medium", "small"]


@dataclass(frozen=True, kw_only=True)
class Connection:
    # Empty: OpenAI's.
    address: str
    # Empty where the server wants none; None where it was stored under another SECRET_KEY and cannot be read.
    key: str | None = field(repr=False)
    main: str
    # Empty: the main one.
    medium: str = ""
    small: str = ""
    json_mode: str = "schema"

    def model(self, role: Role) -> str:
        return {"main": self.main, "medium": self.medium, "small": self.small}[role] or self.main


def get_active() -> Connection | None:
    """The server that is asked now; None where the offline voice answers."""
    if settings.MODEL_SERVER:
        return _build_from_environment()
    row = load_stored()
    return build_from_row(row) if row is not None and row.is_on else None


def load_stored() -> ModelConnection | None:
    """What an operator connected, switched on or off."""
    return ModelConnection.objects.filter(singleton=True).first()


def build_from_row(row: ModelConnection) -> Connection:
    """What is stored, but for what a variable of the environment says."""
    told = {"main": row.main_model, "medium": row.medium_model, "small": row.small_model, "json_mode": row.json_mode}
    key = encryption.decrypt(row.sealed_key) if row.sealed_key else ""
    return Connection(address=row.address, key=key, **(told | get_overrides()))


def get_overrides() -> dict[str, str]:
    """What single variables say, also where the environment names no server."""
    told = {**settings.LLM_MODELS, "json_mode": settings.LLM_JSON_MODE}
    return {name: value for name, value in told.items() if VARIABLES[name] in settings.MODEL_VARIABLES}


def get_stored_key(row: ModelConnection | None, *, address: str) -> str | None:
    """The stored key, for its own server only: it goes to no other. None where it cannot be read."""
    if row is None or not row.sealed_key or _parse_server(row.address) != _parse_server(address):
        return ""
    return encryption.decrypt(row.sealed_key)


def store(wanted: Connection, *, now: datetime) -> None:
    """Ask this server from the next turn on. A key that cannot be read is left as it is."""
    told = {
        "is_on": True,
        "address": wanted.address,
        "main_model": wanted.main,
        "medium_model": wanted.medium,
        "small_model": wanted.small,
        "json_mode": wanted.json_mode,
        "changed_at": now,
    }
    if wanted.key is not None:
        told["sealed_key"] = encryption.encrypt(wanted.key) if wanted.key else ""
    ModelConnection.objects.update_or_create(singleton=True, defaults=told)


def set_enabled(*, is_on: bool, now: datetime) -> None:
    ModelConnection.objects.update(is_on=is_on, changed_at=now)


def forget_key(*, now: datetime) -> None:
    ModelConnection.objects.update(sealed_key="", changed_at=now)


def _build_from_environment() -> Connection:
    return Connection(
        address=settings.OPENAI_BASE_URL,
        key=settings.OPENAI_API_KEY,
        json_mode=settings.LLM_JSON_MODE,
        **settings.LLM_MODELS,
    )


def _parse_server(address: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.port
