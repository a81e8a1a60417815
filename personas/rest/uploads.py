"""Files in requests: their size is looked at before they are taken in, and again before they are taken apart."""

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
from rest_framework import exceptions
from rest_framework.parsers import MultiPartParser

from personas.accounts import credentials
from personas.rest.api_errors import Refused, TooLarge, answer

View = TypeVar("View", bound=Callable[..., Any])

# What a form has besides the file.
FORM_BYTES = 1024 * 1024


def takes_uploads(*, most: int) -> Callable[[View], View]:
    """Marks a page that takes files of up to so many bytes, as REST views do by `upload_most`."""

    def marked(view: View) -> View:
        view.upload_most = most  # type: ignore[attr-defined]  # a function takes attributes
        return view

    return marked


def bounds(request: HttpRequest) -> tuple[int, str, str]:
    """How large the body of a request may be, by its headers; and the answer to a larger one, its type and its text."""
    most = upload_most_of(request.path_info)
    if most and is_signed_in(request):
        return most + FORM_BYTES, *told(request, too_large(most), most)
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return most, *told(request, TooLarge(), most)


def upload_most_of(path: str) -> int:
    """The size of the files that a path takes, 0 where it takes none."""
    try:
        view = resolve(path).func
    except Resolver404:
        return 0
    most: int = getattr(getattr(view, "view_class", view), "upload_most", 0)
    return most


def is_signed_in(request: HttpRequest) -> bool:
    try:
        return credentials.is_let_in(request)
    except DatabaseError:
        # Nobody can be known now.
        return False


def told(request: HttpRequest, refused: Refused, most: int) -> tuple[str, str]:
    """A refusal as JSON or as a page."""
    if request.path_info.startswith("/api/"):
        return "application/json", json.dumps(answer(refused))
    with translation.override(translation.get_language_from_request(request)):
        return "text/html; charset=utf-8", render_to_string("413.html", {"most": most // 2**20})


class Multipart(MultiPartParser):
    """Forms with a file of a bounded size; views say the size as `upload_most`."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        most = parser_context["view"].upload_most
        length = parser_context["request"].META.get("CONTENT_LENGTH") or ""
        if length.isdecimal() and int(length) > most + FORM_BYTES:
            raise too_large(most)
        try:
            return super().parse(stream, media_type, parser_context)
        except RequestDataTooBig as error:
            raise too_large(most) from error
        except (TooManyFieldsSent, TooManyFilesSent) as error:
            raise exceptions.ParseError("This form has too many fields.") from error


def content_of(file: "UploadedFile[Any]", *, most: int) -> bytes:
    return cast(bytes, bounded(file, most=most).read())


def bounded(file: "UploadedFile[Any]", *, most: int) -> "UploadedFile[Any]":
    if (file.size or 0) > most:
        raise too_large(most)
    return file


def too_large(most: int) -> Refused:
    refused = Refused("too_long", f"This file is too large; at most {most // 2**20} MiB are taken.")
    refused.status_code = 413
    return refused
