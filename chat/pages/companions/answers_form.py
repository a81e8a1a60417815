"""The form of how a companion answers."""

from datetime import datetime
from math import isfinite
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from personas import answering, editing
from personas.answering import UnknownModelError
from personas.models import Persona


def say_range(said: Any, least: float, most: float) -> dict[str, Any]:
    # Put together when it is shown, in the reader's language.
    return dict.fromkeys(("invalid", "min_value", "max_value"), format_lazy(said, least=f"{least:g}", most=f"{most:g}"))


NUMBER = _("Enter a number from {least} to {most}, or leave it blank.")
WHOLE_NUMBER = _("Enter a whole number from {least} to {most}, or leave it blank.")


class AnswersForm(forms.Form):
    length = forms.ChoiceField(
        label=_("Length of replies"),
        required=False,
        choices=[
            ("", pgettext_lazy("length of replies", "As it comes")),
            (Persona.AnswerLength.SHORT, pgettext_lazy("length of replies", "Short")),
            (Persona.AnswerLength.LONG, pgettext_lazy("length of replies", "Long")),
        ],
    )
    model = forms.CharField(
        label=_("Model"),
        required=False,
        max_length=answering.MODEL_CHARACTERS,
        widget=forms.TextInput(
            attrs={"list": "answer-models", "autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    temperature = forms.FloatField(
        label=_("Temperature"),
        help_text=_("From 0 to 2. Higher is more surprising."),
        required=False,
        min_value=0,
        max_value=answering.TEMPERATURE_MOST,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
        error_messages=say_range(NUMBER, 0, answering.TEMPERATURE_MOST),
    )
    top_p = forms.FloatField(
        label=_("Top p"),
        help_text=_("From 0.01 to 1. Lower keeps to the likeliest words."),
        required=False,
        min_value=answering.TOP_P_LEAST,
        max_value=answering.TOP_P_MOST,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
        error_messages=say_range(NUMBER, answering.TOP_P_LEAST, answering.TOP_P_MOST),
    )
    tokens = forms.IntegerField(
        label=_("Longest reply"),
        help_text=_("In tokens; 100 are about 75 words. A longer reply is cut off."),
        required=False,
        min_value=answering.TOKENS_LEAST,
        max_value=answering.TOKENS_MOST,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=say_range(WHOLE_NUMBER, answering.TOKENS_LEAST, answering.TOKENS_MOST),
    )

    def clean_temperature(self) -> float | None:
        return self.require_finite("temperature")

    def clean_top_p(self) -> float | None:
        return self.require_finite("top_p")

    def require_finite(self, name: str) -> float | None:
        value: float | None = self.cleaned_data[name]
        if value is not None and not isfinite(value):
            raise ValidationError(self.fields[name].error_messages["invalid"])
        return value

    def clean_model(self) -> str:
        name: str = self.cleaned_data["model"]
        if name == (self.initial.get("model") or ""):
            return name
        try:
            answering.check_model(name)
        except UnknownModelError as error:
            raise ValidationError(error.translate()) from error
        return name

    def save(self, persona: Persona, *, now: datetime) -> None:
        columns = {f"answer_{name}": self.cleaned_data[name] for name in answering.NAMES}
        editing.change(persona=persona, values=columns, now=now)


def build_answers_form(persona: Persona, posted: QueryDict | None) -> AnswersForm:
    return AnswersForm(posted, initial=answering.get_settings(persona), prefix="answer")
