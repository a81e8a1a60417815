import asyncio
import json
from contextlib import aclosing
from dataclasses import replace

import pytest
from asgiref.sync import async_to_sync
from pydantic import BaseModel

from echovessel.llm import connection
from echovessel.llm.errors import (
    BadAnswerError,
    EmptyAnswerError,
    LLMError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    TooLongError,
)
from echovessel.llm.openai_protocol.server import OpenAIServer
from echovessel.llm.protocol import Answer, ChatMessage, Origin, Usage

ASKED: list[ChatMessage] = [
    {"role": "system", "content": "You are Marian."},
    {"role": "user", "content": "We have a white cat"},
]
TRANSCRIPT: list[ChatMessage] = [
    {"role": "user", "content": "<transcript>\n[1] 2026-11-21 23:04 user: my grandmother passed away\n</transcript>"}
]
ORIGIN = Origin()


class Extraction(BaseModel):
    """This is for programmers."""

    events: list[dict[str, object]] = []
    title: str = ""


SCHEMA = {
    "properties": {
        "events": {"items": {"additionalProperties": True, "type": "object"}, "type": "array"},
        "title": {"type": "string"},
    },
    "type": "object",
}


@pytest.fixture
def llm(model_server):
    return OpenAIServer(connection.get_active())


def _stream(llm, *, stop_after=None):
    """The parts of a reply, and the error it ended with."""

    async def read():
        parts, error = [], None
        try:
            async with aclosing(llm.stream(ASKED, origin=ORIGIN)) as stream:
                async for part in stream:
                    parts.append(part)
                    if len(parts) == stop_after:
                        break
        except LLMError as raised:
            error = raised
        return parts, error

    return async_to_sync(read)()


def _answer(llm, feature="extraction"):
    return llm.answer(TRANSCRIPT, feature=feature, schema=Extraction, origin=ORIGIN)


def test_stream_yields_words_and_then_usage(model_server, llm):
    parts, error = _stream(llm)

    assert (parts, error) == (["You", " said:", " We", " have", " a", " white", " cat", Usage(120, 30, 40)], None)
    assert model_server.requests == [
        {"model": "big", "messages": ASKED, "stream": True, "stream_options": {"include_usage": True}}
    ]


@pytest.mark.parametrize(
    ("kind", "usage"),
    [("no_usage", Usage(9, 3)), ("no_finish", Usage(120, 30, 40))],
    ids=["server does not count", "server ends without a finish reason"],
)
def test_stream_takes_sparse_servers(model_server, llm, kind, usage):
    model_server.will(kind, text="Oh, a cat.")

    assert _stream(llm) == (["Oh,", " a", " cat.", usage], None)


@pytest.mark.parametrize(
    ("behaviour", "said", "error", "sentence", "transient"),
    [
        ({"kind": "cut"}, ["You", " said:"], ModelUnavailableError, "The connection to the model server was lost.", True),
        ({"kind": "error_chunk"}, ["You", " said:"], ModelUnavailableError, "The model server reported an error in place of an answer.", True),
        ({"kind": "refuse"}, ["You", " said:", " We", " have", " a", " white", " cat"], ModelRefusedError, "The model refused to answer this.", False),
        ({"kind": "garbage"}, [], BadAnswerError, "The model server's answer does not follow the OpenAI protocol.", False),
        ({"kind": "web_page"}, [], BadAnswerError, "The model server's answer does not follow the OpenAI protocol.", False),
        ({"kind": "huge"}, [], BadAnswerError, "The model server's answer is far too long.", False),
        ({"kind": "reply", "text": ""}, [], EmptyAnswerError, "The model's answer was empty.", True),
        ({"kind": "status", "status": 200}, [], ModelUnavailableError, "The model server reported an error in place of an answer.", True),
        ({"kind": "status", "status": 401, "code": "invalid_api_key"}, [], ModelUnavailableError, "The model server did not accept the key (401, invalid_api_key).", False),
        ({"kind": "status", "status": 404}, [], ModelUnavailableError, "The model server has no such model or address (404).", False),
        ({"kind": "status", "status": 400, "code": "sk-secret!"}, [], ModelUnavailableError, "The model server did not accept the request (400).", False),
        ({"kind": "status", "status": 400, "code": "context_length_exceeded"}, [], TooLongError, "This is too long for the model. Make it shorter, or enlarge its context (400).", False),
        ({"kind": "status", "status": 400, "code": 400, "message": "the request exceeds the available context size, try increasing it"}, [], TooLongError, "This is too long for the model. Make it shorter, or enlarge its context (400).", False),
        ({"kind": "status", "status": 400, "message": "Trying to keep the first 6547 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"}, [], TooLongError, "This is too long for the model. Make it shorter, or enlarge its context (400).", False),
        ({"kind": "status", "status": 400, "message": "The decoder prompt (length 17772) is longer than the maximum model length of 16384."}, [], TooLongError, "This is too long for the model. Make it shorter, or enlarge its context (400).", False),
        ({"kind": "error_chunk", "after": 0, "message": "The number of tokens to keep from the initial prompt is greater than the context length."}, [], TooLongError, "This is too long for the model. Make it shorter, or enlarge its context.", False),
        ({"kind": "status", "status": 413}, [], TooLongError, "This is too long for the model. Make it shorter, or enlarge its context (413).", False),
        ({"kind": "status", "status": 400, "code": 400}, [], ModelUnavailableError, "The model server did not accept the request (400).", False),
        ({"kind": "status", "status": 400, "code": "content_filter"}, [], ModelRefusedError, "The model server's filter refused this.", False),
        ({"kind": "status", "status": 408}, [], ModelTimeoutError, "The model server took too long to answer.", True),
        ({"kind": "status", "status": 409}, [], ModelUnavailableError, "The model server failed (409).", True),
        ({"kind": "status", "status": 503}, [], ModelUnavailableError, "The model server failed (503).", True),
    ],
    ids=lambda value: "-".join(str(part) for part in value.values()) if isinstance(value, dict) else "",
)  # fmt: skip
def test_stream_tells_failures_apart(model_server, llm, behaviour, said, error, sentence, transient):
    model_server.script.append(behaviour)

    parts, raised = _stream(llm)

    assert (parts, type(raised), str(raised), raised.transient) == (said, error, sentence, transient)


def test_stream_goes_on_after_a_failure(model_server, llm):
    model_server.will("cut")
    model_server.will("status", status=500)

    assert [type(_stream(llm)[1]) for _ in range(3)] == [ModelUnavailableError, ModelUnavailableError, type(None)]


def test_busy_server_says_when_to_come_back(model_server, llm):
    model_server.will("status", status=429, headers={"Retry-After": "7"})

    _, raised = _stream(llm)

    assert (str(raised), raised.transient, raised.retry_after) == ("The model server asks to wait (429).", True, 7.0)


def test_stream_may_end_without_a_last_line_break(model_server, llm):
    model_server.will("unended")

    assert _stream(llm) == (["Hi", Usage(9, 1)], None)


@pytest.mark.parametrize("kind", ["hang", "stall"])
def test_silent_server_times_out(model_server, llm, kind):
    llm.first_token_limit = 0.3
    llm.turn_limit = 0.6
    model_server.will(kind)

    parts, raised = _stream(llm)

    assert (parts, type(raised), raised.transient) == (["You", " said:"] * (kind == "stall"), ModelTimeoutError, True)


def test_answer_is_whole_when_only_the_end_of_the_stream_is_missing(model_server, llm):
    llm.turn_limit = 0.5
    model_server.will("no_done", text="All said.")

    assert _stream(llm) == (["All", " said.", Usage(120, 30, 40)], None)


def test_server_that_is_not_there_is_unavailable(model_server, llm):
    model_server.shutdown()
    model_server.server_close()

    _, raised = _stream(llm)

    assert (type(raised), str(raised), raised.transient) == (
        ModelUnavailableError,
        "Nothing answers at the address of the model server.",
        True,
    )


def test_stopping_closes_the_connection(model_server, llm):
    model_server.will("reply", text="word " * 10_000, delay=0.001)

    parts, _ = _stream(llm, stop_after=2)

    assert parts == ["word", " word"]
    assert model_server.left.wait(10)


def test_cancelling_closes_the_connection(model_server, llm):
    model_server.will("reply", text="word " * 10_000, delay=0.001)

    async def read(first):
        async with aclosing(llm.stream(ASKED, origin=ORIGIN)) as stream:
            async for _ in stream:
                first.set()

    async def cancel():
        first = asyncio.Event()
        task = asyncio.ensure_future(read(first))
        await asyncio.wait_for(first.wait(), 10)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert async_to_sync(cancel)()
    assert model_server.left.wait(10)


def test_answer_asks_for_the_schema_by_the_features_name(model_server, llm):
    answer = _answer(llm)

    assert [event["description"] for event in json.loads(answer.text)["events"]] == ["My grandmother passed away."]
    assert answer == Answer(answer.text, Usage(120, 30, 40))
    assert model_server.requests == [
        {
            "model": "tiny",
            "messages": TRANSCRIPT,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "extraction", "schema": SCHEMA, "strict": False},
            },
        }
    ]


@pytest.mark.parametrize(("mode", "asked"), [("object", {"type": "json_object"}), ("text", None)])
def test_answer_puts_the_schema_into_the_prompt_for_lesser_servers(model_server, llm, mode, asked):
    _answer(OpenAIServer(replace(llm.connection, json_mode=mode)))

    [request] = model_server.requests
    assert request.get("response_format") == asked
    assert request["messages"][0]["content"].endswith(json.dumps(SCHEMA))
    assert request["messages"][1:] == TRANSCRIPT


@pytest.mark.parametrize(
    ("feature", "model"), [("reflection", "mid"), ("slow_tick", "mid"), ("extraction", "tiny"), ("persona_draft", "tiny"), ("import", "tiny"), ("reply", "big")]
)  # fmt: skip
def test_each_feature_has_its_model(model_server, llm, feature, model):
    assert llm.model_of(feature) == model


@pytest.mark.parametrize(
    ("behaviour", "text"),
    [
        ({"kind": "prose"}, "I would say that nothing much happened."),
        ({"kind": "fenced", "feature": "reflection"}, '```json\n{"thoughts": []}\n```'),
        ({"kind": "answer", "text": "[1]"}, "[1]"),
    ],
)
def test_answer_is_handed_on_as_it_is(model_server, llm, behaviour, text):
    model_server.script.append(behaviour)

    assert _answer(llm, feature=behaviour.get("feature", "extraction")).text == text


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        ({"kind": "refuse"}, ModelRefusedError),
        ({"kind": "empty_choices"}, BadAnswerError),
        ({"kind": "answer", "text": "  "}, BadAnswerError),
        ({"kind": "garbage"}, BadAnswerError),
        ({"kind": "huge"}, BadAnswerError),
        ({"kind": "hang"}, ModelTimeoutError),
        ({"kind": "drip"}, ModelTimeoutError),
        ({"kind": "status", "status": 500}, ModelUnavailableError),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_answer_tells_failures_apart(model_server, llm, behaviour, error):
    # A busy machine may take half a second for an answer that comes.
    llm.answer_limit = 0.5 if error is ModelTimeoutError else llm.answer_limit
    model_server.script.append(behaviour)

    with pytest.raises(error):
        _answer(llm)


def test_key_is_sent_and_a_server_without_keys_gets_a_stand_in(model_server, llm):
    _answer(llm)
    _answer(OpenAIServer(replace(llm.connection, key="")))

    assert [headers["authorization"] for headers in model_server.headers] == ["Bearer sk-secret", "Bearer none"]


def test_nothing_is_asked_with_a_key_that_cannot_be_read(model_server, llm):
    locked = OpenAIServer(replace(llm.connection, key=None))

    _, raised = _stream(locked)
    with pytest.raises(ModelUnavailableError, match="An administrator has to enter it again"):
        _answer(locked)

    assert (type(raised), raised.transient, model_server.requests) == (ModelUnavailableError, False, [])


def test_the_key_is_in_no_text_of_a_connection(llm):
    assert "sk-secret" not in f"{llm.connection!r} {llm.connection}"
