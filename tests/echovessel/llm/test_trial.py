from dataclasses import replace

import pytest

from echovessel.llm import trial
from echovessel.llm.connection import Connection
from echovessel.llm.protocol import Origin
from echovessel.models import LedgerEntry
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def server():
    with ModelServer() as server:
        yield server


def tried(server, *, seconds=20.0, first=trial.REPLY, **told):
    asked = Connection(address=server.url, key="sk-secret", main="big", medium="mid", small="mid")
    return [
        (call.kind, call.model, call.mode, call.said or str(call.error or ""))
        for call in trial.run(replace(asked, **told), origin=Origin(), seconds=seconds, first=first)
    ]


GREETED = "You said: Say hello in one short sentence."
REPLY = ("reply", "big", "", GREETED)
TOOLS = ("tools", "big", "", "")
OPTIONS = ("options", "big", "", "")


def test_one_call_of_each_kind_is_made(server):
    assert tried(server, small="tiny") == [
        REPLY,
        TOOLS,
        OPTIONS,
        ("json", "mid", "schema", ""),
        ("json", "tiny", "schema", ""),
    ]
    assert [request["model"] for request in server.requests] == ["big", "big", "big", "mid", "tiny"]
    assert list(LedgerEntry.objects.order_by("pk").values_list("feature", "model", "outcome")) == [
        ("reply", "big", "ok"),
        ("reply", "big", "ok"),
        ("reply", "big", "ok"),
        ("test", "mid", "ok"),
        ("test", "tiny", "ok"),
    ]


def test_one_model_for_all_is_asked_for_json_once(server):
    assert tried(server, medium="", small="") == [REPLY, TOOLS, OPTIONS, ("json", "big", "schema", "")]


def test_a_long_reply_is_not_read_to_its_end(server):
    server.will("reply", text="word " * 10_000)

    [(_, _, _, said), *_] = tried(server)

    assert len(said) < 220


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ({"kind": "status", "status": 401}, "The model server did not accept the key (401)."),
        ({"kind": "status", "status": 403}, "The model server does not allow this (403)."),
        ({"kind": "status", "status": 429}, "The model server asks to wait (429)."),
        ({"kind": "hang"}, "The model server took too long to answer."),
        ({"kind": "cut", "after": 0}, "The connection to the model server was lost."),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else "",
)
def test_where_nothing_is_to_be_had_nothing_more_is_asked(behaviour, sentence, server):
    server.script.append(behaviour)

    seconds = 0.5 if behaviour["kind"] == "hang" else 20.0
    assert tried(server, seconds=seconds) == [("reply", "big", "", sentence)]


def test_a_server_that_is_not_there_is_asked_once():
    with ModelServer() as gone:
        pass

    assert tried(gone) == [("reply", "big", "", "Nothing answers at the address of the model server.")]


def test_a_model_that_is_not_known_says_nothing_of_the_others(server):
    server.will("status", status=404, code="model_not_found")

    assert tried(server) == [
        ("reply", "big", "", "The model server has no such model or address (404, model_not_found)."),
        ("json", "mid", "schema", ""),
    ]


def test_a_model_for_json_that_is_not_known_is_not_asked_in_other_ways(server):
    server.will("status", status=404, feature="test")

    assert tried(server)[3:] == [("json", "mid", "schema", "The model server has no such model or address (404).")]


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ({"kind": "status", "status": 400}, "The model server did not accept the request (400)."),
        ({"kind": "prose"}, "The model answered with something other than JSON."),
        ({"kind": "answer", "text": '{"alive": "perhaps"}'}, "The JSON of the model is not what was asked for."),
        ({"kind": "garbage"}, "The model server's answer does not follow the OpenAI protocol."),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else "",
)  # fmt: skip
def test_where_one_answer_mode_fails_the_others_are_tried(behaviour, sentence, server):
    server.script.append(behaviour | {"feature": "test"})
    server.script.append({"kind": "prose", "feature": "unknown"})

    assert tried(server) == [
        REPLY,
        TOOLS,
        OPTIONS,
        ("json", "mid", "schema", sentence),
        ("json", "mid", "object", "The model answered with something other than JSON."),
        ("json", "mid", "text", ""),
    ]


def test_the_mode_that_is_set_is_tried_first(server):
    server.will("prose", feature="unknown")

    assert [mode for _, _, mode, _ in tried(server, json_mode="text")] == ["", "", "", "text", "schema"]


def test_fenced_and_wrapped_json_is_json(server):
    server.will("answer", text='```json\n{"answer": {"alive": true}}\n```', feature="test")

    assert tried(server)[3:] == [("json", "mid", "schema", "")]


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        ({"kind": "reply", "text": "It rains."}, "The model called no tool."),
        ({"kind": "calls", "calls": [("other", {})]}, "The model called no tool."),
        ({"kind": "calls", "calls": [("tell_weather", {})], "oddity": "tag"}, ""),
        ({"kind": "status", "status": 400, "message": "no tools"}, "The model server takes no tools (400)."),
    ],
    ids=["talks", "calls another", "calls as text", "refuses"],
)
def test_a_trial_tells_what_becomes_of_tools(behaviour, sentence, server):
    server.script.append({"kind": "reply", "text": "Hello."})
    server.script.append(behaviour)

    assert tried(server)[1:] == [("tools", "big", "", sentence), OPTIONS, ("json", "mid", "schema", "")]


def test_tools_that_are_off_are_not_tried(server):
    assert tried(server, tools="off") == [REPLY, OPTIONS, ("json", "mid", "schema", "")]


def options_of(server):
    return next(
        call
        for call in trial.run(
            Connection(address=server.url, key="", main="big"), origin=Origin(), seconds=20.0, first=trial.OPTIONS
        )
        if call.kind == "options"
    )


@pytest.mark.parametrize(
    ("refusals", "refused", "avoided"),
    [
        ([], (), ()),
        (["'temperature' is not supported."], ("temperature",), ("temperature",)),
        (["Use 'max_completion_tokens' instead of max_tokens."], (), ("max_tokens",)),
        (["Bad request.", "", "", "Wrong: top_p."], ("top_p",), ("top_p",)),
        (["Bad request."], (), ()),
    ],
    ids=["none", "named", "another name", "unnamed, then alone", "unnamed, each alone is taken"],
)
def test_a_trial_finds_the_settings_that_are_refused(refusals, refused, avoided, server):
    for said in refusals:
        if said:
            server.will("status", status=400, message=said, feature="reply")
        else:
            server.will("reply", text="Hello.", feature="reply")

    found = options_of(server)

    assert (found.refused, found.avoided, found.error) == (refused, avoided, None)


def test_the_address_and_the_models_are_looked_at_first(server):
    server.models = ["big", "mid"]
    assert tried(server, first=trial.MODELS)[:2] == [
        ("address", "big", "", server.url),
        ("models", "big", "", "big, mid"),
    ]

    server.models = ["other"]
    [_, models, *more] = tried(server, first=trial.MODELS)
    assert models == ("models", "big", "", "other")
    assert more[0] == REPLY

    server.will("status", status=401, feature="models")
    assert tried(server, first=trial.MODELS)[1:] == [
        ("key", "big", "", "The model server did not accept the key (401).")
    ]


def test_nothing_more_is_asked_where_nothing_answers():
    with ModelServer() as gone:
        pass

    said = "Nothing answers at the address of the model server."
    assert tried(gone, first=trial.MODELS) == [("address", "big", "", said)]


def test_there_is_no_other_check(server):
    with pytest.raises(ValueError, match="json:main:schema"):
        trial.run_check(Connection(address=server.url, key="", main="big"), "json:main:schema", origin=Origin())
