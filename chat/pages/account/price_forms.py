"""The form of prices for the models in use."""

from decimal import Decimal
from typing import Any

from django import forms
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from echovessel.llm import prices
from echovessel.llm.connection import Connection
from echovessel.llm.prices import ListPrice

# US dollars for a million tokens.
MAX_PRICE = 100_000


def build_dollars_field(label: Any) -> forms.DecimalField:
    wrong = _("Type the price as a number from 0 to 100000, such as 0.15.")
    return forms.DecimalField(
        label=label,
        required=False,
        min_value=0,
        max_value=MAX_PRICE,
        max_digits=10,
        decimal_places=4,
        error_messages={"invalid": wrong, "min_value": wrong, "max_value": wrong, "max_digits": wrong},
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "size": 8}),
    )


class PriceForm(forms.Form):
    # The server of the prices: the connection may have changed when the form is sent.
    address = forms.CharField(max_length=500, widget=forms.HiddenInput)
    model = forms.CharField(max_length=200, widget=forms.HiddenInput)
    dollars_in = build_dollars_field(_("Tokens in"))
    dollars_cached = build_dollars_field(_("Cached tokens in"))
    dollars_out = build_dollars_field(_("Tokens out"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.listed: ListPrice | None = None

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        has_both = given.get("dollars_in") is not None and given.get("dollars_out") is not None
        if not self.errors and not has_both and any(given.get(name) is not None for name in PRICE_FIELDS):
            raise forms.ValidationError(gettext("Type both prices, in and out, or neither."))
        return given

    def get_price(self) -> ListPrice | None:
        if self.cleaned_data["dollars_in"] is None:
            return None
        return ListPrice(**{name: self.cleaned_data[name] for name in PRICE_FIELDS})


PRICE_FIELDS = ("dollars_in", "dollars_out", "dollars_cached")
PriceFormSet = formset_factory(PriceForm, extra=0, max_num=3, validate_max=True)


def build_price_forms(asked: Connection, *, typed: Any = None) -> "BaseFormSet[PriceForm]":
    address = asked.base_url
    named = prices.load_own_prices(address)
    models = list(dict.fromkeys(asked.model(role) for role in ("main", "medium", "small")))
    initial = [
        {
            "address": address,
            "model": model,
            **{name: format_price(getattr(named.get(model), name, None)) for name in PRICE_FIELDS},
        }
        for model in models
    ]
    shown = PriceFormSet(typed, initial=initial, prefix="price")
    for form in shown:
        form.listed = prices.find_list_price(address, form["model"].value() or "")
    return shown


def format_price(price: Decimal | None) -> str:
    return "" if price is None else f"{price.normalize():f}"
