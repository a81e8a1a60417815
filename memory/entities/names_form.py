from django import forms
from django.utils.translation import gettext as _

from memory.answers.coercion import NAME_MOST, one_line


class NamesForm(forms.Form):
    """Reads the names that a person gives an entity: the canonical one, and all of them, one on each line."""

    def clean_canonical_name(self) -> str:
        return one_line(self.cleaned_data["canonical_name"])

    def clean_aliases(self) -> list[str]:
        names = [one_line(name) for name in self.cleaned_data["aliases"].splitlines()]
        if any(len(name) > NAME_MOST for name in names):
            raise forms.ValidationError(_("A name has at most %(most)s characters.") % {"most": NAME_MOST})
        return [name for name in names if name]
