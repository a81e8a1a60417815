"""Which rows a staff member sees in the admin. The site registers only admins with `ScopedAdminMixin`."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.admin import helpers
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _

from personas import access
from personas.rest.views import get_user

# The most rows that an action receives.
CHOSEN_MOST = 200


class ScopedAdminMixin:
    """Staff see their own rows. With the permission they see everybody's, and each access is logged."""

    # The path from a row to its person's id. Rows without a path belong to nobody: only staff with the permission see them.
    person = "bond__user_id"
    # Whether the rows are part of somebody's memory.
    is_memory = True
    # Whether only superusers see other people's rows.
    is_operators = False
    # Whether other pages suggest its rows while a person types.
    offered = False

    def can_see_others(self, request: HttpRequest) -> bool:
        user = get_user(request)
        return user.is_superuser if self.is_operators else access.can_see_others(user)

    def get_own_filter(self, request: HttpRequest) -> Q:
        return Q(**{self.person: request.user.pk})

    def get_person_id(self, row: Any) -> int | None:
        """Return the id of the row's person."""
        for name in self.person.split("__"):
            row = getattr(row, name)
        person: int | None = row
        return person

    def choice(self, row: Any) -> str:
        return str(row)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)  # type: ignore[misc]  # of the admin that it is mixed into
        if self.can_see_others(request):
            return rows
        return rows.filter(self.get_own_filter(request)) if self.person else rows.none()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.is_theirs(request) and super().has_module_permission(request)  # type: ignore[misc]  # as above

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_theirs(request) and super().has_view_permission(request, obj)  # type: ignore[misc]  # as above

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_theirs(request) and super().has_change_permission(request, obj)  # type: ignore[misc]  # as above

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.is_theirs(request) and super().has_delete_permission(request, obj)  # type: ignore[misc]  # as above

    def is_theirs(self, request: HttpRequest) -> bool:
        return bool(self.person) or self.can_see_others(request)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        row = super().get_object(request, object_id, from_field) if self.is_id(object_id) else None  # type: ignore[misc]  # as above
        self.log_access(request, [] if row is None else [row])
        return row

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if ERROR_FLAG in request.GET:
            messages.warning(request, _("There is no such filter or page: all rows are shown."))
        answer: Any = super().changelist_view(request, extra_context)  # type: ignore[misc]  # as above
        shown = (getattr(answer, "context_data", None) or {}).get("cl")
        if shown is not None:
            self.log_access(request, shown.result_list)
        return answer  # type: ignore[no-any-return]  # a response, of whatever class

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponseBase | None:
        """Act on the ticked rows, never on all rows of a filter."""
        ticked = [pk for pk in request.POST.getlist(helpers.ACTION_CHECKBOX_NAME) if self.is_id(pk)][:CHOSEN_MOST]
        # Django reads them from there again.
        said: Any = request.POST.copy()
        said.setlist(helpers.ACTION_CHECKBOX_NAME, ticked)
        request.POST = said
        answer: HttpResponseBase | None = super().response_action(request, queryset.filter(pk__in=ticked))  # type: ignore[misc]  # as above
        return answer

    def is_id(self, pk: str) -> bool:
        if "\0" in pk:
            return False
        try:
            self.model._meta.pk.to_python(pk)  # type: ignore[attr-defined]  # as above
        except ValidationError:
            return False
        return True

    def log_access(self, request: HttpRequest, rows: Iterable[Any]) -> None:
        if self.is_memory and self.person:
            people = [self.get_person_id(row) for row in rows]
            section = self.model._meta.model_name  # type: ignore[attr-defined]  # as above
            access.log_access(reader=get_user(request), people=people, section=section, now=timezone.now())
