"""Scenes, recaps, versions of the story and the work on them in the admin: read-only, to try again and tell anew."""

from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memory.models import Scene, SceneRecap, StoryStep, StoryVersion
from memory.models.story.made_by import MadeBy
from memory.story.versions import points
from memory.storytelling.work import user_requests
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import link_to_row, name_choice, shorten
from personas.admin.filters import BOND_FILTERS, ChoiceFilter, DateRangeFilter
from personas.admin.panels import ROWS_MOST, Panel, TablePanel, build_tree_panel


@admin.register(Scene)
class SceneAdmin(ReadOnlyAdmin):
    joined = ("bond__user", "bond__persona", "recap")
    list_display = ("heading", "who", "closed_by", "recap_by", "created_at")
    list_filter = (("closed_by", ChoiceFilter), *BOND_FILTERS, ("created_at", DateRangeFilter))
    search_fields = ("title",)
    search_help_text = _("Any part of the title")
    fields = ("heading", "who", "closed_by", "recap_by", "created_at")
    actions = ("tell_anew",)

    @display(description=_("title"))
    def heading(self, row: Scene) -> str:
        return row.title or "-"

    @display(description=_("recap"))
    def recap_by(self, row: Scene) -> Any:
        return link_to_row(row.recap, name_choice(row.recap.get_made_by_display())) if row.recap else "-"

    def build_panels(self, request: HttpRequest, row: Scene) -> list[Panel]:
        recaps = row.recaps.order_by("-n")[:ROWS_MOST]
        rows = [
            [link_to_row(one, one.n), name_choice(one.get_made_by_display()), one.model or "-", one.created_at]
            for one in recaps
        ]
        return [TablePanel(_("Recaps"), [_("version"), _("made by"), _("model"), _("created")], rows, _("None."))]

    @admin.action(description=_("Regenerate"), permissions=["run"])
    def tell_anew(self, request: HttpRequest, queryset: QuerySet[Scene]) -> None:
        count = len([user_requests.tell_scene(scene=scene, now=timezone.now()) for scene in queryset])
        self.message_user(request, _("Queued: %(count)s.") % {"count": count})


@admin.register(SceneRecap)
class SceneRecapAdmin(ReadOnlyAdmin):
    joined = ("bond__user", "bond__persona", "scene")
    list_display = ("n", "of_scene", "who", "author", "created_at")
    list_filter = (("made_by", ChoiceFilter), *BOND_FILTERS, ("created_at", DateRangeFilter))
    search_fields = ("scene__title",)
    search_help_text = _("Any part of the title")
    fields = ("n", "of_scene", "who", "author", "created_at")

    @display(description=_("scene"))
    def of_scene(self, row: SceneRecap) -> Any:
        return link_to_row(row.scene, shorten(row.scene.title) or "-")

    @display(description=_("made by"))
    def author(self, row: SceneRecap) -> str:
        return f"{name_choice(row.get_made_by_display())} {row.model}".strip()

    def build_panels(self, request: HttpRequest, row: SceneRecap) -> list[Panel]:
        return [build_tree_panel(row.content, _("Recap"))]


@admin.register(StoryVersion)
class StoryVersionAdmin(ReadOnlyAdmin):
    list_display = ("number", "who", "made_by", "token_count", "scene_count", "created_at")
    list_filter = (("made_by", ChoiceFilter), *BOND_FILTERS, ("created_at", DateRangeFilter))
    search_fields = ("number",)
    search_help_text = _("The number of the version")
    fields = ("number", "who", "made_by", "token_count", "scene_count", "created_at", "deleted_at")
    actions = ("rebuild",)

    def build_panels(self, request: HttpRequest, row: StoryVersion) -> list[Panel]:
        told = points.load_points(row)
        by_id = Scene.objects.filter(bond=row.bond_id).in_bulk([pk for point in told for pk in point.scenes])
        rows: list[list[Any]] = [
            [
                gettext(points.HEADINGS[point.part]),
                point.line,
                name_choice(MadeBy(point.by).label),
                ", ".join(shorten(by_id[pk].title) for pk in point.scenes if pk in by_id) or "-",
            ]
            for point in told
        ]
        return [TablePanel(_("Points"), [_("part"), _("text"), _("made by"), _("scenes")], rows, _("None."))]

    @admin.action(description=_("Rebuild the story"), permissions=["run"])
    def rebuild(self, request: HttpRequest, queryset: QuerySet[StoryVersion]) -> None:
        bonds = {version.bond_id: version.bond for version in queryset}
        for bond in bonds.values():
            user_requests.rebuild(bond=bond, now=timezone.now())
        self.message_user(request, _("Queued: %(count)s.") % {"count": len(bonds)})


@admin.register(StoryStep)
class StoryStepAdmin(ReadOnlyAdmin):
    list_display = ("work", "who", "state", "attempts", "why", "tokens_in", "tokens_out", "created_at")
    list_filter = (("kind", ChoiceFilter), ("state", ChoiceFilter), *BOND_FILTERS, ("created_at", DateRangeFilter))
    fields = ("work", "who", "state", "attempts", "why", "tokens_in", "tokens_out", "next_try_at", "created_at")
    actions = ("try_again",)
    retry_action = "try_again"

    def has_failed(self, row: StoryStep) -> bool:
        return row.state == StoryStep.State.FAILED

    @display(description=_("work"))
    def work(self, row: StoryStep) -> str:
        return f"{row.get_kind_display()} {row.target or ''}".strip()

    @display(description=_("why it failed"))
    def why(self, row: StoryStep) -> str:
        return row.detail or "-"

    @admin.action(description=_("Try again"), permissions=["run"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[StoryStep]) -> None:
        tried = [user_requests.retry(step=step, now=timezone.now()) for step in queryset]
        self.message_user(request, _("Queued: %(count)s.") % {"count": tried.count(True)})
