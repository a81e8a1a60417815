from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.defaults import server_error as page

from echovessel.http import health

DISK_FULL = "The server's disk is full. Nothing new can be stored until its administrator frees space."


def render_server_error(request: HttpRequest) -> HttpResponseBase:
    """Render a bug in the REST API's error format, or as a page."""
    is_full = bool(health.check_disk())
    if not request.path.startswith("/api/"):
        return page(request, "disk_full.html" if is_full else "500.html")
    detail = DISK_FULL if is_full else "Something went wrong. The error is in the server's log."
    return JsonResponse({"code": "interrupted", "detail": detail, "fields": None}, status=500)
