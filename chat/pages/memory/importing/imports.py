"""The pages of files from which memories are extracted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.pages.display import errors, formats
from chat.pages.memory.importing.import_form import ImportForm
from chat.pages.requests import check_costly_rate, get_own_bond, get_user, own_bond_page, private_page, report_in_form
from echovessel.llm import provider
from echovessel.materials import BYTES_MOST, diary
from memory.importing import control, intake, proposals
from memory.importing.control import ImportRefused
from memory.importing.writing import find_drawn_from_chunks
from memory.models import ConceptNode, Import, ImportChunk, Proposal
from personas.models import Bond
from personas.rest.uploads import accept_uploads

PIECES_A_PAGE = 20
LATEST = 4
HISTORY_MOST = 50
# How many invalid dates are named.
IMPOSSIBLE_MOST = 10
READ_STATES = [ImportChunk.State.DONE, ImportChunk.State.KNOWN, ImportChunk.State.FAILED]


@own_bond_page("GET", "POST")
@accept_uploads(most=BYTES_MOST)
def import_list(request: HttpRequest, bond: Bond) -> HttpResponse:
    form = ImportForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        if too_much := check_costly_rate(request):
            form.add_error(None, too_much)
            return render_imports(request, bond, form, status=429)
        with report_in_form(form):
            imported, _is_new = intake.take_in(bond=bond, now=timezone.now(), **read_content(form))
            return redirect("import", bond.pk, imported.pk)
    return render_imports(request, bond, form, status=422 if form.errors else 200)


def render_imports(request: HttpRequest, bond: Bond, form: ImportForm, *, status: int) -> HttpResponse:
    history = Import.objects.for_bond(bond).order_by("-id")[:HISTORY_MOST]
    context = {"bond": bond, "form": form, "history": [ImportItem(one) for one in history]}
    return render(request, "chat/imports/list.html", context, status=status)


def read_content(form: ImportForm) -> dict[str, Any]:
    """Return name and bytes of what the form holds."""
    file = form.cleaned_data["file"]
    if file is not None:
        return {"name": file.name, "content": file.read()}
    # A name made of the text would outlast what is forgotten of it.
    return {"name": _("Pasted text"), "content": form.cleaned_data["text"].encode()}


@private_page("GET")
def import_detail(request: HttpRequest, bond_id: int, import_id: int) -> HttpResponse:
    imported = get_own_import(request, bond_id, import_id)
    pages = Paginator(list_read_chunks(imported), PIECES_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = build_status_context(imported) | {
        "proposals": Proposal.objects.filter(of=imported).not_declined(),
        "page": page,
        "pieces": build_chunk_items(imported, page),
        "around": list(page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)),
    }
    return render(request, "chat/imports/import.html", context)


@private_page("GET")
def import_progress(request: HttpRequest, bond_id: int, import_id: int) -> HttpResponse:
    """Polled by the page while a file is being read; the page is loaded again at the end."""
    imported = get_own_import(request, bond_id, import_id)
    response = render(request, "chat/imports/_status.html", build_status_context(imported))
    if imported.state != Import.State.RUNNING:
        response["HX-Refresh"] = "true"
    return response


@private_page("POST")
def start_import(request: HttpRequest, bond_id: int, import_id: int) -> HttpResponse:
    imported = get_own_import(request, bond_id, import_id)
    if too_much := check_costly_rate(request):
        return render_not_started(request, imported, too_much, status=429)
    try:
        control.start(imported, now=timezone.now())
    except ImportRefused as error:
        return render_not_started(request, imported, errors.translate_error(error), status=409)
    return redirect("import", bond_id, import_id)


def render_not_started(request: HttpRequest, imported: Import, why: str, *, status: int) -> HttpResponse:
    return render(request, "chat/imports/import.html", build_status_context(imported) | {"refused": why}, status=status)


@private_page("POST")
def cancel_import(request: HttpRequest, bond_id: int, import_id: int) -> HttpResponse:
    control.cancel(get_own_import(request, bond_id, import_id), now=timezone.now())
    return redirect("import", bond_id, import_id)


@private_page("POST")
def erase_import(request: HttpRequest, bond_id: int, import_id: int) -> HttpResponse:
    imported = get_own_import(request, bond_id, import_id)
    try:
        control.erase(imported)
    except ImportRefused as error:
        return render_not_started(request, imported, errors.translate_error(error), status=409)
    return redirect("imports", bond_id)


@private_page("POST")
def accept_proposal(request: HttpRequest, bond_id: int, import_id: int, proposal_id: int) -> HttpResponse:
    proposal = get_own_proposal(request, bond_id, import_id, proposal_id)
    try:
        proposals.accept(proposal, user=get_user(request), now=timezone.now())
    except ImportRefused as error:
        return render_proposal(request, proposal, refused=errors.translate_error(error))
    return render_proposal(request, proposal)


@private_page("POST")
def decline_proposal(request: HttpRequest, bond_id: int, import_id: int, proposal_id: int) -> HttpResponse:
    proposal = get_own_proposal(request, bond_id, import_id, proposal_id)
    proposals.decline(proposal, now=timezone.now())
    return render_proposal(request, proposal)


def render_proposal(request: HttpRequest, proposal: Proposal, *, refused: str = "") -> HttpResponse:
    """Render the line for htmx, else its page."""
    if "HX-Request" not in request.headers:
        return redirect(f"{reverse('import', args=[proposal.bond_id, proposal.of_id])}#proposals")
    now_shown = Proposal.objects.filter(pk=proposal.pk).not_declined().first()
    context = {"bond": proposal.bond, "imported": proposal.of, "proposal": now_shown, "refused": refused}
    return render(request, "chat/imports/_proposal.html", context)


def get_own_import(request: HttpRequest, bond_id: int, import_id: int) -> Import:
    bond = get_own_bond(request, bond_id)
    imported = get_object_or_404(Import.objects.for_bond(bond), pk=import_id)
    imported.bond = bond
    return imported


def get_own_proposal(request: HttpRequest, bond_id: int, import_id: int, proposal_id: int) -> Proposal:
    imported = get_own_import(request, bond_id, import_id)
    proposal = get_object_or_404(Proposal.objects.select_related("bond"), of=imported, pk=proposal_id)
    proposal.of = imported
    return proposal


@dataclass(frozen=True)
class ImportItem:
    row: Import

    @property
    def why_failed(self) -> str:
        return errors.translate(self.row.failure_code, self.row.failure_detail, about="file")

    @property
    def state(self) -> str:
        return str(self.row.get_state_display())

    @property
    def writes(self) -> str:
        """What it wrote so far, of each kind of which there is any."""
        row = self.row
        told = (
            (row.events_count, ngettext("%(counter)s event", "%(counter)s events", row.events_count)),
            (row.facts_count, ngettext("%(counter)s fact", "%(counter)s facts", row.facts_count)),
            (row.thoughts_count, ngettext("%(counter)s thought", "%(counter)s thoughts", row.thoughts_count)),
            (
                row.entities_count,
                ngettext("%(counter)s person or thing", "%(counter)s people and things", row.entities_count),
            ),
        )
        nothing = _("nothing to remember") if row.state == Import.State.DONE else ""
        return " · ".join(words % {"counter": count} for count, words in told if count) or nothing


@dataclass(frozen=True)
class ChunkItem:
    chunk: ImportChunk
    memories: Sequence[ConceptNode]

    @property
    def name(self) -> str:
        on = formats.format_day(self.chunk.said_on) if self.chunk.said_on else ""
        return " · ".join(part for part in (self.chunk.title, on) if part)


@dataclass(frozen=True)
class OfflineWarnings:
    """What the offline voice cannot read well in a file, shown before it is read."""

    pieces: int
    undated: int
    impossible: Sequence[str]


def get_warnings(imported: Import) -> OfflineWarnings | None:
    """Return None if a model reads the file."""
    if not provider.get_llm().offline:
        return None
    left = list(
        imported.chunks.filter(state__in=control.UNREAD_STATES).order_by("number").values_list("said_on", "title")
    )
    undated = [title for said_on, title in left if said_on is None and not diary.parse_month(title)]
    impossible = dict.fromkeys(title for title in undated if diary.is_impossible_date(title))
    return OfflineWarnings(len(left), len(undated), list(impossible)[:IMPOSSIBLE_MOST])


def build_status_context(imported: Import) -> dict[str, Any]:
    left = imported.chunks.filter(state__in=control.UNREAD_STATES).values_list("token_count", flat=True)
    is_waiting = imported.state == Import.State.WAITING
    return {
        "bond": imported.bond,
        "imported": imported,
        "shown": ImportItem(imported),
        "estimate": intake.estimate_from_tokens(list(left)) if is_waiting else None,
        "cautions": get_warnings(imported) if is_waiting else None,
        "latest": build_chunk_items(imported, list_read_chunks(imported)[:LATEST])
        if imported.state == Import.State.RUNNING
        else [],
        "proposals_count": imported.proposals.filter(declined_at=None).count(),
    }


def list_read_chunks(imported: Import) -> Any:
    return imported.chunks.filter(state__in=READ_STATES).order_by("-read_at", "-number")


def build_chunk_items(imported: Import, chunks: Iterable[ImportChunk]) -> list[ChunkItem]:
    chunks = list(chunks)
    memories: dict[str, list[ConceptNode]] = {}
    for node in find_drawn_from_chunks(imported.bond, chunks):
        memories.setdefault((node.answer_key or "").split(":")[1], []).append(node)
    return [ChunkItem(chunk, memories.get(chunk.digest, [])) for chunk in chunks]
