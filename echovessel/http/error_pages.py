import logging

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import server_error as page
from psycopg.errors import QueryCanceled

from echovessel.configuration import logs
from echovessel.http import health
from echovessel.postgres import deadlines

DISK_FULL = "The server's disk is full. Nothing new can be stored until its administrator frees space."
BUG = "Something went wrong. The error is in the server's log."
AWAY = "The database or Redis does not answer. Try again in a moment."
_logger = logging.getLogger("echovessel.requests")


def render_server_error(request: HttpRequest) -> HttpResponseBase:
    """Render a bug in the REST API's error format, or as a page."""
    is_full = bool(health.check_disk())
    return render(request, "disk_full.html" if is_full else "500.html", DISK_FULL if is_full else BUG, status=500)


def render(request: HttpRequest, template: str, detail: str, *, status: int) -> HttpResponseBase:
    if request.path.startswith("/api/"):
        return JsonResponse({"code": "interrupted", "detail": detail, "fields": None}, status=status)
    answer: HttpResponseBase = page(request, template)
    answer.status_code = status
    return answer


def refuse_without_upgrade(request: HttpRequest, **_: object) -> HttpResponse:
    """Refuse a socket that is asked for by plain HTTP, as a proxy does that was not told to pass it on. The log shows the reason."""
    reason = "The proxy does not pass on sockets (headers Upgrade and Connection)"
    return HttpResponse(status=426, reason=reason, headers={"Upgrade": "websocket"})


class UnavailableMiddleware(MiddlewareMixin):
    """Answers 503 to what took too long, and where the database or Redis is away: it is no bug, and may be asked for again."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        is_slow = isinstance(error, deadlines.TooSlowError) or isinstance(error.__cause__, QueryCanceled)
        if not is_slow and (not logs.is_outage(error) or health.check_disk()):
            return None
        deadlines.drop_limits()
        _logger.warning("%s %s %s", request.method, request.path, "took too long and was ended" if is_slow else error)
        page_and_detail = ("503.html", deadlines.TOO_SLOW) if is_slow else ("500.html", AWAY)
        answer = render(request, *page_and_detail, status=503)
        answer.headers["Retry-After"] = "5"
        return answer
