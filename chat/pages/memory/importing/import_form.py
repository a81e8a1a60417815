from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from echovessel.materials import BYTES_MOST

# DATA_UPLOAD_MAX_MEMORY_SIZE limits a form's text; a Chinese character takes three bytes.
PASTED_MOST = 500_000


class ImportForm(forms.Form):
    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        help_text=_("Notes (.txt, .md), tables (.csv), JSON, or ChatGPT's export (.zip). At most 50 MiB."),
    )
    text = forms.CharField(
        label=_("Or paste text"),
        required=False,
        max_length=PASTED_MOST,
        widget=forms.Textarea(attrs={"rows": 6, "class": "reading", "dir": "auto"}),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file is not None and file.size > BYTES_MOST:
            raise forms.ValidationError(_("This file is too large; at most 50 MiB are read."))
        return file

    def clean(self) -> dict[str, Any]:
        asked = self.cleaned_data
        if not self.errors and (asked["file"] is not None) == bool(asked["text"]):
            both = _("Choose a file or paste text, not both.")
            raise forms.ValidationError(both if asked["text"] else _("Paste text or choose a file."))
        return asked
