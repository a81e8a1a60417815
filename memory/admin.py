from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

from memory import sessions
from memory.models import ConsolidationStep, Session


class ReadOnly:
    """Memory is changed by its own rules, not by editing rows."""

    def has_add_permission(self, *args: Any) -> bool:
        return False

    def has_change_permission(self, *args: Any) -> bool:
        return False

    def has_delete_permission(self, *args: Any) -> bool:
        return False


class StepInline(ReadOnly, TabularInline):  # type: ignore[misc]  # unfold is untyped
    model = ConsolidationStep
    fields = ("phase", "outcome", "reason", "error", "offline", "tokens_in", "tokens_out", "created_at")
    extra = 0


@admin.register(Session)
class SessionAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]  # unfold is untyped
    list_display = ("id", "bond", "channel", "status", "message_count", "last_message_at", "failure_detail")
    list_filter = ("status", "channel", "close_reason")
    ordering = ("-last_message_at", "-id")
    fields = (
        "bond",
        "channel",
        "status",
        "shown_title",
        "summary",
        "started_at",
        "last_message_at",
        "closed_at",
        "close_reason",
        "message_count",
        "token_count",
        "trivial",
        "failure_code",
        "failure_detail",
        "failure_next_try_at",
    )
    show_full_result_count = False
    list_select_related = ("bond",)
    actions = ("try_again",)
    inlines = (StepInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        """Staff see their own sessions; only the operator sees those of others."""
        found: QuerySet[Session] = super().get_queryset(request)
        return found if request.user.is_superuser else found.filter(bond__user=request.user.pk)

    @admin.action(description="Try failed ones again")
    def try_again(self, request: HttpRequest, queryset: QuerySet[Session]) -> None:
        queued = sum(sessions.try_again(session=session) for session in queryset)
        self.message_user(request, f"{queued} sessions are tried again.")
