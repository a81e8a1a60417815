"""The connection to the model server: the environment's, else the one that an operator saved.

The saved one is read for each turn and task, so that a change takes effect with the next one in every process.
"""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from urllib.parse import urlsplit

from django.conf import settings

from echovessel.llm import encryption
from echovessel.models import ModelConnection

OPENAI = "https://api.openai.com/v1"
# The environment variable of each field.
VARIABLES = {
    "address": "OPENAI_BASE_URL",
    "key": "OPENAI_API_KEY",
    "main": "LLM_MAIN_MODEL",
    "medium": "LLM_MEDIUM_MODEL",
    "small": "LLM_SMALL_MODEL",
    "json_mode": "LLM_JSON_MODE",
    "tools": "LLM_TOOLS",
}
# Ends of names that only a network of one's own knows.
_NEAR_NAMES = (".local", ".lan", ".internal", ".localhost", ".home.arpa")
Role = Literal["main", "medium", "small"]
# Other features are answered by the small model.
_ROLES: dict[str, Role] = {
    "reply": "main",
    "reflection": "medium",
    "slow_tick": "medium",
    "fact_sweep": "medium",
    "scene_break": "medium",
    "scene_recap": "medium",
    "story_merge": "medium",
    "story_compact": "medium",
}


@dataclass(frozen=True, kw_only=True)
class Connection:
    # Empty: OpenAI's.
    address: str
    # Empty if the server needs none; None if it was encrypted with another SECRET_KEY.
    key: str | None = field(repr=False)
    main: str
    # Empty: the main one.
    medium: str = ""
    small: str = ""
    json_mode: str = "schema"
    # Whether replies are asked for with tools: on, off, or auto, which is on until the server refuses them.
    tools: str = "auto"
    # Settings of replies that a test found the main model to refuse.
    refused: frozenset[str] = frozenset()

    @property
    def base_url(self) -> str:
        return self.address or OPENAI

    def model(self, role: Role) -> str:
        return {"main": self.main, "medium": self.medium, "small": self.small}[role] or self.main

    def model_of(self, feature: str) -> str:
        return self.model(_ROLES.get(feature, "small"))

    @property
    def is_near(self) -> bool:
        """Whether the server is on this machine or network, as far as its address tells."""
        host = urlsplit(self.address).hostname or ""
        try:
            return ipaddress.ip_address(host).is_private
        except ValueError:
            return bool(host) and ("." not in host or host.endswith(_NEAR_NAMES))


def get_active() -> Connection | None:
    """Return the connection in use, or None if the offline voice answers."""
    if settings.MODEL_SERVER:
        return Connection(
            address=settings.OPENAI_BASE_URL,
            key=settings.OPENAI_API_KEY,
            json_mode=settings.LLM_JSON_MODE,
            tools=settings.LLM_TOOLS,
            refused=frozenset(),
            **settings.LLM_MODELS,
        )
    row = load_stored()
    return build_from_row(row) if row is not None and row.is_on else None


def load_stored() -> ModelConnection | None:
    """Return the connection that an operator saved, enabled or not."""
    return ModelConnection.objects.filter(singleton=True).first()


def build_from_row(row: ModelConnection) -> Connection:
    """Build a connection from the row; environment variables override it."""
    told = get_stored_fields(row)
    key = encryption.decrypt(row.sealed_key) if row.sealed_key else ""
    used = told | get_overrides()
    refused = frozenset(row.refused) if used["main"] == row.main_model else frozenset()
    return Connection(address=row.address, key=key, refused=refused, **used)


def get_stored_fields(row: ModelConnection) -> dict[str, str]:
    """Return the fields that a person entered, except the address and the key."""
    return {
        "main": row.main_model,
        "medium": row.medium_model,
        "small": row.small_model,
        "json_mode": row.json_mode,
        "tools": row.tools,
    }


def get_overrides() -> dict[str, str]:
    """Return the fields that environment variables set, also if the environment names no server."""
    told = {**settings.LLM_MODELS, "json_mode": settings.LLM_JSON_MODE, "tools": settings.LLM_TOOLS}
    return {name: value for name, value in told.items() if VARIABLES[name] in settings.MODEL_VARIABLES}


def get_stored_key(row: ModelConnection | None, *, address: str) -> str | None:
    """Return the stored key if `address` is its own server: no other server gets it. None if it cannot be decrypted."""
    if row is None or not row.sealed_key or _parse_server(row.address) != _parse_server(address):
        return ""
    return encryption.decrypt(row.sealed_key)


def store(wanted: Connection, *, now: datetime) -> None:
    """Use this server from the next turn on. With `key` None the stored key stays."""
    told = {
        "is_on": True,
        "address": wanted.address,
        "main_model": wanted.main,
        "medium_model": wanted.medium,
        "small_model": wanted.small,
        "json_mode": wanted.json_mode,
        "tools": wanted.tools,
        "refused": sorted(wanted.refused),
        "changed_at": now,
    }
    if wanted.key is not None:
        told["sealed_key"] = encryption.encrypt(wanted.key) if wanted.key else ""
    ModelConnection.objects.update_or_create(singleton=True, defaults=told)


def remember_refused(asked: Connection, names: Iterable[str]) -> None:
    """Keep which settings the main model of this connection refuses, if it is the stored one."""
    stored = ModelConnection.objects.filter(address=asked.address, main_model=asked.main)
    stored.update(refused=sorted(names))


def set_enabled(*, is_on: bool, now: datetime) -> None:
    ModelConnection.objects.update(is_on=is_on, changed_at=now)


def forget_key(*, now: datetime) -> None:
    ModelConnection.objects.update(sealed_key="", changed_at=now)


def _parse_server(address: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.port
