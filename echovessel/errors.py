from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.defaults import server_error as page


class CodedError(Exception):
    """Something that cannot be done as asked: one of the contract's codes, and a sentence for a person."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def server_error(request: HttpRequest) -> HttpResponseBase:
    """A bug, told in the shape in which the other errors of the REST API come, or as a page."""
    if not request.path.startswith("/api/"):
        return page(request)
    detail = "Something went wrong here; it is written in the server's log."
    return JsonResponse({"code": "interrupted", "detail": detail, "fields": None}, status=500)
