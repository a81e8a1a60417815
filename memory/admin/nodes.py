from typing import Any

from django.contrib import admin
from django.contrib.admin import display
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from memory.admin import finding
from memory.admin.correcting import Correctable, Settleable
from memory.admin.messages import said_table
from memory.admin.trash import Going
from memory.forgetting import dependents, removal, trash
from memory.models import ConceptNode, Event, Expectation, Intention, Message, Thought
from memory.nodes import evidence
from personas.admin.columns import excerpt, link, of_bond, word
from personas.admin.filters import Days, Offered, Range, Tag, Trash, Words, YesNo
from personas.admin.panels import ROWS_MOST, Panel, Table

State = ConceptNode.State
STATES: dict[str, tuple[State, ...]] = {
    ConceptNode.Type.EVENT: (State.LIVE, State.SUPERSEDED),
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


class States(Words):
    """Those that a node of this type can be in."""

    def choices(self, changelist: Any) -> Any:
        fitting = {"", *STATES[changelist.model_admin.type]}
        for choice in super().choices(changelist):
            field = choice["form"].fields[self.lookup_kwarg]
            field.choices = [(value, label) for value, label in field.choices if value in fitting]
            yield choice


class NodeAdmin(Correctable):
    type: ConceptNode.Type
    deferred = ("embedding", "terms")
    joined = ("bond__user", "bond__persona", "session", "superseded_by", "conflicts_with")
    list_display = ("said", "who", "emotional_impact", "subject", "tags", "state", "origin", "created_at")
    list_filter = (
        Trash,
        ("subject", Words),
        ("state", States),
        ("origin", Words),
        ("stale", YesNo),
        Tag,
        ("emotional_impact", Range),
        ("bond__user", Offered),
        ("bond__persona", Offered),
        ("bond", Offered),
        ("created_at", Days),
    )
    search_fields = ("terms",)
    search_help_text = _("Words in any inflection, in any language")
    ordering = ("-created_at", "-id")
    fieldsets = (
        (None, {"fields": ("description", "who", "subject", "emotional_impact", "emotion_tags", "relational_tags")}),
        (_("When"), {"fields": ("event_time_start", "event_time_end", "valid_from", "valid_until", "created_at")}),
        (
            _("How it stands"),
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
        (_("Where it comes from"), {"fields": ("origin", "confidence", "mention_count", "talk", "source_quote")}),
    )
    readonly_fields = ("who", "talk", "replaced_by", "conflicting")
    asks_how = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(type=self.type)

    def searched(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        return finding.nodes(rows, asked)

    @display(description=_("text"))
    def said(self, row: ConceptNode) -> str:
        return excerpt(row.description)

    @display(description=_("bond"))
    def who(self, row: ConceptNode) -> Any:
        return link(row.bond, of_bond(row.bond))

    @display(description=_("tags"))
    def tags(self, row: ConceptNode) -> str:
        return ", ".join(word(tag) for tag in (*row.relational_tags, *row.emotion_tags)) or "-"

    @display(description=_("session"))
    def talk(self, row: ConceptNode) -> Any:
        return "-" if row.session is None else link(row.session, row.session.shown_title or None)

    @display(description=_("replaced by"))
    def replaced_by(self, row: ConceptNode) -> Any:
        return "-" if row.superseded_by is None else link(row.superseded_by, excerpt(row.superseded_by.description))

    @display(description=_("does not fit"))
    def conflicting(self, row: ConceptNode) -> Any:
        return "-" if row.conflicts_with is None else link(row.conflicts_with, excerpt(row.conflicts_with.description))

    def panels(self, request: HttpRequest, row: ConceptNode) -> list[Panel]:
        sources = Message.objects.of(row.bond).filter(node_edges__node=row).order_by("id")
        evidenced = rests_on(row)
        shown: list[Panel] = [evidenced, said_table(_("Lines it comes from"), sources), carries(row), named_in(row)]
        is_of_lines = self.type in (ConceptNode.Type.EVENT, ConceptNode.Type.INTENTION)
        return shown[1:] if is_of_lines and not evidenced.rows else shown

    def going(self, row: ConceptNode) -> Going:
        return Going(row, row.description, touched(row))

    def forgetting(self, row: ConceptNode, **how: Any) -> None:
        removal.forget(node=row, **how)

    def bring_back(self, row: ConceptNode) -> None:
        trash.restore_node(node=row, now=timezone.now())


def rests_on(node: ConceptNode) -> Table:
    """What it cites, down to the lines."""
    rows = [
        [
            link(one.event, excerpt(one.event.description)),
            format_html_join(
                "", '<blockquote class="ev-quote">{}</blockquote>', ((quoted(line),) for line in one.messages)
            ),
            _("forgotten") if one.orphaned else "",
        ]
        for one in evidence.trace(node)[:ROWS_MOST]
    ]
    return Table(_("Rests on"), [_("memory"), _("lines"), ""], rows, _("It cites nothing."))


def quoted(line: Message) -> Any:
    return format_html("{}: {}", word(line.role), link(line, excerpt(line.content)))


def carries(node: ConceptNode) -> Table:
    """What cites it, directly or through others."""
    depths = evidence.citing(node)
    citing = ConceptNode.objects.of(node.bond).filter(pk__in=list(depths)[:ROWS_MOST]).defer("embedding", "terms")
    rows = [
        [word(one.type), link(one, excerpt(one.description)), word(one.state), depths[one.pk]]
        for one in sorted(citing, key=lambda one: (depths[one.pk], one.pk))
    ]
    return Table(
        _("What rests on it"), [_("type"), _("text"), _("state"), _("steps away")], rows, _("Nothing rests on it.")
    )


def named_in(node: ConceptNode) -> Table:
    known = node.entities.filter(deleted_at=None).defer("embedding").order_by("id")[:ROWS_MOST]
    rows = [[link(one, one.canonical_name), word(one.kind)] for one in known]
    return Table(_("People and things in it"), [_("name"), _("kind")], rows, _("Nobody and nothing is named."))


def touched(node: ConceptNode) -> list[Table]:
    """What knows of it, before it is forgotten."""
    shown: Any = ConceptNode.objects.of(node.bond).shown().get(pk=node.pk)
    found = dependents.find(bond=node.bond, event=shown, now=timezone.now())
    rows = [[word(one.node.type), link(one.node, excerpt(one.node.description)), one.depth] for one in found.dependents]
    similar = ConceptNode.objects.of(node.bond).filter(pk__in=found.similar).defer("embedding", "terms").order_by("id")
    lines = Message.objects.of(node.bond).filter(pk__in=found.messages).order_by("id")
    counts = [
        [_("people and things in it"), len(found.mentions)],
        [_("summaries made anew"), len(found.summaries)],
        [_("descriptions made anew"), len(found.descriptions)],
    ]
    return [
        Table(_("What rests on it"), [_("type"), _("text"), _("steps away")], rows, _("Nothing rests on it.")),
        said_table(_("Lines it comes from"), lines),
        Table(_("Also touched"), ["", _("number")], counts),
        Table(
            _("Much like it, and staying"),
            [_("text")],
            [[link(one, excerpt(one.description))] for one in similar],
            _("Nothing."),
        ),
    ]


@admin.register(Event)
class EventAdmin(NodeAdmin):
    type = ConceptNode.Type.EVENT


@admin.register(Thought)
class ThoughtAdmin(NodeAdmin):
    type = ConceptNode.Type.THOUGHT


@admin.register(Intention)
class IntentionAdmin(Settleable, NodeAdmin):
    type = ConceptNode.Type.INTENTION


@admin.register(Expectation)
class ExpectationAdmin(Settleable, NodeAdmin):
    type = ConceptNode.Type.EXPECTATION
