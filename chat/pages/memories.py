"""The pages of memories: lists, one memory with its evidence, correcting, forgetting, the trash, search."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat.pages.bond import get_int_param, get_own_bond, private_page
from chat.pages.display import errors, labels
from chat.pages.display.formats import format_day
from chat.pages.forms.memories import CorrectionForm, FilterForm, list_tags
from chat.pages.timeline import KIND_LABELS, STATE_LABELS
from echovessel.embeddings.embedding import EmbeddingError
from memory.forgetting import dependents, purging, removal, trash
from memory.forgetting.trash import TrashError
from memory.models import ConceptNode, Forgotten, Message
from memory.nodes import corrections, evidence
from memory.nodes import outcomes as node_outcomes
from memory.nodes.corrections import CorrectionError
from memory.nodes.outcomes import SettlingError
from memory.search import search
from personas.models import Bond

Type = ConceptNode.Type
LAYERS: dict[str, Sequence[str]] = {
    "events": (Type.EVENT,),
    "facts": (Type.FACT,),
    "thoughts": (Type.THOUGHT,),
    "promises": (Type.INTENTION, Type.EXPECTATION),
}
LAYER_OF = {kind: layer for layer, kinds in LAYERS.items() for kind in kinds}
OUTCOMES = {
    Type.INTENTION: (
        ("kept", gettext_lazy("Kept")),
        ("broken", gettext_lazy("Not kept")),
        ("cancelled", gettext_lazy("Cancelled")),
    ),
    Type.EXPECTATION: (("fulfilled", gettext_lazy("Came true")), ("missed", gettext_lazy("Did not come true"))),
}
TRASH_LABELS = {**KIND_LABELS, "message": gettext_lazy("Message")}
PAGE_SIZE = 30
FORGOTTEN_AT_ONCE = 100


@dataclass(frozen=True)
class MemoryItem:
    """A memory with its labels."""

    row: Any

    @property
    def word(self) -> str:
        return str(KIND_LABELS[self.row.type])

    @property
    def is_past(self) -> bool:
        return bool(self.row.state == ConceptNode.State.SUPERSEDED)

    @property
    def state(self) -> str:
        if self.row.stale:
            return _("based on something that changed later")
        return str(STATE_LABELS.get(self.row.state, ""))

    @property
    def tags(self) -> list[str]:
        return [labels.translate_tag(tag) for tag in self.row.relational_tags]

    @property
    def feelings(self) -> list[str]:
        return [labels.translate_tag(tag) for tag in self.row.emotion_tags]

    @property
    def days(self) -> str:
        """When it happened or is due, in words."""
        start, end = self.row.event_time_start, self.row.event_time_end
        first, last = start or end, end or start
        if first is None:
            return ""
        if self.row.type in (Type.INTENTION, Type.EXPECTATION):
            is_overdue = self.row.state == ConceptNode.State.OPEN and last < timezone.localdate()
            return (_("overdue, due %(day)s") if is_overdue else _("due %(day)s")) % {"day": format_day(last)}
        return format_day(first) if first == last else f"{format_day(first)} – {format_day(last)}"

    @property
    def outcomes(self) -> Sequence[tuple[str, Any]]:
        return (
            OUTCOMES.get(self.row.type, ()) if node_outcomes.can_become(self.row, get_first_outcome(self.row)) else ()
        )


def get_first_outcome(node: ConceptNode) -> str:
    outcomes = OUTCOMES.get(Type(node.type), ())
    return outcomes[0][0] if outcomes else ""


@private_page
@require_GET
def memory_list(request: HttpRequest, bond_id: int, layer: str = "events") -> HttpResponse:
    """Show one layer, filtered and sorted. Invalid filters are ignored."""
    bond = get_own_bond(request, bond_id)
    nodes = ConceptNode.objects.for_bond(bond).not_deleted().filter(type__in=get_layer_types(layer))
    form = FilterForm(request.GET, tags=list_tags(nodes), layer=layer)
    page = Paginator(form.apply(nodes, bond=bond), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "bond": bond,
        "layer": layer,
        "form": form,
        "page": page,
        "memories": [MemoryItem(node) for node in page],
        "asked": build_filter_query(request),
        "undo": find_last_forgotten(bond, get_int_param(request, "forgotten")),
    }
    return render(request, "chat/memories/list.html", context)


def get_layer_types(layer: str) -> Sequence[str]:
    if layer not in LAYERS:
        raise Http404
    return LAYERS[layer]


def build_filter_query(request: HttpRequest) -> str:
    asked = request.GET.copy()
    asked.pop("page", None)
    asked.pop("forgotten", None)
    return asked.urlencode()


def find_last_forgotten(bond: Bond, node_id: int | None) -> Forgotten | None:
    """Find what was just forgotten, by the query of the page that follows."""
    return Forgotten.objects.for_bond(bond).filter(kind__in=LAYER_OF, object_id=node_id).first() if node_id else None


@private_page
@require_GET
def memory_detail(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """Show one memory: its evidence down to messages, what cites it, and its earlier versions."""
    bond = get_own_bond(request, bond_id)
    node = get_own_node(bond, node_id)
    return render(request, "chat/memories/memory.html", build_memory_context(bond, node))


@private_page
@require_GET
def memory_evidence(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """The evidence of a memory, below its row in the list."""
    bond = get_own_bond(request, bond_id)
    return render(
        request, "chat/memories/_chain.html", {"bond": bond, **build_evidence_context(get_own_node(bond, node_id))}
    )


def get_own_node(bond: Bond, node_id: int) -> Any:
    return get_object_or_404(ConceptNode.objects.for_bond(bond).not_deleted().for_serializer(), pk=node_id)


def build_memory_context(bond: Bond, node: Any, form: CorrectionForm | None = None) -> dict[str, Any]:
    initial = {"description": node.description, "emotional_impact": node.emotional_impact}
    return {
        "bond": bond,
        "layer": LAYER_OF[node.type],
        "memory": MemoryItem(node),
        "form": form or CorrectionForm(initial=initial),
        "before": build_items(ConceptNode.objects.for_bond(bond).not_deleted().filter(superseded_by=node)),
        "after": corrections.find_successor(node),
        **build_evidence_context(node),
    }


def build_evidence_context(node: Any) -> dict[str, Any]:
    depths = evidence.find_citing_depths(node)
    citing = ConceptNode.objects.not_deleted().filter(bond=node.bond_id, pk__in=depths).order_by("id")
    return {
        "node": node,
        "lines": list_source_messages(node),
        "evidence": [(MemoryItem(one.event), one.orphaned, one.messages) for one in evidence.load(node)],
        "citing": sorted(build_items(citing), key=lambda one: depths[one.row.pk]),
    }


def list_source_messages(node: Any) -> Sequence[Message]:
    sources = Message.objects.filter(bond=node.bond_id, pk__in=node.source_ids)
    return list(sources.without_heavy_columns().order_by("id"))


def build_items(nodes: Iterable[ConceptNode]) -> list[MemoryItem]:
    return [MemoryItem(node) for node in nodes]


@private_page
@require_POST
def correct_memory(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """Correct a memory; the old text stays as history."""
    bond = get_own_bond(request, bond_id)
    node = get_own_node(bond, node_id)
    form = CorrectionForm(request.POST)
    if form.is_valid():
        try:
            corrected = corrections.correct(node=node, now=timezone.now(), **form.cleaned_data)
        except (CorrectionError, EmbeddingError) as error:
            form.add_error(None, _(str(error)))
        else:
            messages.success(request, _("Corrected. The earlier text stays as history."))
            return redirect("memory", bond.pk, corrected.pk)
    return render(request, "chat/memories/memory.html", build_memory_context(bond, node, form), status=422)


@private_page
@require_POST
def settle_memory(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """Record how a promise or an expectation ended."""
    bond = get_own_bond(request, bond_id)
    node = get_own_node(bond, node_id)
    try:
        node_outcomes.settle_by_hand(node=node, outcome=request.POST.get("state", ""), now=timezone.now())
    except SettlingError as error:
        messages.error(request, errors.translate_error(error, about="outcome"))
    return redirect("memory", bond.pk, node.pk)


@private_page
@require_POST
def restore_memory(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """Restore a corrected memory."""
    bond = get_own_bond(request, bond_id)
    node = get_own_node(bond, node_id)
    try:
        corrections.restore(node=node, now=timezone.now())
    except CorrectionError as error:
        messages.error(request, errors.translate_error(error))
    return redirect("memory", bond.pk, node.pk)


@private_page
@require_http_methods(["GET", "POST"])
def forget_memory(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """Show what goes with a memory, then forget it."""
    bond = get_own_bond(request, bond_id)
    node = get_own_node(bond, node_id)
    if request.method == "POST":
        removal.forget_node(node=node, now=timezone.now(), **get_forget_options(request))
        return redirect(f"{reverse('memories', args=[bond.pk, LAYER_OF[node.type]])}?forgotten={node.pk}")
    found = dependents.find(bond=bond, event=node, now=timezone.now())
    similar = ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=found.similar)
    sources = Message.objects.for_bond(bond).not_deleted().without_deleted_sessions()
    context = {
        "bond": bond,
        "layer": LAYER_OF[node.type],
        "memory": MemoryItem(node),
        "dependents": [MemoryItem(one.node) for one in found.dependents],
        "lines": sources.filter(pk__in=found.messages).order_by("id"),
        "found": found,
        "others": evidence.find_drawn_from_messages(bond, found.messages).exclude(pk=node.pk).count(),
        "similar": build_items(similar),
    }
    return render(request, "chat/memories/forget.html", context)


def get_forget_options(request: HttpRequest) -> dict[str, str]:
    """Return the reader's choices; what is not chosen stays."""
    goes = request.POST.get("dependents") == removal.CASCADE
    lines_go = request.POST.get("lines") == removal.FORGET
    return {
        "dependents": removal.CASCADE if goes else removal.ORPHAN,
        "lines": removal.FORGET if lines_go else removal.KEEP,
    }


@private_page
@require_POST
def forget_memories(request: HttpRequest, bond_id: int) -> HttpResponse:
    """Forget several after asking once more, since each may take others with it."""
    bond = get_own_bond(request, bond_id)
    ids = [int(one) for one in request.POST.getlist("memory") if one.isdecimal() and len(one) < 19]
    nodes = list(ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=ids[:FORGOTTEN_AT_ONCE]).order_by("id"))
    layer = LAYER_OF[nodes[0].type] if nodes else "events"
    if not nodes:
        messages.info(request, _("Nothing was selected."))
    elif "sure" not in request.POST:
        return render(
            request, "chat/memories/forget_many.html", {"bond": bond, "layer": layer, "memories": build_items(nodes)}
        )
    gone = [removal.forget_node(node=node, now=timezone.now(), **get_forget_options(request)) for node in nodes]
    if count := sum(map(len, gone)):
        notice = ngettext("%(count)s memory is forgotten.", "%(count)s memories are forgotten.", count) % {
            "count": count
        }
        messages.success(request, f"{notice} {_('They stay in the trash for 30 days.')}")
    return redirect("memories", bond.pk, layer)


@private_page
@require_GET
def search_memories(request: HttpRequest, bond_id: int) -> HttpResponse:
    """Search all messages and memories."""
    bond = get_own_bond(request, bond_id)
    query = request.GET.get("q", "")[:200].replace("\x00", "")
    found = [SearchItem(one) for one in search.search(bond=bond, query=query)] if query.strip() else []
    return render(
        request, "chat/memories/search.html", {"bond": bond, "layer": "words", "query": query, "found": found}
    )


@dataclass(frozen=True)
class SearchItem:
    """A match, with its marks separate from its text."""

    row: search.SearchHit

    @property
    def word(self) -> str:
        kinds_of_entities = self.row.layer == "L5"
        return str(TRASH_LABELS["entity" if kinds_of_entities else self.row.type])

    @property
    def sign(self) -> str:
        return {"L2": "words", "L5": "entity"}.get(self.row.layer, self.row.type)

    @property
    def pieces(self) -> list[tuple[bool, str]]:
        """The snippet as pairs of (is marked, text)."""
        parts = self.row.snippet.replace("]]", "[[").split("[[")
        return [(at % 2 == 1, part) for at, part in enumerate(parts) if part]


@private_page
@require_GET
def trash_list(request: HttpRequest, bond_id: int) -> HttpResponse:
    """Show what was forgotten in the last 30 days."""
    bond = get_own_bond(request, bond_id)
    page = Paginator(list_forgotten(bond), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = [(act, TRASH_LABELS[act.kind]) for act in trash.attach_texts(list(page))]
    return render(request, "chat/memories/trash.html", {"bond": bond, "layer": "trash", "page": page, "rows": rows})


def list_forgotten(bond: Bond) -> QuerySet[Forgotten]:
    return Forgotten.objects.for_bond(bond).order_by("-created_at", "-id")


@private_page
@require_POST
def restore_forgotten(request: HttpRequest, bond_id: int, act_id: int) -> HttpResponse:
    bond = get_own_bond(request, bond_id)
    act = get_object_or_404(list_forgotten(bond).select_related("bond__user"), pk=act_id)
    try:
        trash.restore(act=act, now=timezone.now())
    except TrashError as error:
        messages.error(request, errors.translate_error(error))
        return redirect("trash", bond.pk)
    messages.success(request, _("Restored."))
    return redirect("memory", bond.pk, act.object_id) if act.kind in LAYER_OF else redirect("trash", bond.pk)


@private_page
@require_POST
def erase_forgotten(request: HttpRequest, bond_id: int, act_id: int) -> HttpResponse:
    bond = get_own_bond(request, bond_id)
    act = get_object_or_404(list_forgotten(bond).select_related("bond__user"), pk=act_id)
    try:
        purging.erase(act=act)
    except TrashError as error:
        messages.error(request, errors.translate_error(error))
    else:
        messages.success(request, _("Erased."))
    return redirect("trash", bond.pk)
