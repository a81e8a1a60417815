"""The pages of what is remembered: lists, one memory with its evidence both ways, correcting, forgetting, the trash, search."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat.pages import languages
from chat.pages.bond import number, own_bond, own_page
from chat.pages.display import labels
from chat.pages.forms.memories import CorrectionForm, FilterForm, tags_of
from chat.pages.timeline import STATES, WORDS
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
    "thoughts": (Type.THOUGHT,),
    "promises": (Type.INTENTION, Type.EXPECTATION),
}
LAYER_OF = {kind: layer for layer, kinds in LAYERS.items() for kind in kinds}
OUTCOMES = {
    Type.INTENTION: (
        ("kept", gettext_lazy("Kept")),
        ("broken", gettext_lazy("Not kept")),
        ("cancelled", gettext_lazy("Let go")),
    ),
    Type.EXPECTATION: (("fulfilled", gettext_lazy("Came true")), ("missed", gettext_lazy("Did not come true"))),
}
TRASH_WORDS = {**WORDS, "message": gettext_lazy("Line")}
PAGE = 30
FORGOTTEN_AT_ONCE = 100


@dataclass(frozen=True)
class Shown:
    """A memory with the words that stand beside it."""

    row: Any

    @property
    def word(self) -> str:
        return str(WORDS[self.row.type])

    @property
    def is_past(self) -> bool:
        return bool(self.row.state == ConceptNode.State.SUPERSEDED)

    @property
    def state(self) -> str:
        if self.row.stale:
            return _("rests on what has changed since")
        return str(STATES.get(self.row.state, ""))

    @property
    def tags(self) -> list[str]:
        return [labels.tag(tag) for tag in self.row.relational_tags]

    @property
    def feelings(self) -> list[str]:
        return [labels.tag(tag) for tag in self.row.emotion_tags]

    @property
    def days(self) -> str:
        """When it happened or is due, in words."""
        start, end = self.row.event_time_start, self.row.event_time_end
        first, last = start or end, end or start
        if first is None:
            return ""
        if self.row.type in (Type.INTENTION, Type.EXPECTATION):
            is_overdue = self.row.state == ConceptNode.State.OPEN and last < timezone.localdate()
            return (_("overdue, due %(day)s") if is_overdue else _("due %(day)s")) % {"day": day(last)}
        return day(first) if first == last else f"{day(first)} – {day(last)}"

    @property
    def outcomes(self) -> Sequence[tuple[str, Any]]:
        return OUTCOMES.get(self.row.type, ()) if node_outcomes.may_become(self.row, first_outcome(self.row)) else ()


def day(one: date) -> str:
    return date_format(one, pgettext("day of another year", "j M Y"))


def first_outcome(node: ConceptNode) -> str:
    outcomes = OUTCOMES.get(Type(node.type), ())
    return outcomes[0][0] if outcomes else ""


@own_page
@require_GET
def memories(request: HttpRequest, bond_id: int, layer: str = "events") -> HttpResponse:
    """One layer, filtered and sorted; a filter that makes no sense is as if it was not there."""
    bond = own_bond(request, bond_id)
    nodes = ConceptNode.objects.of(bond).filter(type__in=kinds(layer), deleted_at=None)
    form = FilterForm(request.GET, tags=tags_of(nodes), layer=layer)
    page = Paginator(form.apply(nodes, bond=bond), PAGE).get_page(request.GET.get("page"))
    context = {
        "bond": bond,
        "layer": layer,
        "form": form,
        "page": page,
        "memories": [Shown(node) for node in page],
        "asked": without_page(request),
        "undo": undo(bond, number(request, "forgotten")),
    }
    return render(request, "chat/memories/list.html", context)


def kinds(layer: str) -> Sequence[str]:
    if layer not in LAYERS:
        raise Http404
    return LAYERS[layer]


def without_page(request: HttpRequest) -> str:
    asked = request.GET.copy()
    asked.pop("page", None)
    asked.pop("forgotten", None)
    return asked.urlencode()


def undo(bond: Bond, node_id: int | None) -> Forgotten | None:
    """What was just forgotten, by the query of the page that is shown after it."""
    return Forgotten.objects.of(bond).filter(kind__in=LAYER_OF, object_id=node_id).first() if node_id else None


@own_page
@require_GET
def memory(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """One memory: what it rests on, down to the lines, what rests on it, and what it was before."""
    bond = own_bond(request, bond_id)
    node = own_node(bond, node_id)
    return render(request, "chat/memories/memory.html", memory_context(bond, node))


@own_page
@require_GET
def chain(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """The evidence of a memory, both ways, as a row of the list opens it."""
    bond = own_bond(request, bond_id)
    return render(request, "chat/memories/_chain.html", {"bond": bond, **chain_of(own_node(bond, node_id))})


def own_node(bond: Bond, node_id: int) -> Any:
    return get_object_or_404(ConceptNode.objects.of(bond).filter(deleted_at=None).shown(), pk=node_id)


def memory_context(bond: Bond, node: Any, form: CorrectionForm | None = None) -> dict[str, Any]:
    initial = {"description": node.description, "emotional_impact": node.emotional_impact}
    return {
        "bond": bond,
        "layer": LAYER_OF[node.type],
        "memory": Shown(node),
        "form": form or CorrectionForm(initial=initial),
        "before": shown(ConceptNode.objects.of(bond).filter(superseded_by=node, deleted_at=None)),
        "after": corrections.standing(node),
        **chain_of(node),
    }


def chain_of(node: Any) -> dict[str, Any]:
    depths = evidence.citing(node)
    citing = ConceptNode.objects.filter(bond=node.bond_id, pk__in=depths, deleted_at=None).order_by("id")
    return {
        "node": node,
        "lines": lines_of(node),
        "evidence": [(Shown(one.event), one.orphaned, one.messages) for one in evidence.trace(node)],
        "citing": sorted(shown(citing), key=lambda one: depths[one.row.pk]),
    }


def lines_of(node: Any) -> Sequence[Message]:
    said = Message.objects.filter(bond=node.bond_id, pk__in=node.source_ids)
    return list(said.defer("embedding", "search", "sketch").order_by("id"))


def shown(nodes: Iterable[ConceptNode]) -> list[Shown]:
    return [Shown(node) for node in nodes]


@own_page
@require_POST
def correct(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """Write what is right in the place of a memory; the old text stays as history."""
    bond = own_bond(request, bond_id)
    node = own_node(bond, node_id)
    form = CorrectionForm(request.POST)
    if form.is_valid():
        try:
            corrected = corrections.correct(node=node, now=timezone.now(), **form.cleaned_data)
        except (CorrectionError, EmbeddingError) as error:
            form.add_error(None, _(str(error)))
        else:
            messages.success(request, _("Corrected. What was there before stays as history."))
            return redirect("memory", bond.pk, corrected.pk)
    return render(request, "chat/memories/memory.html", memory_context(bond, node, form), status=422)


@own_page
@require_POST
def settle(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """Say how a promise or an expectation came out."""
    bond = own_bond(request, bond_id)
    node = own_node(bond, node_id)
    try:
        node_outcomes.settle_by_hand(node=node, outcome=request.POST.get("state", ""), now=timezone.now())
    except SettlingError as error:
        messages.error(request, languages.told(str(error), otherwise=_("How this ended is settled already.")))
    return redirect("memory", bond.pk, node.pk)


@own_page
@require_POST
def bring_back(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """Let a replaced memory stand again."""
    bond = own_bond(request, bond_id)
    node = own_node(bond, node_id)
    try:
        corrections.restore(node=node, now=timezone.now())
    except CorrectionError as error:
        messages.error(request, _(str(error)))
    return redirect("memory", bond.pk, node.pk)


@own_page
@require_http_methods(["GET", "POST"])
def forget(request: HttpRequest, bond_id: int, node_id: int) -> HttpResponse:
    """What goes with a memory, shown first; then it goes."""
    bond = own_bond(request, bond_id)
    node = own_node(bond, node_id)
    if request.method == "POST":
        removal.forget(node=node, now=timezone.now(), **ways(request))
        return redirect(f"{reverse('memories', args=[bond.pk, LAYER_OF[node.type]])}?forgotten={node.pk}")
    found = dependents.find(bond=bond, event=node, now=timezone.now())
    similar = ConceptNode.objects.of(bond).filter(pk__in=found.similar, deleted_at=None)
    said = Message.objects.of(bond).filter(deleted_at=None, session__deleted_at=None)
    context = {
        "bond": bond,
        "layer": LAYER_OF[node.type],
        "memory": Shown(node),
        "dependents": [Shown(one.node) for one in found.dependents],
        "lines": said.filter(pk__in=found.messages).order_by("id"),
        "found": found,
        "others": evidence.from_lines(bond, found.messages).exclude(pk=node.pk).count(),
        "similar": shown(similar),
    }
    return render(request, "chat/memories/forget.html", context)


def ways(request: HttpRequest) -> dict[str, str]:
    """What the person chose; all that is not said stays."""
    goes = request.POST.get("dependents") == removal.CASCADE
    lines_go = request.POST.get("lines") == removal.FORGET
    return {
        "dependents": removal.CASCADE if goes else removal.ORPHAN,
        "lines": removal.FORGET if lines_go else removal.KEEP,
    }


@own_page
@require_POST
def forget_many(request: HttpRequest, bond_id: int) -> HttpResponse:
    """Several at once: asked once more, since each may take others with it."""
    bond = own_bond(request, bond_id)
    ids = [int(one) for one in request.POST.getlist("memory") if one.isdecimal() and len(one) < 19]
    nodes = list(ConceptNode.objects.of(bond).filter(pk__in=ids[:FORGOTTEN_AT_ONCE], deleted_at=None).order_by("id"))
    layer = LAYER_OF[nodes[0].type] if nodes else "events"
    if not nodes:
        messages.info(request, _("Nothing was chosen."))
    elif "sure" not in request.POST:
        return render(
            request, "chat/memories/forget_many.html", {"bond": bond, "layer": layer, "memories": shown(nodes)}
        )
    gone = [removal.forget(node=node, now=timezone.now(), **ways(request)) for node in nodes]
    if count := sum(map(len, gone)):
        told = ngettext("%(count)s memory is forgotten.", "%(count)s memories are forgotten.", count) % {"count": count}
        messages.success(request, f"{told} {_('They stay in the trash for 30 days.')}")
    return redirect("memories", bond.pk, layer)


@own_page
@require_GET
def words(request: HttpRequest, bond_id: int) -> HttpResponse:
    """Search over everything that was said and is remembered."""
    bond = own_bond(request, bond_id)
    query = request.GET.get("q", "")[:200].replace("\x00", "")
    found = [Place(one) for one in search.search(bond=bond, query=query)] if query.strip() else []
    return render(
        request, "chat/memories/search.html", {"bond": bond, "layer": "words", "query": query, "found": found}
    )


@dataclass(frozen=True)
class Place:
    """A place where the words occur, its marks apart from its text."""

    row: search.Found

    @property
    def word(self) -> str:
        kinds_of_entities = self.row.layer == "L5"
        return str(TRASH_WORDS["entity" if kinds_of_entities else self.row.type])

    @property
    def sign(self) -> str:
        return {"L2": "words", "L5": "entity"}.get(self.row.layer, self.row.type)

    @property
    def pieces(self) -> list[tuple[bool, str]]:
        """The snippet as (is marked, text)."""
        parts = self.row.snippet.replace("]]", "[[").split("[[")
        return [(at % 2 == 1, part) for at, part in enumerate(parts) if part]


@own_page
@require_GET
def forgotten_things(request: HttpRequest, bond_id: int) -> HttpResponse:
    """What was forgotten in the last 30 days."""
    bond = own_bond(request, bond_id)
    page = Paginator(forgotten(bond), PAGE).get_page(request.GET.get("page"))
    rows = [(act, TRASH_WORDS[act.kind]) for act in trash.shown(list(page))]
    return render(request, "chat/memories/trash.html", {"bond": bond, "layer": "trash", "page": page, "rows": rows})


def forgotten(bond: Bond) -> QuerySet[Forgotten]:
    return Forgotten.objects.of(bond).order_by("-created_at", "-id")


@own_page
@require_POST
def restore(request: HttpRequest, bond_id: int, act_id: int) -> HttpResponse:
    bond = own_bond(request, bond_id)
    act = get_object_or_404(forgotten(bond).select_related("bond__user"), pk=act_id)
    try:
        trash.restore(act=act, now=timezone.now())
    except TrashError as error:
        taken = _("Somebody or something else goes by this name now.")
        messages.error(request, languages.told(error.detail, otherwise=taken))
        return redirect("trash", bond.pk)
    messages.success(request, _("It is remembered again."))
    return redirect("memory", bond.pk, act.object_id) if act.kind in LAYER_OF else redirect("trash", bond.pk)


@own_page
@require_POST
def erase(request: HttpRequest, bond_id: int, act_id: int) -> HttpResponse:
    bond = own_bond(request, bond_id)
    act = get_object_or_404(forgotten(bond).select_related("bond__user"), pk=act_id)
    try:
        purging.erase(act=act)
    except TrashError as error:
        messages.error(request, _(error.detail))
    else:
        messages.success(request, _("It is erased for good."))
    return redirect("trash", bond.pk)
