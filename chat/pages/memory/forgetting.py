"""Forgetting memories, and the trash."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.pages.display import second_person
from chat.pages.memory.items import LAYER_OF, MemoryItem, build_items, get_own_node
from chat.pages.requests import own_bond_page, parse_id, report_refusal
from memory.facts import by_hand, changing
from memory.facts.shared import presses, sharing
from memory.forgetting import dependents, purging, removal, trash
from memory.models import ConceptNode, Forgotten, Message
from memory.nodes import evidence
from memory.story import withdrawal
from personas.models import Bond

PAGE_SIZE = 30
FORGOTTEN_AT_ONCE = 100


@own_bond_page("GET", "POST")
def forget_memory(request: HttpRequest, bond: Bond, node_id: int) -> HttpResponse:
    """Show what goes with a memory, then forget it."""
    node = get_own_node(bond, node_id)
    if request.method == "POST":
        forget_one(request, node)
        return redirect(f"{reverse('memories', args=[bond.pk, LAYER_OF[node.type]])}?forgotten={node.pk}")
    found = dependents.find(bond=bond, event=node)
    is_past = node.state == ConceptNode.State.SUPERSEDED
    along = changing.find_going(bond, node) if node.type == ConceptNode.Type.FACT and not is_past else []
    gone = {node.pk, *(one.pk for one in along)}
    similar = ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=found.similar).exclude(pk__in=gone)
    sources = Message.objects.for_bond(bond).not_deleted().without_deleted_sessions()
    context = {
        "bond": bond,
        "layer": LAYER_OF[node.type],
        "memory": MemoryItem(node),
        "dependents": [MemoryItem(one.node) for one in found.dependents],
        "lines": sources.filter(pk__in=found.messages).order_by("id"),
        "found": found,
        "others": evidence.find_drawn_from_messages(bond, found.messages).exclude(pk__in=gone).count(),
        "along": build_items(along),
        "has_basis": not gone.issuperset(node.filling_ids),
        "similar": build_items(similar),
    }
    return render(request, "chat/memories/forget.html", context)


def forget_one(request: HttpRequest, node: Any) -> list[int]:
    """Forget a memory as the reader chose, a fact with its copies. Returns the ids of what this bond forgot."""
    dependents = removal.CASCADE if request.POST.get("dependents") == removal.CASCADE else removal.ORPHAN
    lines = removal.FORGET if request.POST.get("lines") == removal.FORGET else removal.KEEP
    if node.type != ConceptNode.Type.FACT:
        return removal.forget_node(node=node, dependents=dependents, lines=lines, now=timezone.now())
    gone: list[int] = []
    with report_refusal(request):
        by_hand.forget(bond=node.bond, node=node, lines=lines, now=timezone.now())
        gone.append(node.pk)
    return gone


@own_bond_page("POST")
def forget_memories(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Forget several after asking once more, since each may take others with it."""
    ids = [pk for one in request.POST.getlist("memory") if (pk := parse_id(one)) is not None]
    nodes = list(ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=ids[:FORGOTTEN_AT_ONCE]).order_by("id"))
    layer = LAYER_OF[nodes[0].type] if nodes else "events"
    if not nodes:
        messages.info(request, _("Nothing was selected."))
    elif "sure" not in request.POST:
        return render(
            request, "chat/memories/forget_many.html", {"bond": bond, "layer": layer, "memories": build_items(nodes)}
        )
    count = 0
    for some in withdrawal.divide(nodes):
        with withdrawal.withdraw_together(now=timezone.now()):
            # In one order, whichever of them is told to all companions.
            sharing.lock_bonds(bond)
            count += sum(len(forget_one(request, node)) for node in some)
    if count:
        notice = ngettext("%(count)s memory is forgotten.", "%(count)s memories are forgotten.", count) % {
            "count": count
        }
        messages.success(request, f"{notice} {_('They stay in the trash for 30 days.')}")
    return redirect("memories", bond.pk, layer)


@own_bond_page("GET")
def trash_list(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Show what was forgotten in the last 30 days."""
    page = Paginator(list_forgotten(bond), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = [(act, act.get_kind_display()) for act in attach_texts(list(page))]
    return render(request, "chat/memories/trash.html", {"bond": bond, "layer": "trash", "page": page, "rows": rows})


def attach_texts(acts: Sequence[Forgotten]) -> list[Any]:
    """Attach the texts of what was forgotten, of facts in the second person, and how many messages went with a memory."""
    attached = trash.attach_texts(acts)
    for act in attached:
        is_of_messages = act.kind in (Forgotten.Kind.MESSAGE, Forgotten.Kind.SESSION)
        act.deleted_count = 0 if is_of_messages else len(act.taken.get("lines", ()))
        if act.kind == Forgotten.Kind.FACT:
            act.text = second_person.reword(act.text, facet=ConceptNode.Facet.ABOUT_YOU)
    return attached


def list_forgotten(bond: Bond) -> QuerySet[Forgotten]:
    return Forgotten.objects.for_bond(bond).order_by("-created_at", "-id")


@own_bond_page("POST")
def restore_forgotten(request: HttpRequest, bond: Bond, act_id: int) -> HttpResponse:
    act = get_object_or_404(list_forgotten(bond).select_related("bond__user"), pk=act_id)
    with report_refusal(request):
        presses.restore(act=act, now=timezone.now())
        messages.success(request, _("Restored."))
        if act.kind in LAYER_OF:
            return redirect("memory", bond.pk, act.object_id)
        if act.kind == Forgotten.Kind.ENTITY:
            return redirect("person", bond.pk, act.object_id)
    return redirect("trash", bond.pk)


@own_bond_page("POST")
def erase_forgotten(request: HttpRequest, bond: Bond, act_id: int) -> HttpResponse:
    act = get_object_or_404(list_forgotten(bond).select_related("bond__user"), pk=act_id)
    with report_refusal(request):
        purging.erase(act=act)
        messages.success(request, _("Erased."))
    return redirect("trash", bond.pk)
