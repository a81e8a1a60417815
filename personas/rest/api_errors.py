"""One shape for every error of the REST API: `{code, detail, fields}`."""

import logging
import math
from collections.abc import Generator, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext, ngettext
from rest_framework import exceptions
from rest_framework.response import Response

from echovessel.errors import CodedError
from echovessel.llm.errors import LLMError
from echovessel.text import strip_unstorable

logger = logging.getLogger("echovessel.requests")
STATUS_BY_CODE = {
    "not_signed_in": 401,
    "forbidden": 403,
    "not_found": 404,
    "conflict": 409,
    "changed": 409,
    "full": 409,
    "near": 409,
    "turn_running": 409,
    "too_late": 409,
    "name_taken": 409,
    "rate_limited": 429,
    "model_bad_answer": 502,
    "model_refused": 502,
    "model_unavailable": 503,
    "interrupted": 503,
    "model_timeout": 504,
}


class APIError(exceptions.APIException):
    """A refusal with one of the contract's error codes."""

    def __init__(
        self, code: str, detail: str, *, fields: Mapping[str, list[str]] | None = None, wait_seconds: int | None = None
    ) -> None:
        super().__init__(detail, code)
        self.status_code = STATUS_BY_CODE.get(code, 400)
        self.code = code
        self.fields = fields
        self.wait = wait_seconds


class BodyTooLargeError(APIError):
    def __init__(self) -> None:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        super().__init__(
            "too_long", gettext("This body is too large; at most %(most)s bytes are read.") % {"most": most}
        )
        self.status_code = 413


def render_error(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Render an error as `{code, detail, fields}`; return None for a bug, which Django reports."""
    if isinstance(error, RequestDataTooBig):
        error = BodyTooLargeError()
    elif isinstance(error, Http404 | ObjectDoesNotExist):
        if isinstance(error, ObjectDoesNotExist):
            # What the request is about was erased while it waited.
            logger.warning("a request ended early: %s", error)
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    elif isinstance(error, CodedError | LLMError):
        error = APIError(error.code, error.translate())
    elif sentence := say_what_is_allowed(error, context):
        error.detail = sentence  # type: ignore[attr-defined]  # only errors of the framework have a sentence
    if not isinstance(error, exceptions.APIException):
        return None
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(math.ceil(wait))
    return Response(serialize_error(error), status=error.status_code, headers=headers)


def say_what_is_allowed(error: Exception, context: Mapping[str, Any]) -> str:
    """Complete what the framework says of a wrong method, body or sign-in."""
    match error:
        case exceptions.MethodNotAllowed():
            allowed = ", ".join(context["view"].allowed_methods)
        case exceptions.UnsupportedMediaType():
            allowed = ", ".join(parser.media_type for parser in context["view"].parser_classes)
        case exceptions.NotAuthenticated():
            return gettext("Nobody is signed in. Send the header “Authorization: Token …”, or the cookie of a page.")
        case _:
            return ""
    sentence = str(error.detail).rstrip(".。")
    return gettext("%(sentence)s; allowed: %(allowed)s.") % {"sentence": sentence, "allowed": allowed}


def serialize_error(error: exceptions.APIException) -> dict[str, Any]:
    if isinstance(error, exceptions.ValidationError):
        return serialize_validation_error(error.detail)
    fields = error.fields if isinstance(error, APIError) else None
    detail = describe_wait(error) if isinstance(error, exceptions.Throttled) else str(error.detail)
    return {"code": get_code(error), "detail": strip_unstorable(detail), "fields": fields}


def describe_wait(error: exceptions.Throttled) -> str:
    # A page shows it to whoever sent too much; the framework's own sentence is one for programs.
    seconds = getattr(error, "wait", None) or 0
    return ngettext(
        "Too much in one minute. Try again in %(count)d second.",
        "Too much in one minute. Try again in %(count)d seconds.",
        seconds,
    ) % {"count": seconds}


def get_code(error: exceptions.APIException) -> str:
    match error:
        case APIError():
            return error.code
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return "not_signed_in"
        case exceptions.PermissionDenied():
            return "forbidden"
        case exceptions.NotFound():
            return "not_found"
        case exceptions.Throttled():
            return "rate_limited"
    return "invalid"


def serialize_validation_error(detail: Any) -> dict[str, Any]:
    """Render the messages of each wrong field; nested fields are named by their path."""
    named = list(iterate_details(detail))
    codes = [sentence.code for _, sentence in named]
    code = next((code for code in ("unknown_field", "too_long") if code in codes), "invalid")
    fields: dict[str, list[str]] = {}
    for name, sentence in named:
        fields.setdefault(strip_unstorable(name), []).append(strip_unstorable(str(sentence)))
    whole = " ".join(f"{name}: {' '.join(said)}" if name else " ".join(said) for name, said in fields.items())
    fields.pop("", None)
    return {"code": code, "detail": whole, "fields": fields or None}


def iterate_details(detail: Any, path: str = "") -> Generator[tuple[str, exceptions.ErrorDetail], None, None]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            parts = [part for part in (path, str(name)) if part and part != "non_field_errors"]
            yield from iterate_details(inner, ".".join(parts))
    elif isinstance(detail, list):
        for inner in detail:
            yield from iterate_details(inner, path)
    else:
        yield path, detail
