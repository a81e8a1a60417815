"""The REST API's throttling, parsing, negotiation and pagination, as the settings name them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as InvalidValue
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import exceptions
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.utils.urls import replace_query_param

from personas.rest import rates
from personas.rest.serializer_fields import PageQuery

PAGE = 50
T = TypeVar("T")


class SafeJSONParser(JSONParser):
    """Parses JSON of a bounded depth."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise exceptions.ParseError(gettext("This JSON is nested too deeply.")) from error


class JSONOnlyNegotiation(DefaultContentNegotiation):
    """Always answers with JSON, also for errors. A streaming view reads the Accept header itself."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type


class RateThrottle(BaseThrottle):
    """Counts requests by the view's `rate_of`, else as reads and writes."""

    def allow_request(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            return True
        default = "reads" if request.method in ("GET", "HEAD", "OPTIONS") else "writes"
        kind = getattr(view, "rate_of", {}).get(request.method, default)
        self.seconds = rates.count_request(user_id=request.user.pk, kind=kind, now=timezone.now())
        return self.seconds == 0

    def wait(self) -> float:
        return self.seconds


def build_page(request: Request, found: Sequence[T], *, find_cursor: Callable[[Sequence[T]], object]) -> dict[str, Any]:
    """Build a page of rows that are not of one table; `find_cursor` tells by the page where the next one begins."""
    page, following = found[:PAGE], None
    if found[PAGE:]:
        following = replace_query_param(request.build_absolute_uri(), "cursor", find_cursor(page))
    return {"next": following, "previous": None, "results": page}


class NewestFirstPagination(CursorPagination):
    """Pages with the newest rows first, or by the view's `ordering`: by a column that is (almost) unique."""

    page_size = PAGE

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        return getattr(view, "ordering", ("-id",))

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        # A list with filters has validated its query already.
        if not getattr(view, "has_filters", False):
            PageQuery(data=request.query_params.dict()).is_valid(raise_exception=True)
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValueError, InvalidValue) as error:
            raise exceptions.NotFound(self.invalid_cursor_message) from error
