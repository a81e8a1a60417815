"""The pages of files that a bond's memory is drawn from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat.pages import languages
from chat.pages import memories as memory_pages
from chat.pages.bond import costs_too_much, own_bond, own_page, reader
from chat.pages.forms.imports import ImportForm
from chat.pages.session_list import WHY
from echovessel.llm import provider
from echovessel.materials import BYTES_MOST, MaterialError, diary
from memory.importing import control, intake, proposals
from memory.importing.control import ImportRefused
from memory.importing.writing import drawn_from
from memory.models import ConceptNode, Import, ImportChunk, Proposal
from personas.models import Bond
from personas.rest.uploads import takes_uploads

PIECES_A_PAGE = 20
LATEST = 4
HISTORY_MOST = 50
# Of dates that cannot be, so many are named.
IMPOSSIBLE_MOST = 10
STATES = {
    Import.State.WAITING: gettext_lazy("not started"),
    Import.State.RUNNING: gettext_lazy("being read"),
    Import.State.DONE: gettext_lazy("read"),
    Import.State.CANCELLED: gettext_lazy("stopped"),
    Import.State.FAILED: gettext_lazy("interrupted"),
}
WHY_FAILED = WHY | {"model_refused": gettext_lazy("The model did not want to read this file.")}
READ = [ImportChunk.State.DONE, ImportChunk.State.KNOWN, ImportChunk.State.FAILED]


@own_page
@require_http_methods(["GET", "POST"])
@takes_uploads(most=BYTES_MOST)
def imports(request: HttpRequest, bond_id: int) -> HttpResponse:
    """What can be taken in, and what was."""
    bond = own_bond(request, bond_id)
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        if too_much := costs_too_much(request):
            form.add_error(None, too_much)
            return imports_page(request, bond, form, status=429)
        try:
            imported, _is_new = intake.take(bond=bond, now=timezone.now(), **given(form))
        except MaterialError as error:
            # Its sentences are among the translated ones.
            form.add_error(None, _(error.detail))
        else:
            return redirect("import", bond.pk, imported.pk)
    return imports_page(request, bond, form, status=422 if form.errors else 200)


def imports_page(request: HttpRequest, bond: Bond, form: ImportForm, *, status: int) -> HttpResponse:
    history = Import.objects.of(bond).order_by("-id")[:HISTORY_MOST]
    context = {"bond": bond, "form": form, "history": [Shown(one) for one in history]}
    return render(request, "chat/imports/list.html", context, status=status)


def given(form: ImportForm) -> dict[str, Any]:
    """The name and the bytes of what the form holds."""
    file = form.cleaned_data["file"]
    if file is not None:
        return {"name": file.name, "content": file.read()}
    # A name made of its words would outlive what is forgotten of it.
    return {"name": intake.text_name(_("Pasted text")), "content": form.cleaned_data["text"].encode()}


@own_page
@require_GET
def one_import(request: HttpRequest, bond_id: int, import_id: int) -> HttpResponse:
    imported = own_import(request, bond_id, import_id)
    pages = Paginator(pieces_read(imported), PIECES_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = status_context(imported) | {
        "proposals": Proposal.objects.filter(of=imported).shown(),
        "page": page,
        "pieces": pieces(imported, page),
        "around": around(page),
    }
    return render(request, "chat/imports/import.html", context)


@own_page
@require_GET
def import_progress(request: HttpRequest, bond_id: int, import_id: int) -> HttpResponse:
    """What the page asks for again and again while a file is being read; at the end it is loaded anew."""
    imported = own_import(request, bond_id, import_id)
    response = render(request, "chat/imports/_status.html", status_context(imported))
    if imported.state != Import.State.RUNNING:
        response["HX-Refresh"] = "true"
    return response


@own_page
@require_POST
def start_import(request: HttpRequest, bond_id: int, import_id: int) -> HttpResponse:
    imported = own_import(request, bond_id, import_id)
    if too_much := costs_too_much(request):
        return not_started(request, imported, too_much, status=429)
    try:
        control.start(imported, now=timezone.now())
    except ImportRefused as error:
        return not_started(request, imported, _(error.detail), status=409)
    return redirect("import", bond_id, import_id)


def not_started(request: HttpRequest, imported: Import, why: str, *, status: int) -> HttpResponse:
    return render(request, "chat/imports/import.html", status_context(imported) | {"refused": why}, status=status)


@own_page
@require_POST
def cancel_import(request: HttpRequest, bond_id: int, import_id: int) -> HttpResponse:
    control.cancel(own_import(request, bond_id, import_id), now=timezone.now())
    return redirect("import", bond_id, import_id)


@own_page
@require_POST
def accept_proposal(request: HttpRequest, bond_id: int, import_id: int, proposal_id: int) -> HttpResponse:
    proposal = own_proposal(request, bond_id, import_id, proposal_id)
    try:
        proposals.accept(proposal, user=reader(request), now=timezone.now())
    except ImportRefused as error:
        return answered(request, proposal, refused=_(error.detail))
    return answered(request, proposal)


@own_page
@require_POST
def decline_proposal(request: HttpRequest, bond_id: int, import_id: int, proposal_id: int) -> HttpResponse:
    proposal = own_proposal(request, bond_id, import_id, proposal_id)
    proposals.decline(proposal, now=timezone.now())
    return answered(request, proposal)


def answered(request: HttpRequest, proposal: Proposal, *, refused: str = "") -> HttpResponse:
    """The line as it stands now, where htmx asks for it, else the page it is on."""
    if "HX-Request" not in request.headers:
        return redirect(f"{reverse('import', args=[proposal.bond_id, proposal.of_id])}#proposals")
    now_shown = Proposal.objects.filter(pk=proposal.pk).shown().first()
    context = {"bond": proposal.bond, "imported": proposal.of, "proposal": now_shown, "refused": refused}
    return render(request, "chat/imports/_proposal.html", context)


def own_import(request: HttpRequest, bond_id: int, import_id: int) -> Import:
    bond = own_bond(request, bond_id)
    imported = get_object_or_404(Import.objects.of(bond), pk=import_id)
    imported.bond = bond
    return imported


def own_proposal(request: HttpRequest, bond_id: int, import_id: int, proposal_id: int) -> Proposal:
    imported = own_import(request, bond_id, import_id)
    proposal = get_object_or_404(Proposal.objects.select_related("bond"), of=imported, pk=proposal_id)
    proposal.of = imported
    return proposal


@dataclass(frozen=True)
class Shown:
    """An import with how it stands, in words."""

    row: Import

    @property
    def why_failed(self) -> str:
        plainly = str(WHY_FAILED.get(self.row.failure_code, ""))
        return languages.told(self.row.failure_detail, otherwise=plainly or self.row.failure_detail)

    @property
    def state(self) -> str:
        return str(STATES[Import.State(self.row.state)])


@dataclass(frozen=True)
class Piece:
    """A chunk that was read, with the memories that were drawn from it."""

    chunk: ImportChunk
    memories: Sequence[ConceptNode]

    @property
    def name(self) -> str:
        on = memory_pages.day(self.chunk.said_on) if self.chunk.said_on else ""
        return " · ".join(part for part in (self.chunk.title, on) if part)


@dataclass(frozen=True)
class Cautions:
    """What rules will not read well of a file, said before it is read."""

    pieces: int
    undated: int
    impossible: Sequence[str]


def cautions(imported: Import) -> Cautions | None:
    """Nothing where a model reads it."""
    if not provider.current().offline:
        return None
    left = list(imported.chunks.filter(state__in=control.LEFT).order_by("number").values_list("said_on", "title"))
    undated = [title for said_on, title in left if said_on is None and not diary.month_of(title)]
    impossible = dict.fromkeys(title for title in undated if diary.is_impossible(title))
    return Cautions(len(left), len(undated), list(impossible)[:IMPOSSIBLE_MOST])


def status_context(imported: Import) -> dict[str, Any]:
    left = imported.chunks.filter(state__in=control.LEFT).values_list("token_count", flat=True)
    is_waiting = imported.state == Import.State.WAITING
    return {
        "bond": imported.bond,
        "imported": imported,
        "shown": Shown(imported),
        "estimate": intake.estimated(list(left)) if is_waiting else None,
        "cautions": cautions(imported) if is_waiting else None,
        "latest": pieces(imported, pieces_read(imported)[:LATEST]) if imported.state == Import.State.RUNNING else [],
        "proposals_count": imported.proposals.filter(declined_at=None).count(),
    }


def pieces_read(imported: Import) -> Any:
    return imported.chunks.filter(state__in=READ).order_by("-read_at", "-number")


def pieces(imported: Import, chunks: Iterable[ImportChunk]) -> list[Piece]:
    chunks = list(chunks)
    memories: dict[str, list[ConceptNode]] = {}
    for node in drawn_from(imported.bond, chunks):
        memories.setdefault((node.answer_key or "").split(":")[1], []).append(node)
    return [Piece(chunk, memories.get(chunk.digest, [])) for chunk in chunks]


def around(page: Page[Any]) -> list[int | str]:
    """The numbers of the pages near this one, with gaps."""
    return list(page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1))
