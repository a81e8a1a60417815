"""The admin site: access, registration, the sidebar and autocompletion."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin import autodiscover
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.sites import UnfoldAdminSite

from echovessel.text import strip_unstorable
from personas.scope import ScopedAdminMixin

# Sections with their icons, in the order of the sidebar.
GROUPS: tuple[tuple[Any, tuple[tuple[str, str], ...]], ...] = (
    (
        _("People"),
        (
            ("personas.user", "person"),
            ("auth.group", "group"),
            ("knox.authtoken", "key"),
            ("mfa.authenticator", "phonelink_lock"),
            ("personas.accesslog", "visibility"),
        ),
    ),
    (
        _("Companions"),
        (
            ("personas.persona", "face"),
            ("personas.coreblock", "article"),
            ("personas.opening", "waving_hand"),
            ("personas.loreentry", "menu_book"),
            ("personas.bond", "favorite"),
        ),
    ),
    (_("Chats"), (("memory.session", "forum"), ("memory.message", "chat"), ("chat.turn", "swap_vert"))),
    (
        _("Memory"),
        (
            ("memory.event", "bolt"),
            ("memory.fact", "fact_check"),
            ("memory.thought", "psychology"),
            ("memory.intention", "handshake"),
            ("memory.expectation", "hourglass_empty"),
            ("memory.entity", "groups"),
            ("memory.entitymerge", "merge"),
            ("memory.doubt", "help"),
            ("memory.scene", "movie"),
            ("memory.scenerecap", "short_text"),
            ("memory.storyversion", "auto_stories"),
            ("memory.import", "upload_file"),
        ),
    ),
    (
        _("Processing"),
        (
            ("memory.consolidationstep", "checklist"),
            ("memory.slowtickrun", "bedtime"),
            ("memory.reflectionrun", "self_improvement"),
            ("memory.storystep", "edit_note"),
        ),
    ),
    (
        _("This server"),
        (
            ("echovessel.ledgerentry", "receipt_long"),
            ("django_q.schedule", "schedule"),
            ("django_q.ormq", "pending"),
            ("django_q.failure", "error"),
            ("django_q.success", "task_alt"),
        ),
    ),
)
# Of packages whose own names are in no catalogue.
TITLES = {"knox.authtoken": _("API tokens"), "mfa.authenticator": _("Two-factor authentication")}


class AutocompleteView(AutocompleteJsonView):
    """Suggests rows while a person types, from admins with `offered`, within the person's scope."""

    def process_request(self, request: HttpRequest) -> Any:
        asked = super().process_request(request)
        if not getattr(asked[1], "offered", False):
            raise PermissionDenied
        return asked

    def serialize_result(self, obj: Any, to_field_name: str) -> dict[str, str]:
        section: Any = self.model_admin
        return {"id": str(getattr(obj, to_field_name)), "text": section.choice(obj)}


class AdminSite(UnfoldAdminSite):
    """Its sections load when they are first asked for: they import nearly all code, which many processes never use."""

    index_title = _("Overview")
    _is_loaded = False

    @property
    def _registry(self) -> dict[Any, Any]:
        if not self._is_loaded:
            self._is_loaded = True
            autodiscover()
        return self._sections

    @_registry.setter
    def _registry(self, sections: dict[Any, Any]) -> None:
        self._sections = sections

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register only scoped admins: the admins of third-party packages show all rows to all staff."""
        if admin_class is not None and issubclass(admin_class, ScopedAdminMixin):
            # A section that is imported by itself asks for no others, which may import it.
            is_loaded, self._is_loaded = self._is_loaded, True
            super().register(model_or_iterable, admin_class, **options)
            self._is_loaded = is_loaded

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return what the person may see; read once, where a page has it in its menu, its sidebar and its overview."""
        lists: dict[str | None, list[Any]] = request.__dict__.setdefault("_app_lists", {})
        if app_label not in lists:
            lists[app_label] = super().get_app_list(request, app_label)
        return lists[app_label]

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Callable[..., Any]:  # noqa: FBT001, FBT002 - Django's signature
        """Run the view in the reader's time zone, with a query that the database can be asked."""
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def shown(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            request.GET = clean_query(request)
            zone = request.user.zone if request.user.is_authenticated else timezone.get_default_timezone()
            with timezone.override(zone):
                answer: HttpResponseBase = inner(request, *args, **kwargs)
                return answer.render() if isinstance(answer, SimpleTemplateResponse) else answer

        return shown

    def autocomplete_view(self, request: HttpRequest) -> HttpResponseBase:
        answer: HttpResponseBase = AutocompleteView.as_view(admin_site=self)(request)
        return answer

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect to the account's password page, which limits wrong tries."""
        return redirect("account_change_password")


def clean_query(request: HttpRequest) -> Any:
    """Return the query without characters that no column holds: filters and suggestions compare what they are given."""
    asked = request.GET.copy()
    for name, values in request.GET.lists():
        asked.setlist(name, [strip_unstorable(value) for value in values])
    return asked


def build_sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups with the sections that the person may see."""
    # The site imports this module while apps are loading.
    from django.contrib.admin import site  # noqa: PLC0415

    allowed = {
        f"{model['model']._meta.label_lower}": model
        for app in site.get_app_list(request)
        for model in app["models"]
        if model["admin_url"]
    }
    first = {"title": _("Overview"), "icon": "dashboard", "link": reverse("admin:index")}
    groups = [{"items": [first]}]
    for title, sections in GROUPS:
        items = [
            {"title": str(TITLES.get(name, allowed[name]["name"])), "icon": icon, "link": allowed[name]["admin_url"]}
            for name, icon in sections
            if name in allowed
        ]
        if items:
            groups.append({"title": title, "items": items})
    return groups
