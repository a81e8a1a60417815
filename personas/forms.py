from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from personas.models import BLOCK_CHARACTERS, Persona


def long_text(label: Any, hint: Any, *, rows: int, required: bool = False) -> forms.CharField:
    return forms.CharField(
        label=label,
        help_text=hint,
        required=required,
        max_length=BLOCK_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": rows, "class": "reading"}),
    )


class AboutYouForm(forms.Form):
    """What a companion is to know of its person from the start."""

    user = long_text(
        _("What should they know about you?"),
        _("A few lines, if you like: your name, what fills your days. You can leave it empty and simply talk."),
        rows=3,
    )


class WriteForm(AboutYouForm):
    """A companion in one's own words."""

    name = forms.CharField(label=_("Name"), max_length=80)
    language = forms.ChoiceField(
        label=_("Speaks"), choices=[(Persona.Language.ENGLISH, "English"), (Persona.Language.CHINESE, "中文")]
    )
    tagline = forms.CharField(
        label=_("In one line"), help_text=_("Shown beside the name."), max_length=200, required=False
    )
    persona = long_text(
        _("Who are they?"),
        _("Where they come from, what they do, what they care about, how they treat people."),
        rows=8,
        required=True,
    )
    style = long_text(
        _("How do they speak?"), _("Long or short, plain or playful; words they would never use."), rows=4
    )

    field_order = ("name", "language", "tagline", "persona", "style", "user")
