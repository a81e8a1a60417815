"""The pages to create a companion from texts, notes or an export, and to export one."""

from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from chat.models import Restoration
from chat.pages.display import errors
from chat.pages.requests import check_costly_rate, get_user, own_bond_page, private_page
from chat.transfer import restorations, restoring
from chat.turns.prompting import first_prompt
from echovessel.archives.zip_files import ArchiveError
from echovessel.llm import provider
from echovessel.llm.errors import LLMError
from echovessel.materials import BYTES_MOST, MaterialError
from echovessel.postgres.threads import release_connection
from personas import avatars, drafts, onboarding, ready
from personas.drafts import Draft
from personas.forms import AboutYouForm, MaterialForm, WriteForm
from personas.models import Bond, Persona, User
from personas.rest.uploads import accept_uploads

# The texts of which the prompt is previewed.
PREVIEWED = ("name", "persona", "user", "style", "scenario", "examples")


@private_page("GET")
def new_companion_page(request: HttpRequest) -> HttpResponse:
    return render(
        request, "chat/new_companion/choose.html", {"characters": ready.sort_by_language(get_reader_language())}
    )


@private_page()
def ready_companion(request: HttpRequest, key: str) -> HttpResponse:
    character = ready.find(key)
    if character is None:
        raise Http404
    form = AboutYouForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        texts = {name: value for name, value in vars(character).items() if name != "key"}
        _made, bond = onboarding.create(owner=get_user(request), now=timezone.now(), **texts, **form.cleaned_data)
        return redirect("bond", bond.pk)
    return render(request, "chat/new_companion/ready.html", {"character": character, "form": form})


@private_page()
def write_companion(request: HttpRequest) -> HttpResponse:
    """Write a companion from nothing or from a ready-made character's texts."""
    character = ready.find(request.GET.get("from", ""))
    form = WriteForm(
        request.POST or None,
        initial=WriteForm.build_initial(character) if character else {"language": get_reader_language()},
    )
    if request.method == "POST" and form.is_valid():
        return redirect("bond", create_companion(request, form).pk)
    return render(request, "chat/new_companion/write.html", {"form": form, "character": character})


@private_page()
@accept_uploads(most=BYTES_MOST)
def material_companion(request: HttpRequest) -> HttpResponse:
    """Draft a companion from notes or a file.

    The draft fills empty fields; nothing is stored before it is confirmed.
    """
    if "draft" in request.POST:
        return render(request, "chat/new_companion/material.html", build_draft_context(request))
    form = WriteForm(request.POST or None, initial={"language": get_reader_language()})
    if request.method == "POST" and form.is_valid():
        return redirect("bond", create_companion(request, form).pk)
    material = MaterialForm(initial={"material": request.POST.get("material", "")})
    return render(request, "chat/new_companion/material.html", {"form": form, "material": material})


def get_reader_language() -> str:
    """Return the reader's language, as one that companions speak."""
    is_chinese = (get_language() or "").startswith("zh")
    return str(Persona.Language.CHINESE if is_chinese else Persona.Language.ENGLISH)


def create_companion(request: HttpRequest, form: WriteForm) -> Bond:
    bond = onboarding.create(owner=get_user(request), now=timezone.now(), **form.get_values())[1]
    if picture := form.cleaned_data["avatar"]:
        avatars.put(persona=bond.persona, content=picture)
    return bond


def build_draft_context(request: HttpRequest) -> dict[str, Any]:
    """Return the page's entered values, filled up from a draft."""
    typed = {name: request.POST.get(name, "") for name in WriteForm.base_fields}
    material = MaterialForm(request.POST, request.FILES)
    page = {"form": WriteForm(initial=typed), "material": material}
    if material.is_valid() and (too_much := check_costly_rate(request)):
        material.add_error(None, too_much)
    if not material.is_valid():
        return page
    try:
        draft = make_draft(get_user(request), **material.cleaned_data)
    except (MaterialError, LLMError) as error:
        material.add_error(None, error.translate())
        return page
    filled, offered = WriteForm.fill_blanks(typed, WriteForm.build_initial(draft))
    form = WriteForm(initial=filled)
    form.offered = offered
    return page | {"form": form, "draft": draft, "offered": offered}


def make_draft(user: User, *, material: str, file: "UploadedFile[Any] | None") -> Draft:
    """Make a draft from a file or pasted text. Raises MaterialError, LLMError."""
    llm = provider.get_llm()
    release_connection()
    if file is None:
        return drafts.make_from_text(material, user=user, llm=llm)
    content = file.read()
    return drafts.make_from_file(file.name or "", content, user=user, llm=llm)


@private_page("POST")
def preview_prompt(request: HttpRequest) -> HttpResponse:
    form = WriteForm(request.POST)
    form.full_clean()
    texts = {name: request.POST.get(name, "") for name in PREVIEWED}
    text = first_prompt.render(get_user(request), facts=form.get_facts(), now=timezone.now(), texts=texts)
    return render(request, "chat/new_companion/_preview.html", {"text": text})


@private_page("POST")
@accept_uploads(most=restoring.UPLOAD_MOST)
def restore_export(request: HttpRequest) -> HttpResponse:
    file = request.FILES.get("file")
    user, now = get_user(request), timezone.now()
    wrong = _("Choose an exported zip.") if file is None else ""
    if too_much := check_costly_rate(request):
        wrong = too_much
    elif file is not None and (file.size or 0) > restoring.UPLOAD_MOST:
        wrong = _("This file is too large; at most 200 MiB are read.")
    if file is not None and not wrong:
        try:
            made = restorations.restore_or_queue(file, name=file.name or "", user=user, now=now)
        except ArchiveError as error:
            wrong = errors.translate_error(error, about="export")
        else:
            if isinstance(made, Restoration):
                return redirect("restoration", made.pk)
            return redirect("bond", made[0].pk) if len(made) == 1 else redirect("home")
    return render(
        request,
        "chat/new_companion/choose.html",
        {"characters": ready.sort_by_language(get_reader_language()), "wrong": wrong},
        status=400,
    )


@private_page("GET")
def restoration_detail(request: HttpRequest, restoration_id: int) -> HttpResponse:
    """Show the progress and result of a large restoration."""
    return render(request, "chat/new_companion/restoration.html", build_restoration_context(request, restoration_id))


@private_page("GET")
def restoration_progress(request: HttpRequest, restoration_id: int) -> HttpResponse:
    """Polled by the page while a worker restores; the page is loaded again at the end."""
    context = build_restoration_context(request, restoration_id)
    response = render(request, "chat/new_companion/_restoration_status.html", context)
    if context["restoration"].state not in Restoration.OPEN:
        response["HX-Refresh"] = "true"
    return response


def build_restoration_context(request: HttpRequest, restoration_id: int) -> dict[str, Any]:
    kept = get_object_or_404(Restoration, user=get_user(request), pk=restoration_id)
    bonds = (
        Bond.objects.for_user(get_user(request)).filter(pk__in=kept.restored).select_related("persona").order_by("id")
    )
    why = errors.translate(kept.failure_code, kept.failure_detail, about="export")
    return {"restoration": kept, "bonds": bonds, "why_failed": why}


@own_bond_page("GET")
def export_page(request: HttpRequest, own: Bond) -> HttpResponse:
    """Show what can be downloaded of a bond."""
    return render(
        request, "chat/companions/take_along.html", {"bond": own, "is_own": own.persona.owner_id == own.user_id}
    )
