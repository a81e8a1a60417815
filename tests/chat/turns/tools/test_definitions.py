import json

import pytest

from chat.turns.tools import arguments, definitions
from chat.turns.tools.arguments import LinkArguments, ListArguments, RecallArguments, SaveArguments, UpdateArguments
from chat.turns.tools.execution import EXECUTIONS
from echovessel import tokens
from memory.facts.drafts import FactError


def test_descriptions_cost_seven_hundred_tokens_at_most():
    assert sum(tokens.estimate(json.dumps(tool.build_param())) for tool in definitions.ALL) <= 700


def test_each_tool_is_executed_and_takes_what_it_describes():
    described = {tool.name: set(tool.parameters["properties"]) for tool in definitions.ALL}
    taken = {
        name: {field.alias or key for key, field in execution.shape.model_fields.items()}
        for name, execution in EXECUTIONS.items()
    }

    assert described == taken


def test_what_is_required_is_required():
    for tool in definitions.ALL:
        required = {
            field.alias or name
            for name, field in EXECUTIONS[tool.name].shape.model_fields.items()
            if field.is_required()
        }
        assert set(tool.parameters["required"]) == required


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"content": "She moved.", "since": "2026-03-05"}, "2026-03-05"),
        ({"content": "She moved.", "since": "2026-03"}, "2026-03-01"),
        ({"content": "She moved.", "since": 2026}, "2026-01-01"),
        ({"content": "She moved.", "since": "2026年11月"}, "2026-11-01"),
        ({"content": "She moved.", "since": "2026年3月5日"}, "2026-03-05"),
        ({"content": "She moved.", "since": "2026-03-05T10:00:00Z"}, "2026-03-05"),
        ({"content": "She moved.", "since": None, "facet": None, "detail": None, "more": 1}, "None"),
        *(({"content": "She moved.", "since": none}, "None") for none in ("", "last spring", "2026-13", [2026])),
    ],
)
def test_days_months_years_and_nothing_are_taken(given, told):
    assert str(arguments.parse(SaveArguments, given).since) == told


@pytest.mark.parametrize(
    ("shape", "given", "why"),
    [
        (SaveArguments, None, "The arguments are no JSON object."),
        (SaveArguments, {}, "content: Field required"),
        (SaveArguments, {"content": "  "}, "content: String should have at least 1 character"),
        (SaveArguments, {"content": ["a"]}, "content: Input should be a valid string"),
        (LinkArguments, {"from": "1", "to": "2", "relation": "x" * 41}, "relation: String should have at most 40 characters"),
        (RecallArguments, {"query": "a", "limit": "many"}, "limit: Input should be a valid integer, unable to parse string as an integer"),
    ],
)  # fmt: skip
def test_bad_arguments_are_refused_with_the_reason(shape, given, why):
    with pytest.raises(FactError, match="^" + why.replace(".", r"\.")) as raised:
        arguments.parse(shape, given)

    assert raised.value.code == "invalid"


def test_numbers_are_taken_as_references():
    asked = arguments.parse(UpdateArguments, {"ref": 12, "ended": True})

    assert (asked.ref, asked.ended, asked.content) == ("12", True, "")
    assert arguments.parse(ListArguments, {}).facet == ""
