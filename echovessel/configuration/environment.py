"""Reads the environment. A wrong value stops the start and names the variable, the value and the allowed values."""

import re
from email.utils import getaddresses
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

env = environ.Env()
_TRUE = {"1", "on", "true", "yes"}
_DOTENV_LINE = re.compile(r"\s*(?:#|(?:export )?[A-Za-z_0-9]+=)")
# Names as in the Host header, without its port.
_HOST = re.compile(r"[^\s/:@\[\]]+|\[[0-9A-Fa-f:.]+\]")
# What a header can hold.
KEY = re.compile(r"[!-~]*")
_FALSE = {"0", "off", "false", "no", ""}
# The schemes of mail servers with their default ports. The two in the middle use STARTTLS.
_MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 587, "smtp+ssl": 465}


def read_dotenv(folder: Path) -> None:
    """Read `.env` of the working folder; variables that are set already win. Raises ImproperlyConfigured if a line is none."""
    path = folder / ".env"
    if not path.is_file():
        return
    try:
        # Some editors begin a file with a mark.
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{path} cannot be read ({error}); allowed: a text file in UTF-8.") from error
    for number, line in enumerate(lines, 1):
        # Without the line: it may hold a key.
        if line.strip() and not _DOTENV_LINE.match(line):
            raise ImproperlyConfigured(
                f"Line {number} of {path} sets no variable; allowed: NAME=value without spaces around the equals sign, and comments after #."
            )
    environ.Env.read_env(StringIO("\n".join(line.strip() for line in lines)))


def read_text(name: str, default: str = "") -> str:
    value: str = env.str(name, default)
    return value.strip()


def read_key(name: str) -> str:
    value = read_text(name)
    if not KEY.fullmatch(value):
        raise ImproperlyConfigured(
            f"{name}, which is not shown, is none; allowed: letters, digits and symbols of ASCII, without spaces."
        )
    return value


def find_set(*names: str) -> frozenset[str]:
    return frozenset(name for name in names if read_text(name))


def read_choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = read_text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} is {value!r}; allowed: {', '.join(allowed)}.")
    return value


def read_switch(name: str, *, default: bool = False) -> bool:
    value = read_text(name, "on" if default else "off").lower()
    if value not in _TRUE | _FALSE:
        raise ImproperlyConfigured(f"{name} is {value!r}; allowed: on, off.")
    return value in _TRUE


def read_number(name: str, default: float, *, low: float, high: float) -> float:
    value = read_text(name, str(default))
    try:
        parsed = float(value)
    except ValueError:
        parsed = float("nan")
    if not low <= parsed <= high:
        raise ImproperlyConfigured(f"{name} is {value!r}; allowed: a number from {low:g} to {high:g}.")
    return parsed


def read_integer(name: str, default: int, *, low: int, high: int) -> int:
    value = read_text(name, str(default))
    if not value.isascii() or not value.isdigit() or not low <= int(value) <= high:
        raise ImproperlyConfigured(f"{name} is {value!r}; allowed: a whole number from {low} to {high}.")
    return int(value)


def read_names(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in read_text(name, default).split(",") if part.strip()]


def read_hosts(name: str, default: str) -> list[str]:
    hosts = read_names(name, default)
    if not all(map(_HOST.fullmatch, hosts)):
        raise ImproperlyConfigured(
            f"{name} is {','.join(hosts)!r}; allowed: names of hosts without http:// and port, by commas."
        )
    return hosts


def read_origins(name: str) -> list[str]:
    origins = read_names(name)
    if not all(origin.startswith(("http://", "https://")) for origin in origins):
        raise ImproperlyConfigured(
            f"{name} is {','.join(origins)!r}; allowed: origins with http:// or https://, by commas."
        )
    return origins


def read_words(name: str, default: str = "") -> list[str]:
    """Read a list of words, in lower case and with straight apostrophes."""
    found = [
        word.strip().lower().replace("’", "'") for word in re.split("[,，、]", read_text(name, default)) if word.strip()
    ]
    wrong = next((word for word in found if not 2 <= len(word) <= 60), None)
    if wrong is not None:
        raise ImproperlyConfigured(
            f"{name} has {wrong!r}; allowed: words of 2 to 60 characters, by commas; nothing for none."
        )
    return found


def read_address(name: str, schemes: tuple[str, ...]) -> str:
    value = read_text(name)
    if value and not value.startswith(tuple(f"{scheme}://" for scheme in schemes)):
        raise ImproperlyConfigured(
            f"{name} is {_hide_password(value)!r}; allowed: an address that begins with {', '.join(schemes)}."
        )
    hosts = value.partition("://")[2].partition("/")[0].rpartition("@")[2]
    try:
        has_ports = all(urlsplit(f"//{host}").port != 0 for host in hosts.split(","))
    except ValueError:
        has_ports = False
    if not has_ports:
        raise ImproperlyConfigured(f"{name} is {_hide_password(value)!r}; allowed: ports from 1 to 65535.")
    return value


def _hide_password(address: str) -> str:
    return re.sub(r"(://[^:/@]*):.*@", r"\1:***@", address)


def read_mail_server(name: str) -> dict[str, Any]:
    """Return Django's settings for the mail server of a variable, or none if it is not set."""
    value = read_text(name)
    if not value:
        return {}
    try:
        parts = urlsplit(value)
        scheme, port = parts.scheme, parts.port
    except ValueError:
        raise _make_mail_server_error(name, value) from None
    is_address_alone = parts.hostname and not parts.path.strip("/") and not parts.query and not parts.fragment
    # Port 465 expects TLS at once: without it both sides wait.
    is_greeted = port != 465 or scheme == "smtp+ssl"
    if scheme not in _MAIL_PORTS or not is_address_alone or not is_greeted or port == 0:
        raise _make_mail_server_error(name, value)
    told = environ.Env.email_url_config(value, backend="echovessel.mail.SMTPBackend")
    return {**told, "EMAIL_PORT": port or _MAIL_PORTS[scheme]}


def _make_mail_server_error(name: str, value: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(
        f"{name} is {_hide_password(value)!r}; allowed: smtp+tls://user:password@host:587 (STARTTLS), smtp+ssl://user:password@host:465 (TLS), "
        "smtp://host:25, with special characters of user and password as in %40."
    )


def read_sender(name: str, *, required: bool) -> str:
    value = read_text(name)
    if not value and not required:
        return ""
    found = getaddresses([value])
    try:
        validate_email(found[0][1] if len(found) == 1 else "")
    except ValidationError:
        raise ImproperlyConfigured(
            f"{name} is {value!r}; allowed: an address, or a name with one: EchoVessel <name@example.org>."
        ) from None
    return value
