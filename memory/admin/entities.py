from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import display
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from echovessel.errors import CodedError
from memory.admin import finding
from memory.admin.forgetting import ForgettableAdmin
from memory.admin.merging import MergeableAdmin
from memory.admin.trash import DeletionPreview
from memory.answers.coercion import DESCRIPTION_MOST, NAME_MOST
from memory.entities import editing, merging
from memory.entities.names_form import NamesForm
from memory.forgetting import removal
from memory.models import Entity, EntityAlias
from personas.admin.columns import FORM_LABELS, link_to_row, shorten
from personas.admin.filters import BOND_FILTERS, ChoiceFilter, DateRangeFilter, TrashFilter
from personas.admin.panels import ROWS_MOST, Panel, TablePanel

NAMES = Prefetch("aliases", EntityAlias.objects.not_deleted().order_by("id"), to_attr="names")


class EntityForm(NamesForm):
    """A person's changes; only changed fields are saved, so that an untouched description keeps its author."""

    canonical_name = forms.CharField(
        label=FORM_LABELS["canonical_name"], max_length=NAME_MOST, widget=UnfoldAdminTextInputWidget
    )
    kind = forms.ChoiceField(label=FORM_LABELS["kind"], widget=UnfoldAdminSelectWidget)
    aliases = forms.CharField(
        label=_("Names"),
        help_text=_("One per line. The name above need not be repeated."),
        required=False,
        widget=UnfoldAdminTextareaWidget,
    )
    description = forms.CharField(
        label=FORM_LABELS["description"], required=False, max_length=DESCRIPTION_MOST, widget=UnfoldAdminTextareaWidget
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds: Any = self.fields["kind"]
        kinds.choices = Entity.Kind.choices


def build_initial(entity: Any) -> dict[str, str]:
    return {
        "canonical_name": entity.canonical_name,
        "kind": entity.kind,
        "aliases": "\n".join(alias.name for alias in entity.names),
        "description": entity.description,
    }


@admin.register(Entity)
class EntityAdmin(MergeableAdmin, ForgettableAdmin):
    deferred = ("embedding",)
    joined = ("bond__user", "bond__persona", "merge_target", "merged_into")
    list_display = ("canonical_name", "who", "kind", "others", "about", "merge_status", "last_mentioned_at")
    list_filter = (
        TrashFilter,
        ("kind", ChoiceFilter),
        ("merge_status", ChoiceFilter),
        *BOND_FILTERS,
        ("last_mentioned_at", DateRangeFilter),
    )
    search_fields = ("canonical_name",)
    search_help_text = _("Any part of a name")
    fields = (
        *("canonical_name", "who", "kind", "others", "description", "description_by", "merge_status", "doubted"),
        *("joined_to", "last_mentioned_at", "created_at", "confirmed_at", "described_at", "deleted_at"),
    )
    actions = (*MergeableAdmin.actions, *ForgettableAdmin.actions)
    actions_detail = ("edit", "forget_this")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entity]:
        return super().get_queryset(request).prefetch_related(NAMES)

    def search_rows(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        return finding.find_entities(rows, asked)

    @display(description=_("other names"))
    def others(self, row: Any) -> str:
        return ", ".join(alias.name for alias in row.names if alias.name != row.canonical_name) or "-"

    @display(description=_("description"))
    def about(self, row: Entity) -> str:
        return shorten(row.description) or "-"

    @display(description=_("may be the same as"))
    def doubted(self, row: Entity) -> Any:
        return "-" if row.merge_target is None else link_to_row(row.merge_target, row.merge_target.canonical_name)

    @display(description=_("is the same as"))
    def joined_to(self, row: Entity) -> Any:
        return "-" if row.merged_into is None else link_to_row(row.merged_into, row.merged_into.canonical_name)

    def build_panels(self, request: HttpRequest, row: Entity) -> list[Panel]:
        nodes = row.nodes.filter(deleted_at=None).defer("embedding", "terms").order_by("-created_at", "-id")
        linked = [
            [one.get_type_display(), link_to_row(one, shorten(one.description)), one.created_at]
            for one in nodes[:ROWS_MOST]
        ]
        return [
            TablePanel(_("Memories that mention it"), [_("type"), _("text"), _("created")], linked, _("None.")),
            build_merges_table(row),
            build_separations_table(row),
        ]

    @action(description=_("Edit"), permissions=["run"], url_path="edit")
    def edit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """A page of its own: a name's vector is made before the transaction that saves it."""
        row = self.get_object(request, object_id)
        if row is None or row.deleted_at is not None or row.merged_into is not None:
            raise Http404
        form = EntityForm(request.POST or None, initial=build_initial(row))
        if form.is_valid() and self.is_changed(request, row, form):
            return redirect(self.build_change_url(row))
        return self.render_page(request, "admin/edit.html", title=_("Edit"), form=form, back=self.build_change_url(row))

    def is_changed(self, request: HttpRequest, row: Entity, form: EntityForm) -> bool:
        changes: Any = {name: form.cleaned_data[name] for name in form.changed_data}
        try:
            editing.update(entity=row, wanted=changes, now=timezone.now())
        except CodedError as error:
            form.add_error(None, error.translate())
            return False
        except Entity.DoesNotExist as error:
            raise Http404 from error
        self.log_change(request, row, [{"changed": {"fields": form.changed_data}}])
        self.message_user(request, _("Saved."), level=messages.SUCCESS)
        return True

    def build_preview(self, row: Entity) -> DeletionPreview:
        return DeletionPreview(row, "\n".join(filter(None, [row.canonical_name, row.description])), [])

    def forget_row(self, row: Entity, **how: Any) -> None:
        removal.forget_entity(entity=row, **how)


def build_merges_table(entity: Entity) -> TablePanel:
    merges = entity.merges.select_related("merged").order_by("-id")[:ROWS_MOST]
    rows = [
        [
            link_to_row(merge, merge.merged.canonical_name),
            merge.get_decided_by_display(),
            merge.created_at,
            merge.undone_at or "-",
        ]
        for merge in merges
    ]
    return TablePanel(_("Merged into it"), [_("name"), _("decided by"), _("created"), _("undone")], rows, _("Nobody."))


def build_separations_table(entity: Entity) -> TablePanel:
    rows = [
        [link_to_row(other, other.canonical_name), row.get_decided_by_display()]
        for row in merging.load_separations(entity).select_related("a", "b").order_by("id")[:ROWS_MOST]
        for other in [row.b if row.a_id == entity.pk else row.a]
    ]
    return TablePanel(
        _("Kept separate from"), [_("name"), _("decided by")], rows, _("Nothing is kept separate from it.")
    )
