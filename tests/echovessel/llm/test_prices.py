from contextlib import aclosing
from decimal import Decimal

import pytest
from asgiref.sync import async_to_sync
from django.db import connection as database
from django.db.utils import IntegrityError
from django.test.utils import CaptureQueriesContext
from pydantic import BaseModel

from echovessel.llm import prices
from echovessel.llm.connection import OPENAI
from echovessel.llm.errors import ModelUnavailableError
from echovessel.llm.inputs import ReflectionInputs
from echovessel.llm.ledger import RecordingLLM
from echovessel.llm.offline.voice import OfflineVoice
from echovessel.llm.prices import ListPrice
from echovessel.llm.protocol import Origin, Usage
from echovessel.models import LedgerEntry
from tests.support.factories import NOW
from tests.support.fakes import FakeLLM

pytestmark = pytest.mark.django_db
HERE = "http://127.0.0.1:11434/v1"
ASKED = [{"role": "user", "content": "abcdefgh"}]
# Tokens in, out and cached, in the millions: dollars are then easy to read.
MILLIONS = Usage(3_000_000, 1_000_000, 2_000_000)


class Named(FakeLLM):
    def __init__(self, *replies, model, **more):
        super().__init__(*replies, **more)
        self.model = model

    def model_of(self, feature):
        return self.model


def own(model="tiny", address=HERE, dollars_in="1", dollars_out="10", dollars_cached=None):
    cached = None if dollars_cached is None else Decimal(dollars_cached)
    price = ListPrice(Decimal(dollars_in), Decimal(dollars_out), cached)
    prices.set_price(address=address, model=model, price=price, now=NOW)


def said(model="tiny", address=HERE, usage=MILLIONS, replies=("Oh.",)):
    """What the ledger says that a reply cost."""

    async def read():
        async with aclosing(llm.stream(ASKED, origin=Origin())) as parts:
            return [part async for part in parts]

    llm = RecordingLLM(Named(*replies, model=model, usage=usage), address=address)
    async_to_sync(read)()
    return LedgerEntry.objects.latest("pk").cost


@pytest.mark.parametrize(
    ("model", "dollars"),
    [("gpt-4o", "15"), ("gpt-4o-mini", "0.9"), ("gpt-4.1", "11"), ("gpt-4.1-mini", "2.2"), ("gpt-4.1-nano", "0.55")],
)
def test_at_openai_a_call_costs_its_list_price_and_less_for_what_was_kept(model, dollars):
    assert said(model=model, address=OPENAI) == Decimal(dollars)


@pytest.mark.parametrize(("model", "address"), [("gpt-9", OPENAI), ("gpt-4o", HERE), ("tiny", HERE), ("gpt-4o", "")])
def test_what_is_not_known_stays_unknown(model, address):
    assert said(model=model, address=address) is None


def test_an_own_price_counts_before_the_list():
    own(model="gpt-4o", address=OPENAI, dollars_in="1", dollars_out="2", dollars_cached="0.25")

    assert said(model="gpt-4o", address=OPENAI) == Decimal("3.5")


def test_what_was_kept_costs_what_the_rest_does_where_no_other_price_is_named():
    own()

    assert said() == Decimal(13)


def test_a_price_of_nothing_is_known():
    own(dollars_in="0", dollars_out="0")

    assert said() == Decimal(0)


def test_a_price_holds_for_its_own_server_and_model():
    own(address="http://127.0.0.1:8080/v1")
    own(model="big")

    assert said() is None


def test_a_price_holds_from_the_next_call_on():
    own()
    before = said()
    own(dollars_in="100")
    after = said()
    prices.set_price(address=HERE, model="tiny", price=None, now=NOW)

    assert (before, after, said()) == (Decimal(13), Decimal(310), None)
    assert list(LedgerEntry.objects.order_by("pk").values_list("cost", flat=True)) == [13, 310, None]


@pytest.mark.parametrize("cached", [3_000_000, 3_000_001])
def test_no_server_keeps_more_than_it_was_sent(cached):
    own(dollars_cached="0.5")

    assert said(usage=Usage(3_000_000, 0, cached)) == Decimal("1.5")


def test_a_single_token_costs_something():
    assert said(model="gpt-4.1-nano", address=OPENAI, usage=Usage(1, 0, 1)) == Decimal("0.000000025")


def test_rules_cost_nothing():
    class Anything(BaseModel):
        pass

    RecordingLLM(OfflineVoice()).answer(
        ASKED, feature="reflection", schema=Anything, origin=Origin(), inputs=ReflectionInputs(())
    )

    assert LedgerEntry.objects.get().cost == 0


@pytest.mark.parametrize(("address", "cost"), [(OPENAI, Decimal(0)), (HERE, None)])
def test_a_call_that_failed_before_it_said_anything_costs_nothing_where_that_is_known(address, cost):
    down = ModelUnavailableError("The model server cannot be reached.", transient=True)

    with pytest.raises(ModelUnavailableError):
        said(model="gpt-4o", address=address, replies=([down],))

    assert LedgerEntry.objects.get().cost == cost


def test_to_know_what_a_call_costs_takes_no_statement_of_its_own():
    own()
    with CaptureQueriesContext(
        database,
    ) as done:
        said()

    statements = [query["sql"].split()[0] for query in done.captured_queries]
    assert [name for name in statements if name in ("SELECT", "INSERT", "UPDATE")] == ["INSERT", "SELECT"]


def test_no_price_is_below_nothing():
    with pytest.raises(IntegrityError):
        own(dollars_in="-1")


def test_an_estimate_reckons_with_the_own_price(settings):
    settings.MODEL_SERVER, settings.OPENAI_BASE_URL = True, HERE
    settings.LLM_MODELS = dict.fromkeys(("main", "medium", "small"), "tiny")
    before = prices.estimate_cost(feature="import", tokens_in=2_000_000, tokens_out=1_000_000)
    own()

    assert (before, prices.estimate_cost(feature="import", tokens_in=2_000_000, tokens_out=1_000_000)) == (None, 12.0)
