"""The language of the pages: the account's where one is chosen, else the browser's. Kept in Django's cookie."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext
from django.views.i18n import set_language as set_language_cookie

from personas.models import User

COOKIE = settings.LANGUAGE_COOKIE_NAME


def remember_language(response: HttpResponse, language: str) -> None:
    """Let all further pages of this browser be in a language, or in its own where none is named."""
    if language:
        response.set_cookie(COOKIE, language, max_age=settings.LANGUAGE_COOKIE_AGE or 365 * 24 * 3600, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, samesite="Lax")


def translate_detail(detail: str, *, otherwise: str) -> str:
    """A sentence that comes with a code, in the reader's language; one that names something has no translation, so a plainer one is said."""
    translated = gettext(detail)
    is_english = (get_language() or "en").startswith("en")
    return translated if is_english or translated != detail else otherwise


def set_language(request: HttpRequest) -> HttpResponse:
    """Django's own view, whose choice the account remembers."""
    response = set_language_cookie(request)
    language = request.POST.get("language", "")
    if isinstance(request.user, User) and language in User.Language.values:
        User.objects.filter(pk=request.user.pk).update(language=language)
    return response
