"""The fields of how a first chat begins: a field for each greeting, and the starters, one on each line."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from personas.models import GREETING_CHARACTERS, GREETINGS_MOST, STARTER_CHARACTERS, STARTERS_MOST

GREETING_NAMES = tuple(f"greeting_{n}" for n in range(1, GREETINGS_MOST + 1))


def make_greeting_field(n: int) -> forms.CharField:
    return forms.CharField(
        label=format_lazy("{} {}", _("Greeting"), n),
        required=False,
        max_length=GREETING_CHARACTERS,
        widget=forms.Textarea(attrs={"rows": 4, "class": "reading", "dir": "auto"}),
    )


class OpeningForm(forms.Form):
    vars().update({name: make_greeting_field(n) for n, name in enumerate(GREETING_NAMES, start=1)})
    starters = forms.CharField(
        label=_("Conversation starters"),
        help_text=_("What you might say first, one on each line. They appear as buttons below the greeting."),
        required=False,
        max_length=STARTERS_MOST * (STARTER_CHARACTERS + 2),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )

    @staticmethod
    def build_opening_initial(greetings: Sequence[str], starters: Sequence[str]) -> dict[str, str]:
        """Return the form's values for these texts."""
        given = dict(zip(GREETING_NAMES, greetings, strict=False))
        return {**dict.fromkeys(GREETING_NAMES, ""), **given, "starters": "\n".join(starters)}

    def clean_starters(self) -> list[str]:
        starters = [line.strip() for line in self.cleaned_data["starters"].splitlines() if line.strip()]
        if len(starters) > STARTERS_MOST:
            said = ngettext(
                "At most %(most)s starter is allowed.", "At most %(most)s starters are allowed.", STARTERS_MOST
            )
            raise forms.ValidationError(said % {"most": STARTERS_MOST})
        if any(len(starter) > STARTER_CHARACTERS for starter in starters):
            raise forms.ValidationError(
                _("A starter can have at most %(most)s characters.") % {"most": STARTER_CHARACTERS}
            )
        return starters

    def greeting_fields(self) -> list[tuple[forms.BoundField, bool]]:
        """Return the greetings' fields, each with whether it is shown: those with a text, and one to write another."""
        fields = [self[name] for name in GREETING_NAMES]
        last = max((n for n, field in enumerate(fields) if field.value() or field.errors), default=-1)
        return [(field, n <= last + 1) for n, field in enumerate(fields)]

    def has_opening(self) -> bool:
        return any(self[name].value() or self[name].errors for name in (*GREETING_NAMES, "starters"))

    def get_opening(self) -> Mapping[str, Any]:
        """Return the greetings that were written, and the starters."""
        given = self.cleaned_data
        greetings = [given[name].replace("\r\n", "\n") for name in GREETING_NAMES if given[name].strip()]
        return {"greetings": greetings, "starters": given["starters"]}
