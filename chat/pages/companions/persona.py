"""The page of a companion: its picture and texts with earlier versions, and with whom it is shared."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from chat.pages.display import errors
from chat.pages.requests import check_costly_rate, get_own_bond, get_user, private_page
from personas import avatars, blocks, editing
from personas.api.drafts import build_card_response
from personas.avatars import AvatarError
from personas.blocks import Holder
from personas.forms import FactsForm
from personas.models import BLOCK_CHARACTERS, BlockRevision, Bond, CoreBlock, Persona, PersonaFacts
from personas.rest.uploads import accept_uploads

REVISIONS_MOST = 20
TEXTS = {
    "persona": (
        gettext_lazy("Who they are"),
        gettext_lazy("Where they come from, what they do, what they care about."),
    ),
    "style": (gettext_lazy("How they speak"), gettext_lazy("Long or short, plain or playful.")),
    "user": (gettext_lazy("About you"), gettext_lazy("What they know about you from the start. Only you write it.")),
    "own-style": (
        gettext_lazy("How they speak with you"),
        gettext_lazy("Replaces their usual style, with you only. Leave blank to keep the usual style."),
    ),
}


class PersonaForm(FactsForm):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    tagline = forms.CharField(label=gettext_lazy("Tagline"), max_length=200, required=False)
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=[(Persona.Language.ENGLISH, "English"), (Persona.Language.CHINESE, "中文")],
    )
    picture = forms.FileField(
        label=gettext_lazy("Picture"), required=False, help_text=gettext_lazy("PNG, JPEG or WebP, at most 4 MiB.")
    )
    no_picture = forms.BooleanField(label=gettext_lazy("Remove picture"), required=False)

    def clean_picture(self) -> bytes:
        """Return the picture encoded again, or None."""
        file = self.cleaned_data["picture"]
        if file is None:
            return b""
        try:
            return avatars.redraw(file.read(avatars.BYTES_MOST + 1))
        except AvatarError as error:
            raise forms.ValidationError(errors.translate_error(error)) from error

    def own_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("name", "tagline", "language", "picture", "no_picture")]

    def save(self, persona: Persona, *, now: datetime) -> None:
        given = self.cleaned_data
        facts = {name: given[name] for name in PersonaFacts.NAMES}
        editing.change(
            persona=persona,
            values={"name": given["name"], "tagline": given["tagline"], "language": given["language"], "facts": facts},
            now=now,
        )
        if given["picture"] or given["no_picture"]:
            editing.change_picture(persona=persona, content=given["picture"], now=now)


class TextForm(forms.Form):
    content = forms.CharField(
        required=False,
        max_length=BLOCK_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 6, "class": "reading", "dir": "auto"}),
    )


@dataclass(frozen=True)
class EditableText:
    """A text of L1 with its form and its earlier versions."""

    name: str
    form: TextForm
    block: CoreBlock | None

    @property
    def title(self) -> str:
        return str(TEXTS[self.name][0])

    @property
    def hint(self) -> str:
        return str(TEXTS[self.name][1])

    @property
    def revisions(self) -> list[BlockRevision]:
        return list(self.block.revisions.order_by("-n")[:REVISIONS_MOST]) if self.block else []


@private_page
@accept_uploads(most=avatars.BYTES_MOST)
def persona_page(request: HttpRequest, bond_id: int) -> HttpResponse:
    bond = get_own_bond(request, bond_id)
    form = PersonaForm(request.POST or None, initial=build_initial(bond.persona))
    if request.method == "POST":
        get_own_persona(request, bond)
        # Decoding a picture is costly, so it is skipped after too many.
        too_much = check_costly_rate(request) if request.FILES else ""
        form.files = MultiValueDict() if too_much else request.FILES
        if too_much:
            form.add_error("picture", too_much)
        if form.is_valid():
            form.save(bond.persona, now=timezone.now())
            messages.success(request, _("Saved."))
            return redirect("persona", bond.pk)
    return render_page(request, bond, form=form)


def build_initial(persona: Persona) -> dict[str, Any]:
    facts = getattr(persona, "facts", None)
    return {
        "name": persona.name,
        "tagline": persona.tagline,
        "language": persona.language,
        **(facts.as_dict() if facts else {}),
    }


def get_own_persona(request: HttpRequest, bond: Bond) -> Persona:
    """Return the bond's persona if it is the reader's own. A shared persona cannot be changed."""
    return get_object_or_404(Persona.objects.owned_by(get_user(request)), pk=bond.persona_id)


def render_page(request: HttpRequest, bond: Bond, **more: Any) -> HttpResponse:
    is_own = bond.persona.owner_id == get_user(request).pk and bond.persona.archived_at is None
    names = ["persona", "style", "user", "own-style"] if is_own else ["user", "own-style"]
    context = {
        "bond": bond,
        "is_own": is_own,
        "texts": [build_text(bond, name) for name in names],
        "form": PersonaForm(initial=build_initial(bond.persona)),
        "others": bond.persona.bonds.exclude(pk=bond.pk).count() if is_own else 0,
        **more,
    }
    wrong = any(form.errors for form in (context["form"], *(one.form for one in context["texts"])))
    return render(request, "chat/companions/companion.html", context, status=422 if wrong else 200)


def build_text(bond: Bond, name: str, form: TextForm | None = None) -> EditableText:
    holder = bond.persona if name in ("persona", "style") else bond
    block = blocks.find(holder, get_label(name))
    return EditableText(name, form or TextForm(initial={"content": block.content if block else ""}, prefix=name), block)


def get_label(name: str) -> str:
    return "style" if name == "own-style" else name


def get_writable_holder(request: HttpRequest, bond: Bond, name: str) -> Holder:
    """Return the text's holder, if the reader may write it."""
    if name not in TEXTS:
        raise Http404
    return get_own_persona(request, bond) if name in ("persona", "style") else bond


@private_page
@require_POST
def save_text(request: HttpRequest, bond_id: int, name: str) -> HttpResponse:
    """Replace a text and keep the old one as a revision."""
    bond = get_own_bond(request, bond_id)
    holder = get_writable_holder(request, bond, name)
    form = TextForm(request.POST, prefix=name)
    if form.is_valid():
        content = form.cleaned_data["content"].replace("\r\n", "\n")
        blocks.save(holder=holder, label=get_label(name), content=content, user=get_user(request), now=timezone.now())
        messages.success(request, _("Saved. The earlier version is kept below the text."))
        return redirect("persona", bond.pk)
    is_owner = bond.persona.owner_id == get_user(request).pk
    visible = [other for other in TEXTS if is_owner or other in ("user", "own-style")]
    shown = [build_text(bond, other, form if other == name else None) for other in visible]
    return render_page(request, bond, texts=shown)


@private_page
@require_POST
def restore_text(request: HttpRequest, bond_id: int, name: str, n: int) -> HttpResponse:
    bond = get_own_bond(request, bond_id)
    block = blocks.find(get_writable_holder(request, bond, name), get_label(name))
    revision = get_object_or_404(
        BlockRevision.objects.select_related("block__persona", "block__bond"), block=block, n=n
    )
    blocks.restore(revision=revision, user=get_user(request), now=timezone.now())
    messages.success(request, _("Earlier version restored."))
    return redirect("persona", bond.pk)


@private_page
@require_POST
def share_persona(request: HttpRequest, bond_id: int) -> HttpResponse:
    """Let everybody on this install create a bond with it, or stop that."""
    bond = get_own_bond(request, bond_id)
    wanted = Persona.Visibility.SHARED if "shared" in request.POST else Persona.Visibility.PRIVATE
    editing.change(persona=get_own_persona(request, bond), values={"visibility": wanted}, now=timezone.now())
    return redirect("persona", bond.pk)


@private_page
@require_GET
def persona_card(request: HttpRequest, bond_id: int, kind: str) -> HttpResponse:
    """Download the companion as a character card."""
    if kind not in ("png", "json"):
        raise Http404
    return build_card_response(get_own_persona(request, get_own_bond(request, bond_id)), kind)
