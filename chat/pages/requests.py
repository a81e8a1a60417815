"""What all views share: who asks, for which bond, and how often."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ObjectDoesNotExist
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods

from chat.pages import languages
from chat.pages.display.errors import translate_error
from echovessel.errors import CodedError
from personas.models import Bond, User
from personas.rest import rates

View = Callable[..., HttpResponse]
logger = logging.getLogger("echovessel.requests")


def private_page(*methods: str) -> Callable[[View], View]:
    """Require a sign-in and one of these methods, if any are named; use the reader's zone and language, and forbid caching."""

    def make(view: View) -> View:
        allowed = allow_methods(view, methods)

        @wraps(view)
        def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            user = get_user(request)
            with timezone.override(user.zone), translation.override(user.language or get_language()):
                try:
                    response = allowed(request, *args, **kwargs)
                except ObjectDoesNotExist as error:
                    # What the page is about was erased while the request waited for it.
                    logger.warning("%s %s ended early: %s", request.method, request.path, error)
                    raise Http404 from error
            if user.language and request.COOKIES.get(languages.COOKIE) != user.language:
                languages.remember_language(response, user.language)
            return response

        # Not as middleware, which would buffer streams. Django pads compressed answers by a random length and masks the CSRF
        # token anew in each answer, so sizes reveal no secret next to reflected text.
        return never_cache(login_required(gzip_page(shown)))

    return make


def own_bond_page(*methods: str) -> Callable[[View], View]:
    """Make a private page of a view that is given the user's own bond, not its id; of another's bond there is none."""

    def make(view: View) -> View:
        allowed = allow_methods(view, methods)

        @wraps(view)
        def shown(request: HttpRequest, bond_id: int, **kwargs: Any) -> HttpResponse:
            return allowed(request, get_own_bond(request, bond_id), **kwargs)

        return private_page()(shown)

    return make


def allow_methods(view: View, methods: Sequence[str]) -> View:
    """Answer other methods with 405; without names, all are allowed."""
    return require_http_methods(methods)(view) if methods else view


def get_user(request: HttpRequest) -> User:
    return cast(User, request.user)


def get_own_bond(request: HttpRequest, bond_id: int) -> Bond:
    return get_object_or_404(Bond.objects.for_user(get_user(request)).select_related("persona", "user"), pk=bond_id)


def check_costly_rate(request: HttpRequest) -> str:
    """Count a costly action. Returns an error sentence if there were too many in this minute."""
    wait_seconds = rates.count_request(user_id=get_user(request).pk, kind="costly", now=timezone.now())
    return _("Wait a minute, then try again.") if wait_seconds else ""


@contextmanager
def report_refusal(request: HttpRequest, *, about: str = "") -> Iterator[None]:
    """Show why something was refused as a message on the next page."""
    try:
        yield
    except CodedError as error:
        messages.error(request, translate_error(error, about=about))


@contextmanager
def report_in_form(form: Form) -> Iterator[None]:
    """Show why something was refused above the form, whose page follows."""
    try:
        yield
    except CodedError as error:
        form.add_error(None, translate_error(error))


def get_int_param(request: HttpRequest, name: str) -> int | None:
    """Return a number of the query; None if it is no number."""
    return parse_id(request.GET.get(name, ""))


def parse_id(value: str) -> int | None:
    """Return a number that the database may hold as an id; None if it is none."""
    return int(value) if value.isdecimal() and len(value) < 19 else None
