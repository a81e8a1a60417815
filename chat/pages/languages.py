"""The language of pages: the account's if one is chosen, else the browser's. It is kept in Django's cookie."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.i18n import set_language as set_language_cookie

from personas.models import User

COOKIE = settings.LANGUAGE_COOKIE_NAME


def remember_language(response: HttpResponse, language: str) -> None:
    """Set the language of further pages in this browser; without a language, the browser decides."""
    if language:
        response.set_cookie(COOKIE, language, max_age=settings.LANGUAGE_COOKIE_AGE or 365 * 24 * 3600, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")


def set_language(request: HttpRequest) -> HttpResponse:
    """Django's own view, which also stores the choice in the account. A request that names no language changes nothing."""
    response = set_language_cookie(request)
    language = request.POST.get("language")
    if isinstance(request.user, User) and language and language in User.Language.values:
        User.objects.filter(pk=request.user.pk).update(language=language)
    return response
