from typing import Any

from django.contrib.admin import ShowFacets, display
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin

from personas.admin.columns import FORM_LABELS, LABELS, describe_bond, label_column, label_columns, link_to_row
from personas.admin.paging import UncountedPaginator
from personas.admin.panels import Panel
from personas.scope import ScopedAdminMixin


class ReadOnlyAdmin(ScopedAdminMixin, ModelAdmin):
    """Read-only rows: only the app's own functions write them."""

    paginator = UncountedPaginator
    show_full_result_count = False
    # Facets would count all rows for every filter.
    show_facets = ShowFacets.NEVER
    list_per_page = 50
    ordering: Any = ("-id",)
    actions: Any = None
    # Sorting by a column without an index reads the whole table.
    sortable_by = ()
    list_filter_submit = True
    list_disable_select_all = True
    change_form_outer_after_template = "admin/panels.html"
    # Whether a form may change the rows nevertheless.
    is_edited = False
    # The list's action that tries failed rows again, which the page of such a row offers too.
    retry_action = ""
    # Relations that are loaded with a row, and columns that are not loaded.
    joined: tuple[str, ...] = ("bond__user", "bond__persona")
    deferred: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related(*self.joined).defer(*self.deferred)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        return label_columns(super().get_list_display(request))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        return super().get_form(request, obj, change, labels=FORM_LABELS, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the labelled fields of a read-only page, without empty ones."""
        fieldsets = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return fieldsets
        shown = [
            (title, {**options, "fields": self.label_fields(obj, options["fields"])}) for title, options in fieldsets
        ]
        return [(title, options) for title, options in shown if options["fields"]]

    def label_fields(self, row: Any, names: Any) -> list[Any]:
        there = [name for name in names if not is_empty(getattr(row if hasattr(row, name) else self, name), row)]
        return [label_column(name) if name in LABELS else name for name in there]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_edited and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def may_delete(self, request: HttpRequest) -> bool:
        """Whether the person may forget rows of the section. Django's own deletion is never offered."""
        return self.is_theirs(request) and request.user.has_perm(f"{self.opts.app_label}.delete_{self.opts.model_name}")

    def has_run_permission(self, request: HttpRequest, object_id: str | None = None) -> bool:
        """Whether the person may run the section's actions, which change what its rows tell of."""
        return self.is_theirs(request) and request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    @display(description=_("chat"))
    def session_link(self, row: Any) -> Any:
        return link_to_row(row.session, row.session and (row.session.shown_title or None))

    @display(description=_("bond"))
    def who(self, row: Any) -> Any:
        return link_to_row(row.bond, describe_bond(row.bond))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        asked = search_term.strip()
        return (self.search_rows(request, queryset, asked) if asked else queryset), False

    def search_rows(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        found, _has_duplicates = super().get_search_results(request, rows, asked)
        return found  # type: ignore[no-any-return]  # unfold is untyped

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        title = {"title": self.opts.verbose_name_plural}
        return super().changelist_view(request, {**title, **(extra_context or {})})

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return UncountedChangeList

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        row = kwargs.get("obj")
        context["panels"] = [] if row is None else self.build_panels(request, row)
        if row is not None and self.has_failed(row) and self.retry_action in self.get_actions(request):
            context["retry_action"] = self.retry_action
        answer: HttpResponse = super().render_change_form(request, context, **kwargs)
        return answer

    def build_panels(self, request: HttpRequest, row: Any) -> list[Panel]:
        return []

    def has_failed(self, row: Any) -> bool:
        return False

    def render_page(self, request: HttpRequest, template: str, *, title: Any, **context: Any) -> HttpResponse:
        """Render a further page of the section."""
        shared = {**self.admin_site.each_context(request), "opts": self.opts, "title": title}
        return TemplateResponse(request, template, shared | context)

    def build_change_url(self, row: Any) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])


class UncountedChangeList(ChangeList):
    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.full_result_count = self.result_count


def is_empty(value: Any, row: Any) -> bool:
    """Whether a field is empty; a column function is called with the row."""
    said = value(row) if callable(value) else value
    return said is None or said is False or said in ("", "-", [], {})
