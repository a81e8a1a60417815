import base64
import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from echovessel.materials import MaterialError, cards
from echovessel.materials.json_texts import parse_json
from personas import avatars
from personas.authored.opening_form import OpeningForm
from personas.cards import building, parsing
from personas.cards.card import Card
from personas.drafts import Draft, schemas
from personas.models import BLOCK_CHARACTERS, Persona, PersonaFacts
from personas.ready import Character

MATERIAL_CHARACTERS = 200_000
FACT_LABELS = {
    "full_name": _("Full name"),
    "gender": _("Gender"),
    "birth_date": _("Birthday"),
    "nationality": _("Nationality"),
    "native_language": _("Native language"),
    "location": _("Lives in"),
    "time_zone": _("Time zone"),
    "occupation": _("Occupation"),
    "education": _("Education"),
    "relationship_status": _("Relationship"),
    "notes": _("Also"),
}
_PICTURE = "data:image/webp;base64,"


def make_long_text_field(label: Any, hint: Any, *, rows: int, required: bool = False) -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=hint,
        required=required,
        max_length=BLOCK_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": rows, "class": "reading"}),
    )


def make_fact_field(name: str) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": 2}) if name == "notes" else forms.TextInput()
    return forms.CharField(
        label=FACT_LABELS[name], required=False, max_length=schemas.get_max_length(name), widget=widget
    )


class PictureField(forms.CharField):
    """A draft's picture, kept in the form until the companion is created."""

    def __init__(self) -> None:
        super().__init__(required=False, widget=forms.Textarea(attrs={"hidden": True}))

    def clean(self, value: Any) -> bytes:
        text = super().clean(value)
        if not text:
            return b""
        try:
            content = base64.b64decode(text.removeprefix(_PICTURE), validate=True)
            # A draft's picture was resized by us: a larger one did not come from a draft.
            return avatars.redraw(content, pixels_most=avatars.SIDE**2)
        except (ValueError, avatars.AvatarError) as error:
            raise ValidationError(_("This picture cannot be read.")) from error


def encode_picture(content: bytes) -> str:
    return f"{_PICTURE}{base64.b64encode(content).decode()}" if content else ""


class FactsForm(forms.Form):
    """A field for each of a persona's facts."""

    vars().update({name: make_fact_field(name) for name in FACT_LABELS})

    def fact_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in PersonaFacts.NAMES]


class AboutYouForm(forms.Form):
    """What a companion knows about its person from the start."""

    user = make_long_text_field(
        _("What should they know about you?"),
        _(
            "A few sentences, if you like: your name, what you do all day. You can leave it blank and just start chatting."
        ),
        rows=3,
    )


class CardField(forms.CharField):
    """The fields of a draft's character card, kept in the form until the companion is created."""

    def __init__(self) -> None:
        super().__init__(required=False, strip=False, widget=forms.Textarea(attrs={"hidden": True}))

    def clean(self, value: Any) -> Card | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            given = parse_json(text, most=cards.VALUES_MOST)
        except MaterialError as error:
            raise ValidationError(_("This character card cannot be read.")) from error
        if not isinstance(given, dict):
            raise ValidationError(_("This character card cannot be read."))
        return parsing.parse(given)[0]


class WriteForm(AboutYouForm, OpeningForm, FactsForm):
    name = forms.CharField(label=_("Name"), max_length=80)
    language = forms.ChoiceField(
        label=_("Language"), choices=[(Persona.Language.ENGLISH, "English"), (Persona.Language.CHINESE, "中文")]
    )
    tagline = forms.CharField(
        label=_("Tagline"), help_text=_("Shown next to the name."), max_length=200, required=False
    )
    persona = make_long_text_field(
        _("Who are they?"),
        _("Where they come from, what they do, what they care about, how they treat people."),
        rows=8,
        required=True,
    )
    style = make_long_text_field(
        _("How do they speak?"), _("Long or short, plain or playful; words they would never use."), rows=4
    )
    scenario = make_long_text_field(_("Scenario"), _("Where the two of you are, and what has happened so far."), rows=3)
    examples = make_long_text_field(_("Example dialogue"), _("How a chat with them may sound, line by line."), rows=4)
    avatar = PictureField()
    card = CardField()

    field_order = ("name", "language", "tagline", "persona", "style", "user")
    TEXTS = ("name", "language", "tagline", "persona", "style", "user")
    offered: Mapping[str, str] = {}

    @staticmethod
    def build_initial(given: Character | Draft) -> dict[str, str]:
        texts = {name: getattr(given, name, "") for name in WriteForm.TEXTS}
        picture = encode_picture(given.avatar) if isinstance(given, Draft) else ""
        more = {name: getattr(given, name, "") for name in ("scenario", "examples")}
        card = getattr(given, "card", None)
        more["card"] = json.dumps(building.build_data(card), ensure_ascii=False) if card else ""
        opening = OpeningForm.build_opening_initial(given.greetings, given.starters)
        return {**dict.fromkeys(PersonaFacts.NAMES, ""), **given.facts, **texts, **more, **opening, "avatar": picture}

    @staticmethod
    def fill_blanks(typed: Mapping[str, str], given: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Fill blank fields with the given values. Returns the values, and the given ones that typed text hides."""
        # The language field is never blank: it counts as typed only with a description.
        typed = dict(typed) if typed["persona"].strip() else {**typed, "language": ""}
        filled = {name: value if value.strip() else given[name] for name, value in typed.items()}
        offered = {
            name: given[name] for name in WriteForm.TEXTS if given[name].strip() not in ("", filled[name].strip())
        }
        return filled, offered

    def story(self) -> list[tuple[forms.BoundField, str]]:
        """Return the text fields, each with the draft's alternative."""
        return [(self[name], self.offered.get(name, "")) for name in self.TEXTS]

    def has_facts(self) -> bool:
        return any(field.value() or field.errors for field in self.fact_fields())

    def get_facts(self) -> dict[str, str]:
        return {name: self.cleaned_data.get(name, "") for name in PersonaFacts.NAMES}

    def get_values(self) -> dict[str, Any]:
        """Return the arguments of `onboarding.create`."""
        given = self.cleaned_data
        texts = {name: given[name] for name in (*self.TEXTS, "scenario", "examples")}
        values = texts | {"facts": self.get_facts(), **self.get_opening()}
        card = given["card"]
        return values if card is None else take_as_it_came(values, card) | {"card": card}


def take_as_it_came(values: Mapping[str, Any], card: Card) -> dict[str, Any]:
    """Return the values with the card's own texts where only their blanks and line ends went through a browser."""
    came = {
        "persona": card.description,
        "style": card.personality,
        "scenario": card.scenario,
        "examples": card.examples,
    }
    same = {name: text for name, text in came.items() if are_alike(values[name], text)}
    greetings = [
        next((text for text in card.greetings if are_alike(greeting, text)), greeting)
        for greeting in values["greetings"]
    ]
    return {**values, **same, "greetings": greetings}


def are_alike(text: str, other: str) -> bool:
    return text.split() == other.split()


class MaterialForm(forms.Form):
    material = forms.CharField(
        label=_("Paste text about them"),
        help_text=_(
            "Notes, a letter, a description. Headings such as “How they speak” or “About me” help. The first "
            "48,000 characters are read."
        ),
        required=False,
        max_length=MATERIAL_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 6, "class": "reading"}),
    )
    file = forms.FileField(
        label=_("Or choose a file"),
        help_text=_(
            "Text, JSON or CSV, a ChatGPT export, or a character card as JSON or PNG; at most 50 MiB, a card 8 MiB. "
            "The first 48,000 characters are read."
        ),
        required=False,
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".txt,.md,.markdown,.json,.csv,.zip,.png"}),
    )

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if not self.errors and not given.get("material") and given.get("file") is None:
            raise ValidationError(_("Paste text or choose a file."))
        return given
