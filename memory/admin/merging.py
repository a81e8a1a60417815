"""Merge in the admin: a page with both entities and the result; separate two, and undo a merge."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin import display, helpers
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memory.entities import merging
from memory.entities.merging import MergeError
from memory.models import EntityMerge, Mention
from memory.models.entities import EntityQuerySet
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import link_to_row
from personas.admin.filters import BOND_FILTERS, ChoiceFilter
from personas.admin.panels import Panel, TablePanel

NODES_SHOWN = 10


class MergeableAdmin(ReadOnlyAdmin):
    actions: Any = ("merge", "separate")

    @admin.action(description=_("Merge two…"), permissions=["run"])
    def merge(self, request: HttpRequest, queryset: EntityQuerySet) -> HttpResponse | None:
        pair = self.load_pair(request, queryset)
        if pair is None:
            return None
        kept = next((one for one in pair if str(one.pk) == request.POST.get("kept")), None)
        if kept is None:
            return self.render_merge_page(request, pair)
        merged = pair[0] if kept == pair[1] else pair[1]
        try:
            merge = merging.merge_entities(kept=kept, merged=merged, by=merging.Author.OPERATOR, now=timezone.now())
        except MergeError as error:
            self.message_user(request, error.translate(), level=messages.WARNING)
            return None
        told = _("%(merged)s is merged into %(kept)s. You can undo it under Merges.") % {
            "merged": merge.merged.canonical_name,
            "kept": merge.kept.canonical_name,
        }
        self.message_user(request, told, level=messages.SUCCESS)
        return None

    @admin.action(description=_("Keep two separate"), permissions=["run"])
    def separate(self, request: HttpRequest, queryset: EntityQuerySet) -> None:
        pair = self.load_pair(request, queryset)
        if pair is None:
            return
        try:
            merging.separate_entities(a=pair[0], b=pair[1], by=merging.Author.OPERATOR, now=timezone.now())
        except MergeError as error:
            self.message_user(request, error.translate(), level=messages.WARNING)
            return
        self.message_user(request, _("They stay separate. Nobody is asked about them again."))

    def load_pair(self, request: HttpRequest, queryset: EntityQuerySet) -> list[Any] | None:
        chosen = list(queryset.not_deleted_or_merged().order_by("created_at", "id")[:3])
        if len(chosen) == 2 and chosen[0].bond_id == chosen[1].bond_id:
            return chosen
        self.message_user(
            request, _("Choose two of one bond that are not merged or forgotten."), level=messages.WARNING
        )
        return None

    def render_merge_page(self, request: HttpRequest, pair: list[Any]) -> HttpResponse:
        self.log_access(request, pair)
        return self.render_page(
            request,
            "admin/merge.html",
            title=_("Merge these?"),
            sides=[MergeSide(one) for one in pair],
            outcomes=[MergePreview(kept=one, merged=other) for one, other in (pair, pair[::-1])],
            checkbox=helpers.ACTION_CHECKBOX_NAME,
        )


class MergeSide:
    def __init__(self, entity: Any) -> None:
        self.entity = entity
        self.kind = entity.get_kind_display()
        self.names = [alias.name for alias in entity.names]
        nodes = entity.nodes.not_deleted().without_heavy_columns("terms").order_by("-created_at", "-id")
        self.nodes = list(nodes[:NODES_SHOWN])
        self.nodes_count = nodes.count()


class MergePreview:
    """The result of a merge that keeps this entity."""

    def __init__(self, *, kept: Any, merged: Any) -> None:
        self.kept = kept
        self.names = list(dict.fromkeys(alias.name for one in (kept, merged) for alias in one.names))
        better = merged if merging.describes_better(merged, kept) else kept
        self.description = better.description
        both = Mention.objects.without_deleted_nodes().filter(entity__in=[kept, merged])
        self.nodes_count = both.values("node").distinct().count()


@admin.register(EntityMerge)
class EntityMergeAdmin(ReadOnlyAdmin):
    joined = ("bond__user", "bond__persona", "kept", "merged")
    list_display = ("what", "who", "decided_by", "created_at", "undone_at")
    list_filter = (("decided_by", ChoiceFilter), *BOND_FILTERS)
    fields = ("what", "who", "decided_by", "created_at", "undone_at")
    actions = ("undo",)

    @display(description=_("merge"))
    def what(self, row: EntityMerge) -> str:
        return f"{row.merged.canonical_name} → {row.kept.canonical_name}"

    def build_panels(self, request: HttpRequest, row: EntityMerge) -> list[Panel]:
        moved = [
            [_("names"), len(row.moved.get("aliases", []))],
            [_("memories"), len(row.moved.get("mentions", []))],
            [_("kept separate from"), len(row.moved.get("separations", []))],
        ]
        sides = [
            [_("kept"), link_to_row(row.kept, row.kept.canonical_name)],
            [_("merged"), link_to_row(row.merged, row.merged.canonical_name)],
        ]
        return [
            TablePanel(_("Both sides"), ["", _("name")], sides),
            TablePanel(_("What was moved"), ["", _("number")], moved),
        ]

    def has_undo_permission(self, request: HttpRequest) -> bool:
        return self.is_theirs(request) and request.user.has_perm("memory.change_entity")

    @admin.action(description=_("Undo"), permissions=["undo"])
    def undo(self, request: HttpRequest, queryset: QuerySet[EntityMerge]) -> None:
        for merge in queryset.order_by("-id"):
            try:
                back = merging.undo(merge=merge, now=timezone.now())
            except MergeError as error:
                self.message_user(request, error.translate(), level=messages.WARNING)
            else:
                self.message_user(request, _("%(name)s is restored.") % {"name": back.canonical_name})
