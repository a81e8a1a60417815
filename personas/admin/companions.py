from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.admin import display
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST
from unfold.overrides import FORMFIELD_OVERRIDES
from unfold.widgets import UnfoldAdminTextareaWidget

from personas import blocks, editing, onboarding
from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import describe_bond, link_to_list, link_to_row, shorten, translate_value
from personas.admin.filters import AutocompleteFilter, ChoiceFilter, DateRangeFilter
from personas.admin.panels import ROWS_MOST, Panel, TablePanel
from personas.admin.writing import BlockHolderAdmin
from personas.forms import FACT_LABELS
from personas.models import BLOCK_CHARACTERS, BlockRevision, Bond, CoreBlock, Persona, PersonaFacts
from personas.rest.views import get_user

FACT_FIELDS: dict[str, forms.Field] = forms.fields_for_model(
    PersonaFacts,
    fields=PersonaFacts.NAMES,
    labels=cast("dict[str, str]", FACT_LABELS),
    formfield_callback=lambda field, **kwargs: field.formfield(**{**FORMFIELD_OVERRIDES[type(field)], **kwargs}),
)


class PersonaForm(forms.ModelForm):  # type: ignore[type-arg]  # the model is named in Meta
    class Meta:
        model = Persona
        fields = ("name", "tagline", "language", "visibility")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        facts = PersonaFacts.objects.filter(persona=self.instance.pk).first()
        self.initial.update({} if facts is None else {name: getattr(facts, name) for name in PersonaFacts.NAMES})


FormWithFacts = type("FormWithFacts", (PersonaForm,), dict(FACT_FIELDS))


def make_text_field(label: Any, *, required: bool = False) -> forms.CharField:
    return forms.CharField(
        label=label, required=required, max_length=BLOCK_CHARACTERS, widget=UnfoldAdminTextareaWidget
    )


TEXT_FIELDS = {
    "persona": make_text_field(_("Who are they?"), required=True),
    "style": make_text_field(_("How do they speak?")),
}
NewPersonaForm = type("NewPersonaForm", (PersonaForm,), {**TEXT_FIELDS, **FACT_FIELDS})


@admin.register(Persona)
class PersonaAdmin(BlockHolderAdmin):
    person = "owner_id"
    is_edited = True
    offered = True
    form = FormWithFacts
    joined = ("owner",)
    list_display = ("name", "owner", "visibility", "language", "tagline", "created_at", "archived_at")
    list_filter = (("visibility", ChoiceFilter), ("language", ChoiceFilter), ("owner", AutocompleteFilter))
    search_fields = ("name", "tagline")
    readonly_fields = ("owner", "created_at", "archived_at")
    fieldsets = (
        (None, {"fields": ("name", "tagline", "language", "visibility", *readonly_fields)}),
        (_("Facts"), {"fields": PersonaFacts.NAMES, "classes": ["collapse"]}),
    )
    add_fieldsets = (
        (None, {"fields": (*PersonaForm.Meta.fields, *TEXT_FIELDS)}),
        (_("Facts"), {"fields": PersonaFacts.NAMES, "classes": ["collapse"]}),
    )
    actions = ("archive",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.is_theirs(request) and request.user.has_perm("personas.add_persona")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        return super().get_form(request, obj, change, **({} if change else {"form": NewPersonaForm}), **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return super().get_fieldsets(request, obj) if obj else self.add_fieldsets

    def label_fields(self, row: Any, names: Any) -> list[Any]:
        """Leave facts to a panel: they are not the persona's own columns."""
        return super().label_fields(row, [name for name in names if name not in PersonaFacts.NAMES])

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.readonly_fields if obj else ()

    def choice(self, row: Persona) -> str:
        return row.name

    def save_model(self, request: HttpRequest, obj: Persona, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        facts = {name: form.cleaned_data[name] for name in PersonaFacts.NAMES}
        own = {name: form.cleaned_data[name] for name in PersonaForm.Meta.fields}
        if change:
            editing.change(persona=obj, values={**own, "facts": facts}, now=timezone.now())
            return
        with transaction.atomic():
            visibility = own.pop("visibility")
            texts = {name: form.cleaned_data[name] for name in TEXT_FIELDS}
            made, _bond = onboarding.create(owner=get_user(request), **own, **texts, facts=facts, now=timezone.now())
            editing.change(persona=made, values={"visibility": visibility}, now=timezone.now())
        obj.pk = made.pk
        obj.refresh_from_db()

    @admin.action(description=_("Archive: nobody new can start chatting"), permissions=["change"])
    def archive(self, request: HttpRequest, queryset: QuerySet[Persona]) -> None:
        for persona in queryset:
            editing.archive(persona=persona, now=timezone.now())
        self.message_user(request, _("Archived. Existing chats continue."))

    def build_panels(self, request: HttpRequest, row: Persona) -> list[Panel]:
        bonds = row.bonds.select_related("user").order_by("id")
        seen = bonds if self.can_see_others(request) else bonds.filter(user=get_user(request))
        talking = [
            [link_to_row(bond, bond.user.shown_name), bond.created_at, format_mood(bond, "mood")]
            for bond in seen[:ROWS_MOST]
        ]
        more = link_to_list("personas_bond", f"persona__id__exact={row.pk}", _("all its bonds"))
        facts = PersonaFacts.objects.filter(persona=row).first()
        known = [[FACT_LABELS[name], said] for name, said in (facts.as_dict() if facts else {}).items() if said]
        return [
            *([] if self.has_change_permission(request, row) else [TablePanel(_("Facts"), [], known, _("None."))]),
            self.build_blocks_table(request, row),
            TablePanel(_("Who chats with it"), [_("user"), _("since"), _("mood")], talking, _("Nobody yet."), more),
        ]


@admin.register(CoreBlock)
class CoreBlockAdmin(ReadOnlyAdmin):
    is_edited = True
    joined = ("persona__owner", "bond__user", "bond__persona", "updated_by")
    list_display = ("holder", "titled", "said", "version", "updated_at", "updated_by")
    list_filter = (("label", ChoiceFilter), ("persona", AutocompleteFilter), ("bond", AutocompleteFilter))
    search_fields = ("content",)
    fields = ("holder", "titled", "content", "version", "updated_at", "updated_by")
    readonly_fields = ("holder", "titled", "version", "updated_at", "updated_by")

    def get_own_filter(self, request: HttpRequest) -> Q:
        return Q(persona__owner=request.user.pk) | Q(bond__user=request.user.pk)

    def get_person_id(self, row: CoreBlock) -> int | None:
        if row.persona is not None:
            return row.persona.owner_id
        return None if row.bond is None else row.bond.user_id

    @display(description=_("of"))
    def holder(self, row: CoreBlock) -> str:
        return describe_bond(row.bond) if row.persona is None else row.persona.name

    @display(description=_("label"))
    def titled(self, row: CoreBlock) -> str:
        return row.get_label_display()

    @display(description=_("text"))
    def said(self, row: CoreBlock) -> str:
        return shorten(row.content)

    def save_model(self, request: HttpRequest, obj: CoreBlock, form: Any, change: bool) -> None:  # noqa: FBT001 - Django's signature
        holder = obj.persona or obj.bond
        assert holder is not None  # a constraint of the table
        blocks.save(holder=holder, label=obj.label, content=obj.content, user=get_user(request), now=timezone.now())

    def get_urls(self) -> list[URLPattern]:
        restore = self.admin_site.admin_view(require_POST(self.restore_view))
        return [
            path("<path:object_id>/restore/<int:n>/", restore, name="personas_coreblock_restore"),
            *super().get_urls(),
        ]

    def restore_view(self, request: HttpRequest, object_id: str, n: int) -> HttpResponse:
        block = self.get_object(request, object_id)
        revision = BlockRevision.objects.filter(block=block, n=n).first() if block else None
        if revision is None or not self.has_change_permission(request, block):
            raise Http404
        blocks.restore(revision=revision, user=get_user(request), now=timezone.now())
        self.message_user(request, _("Version %(n)s is restored.") % {"n": n})
        return redirect("admin:personas_coreblock_change", block.pk)

    def build_panels(self, request: HttpRequest, row: CoreBlock) -> list[Panel]:
        may = self.has_change_permission(request, row)
        rows = [
            [
                revision.n,
                revision.content,
                revision.saved_at,
                "-" if revision.saved_by is None else revision.saved_by.shown_name,
                render_restore_form(request, revision) if may else "",
            ]
            for revision in row.revisions.select_related("saved_by").order_by("-n")[:ROWS_MOST]
        ]
        head = [_("version"), _("text"), _("saved"), _("saved by"), ""]
        return [TablePanel(_("Earlier versions"), head, rows, _("Never changed."))]


def render_restore_form(request: HttpRequest, revision: BlockRevision) -> str:
    url = reverse("admin:personas_coreblock_restore", args=[revision.block_id, revision.n])
    form = '<form method="post" action="{}"><input type="hidden" name="csrfmiddlewaretoken" value="{}"><button class="ev-button">{}</button></form>'
    return format_html(form, url, get_token(request), _("Restore"))


def format_mood(bond: Bond, name: str) -> str:
    """Format one field of the current mood: an old mood counts as neutral, though the row keeps it until the next session."""
    value = bond.episodic_state(timezone.now())[name]
    return translate_value(value) if isinstance(value, str) else str("-" if value is None else value)


@admin.register(Bond)
class BondAdmin(BlockHolderAdmin):
    person = "user_id"
    offered = True
    joined = ("user", "persona")
    list_display = ("who", "mood_now", "mood_updated_at", "created_at")
    list_filter = (("user", AutocompleteFilter), ("persona", AutocompleteFilter), ("created_at", DateRangeFilter))
    search_fields = ("user__username", "user__display_name", "persona__name")
    search_help_text = _("Name of the user or the companion")
    fields = ("user", "persona", "created_at", "mood_now", "energy_now", "signal_now", "mood_updated_at")

    def choice(self, row: Bond) -> str:
        return describe_bond(row)

    @display(description=_("bond"))
    def who(self, row: Bond) -> str:
        return describe_bond(row)

    @display(description=_("mood now"))
    def mood_now(self, row: Bond) -> str:
        return format_mood(row, "mood")

    @display(description=_("energy"))
    def energy_now(self, row: Bond) -> str:
        return format_mood(row, "energy")

    @display(description=_("user signal"))
    def signal_now(self, row: Bond) -> str:
        return format_mood(row, "last_user_signal")

    def build_panels(self, request: HttpRequest, row: Bond) -> list[Panel]:
        query = f"bond__id__exact={row.pk}"
        sections = [
            [link_to_list(f"memory_{model}", query, told)]
            for model, told in (
                ("session", _("Chats")),
                ("message", _("Messages")),
                ("event", _("Events")),
                ("fact", _("Facts")),
                ("thought", _("Thoughts")),
                ("intention", _("Promises")),
                ("expectation", _("Expectations")),
                ("entity", _("People & things")),
                ("import", _("Imports")),
            )
        ]
        return [self.build_blocks_table(request, row), TablePanel(_("Contents"), [_("section")], sections)]
