from datetime import timedelta

import pytest
from pydantic import TypeAdapter, ValidationError

from chat.turns.trace import Trace
from tests.support.factories import NOW, BondFactory, EntityFactory
from tests.support.fakes import FakeLLM
from tests.support.talking import say

STRICT = TypeAdapter(Trace)


@pytest.mark.django_db
def test_what_a_turn_wrote_is_read_strictly_as_from_an_export():
    bond = BondFactory(user__username="mara")
    EntityFactory(bond=bond, canonical_name="Peg")
    lines = ("hi", "Do you remember what Peg keeps?", "I can't go on", "By the way, Peg sang.")
    for at, line in enumerate(lines):
        turn = say(bond, line, now=NOW + timedelta(minutes=at), llm=FakeLLM("Hm."))

        assert STRICT.validate_python(turn.trace, strict=True).as_json() == turn.trace


@pytest.mark.parametrize(
    "trace",
    [
        {"sections": {"out": {"recalled": "because"}, "back": {}}},
        {"sections": {"out": {"anything": "slight"}, "back": {}}},
        {"sections": {"out": {"recalled": ["slight"]}, "back": {}}},
        {"gap_seconds": "long"},
    ],
)
def test_names_that_nobody_wrote_are_refused(trace):
    with pytest.raises(ValidationError):
        STRICT.validate_python(trace, strict=True)
