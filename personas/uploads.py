"""Files in requests: their size is looked at before they are taken apart."""

from typing import Any, cast

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadedfile import UploadedFile
from rest_framework import exceptions
from rest_framework.parsers import MultiPartParser

from personas.refusals import Refused

# What a form has besides the file.
FORM_BYTES = 1024 * 1024


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
