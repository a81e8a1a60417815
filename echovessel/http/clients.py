"""The client's address and origin behind proxies: the one place that reads forwarded headers."""

import ipaddress
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

_PASSED_ON = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED", "HTTP_VIA")
_LOOPBACK_NAMES = {"localhost", ".localhost"}


def get_address(request: HttpRequest) -> str:
    """Return the address that the farthest trusted proxy saw; earlier entries may be forged by the client."""
    peer: str = request.META.get("REMOTE_ADDR") or ""
    written = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if not settings.TRUSTED_PROXIES or written == [""]:
        return peer
    # With fewer entries than proxies, the client called an inner proxy, which recorded its address.
    entry = written[-min(settings.TRUSTED_PROXIES, len(written))]
    return _parse_address(entry) or peer


def _parse_address(entry: str) -> str:
    """Strip brackets and port from an address; return nothing if it is no address."""
    host = entry.strip().strip('"')
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return ""


def is_proxied(request: HttpRequest) -> bool:
    """Whether the request came through a proxy, so that its peer is not the client."""
    return any(name in request.META for name in _PASSED_ON)


def is_own_origin(scope: Mapping[str, Any]) -> bool:
    """Whether a page of this site opened the socket: scheme, host and port are compared as for forms."""
    scheme = "https" if scope.get("scheme") == "wss" else "http"
    request = ASGIRequest({**scope, "type": "http", "method": "GET", "scheme": scheme}, BytesIO())
    forms = CsrfViewMiddleware(lambda _: HttpResponse())
    return "HTTP_ORIGIN" in request.META and bool(forms._origin_verified(request))  # type: ignore[attr-defined]  # not in the stubs


def is_local_only() -> bool:
    """Whether ALLOWED_HOSTS holds only names of this machine."""
    return not settings.HTTPS and all(map(is_loopback, settings.ALLOWED_HOSTS))


def is_loopback(host: str) -> bool:
    """Whether a host name or address is the local machine."""
    if host in _LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
