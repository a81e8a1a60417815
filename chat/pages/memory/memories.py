"""The pages of memories: lists, one memory with its evidence, its correction and its outcome."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.pages.memory import fact_form
from chat.pages.memory.doubt_items import DoubtItem
from chat.pages.memory.fact_items import FactItem
from chat.pages.memory.forms import CorrectionForm, FilterForm, list_tags
from chat.pages.memory.items import LAYER_OF, LAYERS, MemoryItem, build_items, get_own_node
from chat.pages.requests import get_int_param, own_bond_page, report_in_form, report_refusal
from memory.doubts import sides
from memory.facts import by_hand, settlement
from memory.models import ConceptNode, Forgotten, Message
from memory.nodes import corrections, evidence, links
from memory.nodes import outcomes as node_outcomes
from personas.models import Bond

PAGE_SIZE = 30


@own_bond_page("GET")
def memory_list(request: HttpRequest, bond: Bond, layer: str = "events") -> HttpResponse:
    """Show one layer, filtered and sorted. Invalid filters are ignored."""
    if layer not in LAYERS:
        raise Http404
    nodes = ConceptNode.objects.for_bond(bond).not_deleted().filter(type__in=LAYERS[layer])
    form = FilterForm(request.GET, tags=list_tags(nodes), layer=layer)
    page = Paginator(form.apply(nodes, bond=bond), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "bond": bond,
        "layer": layer,
        "form": form,
        "page": page,
        "has_any": bool(page.object_list) or nodes.exists(),
        "memories": [MemoryItem(node) for node in page],
        "asked": build_filter_query(request),
        "undo": find_last_forgotten(bond, get_int_param(request, "forgotten")),
    }
    return render(request, "chat/memories/list.html", context)


def build_filter_query(request: HttpRequest) -> str:
    asked = request.GET.copy()
    asked.pop("page", None)
    asked.pop("forgotten", None)
    return asked.urlencode()


def find_last_forgotten(bond: Bond, object_id: int | None, kinds: Iterable[str] = LAYER_OF) -> Forgotten | None:
    """Find what was just forgotten, by the query of the page that follows."""
    return Forgotten.objects.for_bond(bond).filter(kind__in=kinds, object_id=object_id).first() if object_id else None


@own_bond_page("GET")
def memory_detail(request: HttpRequest, bond: Bond, node_id: int) -> HttpResponse:
    """Show one memory: its evidence down to messages, what cites it, and its earlier versions."""
    node = get_own_node(bond, node_id)
    return render(request, "chat/memories/memory.html", build_memory_context(bond, node))


@own_bond_page("GET")
def memory_evidence(request: HttpRequest, bond: Bond, node_id: int) -> HttpResponse:
    return render(
        request, "chat/memories/_chain.html", {"bond": bond, **build_evidence_context(get_own_node(bond, node_id))}
    )


def build_memory_context(bond: Bond, node: Any, form: forms.Form | None = None) -> dict[str, Any]:
    is_fact = node.type == ConceptNode.Type.FACT
    return {
        "bond": bond,
        "layer": LAYER_OF[node.type],
        "memory": FactItem(node) if is_fact else MemoryItem(node),
        "form": form or (fact_form.build_form(node) if is_fact else build_correction_form(node)),
        "links": links.load_linked(bond, node) if is_fact else [],
        "before": build_items(ConceptNode.objects.for_bond(bond).not_deleted().filter(superseded_by=node)),
        "after": corrections.find_successor(node),
        "doubt": build_doubt(node),
        **build_evidence_context(node),
    }


def build_doubt(node: ConceptNode) -> DoubtItem | None:
    """Build what is asked about a memory that is in doubt."""
    doubt = settlement.find_doubt(node)
    return DoubtItem(row=sides.load_sides([doubt])[0], can_undo=False) if doubt else None


def build_correction_form(node: ConceptNode) -> CorrectionForm:
    return CorrectionForm(initial={"description": node.description, "emotional_impact": node.emotional_impact})


def build_evidence_context(node: Any) -> dict[str, Any]:
    depths = evidence.find_citing_depths(node)
    citing = ConceptNode.objects.not_deleted().filter(bond=node.bond_id, pk__in=depths).order_by("id")
    sources = Message.objects.filter(bond=node.bond_id, pk__in=node.source_ids)
    # What a chat asked to forget is not told by what stays of it.
    lines = list(sources.not_hidden(node.bond).without_heavy_columns().order_by("id"))
    return {
        "node": node,
        "lines": lines,
        "hidden_count": len(node.source_ids) - len(lines),
        "evidence": [(MemoryItem(one.event), one.orphaned, one.messages) for one in evidence.load(node)],
        "citing": sorted(build_items(citing), key=lambda one: depths[one.row.pk]),
    }


@own_bond_page("POST")
def correct_memory(request: HttpRequest, bond: Bond, node_id: int) -> HttpResponse:
    """Correct a memory; the old text stays as history."""
    node = get_own_node(bond, node_id)
    form = CorrectionForm(request.POST)
    if form.is_valid():
        with report_in_form(form):
            corrected = corrections.correct(node=node, now=timezone.now(), **form.cleaned_data)
            messages.success(request, _("Corrected. The earlier text stays as history."))
            return redirect("memory", bond.pk, corrected.pk)
    return render(request, "chat/memories/memory.html", build_memory_context(bond, node, form), status=422)


@own_bond_page("POST")
def settle_memory(request: HttpRequest, bond: Bond, node_id: int) -> HttpResponse:
    """Record how a promise or an expectation ended."""
    node = get_own_node(bond, node_id)
    with report_refusal(request, about="outcome"):
        node_outcomes.settle_by_hand(node=node, outcome=request.POST.get("state", ""), now=timezone.now())
    return redirect("memory", bond.pk, node.pk)


@own_bond_page("POST")
def restore_memory(request: HttpRequest, bond: Bond, node_id: int) -> HttpResponse:
    node = get_own_node(bond, node_id)
    with report_refusal(request):
        if node.type == ConceptNode.Type.FACT:
            by_hand.restore(node=node, now=timezone.now())
        else:
            corrections.restore(node=node, now=timezone.now())
    return redirect("memory", bond.pk, node.pk)
