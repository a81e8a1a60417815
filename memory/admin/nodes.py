from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from memory.admin import finding
from memory.admin.correcting import CorrectableAdmin, FactForm, SettleableAdmin
from memory.admin.fact_panels import build_links_table, build_writes_table
from memory.admin.messages import build_messages_table
from memory.admin.trash import DeletionPreview
from memory.facts import by_hand
from memory.facts.drafts import FactDraft
from memory.facts.shared import sharing
from memory.forgetting import dependents, removal, trash
from memory.models import ConceptNode, Event, Expectation, Fact, Intention, Message, Thought
from memory.nodes import evidence
from personas.admin.columns import link_to_row, name_choice, shorten, translate_value
from personas.admin.filters import (
    BOND_FILTERS,
    BooleanFilter,
    ChoiceFilter,
    DateRangeFilter,
    NumberRangeFilter,
    TagFilter,
    TrashFilter,
)
from personas.admin.panels import ROWS_MOST, Panel, TablePanel

State = ConceptNode.State
STATES: dict[str, tuple[State, ...]] = {
    ConceptNode.Type.EVENT: (State.LIVE, State.SUPERSEDED),
    ConceptNode.Type.FACT: (State.LIVE, State.UNCERTAIN, State.SUPERSEDED),
    ConceptNode.Type.THOUGHT: (State.LIVE, State.SUPERSEDED),
    ConceptNode.Type.INTENTION: (
        State.OPEN,
        State.KEPT,
        State.BROKEN,
        State.CANCELLED,
        State.EXPIRED,
        State.SUPERSEDED,
    ),
    ConceptNode.Type.EXPECTATION: (State.PENDING, State.FULFILLED, State.MISSED, State.EXPIRED, State.SUPERSEDED),
}


class StateFilter(ChoiceFilter):
    def choices(self, changelist: Any) -> Any:
        fitting = {"", *STATES[changelist.model_admin.type]}
        for choice in super().choices(changelist):
            field = choice["form"].fields[self.lookup_kwarg]
            field.choices = [(value, label) for value, label in field.choices if value in fitting]
            yield choice


@admin.register(Event, Thought)
class NodeAdmin(CorrectableAdmin):
    deferred = ("embedding", "terms")
    joined = ("bond__user", "bond__persona", "session", "superseded_by", "conflicts_with")
    list_display = ("said", "who", "emotional_impact", "subject", "tags", "state", "created_at")
    list_filter = (
        TrashFilter,
        ("subject", ChoiceFilter),
        ("state", StateFilter),
        ("origin", ChoiceFilter),
        ("stale", BooleanFilter),
        TagFilter,
        ("emotional_impact", NumberRangeFilter),
        *BOND_FILTERS,
        ("created_at", DateRangeFilter),
    )
    search_fields = ("terms",)
    search_help_text = _("Words in any form, in any language")
    ordering = ("-created_at", "-id")
    fieldsets = (
        (None, {"fields": ("description", "who", "subject", "emotional_impact", "emotion_tags", "relational_tags")}),
        (_("When"), {"fields": ("event_time_start", "event_time_end", "valid_from", "valid_until", "created_at")}),
        (
            _("Status"),
            {
                "fields": (
                    "state",
                    "state_reason",
                    "stale",
                    "replaced_by",
                    "conflicting",
                    "source_deleted",
                    "deleted_at",
                )
            },
        ),
        (_("Source"), {"fields": ("origin", "confidence", "mention_count", "session_link", "source_quote")}),
    )
    asks_how = True

    @property
    def type(self) -> ConceptNode.Type:
        """The type that the section's proxy is named after."""
        return ConceptNode.Type(self.opts.model_name)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(type=self.type)

    def search_rows(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        return finding.find_nodes(rows, asked)

    @display(description=_("text"))
    def said(self, row: ConceptNode) -> str:
        return shorten(row.description)

    @display(description=_("tags"))
    def tags(self, row: ConceptNode) -> str:
        return ", ".join(translate_value(tag) for tag in (*row.relational_tags, *row.emotion_tags)) or "-"

    @display(description=_("replaced by"))
    def replaced_by(self, row: ConceptNode) -> Any:
        return link_to_node(row.superseded_by)

    @display(description=_("contradicts"))
    def conflicting(self, row: ConceptNode) -> Any:
        return link_to_node(row.conflicts_with)

    def build_panels(self, request: HttpRequest, row: ConceptNode) -> list[Panel]:
        sources = Message.objects.for_bond(row.bond).filter(node_edges__node=row).order_by("id")
        evidenced = build_evidence_table(row)
        shown: list[Panel] = [
            evidenced,
            build_messages_table(_("Messages it came from"), sources),
            build_dependents_table(row),
            build_entities_table(row),
        ]
        is_of_lines = self.type not in (ConceptNode.Type.THOUGHT, ConceptNode.Type.EXPECTATION)
        return shown[1:] if is_of_lines and not evidenced.rows else shown

    def build_preview(self, row: ConceptNode) -> DeletionPreview:
        return DeletionPreview(row, row.description, build_affected_tables(row))

    def forget_row(self, row: ConceptNode, **how: Any) -> None:
        removal.forget_node(node=row, **how)

    def restore_row(self, row: ConceptNode) -> None:
        trash.restore_node(node=row, now=timezone.now())


def link_to_node(node: ConceptNode | None) -> Any:
    return link_to_row(node, node and shorten(node.description))


def build_evidence_table(node: ConceptNode) -> TablePanel:
    rows = [
        [
            link_to_row(one.event, shorten(one.event.description)),
            format_html_join(
                "",
                '<blockquote class="ev-quote">{}</blockquote>',
                ((format_quote(message),) for message in one.messages),
            ),
            _("forgotten") if one.orphaned else "",
        ]
        for one in evidence.load(node)[:ROWS_MOST]
    ]
    return TablePanel(_("Based on"), [_("memory"), _("messages"), ""], rows, _("No evidence."))


def format_quote(line: Message) -> Any:
    return format_html("{}: {}", line.get_role_display(), link_to_row(line, shorten(line.content)))


def build_dependents_table(node: ConceptNode) -> TablePanel:
    depths = evidence.find_citing_depths(node)
    citing = (
        ConceptNode.objects.for_bond(node.bond).filter(pk__in=list(depths)[:ROWS_MOST]).without_heavy_columns("terms")
    )
    rows = [
        [one.get_type_display(), link_to_row(one, shorten(one.description)), one.get_state_display(), depths[one.pk]]
        for one in sorted(citing, key=lambda one: (depths[one.pk], one.pk))
    ]
    return TablePanel(
        _("Based on this"), [_("type"), _("text"), _("state"), _("steps away")], rows, _("Nothing is based on it.")
    )


def build_entities_table(node: ConceptNode) -> TablePanel:
    known = node.entities.not_deleted().defer("embedding").order_by("id")[:ROWS_MOST]
    rows = [[link_to_row(one, one.canonical_name), one.get_kind_display()] for one in known]
    return TablePanel(_("People & things in it"), [_("name"), _("kind")], rows, _("No people or things."))


def build_affected_tables(node: ConceptNode) -> list[TablePanel]:
    shown: Any = ConceptNode.objects.for_bond(node.bond).for_serializer().get(pk=node.pk)
    found = dependents.find(bond=node.bond, event=shown)
    rows = [
        [one.node.get_type_display(), link_to_row(one.node, shorten(one.node.description)), one.depth]
        for one in found.dependents
    ]
    similar = (
        ConceptNode.objects.for_bond(node.bond)
        .filter(pk__in=found.similar)
        .without_heavy_columns("terms")
        .order_by("id")
    )
    messages = Message.objects.for_bond(node.bond).filter(pk__in=found.messages).order_by("id")
    counts = [
        [_("people & things in it"), len(found.mentions)],
        [_("summaries rewritten"), len(found.summaries)],
        [_("descriptions rewritten"), len(found.descriptions)],
    ]
    return [
        TablePanel(_("Based on this"), [_("type"), _("text"), _("steps away")], rows, _("Nothing is based on it.")),
        build_messages_table(_("Messages it came from"), messages),
        TablePanel(_("Also affected"), ["", _("number")], counts),
        TablePanel(
            _("Similar, and kept"),
            [_("text")],
            [[link_to_row(one, shorten(one.description))] for one in similar],
            _("Nothing."),
        ),
    ]


@admin.register(Fact)
class FactAdmin(NodeAdmin):
    list_display: Any = ("said", "who", "facet", "tier", "slot_and_value", "state", "created_at")
    list_filter: Any = (("facet", ChoiceFilter), ("tier", ChoiceFilter), ("slot", ChoiceFilter), *NodeAdmin.list_filter)
    fieldsets: Any = (
        *NodeAdmin.fieldsets,
        (
            _("Fact"),
            {"fields": ("facet", "tier", "slot", "value", "detail", "grave", "last_confirmed_at", "last_decay_at")},
        ),
    )
    # Nothing is based on a fact, and its messages tell more than it: it is forgotten as on its page.
    asks_how = False
    correction_form = FactForm

    def build_panels(self, request: HttpRequest, row: ConceptNode) -> list[Panel]:
        return [*super().build_panels(request, row), build_writes_table(row), build_links_table(row)]

    @display(description=_("answers"), ordering="slot")
    def slot_and_value(self, row: ConceptNode) -> str:
        return f"{name_choice(row.get_slot_display())}: {row.value}" if row.slot else "-"

    def write_corrected(self, row: ConceptNode, form: Any) -> ConceptNode:
        draft = FactDraft(content=form.cleaned_data["description"], detail=row.detail)
        write, *_copies = sharing.replace(node=row, draft=draft, now=timezone.now())
        return write.node

    def forget_row(self, row: ConceptNode, **how: Any) -> None:
        by_hand.forget(bond=row.bond, node=row, **how)


@admin.register(Intention, Expectation)
class SettleableNodeAdmin(SettleableAdmin, NodeAdmin):
    pass
