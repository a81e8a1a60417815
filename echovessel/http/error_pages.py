import logging

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import server_error as page

from echovessel.configuration import logs
from echovessel.http import health

AWAY = "The database or Redis does not answer. Try again in a moment."
AGAIN_SECONDS = 5
DISK_FULL = "The server's disk is full. Nothing new can be stored until its administrator frees space."


_logger = logging.getLogger("echovessel.requests")


def render_server_error(request: HttpRequest) -> HttpResponseBase:
    """Render a bug in the REST API's error format, or as a page."""
    is_full = bool(health.check_disk())
    if not request.path.startswith("/api/"):
        return page(request, "disk_full.html" if is_full else "500.html")
    detail = DISK_FULL if is_full else "Something went wrong. The error is in the server's log."
    return JsonResponse({"code": "interrupted", "detail": detail, "fields": None}, status=500)


def refuse_without_upgrade(request: HttpRequest, **_: object) -> HttpResponse:
    """Refuse a socket that is asked for by plain HTTP, as a proxy does that was not told to pass it on. The log shows the reason."""
    reason = "The proxy does not pass on sockets (headers Upgrade and Connection)"
    return HttpResponse(status=426, reason=reason, headers={"Upgrade": "websocket"})


class OutageMiddleware(MiddlewareMixin):
    """Answers 503, not 500, where the database or Redis is away: it is no bug, and a program may ask again."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        if not logs.is_outage(error) or health.check_disk():
            return None
        _logger.error("%s %s: %s", request.method, request.path, error)
        answer: HttpResponseBase = page(request)
        if request.path.startswith("/api/"):
            answer = JsonResponse({"code": "interrupted", "detail": AWAY, "fields": None})
        answer.status_code = 503
        answer.headers["Retry-After"] = str(AGAIN_SECONDS)
        return answer
