"""The cost of calls: the operator's price for a model, or OpenAI's list price at OpenAI, or unknown. The offline voice costs nothing."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import DecimalField, F, Subquery, Value
from django.db.models.functions import Coalesce

from echovessel.llm import connection
from echovessel.llm.connection import OPENAI
from echovessel.llm.protocol import Usage
from echovessel.models import ModelPrice

_MILLION = 1_000_000
_DOLLARS: Any = DecimalField(max_digits=20, decimal_places=9)


@dataclass
class ListPrice:
    """US dollars per million tokens, as numbers or columns."""

    dollars_in: Any
    dollars_out: Any
    # For cached input tokens; None if they cost the same.
    dollars_cached: Any


LIST_PRICES = {
    "gpt-4o": ListPrice(Decimal("2.50"), Decimal("10.00"), Decimal("1.25")),
    "gpt-4o-mini": ListPrice(Decimal("0.15"), Decimal("0.60"), Decimal("0.075")),
    "gpt-4.1": ListPrice(Decimal("2.00"), Decimal("8.00"), Decimal("0.50")),
    "gpt-4.1-mini": ListPrice(Decimal("0.40"), Decimal("1.60"), Decimal("0.10")),
    "gpt-4.1-nano": ListPrice(Decimal("0.10"), Decimal("0.40"), Decimal("0.025")),
}
# The operator's price as columns of a subquery.
PRICE_COLUMNS = ListPrice(F("dollars_in"), F("dollars_out"), Coalesce(F("dollars_cached"), F("dollars_in")))


def estimate_cost(*, feature: str, tokens_in: int, tokens_out: int) -> float | None:
    """Return the cost in US dollars of calls with so many tokens, or None if a price is unknown."""
    asked = connection.get_active()
    if asked is None:
        return 0.0
    address, model = asked.base_url, asked.model_of(feature)
    price = ModelPrice.objects.filter(address=address, model=model).first() or find_list_price(address, model)
    return None if price is None else round(float(compute_cost(Usage(tokens_in, tokens_out), price)), 4)


def find_list_price(address: str, model: str) -> ListPrice | None:
    return LIST_PRICES.get(model) if address == OPENAI else None


def compute_cost(usage: Usage, price: ListPrice | ModelPrice) -> Any:
    cached = min(usage.tokens_cached, usage.tokens_in)
    of_cached = price.dollars_in if price.dollars_cached is None else price.dollars_cached
    weighed = (
        Decimal(usage.tokens_in - cached) * price.dollars_in
        + Decimal(cached) * of_cached
        + Decimal(usage.tokens_out) * price.dollars_out
    )
    return weighed / Decimal(_MILLION)


def build_cost_expression(*, address: str, model: str, usage: Usage) -> Any:
    """Return an expression for the cost column: the INSERT itself looks up the operator's price, which saves a turn one query."""
    own = ModelPrice.objects.filter(address=address, model=model).values(cost=compute_cost(usage, PRICE_COLUMNS))
    price = find_list_price(address, model)
    otherwise = None if price is None else compute_cost(usage, price)
    return Coalesce(Subquery(own), Value(otherwise, output_field=_DOLLARS), output_field=_DOLLARS)


def load_own_prices(address: str) -> dict[str, ModelPrice]:
    return {price.model: price for price in ModelPrice.objects.filter(address=address)}


def set_price(*, address: str, model: str, price: ListPrice | None, now: datetime) -> None:
    """Use this price from the next call on; None removes it. Recorded costs stay."""
    if price is None:
        ModelPrice.objects.filter(address=address, model=model).delete()
        return
    told = {**vars(price), "changed_at": now}
    ModelPrice.objects.update_or_create(address=address, model=model, defaults=told)
