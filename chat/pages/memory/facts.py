"""The pages of facts: by facet, added, changed, confirmed and ended by hand."""

from collections.abc import Callable
from functools import wraps
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from chat.pages.display import second_person
from chat.pages.memory import forgetting
from chat.pages.memory.fact_form import FactForm, build_form
from chat.pages.memory.fact_items import FactItem
from chat.pages.memory.memories import build_memory_context, find_last_forgotten
from chat.pages.requests import get_int_param, get_user, own_bond_page, report_in_form, report_refusal
from echovessel.text import strip_unstorable
from memory.facts import by_hand, changing
from memory.facts.rules import reading
from memory.facts.shared import sharing
from memory.models import ConceptNode, Forgotten, Message
from memory.search import conditions
from personas import blocks
from personas.models import Bond, CoreBlock

PAGE_SIZE = 60
FORGOTTEN_SHOWN = 5
QUERY_MOST = 200
State = ConceptNode.State


@own_bond_page("GET")
def fact_list(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Show the facts that hold, by facet, with what stands against one and what was forgotten lately."""
    form = build_form(said=load_said(bond, request.GET.get("turn", "")))
    return render(request, "chat/memories/facts.html", build_list_context(request, bond, form))


def load_said(bond: Bond, turn: str) -> str:
    """Return what the user said in a turn as a fact would say it, to be written down; "" where there is no such turn."""
    try:
        turn_id = UUID(turn)
    except ValueError:
        return ""
    said = (
        Message.objects.for_bond(bond)
        .visible()
        .filter(turn_id=turn_id, role=Message.Role.USER, session__off_record=False)
    )
    return reading.state(list(said.order_by("id").values_list("content", flat=True)))


def build_list_context(request: HttpRequest, bond: Bond, form: FactForm) -> dict[str, Any]:
    query = strip_unstorable(request.GET.get("q", "")).strip()[:QUERY_MOST]
    page = Paginator(filter_facts(bond, query), PAGE_SIZE).get_page(request.GET.get("page"))
    items = [FactItem(node) for node in page]
    groups = groupby([item for item in items if item.is_live], key=lambda item: item.facet)
    return {
        "bond": bond,
        "layer": "facts",
        "form": form,
        "query": query,
        "page": page,
        "uncertain": [item for item in items if item.is_uncertain],
        "groups": [(facet, list(own)) for facet, own in groups],
        "forgotten": load_forgotten(bond),
        "undo": find_last_forgotten(bond, get_int_param(request, "forgotten")),
    }


def filter_facts(bond: Bond, query: str) -> QuerySet[ConceptNode]:
    """Filter the facts that hold or are not certain: the latter first, then by facet, newest first."""
    wanted = conditions.match_nodes(bond, query) if query else Q()
    facts = ConceptNode.objects.for_bond(bond).facts().not_deleted().exclude(state=State.SUPERSEDED).filter(wanted)
    facets = [When(facet=facet, then=Value(rank)) for rank, facet in enumerate(ConceptNode.Facet)]
    ranked = facts.for_serializer().annotate(
        links=Count("links_from", distinct=True) + Count("links_to", distinct=True),
        rank=Case(*facets, output_field=IntegerField()),
        doubted=Case(When(state=State.UNCERTAIN, then=Value(0)), default=Value(1), output_field=IntegerField()),
    )
    return ranked.order_by("doubted", "rank", "-id")


def load_forgotten(bond: Bond) -> list[Any]:
    newest = forgetting.list_forgotten(bond).filter(kind=Forgotten.Kind.FACT)[:FORGOTTEN_SHOWN]
    return forgetting.attach_texts(list(newest))


@own_bond_page("POST")
def add_fact(request: HttpRequest, bond: Bond) -> HttpResponse:
    form = FactForm(request.POST)
    if form.is_valid():
        with report_in_form(form):
            _node, is_new = by_hand.save(
                bond=bond, draft=form.draft(), now=timezone.now(), show=second_person.address_reader
            )
            messages.success(request, _("Saved.") if is_new else _("This is noted already."))
            return redirect("facts", bond.pk)
    return render(request, "chat/memories/facts.html", build_list_context(request, bond, form), status=422)


@own_bond_page("POST")
def change_fact(request: HttpRequest, bond: Bond, node_id: int) -> HttpResponse:
    """Write a fact in place of another, which stays as history."""
    node = get_own_fact(bond, node_id)
    form = FactForm(request.POST)
    if form.is_valid():
        with report_in_form(form):
            write, *_copies = sharing.replace(node=node, draft=form.draft(), now=timezone.now())
            messages.success(request, _("Saved. The earlier text stays as history."))
            return redirect("memory", bond.pk, write.node_id)
    return render(request, "chat/memories/memory.html", build_memory_context(bond, node, form), status=422)


def get_own_fact(bond: Bond, node_id: int) -> Any:
    facts = ConceptNode.objects.for_bond(bond).facts().not_deleted().for_serializer()
    return get_object_or_404(facts, pk=node_id)


def act_on_fact(act: Callable[[HttpRequest, ConceptNode], str]) -> Callable[..., HttpResponse]:
    """Make the view of a button on a fact's page, which that page follows. `act` returns what to say; FactError and
    BlockFull are said in its place.
    """

    @own_bond_page("POST")
    @wraps(act)
    def view(request: HttpRequest, bond: Bond, node_id: int) -> HttpResponse:
        node = get_own_fact(bond, node_id)
        with report_refusal(request):
            messages.success(request, act(request, node))
        return redirect("memory", bond.pk, node.pk)

    return view


@act_on_fact
def confirm_fact(request: HttpRequest, node: ConceptNode) -> str:
    by_hand.confirm(node=node, now=timezone.now())
    return _("Confirmed.")


@act_on_fact
def end_fact(request: HttpRequest, node: ConceptNode) -> str:
    """End a fact without a successor: by the button that was pressed, it was true or never was."""
    reason = changing.WRONG if request.POST.get("reason") == changing.WRONG else changing.ENDED
    sharing.end(node=node, now=timezone.now(), reason=reason)
    return _("It stays as history.")


@act_on_fact
def share_fact(request: HttpRequest, node: ConceptNode) -> str:
    """Tell a fact to all companions, or by the other button let it stand here alone."""
    if "only_here" in request.POST:
        sharing.unshare(node=node, now=timezone.now())
        return _("Only this companion knows it now.")
    sharing.share(node=node, now=timezone.now())
    return _("All your companions know it now.")


@act_on_fact
def write_about_user(request: HttpRequest, node: ConceptNode) -> str:
    """Append a fact to the text about the user, which is theirs to write: with their name."""
    user = get_user(request)
    line = second_person.name_user(node.description, user.shown_name)
    blocks.append_line(holder=node.bond, label=CoreBlock.Label.USER, line=line, user=user, now=timezone.now())
    return _("Written into the text about you.")
