"""The page of a companion: its picture and texts with earlier versions, and with whom it is shared."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from chat.pages.companions.companion_forms import OWN_FIELDS, PERSONA_TEXTS, TEXTS, CompanionForms, get_label
from chat.pages.display import labels
from chat.pages.requests import check_costly_rate, get_user, own_bond_page
from memory.jobs.queue import enqueue_once
from personas import answering, avatars, blocks, editing
from personas.api.drafts import build_card_response
from personas.authored import openings
from personas.blocks import Holder
from personas.models import BlockRevision, Bond, KeptCard, OpeningRevision, Persona
from personas.rest.uploads import accept_uploads
from personas.rest.views import get_own_persona


@own_bond_page()
@accept_uploads(most=avatars.BYTES_MOST)
def persona_page(request: HttpRequest, bond: Bond) -> HttpResponse:
    if request.method != "POST":
        return render_page(request, bond)
    if any(name in request.POST for name in OWN_FIELDS):
        get_own_persona(request, bond.persona_id)
    given = CompanionForms(bond, is_own=is_own_bond(request, bond), posted=request.POST)
    # Decoding a picture is costly, so it is skipped after too many.
    too_much = check_costly_rate(request) if request.FILES and given.identity.is_bound else ""
    given.identity.files = MultiValueDict() if too_much else request.FILES
    if too_much:
        given.identity.add_error("picture", too_much)
    wrong = given.list_wrong()
    if wrong:
        return render_page(request, bond, forms=given, wrong=wrong)
    messages.success(request, labels.describe_saved(given.save(user=get_user(request), now=timezone.now())))
    return redirect("persona", bond.pk)


def is_own_bond(request: HttpRequest, bond: Bond) -> bool:
    return bond.persona.owner_id == get_user(request).pk and bond.persona.archived_at is None


def render_page(
    request: HttpRequest, bond: Bond, *, forms: CompanionForms | None = None, wrong: Sequence[tuple[str, str]] = ()
) -> HttpResponse:
    is_own = is_own_bond(request, bond)
    context = {
        "bond": bond,
        "is_own": is_own,
        "forms": forms or CompanionForms(bond, is_own=is_own),
        "wrong": wrong,
        "origin": describe_origin(bond.persona) if is_own else [],
        "lore_count": bond.persona.lore.count() if is_own else 0,
        "others": bond.persona.bonds.exclude(pk=bond.pk).count() if is_own else 0,
    }
    return render(request, "chat/companions/companion.html", context, status=422 if wrong else 200)


def get_writable_holder(request: HttpRequest, bond: Bond, name: str) -> Holder:
    """Return the text's holder, if the reader may write it."""
    if name not in TEXTS:
        raise Http404
    return get_own_persona(request, bond.persona_id) if name in PERSONA_TEXTS else bond


@own_bond_page("POST")
def restore_text(request: HttpRequest, bond: Bond, name: str, n: int) -> HttpResponse:
    block = blocks.find(get_writable_holder(request, bond, name), get_label(name))
    revision = get_object_or_404(
        BlockRevision.objects.select_related("block__persona", "block__bond"), block=block, n=n
    )
    blocks.restore(revision=revision, user=get_user(request), now=timezone.now())
    messages.success(request, _("Earlier version restored."))
    return redirect("persona", bond.pk)


@own_bond_page("POST")
def restore_opening(request: HttpRequest, bond: Bond, n: int) -> HttpResponse:
    persona = get_own_persona(request, bond.persona_id)
    revision = get_object_or_404(OpeningRevision.objects.filter(opening=persona.pk), n=n)
    openings.restore(revision=revision, user=get_user(request), now=timezone.now())
    messages.success(request, _("Earlier version restored."))
    return redirect("persona", bond.pk)


@own_bond_page("POST")
def erase_earlier(request: HttpRequest, bond: Bond, name: str) -> HttpResponse:
    """Erase the earlier versions of a text, or of how the first chat begins, at once."""
    if name == "opening":
        OpeningRevision.objects.filter(opening=get_own_persona(request, bond.persona_id).pk).delete()
    else:
        blocks.erase_earlier(get_writable_holder(request, bond, name), get_label(name))
    enqueue_once("memory.tasks.vacuum")
    messages.success(request, _("Earlier versions erased."))
    return redirect("persona", bond.pk)


@own_bond_page("POST")
def share_persona(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Let everybody on this install create a bond with it, or stop that."""
    wanted = Persona.Visibility.SHARED if "shared" in request.POST else Persona.Visibility.PRIVATE
    editing.change(persona=get_own_persona(request, bond.persona_id), values={"visibility": wanted}, now=timezone.now())
    return redirect("persona", bond.pk)


@own_bond_page("GET")
def answer_models(request: HttpRequest, bond: Bond) -> HttpResponse:
    """Render the menu of the models that the connected server lists."""
    get_own_persona(request, bond.persona_id)
    return render(request, "chat/companions/_answer_models.html", {"listed": answering.list_models()})


@own_bond_page("GET")
def persona_card(request: HttpRequest, bond: Bond, kind: str) -> HttpResponse:
    if kind not in ("png", "json"):
        raise Http404
    return build_card_response(get_own_persona(request, bond.persona_id), kind)


def describe_origin(persona: Persona) -> list[tuple[str, list[str]]]:
    """Return what a card's author noted, each with its name and one text or more; nothing for a persona without a card."""
    kept = KeptCard.objects.filter(persona=persona).first()
    if kept is None:
        return []
    noted = {
        "creator": _("Author"),
        "character_version": _("Version"),
        "tags": _("Tags"),
        "source": _("Source"),
        "creator_notes": _("Notes of the author"),
    }
    found = [(label, _list_texts(kept.fields.get(name))) for name, label in noted.items()]
    return [(label, texts) for label, texts in found if texts]


def _list_texts(value: object) -> list[str]:
    # What a card brings is kept as it came: a list may hold anything.
    given = value if isinstance(value, list) else [value]
    return [text for text in given if isinstance(text, str) and text.strip()]
