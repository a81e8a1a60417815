"""The work queue: django-q2's rows, which belong to no user and may name any."""

from typing import Any

from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin import display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django_q.models import Failure, OrmQ, Schedule, Success, Task
from django_q.tasks import async_task

from memory.jobs.queue import read_argument
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import shorten
from personas.admin.panels import Panel, TextPanel


def name_task(row: Any) -> str:
    """Name a task by its function and what it is about."""
    task = row.task if isinstance(row, OrmQ) else vars(row)
    argument, pk = read_argument(task)
    # Our apps are the last: Django has a model Session, too.
    about = [model._meta.verbose_name for model in apps.get_models() if argument == f"{model._meta.model_name}_id"]
    return " ".join([str(task.get("func")), *(f"{capfirst(str(name))} {pk}" for name in about[-1:])])


# What its pages are titled with: django-q2 would say "OrmQ object (326)", and of a task that ran a word made at random.
OrmQ.__str__ = Task.__str__ = name_task


class QueueAdmin(ReadOnlyAdmin):
    person = ""
    is_memory = False
    joined = ()

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        # django-q2's own hints are for who writes tasks by hand; here all rows are read-only.
        return super().get_form(request, obj, change, help_texts=dict.fromkeys(self.fields or (), ""), **kwargs)

    @display(description=_("arguments"))
    def arguments(self, row: Any) -> str:
        args = row.args() if callable(row.args) else row.args
        if isinstance(args, str):
            return args
        return ", ".join(map(str, args or ())) or "-"


@admin.register(Schedule)
class ScheduleAdmin(QueueAdmin):
    list_display = ("func", "schedule_type", "minutes", "next_run")
    ordering = ("func", "id")
    fields = ("name", "func", "arguments", "schedule_type", "minutes", "cron", "next_run")
    actions = ("run_now",)

    @admin.action(description=_("Run now"), permissions=["run"])
    def run_now(self, request: HttpRequest, queryset: QuerySet[Schedule]) -> None:
        count = queryset.update(next_run=timezone.now())
        self.message_user(request, _("%(count)s will run within a minute.") % {"count": count})


@admin.register(OrmQ)
class QueuedTaskAdmin(QueueAdmin):
    list_display = ("what", "arguments", "lock")
    ordering = ("id",)
    fields = ("what", "arguments", "lock")

    @display(description=_("task"))
    def what(self, row: OrmQ) -> str:
        return str(row.func())


@admin.register(Success)
class EndedTaskAdmin(QueueAdmin):
    ordering = ("-stopped", "-id")
    list_display = ("func", "arguments", "started", "stopped", "outcome_of")
    fields = ("func", "arguments", "started", "stopped", "attempt_count")
    search_fields = ("func", "name")

    @display(description=_("result"))
    def outcome_of(self, row: Any) -> str:
        return shorten(str(row.result)) if row.result is not None else "-"

    def build_panels(self, request: HttpRequest, row: Any) -> list[Panel]:
        return [TextPanel(_("Result"), "" if row.result is None else str(row.result))]


@admin.register(Failure)
class FailureAdmin(EndedTaskAdmin):
    actions = ("retry",)
    retry_action = "retry"

    def has_failed(self, row: Failure) -> bool:
        return True

    @admin.action(description=_("Try again"), permissions=["run"])
    def retry(self, request: HttpRequest, queryset: QuerySet[Failure]) -> None:
        """Queue the tasks again. They leave the list, and return to it if they fail again."""
        count = 0
        for task in queryset:
            async_task(task.func, *(task.args or ()), group=task.group, **(task.kwargs or {}))
            task.delete()
            count += 1
        self.message_user(request, _("Tried again: %(count)s.") % {"count": count}, level=messages.SUCCESS)
