"""The page of a companion: who it is, its picture and texts with all earlier versions, whom it is shared with, what it knows of one."""

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

from chat.pages.bond import costs_too_much, own_bond, own_page, reader
from personas import avatars, blocks, editing
from personas.api.drafts import card_file
from personas.avatars import AvatarError
from personas.blocks import Holder
from personas.forms import fact
from personas.models import BLOCK_CHARACTERS, BlockRevision, Bond, CoreBlock, Persona, PersonaFacts
from personas.rest.uploads import takes_uploads

REVISIONS_MOST = 20
TEXTS = {
    "persona": (
        gettext_lazy("Who they are"),
        gettext_lazy("Where they come from, what they do, what they care about."),
    ),
    "style": (gettext_lazy("How they speak"), gettext_lazy("Long or short, plain or playful.")),
    "user": (gettext_lazy("About you"), gettext_lazy("What they know of you from the start. Only you write it.")),
    "own-style": (
        gettext_lazy("How they speak with you"),
        gettext_lazy("Takes the place of the way they speak otherwise, with you alone. Empty: as with everybody."),
    ),
}


class PersonaForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    tagline = forms.CharField(label=gettext_lazy("In one line"), max_length=200, required=False)
    language = forms.ChoiceField(
        label=gettext_lazy("Speaks"),
        choices=[(Persona.Language.ENGLISH, "English"), (Persona.Language.CHINESE, "中文")],
    )
    picture = forms.FileField(
        label=gettext_lazy("Picture"), required=False, help_text=gettext_lazy("PNG, JPEG or WebP, at most 4 MiB.")
    )
    no_picture = forms.BooleanField(label=gettext_lazy("Take the picture away"), required=False)
    full_name, gender, birth_date = fact("full_name"), fact("gender"), fact("birth_date")
    nationality, native_language, location = fact("nationality"), fact("native_language"), fact("location")
    time_zone, occupation, education = fact("time_zone"), fact("occupation"), fact("education")
    relationship_status, notes = fact("relationship_status"), fact("notes")

    def clean_picture(self) -> bytes:
        """The picture drawn anew, or nothing."""
        file = self.cleaned_data["picture"]
        if file is None:
            return b""
        try:
            return avatars.made_anew(file.read(avatars.BYTES_MOST + 1))
        except AvatarError as error:
            raise forms.ValidationError(_(error.detail)) from error

    def own_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("name", "tagline", "language", "picture", "no_picture")]

    def fact_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in PersonaFacts.NAMES]

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
class Text:
    """A text of L1 with its form and what it was before."""

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


@own_page
@takes_uploads(most=avatars.BYTES_MOST)
def persona(request: HttpRequest, bond_id: int) -> HttpResponse:
    bond = own_bond(request, bond_id)
    form = PersonaForm(request.POST or None, initial=beginning(bond.persona))
    if request.method == "POST":
        mine(request, bond)
        # To look at a picture is costly: it is not, where there were too many.
        too_much = costs_too_much(request) if request.FILES else ""
        form.files = MultiValueDict() if too_much else request.FILES
        if too_much:
            form.add_error("picture", too_much)
        if form.is_valid():
            form.save(bond.persona, now=timezone.now())
            messages.success(request, _("Saved."))
            return redirect("persona", bond.pk)
    return page(request, bond, form=form)


def beginning(persona: Persona) -> dict[str, Any]:
    facts = getattr(persona, "facts", None)
    return {
        "name": persona.name,
        "tagline": persona.tagline,
        "language": persona.language,
        **(facts.as_dict() if facts else {}),
    }


def mine(request: HttpRequest, bond: Bond) -> Persona:
    """The bond's persona where it is the reader's own; of a shared one there is nothing to change."""
    return get_object_or_404(Persona.objects.owned_by(reader(request)), pk=bond.persona_id)


def page(request: HttpRequest, bond: Bond, **told: Any) -> HttpResponse:
    is_own = bond.persona.owner_id == reader(request).pk and bond.persona.archived_at is None
    names = ["persona", "style", "user", "own-style"] if is_own else ["user", "own-style"]
    context = {
        "bond": bond,
        "is_own": is_own,
        "texts": [text(bond, name) for name in names],
        "form": PersonaForm(initial=beginning(bond.persona)),
        "others": bond.persona.bonds.exclude(pk=bond.pk).count() if is_own else 0,
        **told,
    }
    wrong = any(form.errors for form in (context["form"], *(one.form for one in context["texts"])))
    return render(request, "chat/companions/companion.html", context, status=422 if wrong else 200)


def text(bond: Bond, name: str, form: TextForm | None = None) -> Text:
    block = blocks.of(holder_of(bond, name), label_of(name))
    return Text(name, form or TextForm(initial={"content": block.content if block else ""}, prefix=name), block)


def holder_of(bond: Bond, name: str) -> Holder:
    return bond.persona if name in ("persona", "style") else bond


def label_of(name: str) -> str:
    return "style" if name == "own-style" else name


def writable(request: HttpRequest, bond: Bond, name: str) -> Holder:
    """Who holds the text, if it is the reader's to write."""
    if name not in TEXTS:
        raise Http404
    return mine(request, bond) if name in ("persona", "style") else bond


@own_page
@require_POST
def save_text(request: HttpRequest, bond_id: int, name: str) -> HttpResponse:
    """Replace a text; the old one is kept."""
    bond = own_bond(request, bond_id)
    holder = writable(request, bond, name)
    form = TextForm(request.POST, prefix=name)
    if form.is_valid():
        content = form.cleaned_data["content"].replace("\r\n", "\n")
        blocks.save(holder=holder, label=label_of(name), content=content, user=reader(request), now=timezone.now())
        messages.success(request, _("Saved. What was there before is kept below the text."))
        return redirect("persona", bond.pk)
    shown = [text(bond, other, form if other == name else None) for other in TEXTS if may_see(request, bond, other)]
    return page(request, bond, texts=shown)


def may_see(request: HttpRequest, bond: Bond, name: str) -> bool:
    return name in ("user", "own-style") or bond.persona.owner_id == reader(request).pk


@own_page
@require_POST
def restore_text(request: HttpRequest, bond_id: int, name: str, n: int) -> HttpResponse:
    bond = own_bond(request, bond_id)
    block = blocks.of(writable(request, bond, name), label_of(name))
    revision = get_object_or_404(
        BlockRevision.objects.select_related("block__persona", "block__bond"), block=block, n=n
    )
    blocks.restore(revision=revision, user=reader(request), now=timezone.now())
    messages.success(request, _("The earlier text stands again."))
    return redirect("persona", bond.pk)


@own_page
@require_POST
def share(request: HttpRequest, bond_id: int) -> HttpResponse:
    """Let everybody on this install begin a bond of their own with it, or nobody from now on."""
    bond = own_bond(request, bond_id)
    wanted = Persona.Visibility.SHARED if "shared" in request.POST else Persona.Visibility.PRIVATE
    editing.change(persona=mine(request, bond), values={"visibility": wanted}, now=timezone.now())
    return redirect("persona", bond.pk)


@own_page
@require_GET
def card(request: HttpRequest, bond_id: int, kind: str) -> HttpResponse:
    """The companion as a character card."""
    if kind not in ("png", "json"):
        raise Http404
    return card_file(mine(request, own_bond(request, bond_id)), kind)
