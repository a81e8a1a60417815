"""The forms of a companion's page, which one *Save* stores: what it is, its texts, how it begins and how it answers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.db import transaction
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy

from chat.pages.companions.answers_form import AnswersForm, build_answers_form
from chat.pages.display import errors
from personas import avatars, blocks, editing
from personas.authored import openings
from personas.authored.opening_form import OpeningForm
from personas.avatars import AvatarError
from personas.forms import FactsForm
from personas.models import BLOCK_CHARACTERS, Bond, CoreBlock, Opening, OpeningRevision, Persona, PersonaFacts, User

REVISIONS_MOST = 20
# The texts that belong to the companion; only its owner reads and writes them.
PERSONA_TEXTS = blocks.LABELS[Persona]
TEXTS = {
    "persona": (
        gettext_lazy("Who they are"),
        gettext_lazy("Where they come from, what they do, what they care about."),
    ),
    "style": (gettext_lazy("How they speak"), gettext_lazy("Long or short, plain or playful.")),
    "scenario": (gettext_lazy("Scenario"), gettext_lazy("Where the two of you are, and what has happened so far.")),
    "examples": (gettext_lazy("Example dialogue"), gettext_lazy("How a chat with them may sound, line by line.")),
    "user": (gettext_lazy("About you"), gettext_lazy("What they know about you from the start. Only you write it.")),
    "own-style": (
        gettext_lazy("How they speak with you"),
        gettext_lazy("Replaces their usual style, with you only. Leave blank to keep the usual style."),
    ),
}


def get_label(name: str) -> str:
    return "style" if name == "own-style" else name


class PersonaForm(FactsForm):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)
    nickname = forms.CharField(
        label=gettext_lazy("Nickname"),
        max_length=80,
        required=False,
        help_text=gettext_lazy("What texts call them in the place of {{char}}. Leave blank to use the name."),
    )
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
        return [self[name] for name in ("name", "tagline", "language", "picture", "no_picture", "nickname")]

    def save(self, persona: Persona, *, now: datetime) -> None:
        given = self.cleaned_data
        facts = {name: given[name] for name in PersonaFacts.NAMES}
        editing.change(
            persona=persona,
            values={name: given[name] for name in ("name", "nickname", "tagline", "language")} | {"facts": facts},
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
class EarlierVersion:
    texts: Sequence[str]
    saved_at: datetime
    # Where it is restored.
    address: str


@dataclass(frozen=True)
class EditableText:
    name: str
    form: TextForm
    bond: Bond
    block: CoreBlock | None

    @classmethod
    def load(cls, bond: Bond, name: str, posted: QueryDict | None) -> "EditableText":
        holder = bond.persona if name in PERSONA_TEXTS else bond
        block = blocks.find(holder, get_label(name))
        is_posted = posted is not None and f"{name}-content" in posted
        initial = {"content": block.content if block else ""}
        return cls(name, TextForm(posted if is_posted else None, initial=initial, prefix=name), bond, block)

    @property
    def title(self) -> str:
        return str(TEXTS[self.name][0])

    @property
    def hint(self) -> str:
        return str(TEXTS[self.name][1])

    @property
    def earlier(self) -> list[EarlierVersion]:
        if self.block is None:
            return []
        kept = self.block.revisions.order_by("-n")[:REVISIONS_MOST]
        return [EarlierVersion([one.content], one.saved_at, self.get_address(one.n)) for one in kept]

    def get_address(self, n: int) -> str:
        return reverse("restore_text", args=[self.bond.pk, self.name, n])

    def save(self, *, user: User, now: datetime) -> list[str]:
        holder = self.bond.persona if self.name in PERSONA_TEXTS else self.bond
        content = self.form.cleaned_data["content"].replace("\r\n", "\n")
        # The form strips what a file or a card may end with.
        if content == (self.block.content.strip() if self.block else ""):
            return []
        blocks.save(holder=holder, label=get_label(self.name), content=content, user=user, now=now)
        return [self.title]


@dataclass(frozen=True)
class EditableOpening:
    """How a first chat begins, with its form and its earlier versions."""

    form: OpeningForm
    bond: Bond
    opening: Opening

    @classmethod
    def load(cls, bond: Bond, posted: QueryDict | None) -> "EditableOpening":
        opening = openings.load(bond.persona)
        initial = OpeningForm.build_opening_initial(opening.greetings, opening.starters)
        is_posted = posted is not None and "starters" in posted
        return cls(OpeningForm(posted if is_posted else None, initial=initial), bond, opening)

    @property
    def earlier(self) -> list[EarlierVersion]:
        kept = OpeningRevision.objects.filter(opening=self.bond.persona_id).order_by("-n")[:REVISIONS_MOST]
        return [EarlierVersion(one.greetings, one.saved_at, self.get_address(one.n)) for one in kept]

    def get_address(self, n: int) -> str:
        return reverse("restore_opening", args=[self.bond.pk, n])

    def save(self, *, user: User, now: datetime) -> list[str]:
        given = self.form.get_opening()
        changed = [name for name in ("greetings", "starters") if given[name] != getattr(self.opening, name)]
        openings.save(persona=self.bond.persona, user=user, now=now, **given)
        labels = {"greetings": gettext_lazy("Greetings"), "starters": self.form.fields["starters"].label}
        return [str(labels[name]) for name in changed]


# A field of each part that only the owner may send.
OWN_FIELDS = ("name", "starters", "answer-length", *(f"{name}-content" for name in PERSONA_TEXTS))


class CompanionForms:
    """All forms of the page. A part that was not sent stays as it is."""

    def __init__(self, bond: Bond, *, is_own: bool, posted: QueryDict | None = None) -> None:
        self.bond = bond
        names = [name for name in TEXTS if is_own or name not in PERSONA_TEXTS]
        self.texts = [EditableText.load(bond, name, posted) for name in names]
        self.opening = EditableOpening.load(bond, posted) if is_own else None
        sent: Collection[str] = posted or ()
        self.identity = PersonaForm(posted if "name" in sent else None, initial=_build_initial(bond.persona))
        self.answers = build_answers_form(bond.persona, posted if "answer-length" in sent else None)

    def list_sections(self) -> list[tuple[str, str, forms.Form]]:
        """Return each form with the id and the title of its part of the page."""
        opening = [("opening", gettext_lazy("How the first chat begins"), self.opening.form)] if self.opening else []
        return [
            ("identity", str(gettext_lazy("Name, picture and facts")), self.identity),
            *((text.name, text.title, text.form) for text in self.texts),
            *((name, str(title), form) for name, title, form in opening),
            ("answers", str(gettext_lazy("How they answer")), self.answers),
        ]

    def list_wrong(self) -> list[tuple[str, str]]:
        """Return the id and the title of each part with a mistake."""
        return [(name, title) for name, title, form in self.list_sections() if form.is_bound and not form.is_valid()]

    @transaction.atomic
    def save(self, *, user: User, now: datetime) -> list[str]:
        """Save all that was sent, and return the names of what changed. Every bound form is valid."""
        saved: list[str] = []
        if self.identity.is_bound:
            self.identity.save(self.bond.persona, now=now)
            saved += _list_labels(self.identity)
        for text in self.texts:
            saved += text.save(user=user, now=now) if text.form.is_bound else []
        if self.opening and self.opening.form.is_bound:
            saved += self.opening.save(user=user, now=now)
        if self.answers.is_bound:
            self.answers.save(self.bond.persona, now=now)
            saved += _list_labels(self.answers)
        return saved


def _list_labels(form: PersonaForm | AnswersForm) -> list[str]:
    return [str(form.fields[name].label) for name in form.changed_data]


def _build_initial(persona: Persona) -> dict[str, Any]:
    facts = getattr(persona, "facts", None)
    return {
        "name": persona.name,
        "nickname": persona.nickname,
        "tagline": persona.tagline,
        "language": persona.language,
        **(facts.as_dict() if facts else {}),
    }
