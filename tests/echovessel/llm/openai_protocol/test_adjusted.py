from contextlib import aclosing

import pytest
from asgiref.sync import async_to_sync

from echovessel.llm import connection, provider
from echovessel.llm.errors import ModelUnavailableError, TooLongError
from echovessel.llm.openai_protocol.adjusted import AdjustedServer
from echovessel.llm.openai_protocol.server import OpenAIServer
from echovessel.llm.protocol import ChatMessage, Origin, ReplyOptions
from echovessel.models import LedgerEntry

ASKED: list[ChatMessage] = [{"role": "user", "content": "Hello?"}]
ALL = ReplyOptions(model="own", temperature=0.3, top_p=0.9, max_tokens=200)
SENT = {"temperature": 0.3, "top_p": 0.9, "max_tokens": 200}


@pytest.fixture
def server(model_server):
    return OpenAIServer(connection.get_active())


def said(llm):
    async def read():
        async with aclosing(llm.stream(ASKED, origin=Origin())) as pieces:
            return "".join([piece async for piece in pieces if isinstance(piece, str)])

    return async_to_sync(read)()


def asked_with(model_server):
    """The model and the settings of each request."""
    names = ("temperature", "top_p", "max_tokens", "max_completion_tokens")
    return [(body["model"], {name: body[name] for name in names if name in body}) for body in model_server.requests]


def refuse(model_server, message, status=400):
    model_server.will("status", status=status, message=message)


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        (ReplyOptions(), ("big", {})),
        (ReplyOptions(temperature=0.0), ("big", {"temperature": 0.0})),
        (ReplyOptions(model="own"), ("own", {})),
        (ALL, ("own", SENT)),
    ],
    ids=["nothing", "a temperature of 0", "a model", "all"],
)
def test_only_what_is_set_is_sent(model_server, server, options, sent):
    assert said(AdjustedServer(server, options))

    assert asked_with(model_server) == [sent]


@pytest.mark.parametrize(
    ("message", "status", "then"),
    [
        ("Unsupported value: 'temperature' does not support 0.3.", 400, ("own", {"top_p": 0.9, "max_tokens": 200})),
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            400,
            ("own", {"temperature": 0.3, "top_p": 0.9, "max_completion_tokens": 200}),
        ),
        ("top_p: extra fields not permitted", 422, ("own", {"temperature": 0.3, "max_tokens": 200})),
        ("The model `own` does not exist", 404, ("big", SENT)),
        ("Invalid model name: own", 400, ("big", SENT)),
        ("Bad request", 400, ("own", {})),
    ],
    ids=["temperature", "the newer name", "top p", "no such model", "an invalid model", "nothing named"],
)
def test_what_is_refused_is_left_out_and_the_reply_asked_for_again(model_server, server, message, status, then):
    refuse(model_server, message, status)
    llm = AdjustedServer(server, ALL)

    assert said(llm)

    assert asked_with(model_server) == [("own", SENT), then]
    assert (llm.model_of("reply"), llm.get_sent()) == then


def test_what_was_named_is_not_sent_again_by_other_companions(model_server, server):
    refuse(model_server, "temperature is not supported")
    said(AdjustedServer(server, ALL))
    said(AdjustedServer(server, ReplyOptions(model="own", temperature=0.9)))
    said(AdjustedServer(server, ReplyOptions(temperature=0.9)))

    assert asked_with(model_server)[2:] == [("own", {}), ("big", {"temperature": 0.9})]


LENGTH = "This model's maximum context length is 8192 tokens; you asked for 200 of max_tokens."


def test_a_prompt_that_is_too_long_says_nothing_of_the_model_and_the_settings(model_server, server):
    refuse(model_server, LENGTH)
    refuse(model_server, LENGTH)

    with pytest.raises(TooLongError):
        said(AdjustedServer(server, ALL))
    assert said(AdjustedServer(server, ALL))

    assert asked_with(model_server) == [("own", SENT), ("own", {}), ("own", SENT)]


def test_a_server_that_takes_nothing_is_asked_without_anything_and_then_fails(model_server, server):
    for _ in range(9):
        refuse(model_server, "Bad request")

    with pytest.raises(ModelUnavailableError, match="did not accept the request"):
        said(AdjustedServer(server, ALL))

    assert asked_with(model_server) == [("own", SENT), ("own", {}), ("big", {})]
    assert AdjustedServer(server, ALL).model_of("reply") == "own"


@pytest.mark.parametrize("status", [401, 403])
def test_an_error_about_something_else_is_told_at_once(model_server, server, status):
    refuse(model_server, "temperature", status)

    with pytest.raises(ModelUnavailableError):
        said(AdjustedServer(server, ALL))

    assert len(model_server.requests) == 1


@pytest.mark.django_db
def test_the_ledger_holds_what_was_used(model_server):
    refuse(model_server, "top_p is not supported")

    said(provider.get_llm(ALL))
    said(provider.get_llm())

    entries = LedgerEntry.objects.order_by("id").values_list("model", "options")
    assert list(entries) == [("own", {"temperature": 0.3, "max_tokens": 200}), ("big", {})]
