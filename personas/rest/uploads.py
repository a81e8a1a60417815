"""Limits for uploaded files, checked before a body is received and again before it is parsed."""

import json
from collections.abc import Callable
from typing import Any, TypeVar, cast

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils import translation
from django.utils.translation import gettext
from rest_framework import exceptions
from rest_framework.parsers import MultiPartParser

from personas.accounts import credentials
from personas.rest.api_errors import APIError, BodyTooLargeError, serialize_error

View = TypeVar("View", bound=Callable[..., Any])

# Room for the form's other fields.
FORM_BYTES = 1024 * 1024


def accept_uploads(*, most: int) -> Callable[[View], View]:
    """Mark a page that accepts files of up to `most` bytes; REST views set `upload_most`."""

    def marked(view: View) -> View:
        view.upload_most = most  # type: ignore[attr-defined]  # a function takes attributes
        return view

    return marked


def get_body_limit(request: HttpRequest) -> tuple[int, str, str]:
    """Return the largest body that the request may have by its headers, and the type and text of the refusal."""
    most = get_upload_limit(request.path_info)
    # No middleware has chosen the language yet.
    with translation.override(translation.get_language_from_request(request)):
        if most and is_signed_in(request):
            return most + FORM_BYTES, *render_refusal(request, make_too_large_error(most), most)
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        return most, *render_refusal(request, BodyTooLargeError(), most)


def get_upload_limit(path: str) -> int:
    """Return the largest file that a path accepts, in bytes; 0 if it accepts none."""
    try:
        view = resolve(path).func
    except Resolver404:
        return 0
    most: int = getattr(getattr(view, "view_class", view), "upload_most", 0)
    return most


def is_signed_in(request: HttpRequest) -> bool:
    try:
        return credentials.is_signed_in(request)
    except DatabaseError:
        # Without a database nobody can be identified.
        return False


def render_refusal(request: HttpRequest, refused: APIError, most: int) -> tuple[str, str]:
    if request.path_info.startswith("/api/"):
        return "application/json", json.dumps(serialize_error(refused))
    return "text/html; charset=utf-8", render_to_string("413.html", {"most": most // 2**20})


class BoundedMultiPartParser(MultiPartParser):
    """Parses forms with files of up to the view's `upload_most` bytes."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        most = parser_context["view"].upload_most
        length = parser_context["request"].META.get("CONTENT_LENGTH") or ""
        if length.isdecimal() and int(length) > most + FORM_BYTES:
            raise make_too_large_error(most)
        try:
            return super().parse(stream, media_type, parser_context)
        except RequestDataTooBig as error:
            raise make_too_large_error(most) from error
        except (TooManyFieldsSent, TooManyFilesSent) as error:
            raise exceptions.ParseError(gettext("This form has too many fields.")) from error


def read_content(file: "UploadedFile[Any]", *, most: int) -> bytes:
    return cast(bytes, check_size(file, most=most).read())


def check_size(file: "UploadedFile[Any]", *, most: int) -> "UploadedFile[Any]":
    if (file.size or 0) > most:
        raise make_too_large_error(most)
    return file


def make_too_large_error(most: int) -> APIError:
    refused = APIError(
        "too_long", gettext("This file is too large; at most %(most)s MiB are taken.") % {"most": most // 2**20}
    )
    refused.status_code = 413
    return refused
