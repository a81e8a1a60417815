"""What makes the app installable: its manifest, its service worker, and the page that is shown without a connection.

The worker is asked for by language, so that another language makes another worker with its own page. It keeps
nothing but that page and static files whose names hold a hash of their content.
"""

import hashlib
import json
import re
from collections.abc import Iterable

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

# What the page without a connection needs.
OFFLINE_FILES = (
    "css/echovessel.css",
    "css/components.css",
    "css/pages.css",
    "js/theme.js",
    "img/icon.svg",
    "img/signs.svg",
    "vendor/literata/literata-latin-wght-normal.woff2",
)
ICONS = (
    ("img/icons/icon-192.png", "192x192", "any"),
    ("img/icons/icon-512.png", "512x512", "any"),
    ("img/icons/maskable-512.png", "512x512", "maskable"),
)
PAPER = "#faf7f2"
# A name that holds a hash of the content, as the storage gives them.
VERSIONED = re.compile(r"\.[0-9a-f]{12}\.\w+$")


@require_GET
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    body = {
        "id": "/",
        "name": "EchoVessel",
        "short_name": "EchoVessel",
        "description": _("Talk with someone who remembers."),
        "lang": translation.get_language(),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            {"src": static(path), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for path, sizes, purpose in ICONS
        ],
    }
    return JsonResponse(body, content_type="application/manifest+json")


@require_GET
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    language = get_language_param(request)
    files = [address for address in map(static, OFFLINE_FILES) if VERSIONED.search(address)]
    with translation.override(language):
        page = render(request, "chat/install/offline.html").content
    context = {
        "version": json.dumps(f"{name_version([*files, page.decode()])}-{language}"),
        "page": json.dumps(f"{reverse('offline')}?language={language}"),
        "files": json.dumps(files),
        "static": json.dumps(settings.STATIC_URL),
    }
    return render(request, "chat/install/service-worker.js", context, content_type="text/javascript")


def name_version(parts: Iterable[str]) -> str:
    """Name what is kept by its content, so that anything new makes a new worker and drops the old one's files."""
    manifest_hash = getattr(staticfiles_storage, "manifest_hash", "")
    return hashlib.sha256("\n".join([manifest_hash, *parts]).encode()).hexdigest()[:16]


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the worker shows without a connection: the same for everybody."""
    with translation.override(get_language_param(request)):
        return render(request, "chat/install/offline.html")


def get_language_param(request: HttpRequest) -> str:
    asked = request.GET.get("language", "")
    return asked if asked in dict(settings.LANGUAGES) else translation.get_language() or settings.LANGUAGE_CODE
