import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest
from asgiref.sync import async_to_sync

from echovessel.llm import connection
from echovessel.llm.errors import LLMError, ModelUnavailableError, ToolsRefusedError
from echovessel.llm.openai_protocol.server import OpenAIServer
from echovessel.llm.openai_protocol.tool_calls import CallGatherer, TextCallFilter
from echovessel.llm.openai_protocol.wire import CallPiece
from echovessel.llm.protocol import ChatMessage, Origin, Usage
from echovessel.llm.tool_messages import build_answer_message, build_call_message
from echovessel.llm.tools import Tool, ToolCall
from tests.support.model_server import ODDITIES, ModelServer

ASKED: list[ChatMessage] = [{"role": "user", "content": "Remember that I moved to Leeds."}]
SAVE = Tool("memory_save", "Saves a fact.", {"type": "object", "properties": {"content": {"type": "string"}}})
LIST = Tool("memory_list", "Lists facts.", {"type": "object", "properties": {}})
TOOLS = [SAVE, LIST]
MOVED = {"content": "She moved to Leeds 搬家."}


@pytest.fixture
def model_server(settings):
    with ModelServer() as server:
        settings.MODEL_SERVER, settings.OPENAI_BASE_URL = True, server.url
        yield server


@pytest.fixture
def llm(model_server):
    return OpenAIServer(connection.get_active())


def stream(llm, tools=TOOLS):
    """The text of a reply, its calls, and the error it ended with."""

    async def read():
        said, calls, error = "", [], None
        try:
            async with aclosing(llm.stream(ASKED, origin=Origin(), tools=tools)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ToolCall):
                        calls.append((piece.name, piece.parse_arguments()))
                    elif not isinstance(piece, Usage):
                        said += piece
        except LLMError as raised:
            error = raised
        return said, calls, error

    return async_to_sync(read)()


@pytest.mark.parametrize("oddity", ["", *ODDITIES])
@pytest.mark.parametrize("calls", [[("memory_save", MOVED)], [("memory_save", MOVED), ("memory_list", {})], [("memory_list", {}), ("memory_list", {})]], ids=["one", "two", "alike"])  # fmt: skip
def test_calls_are_read_in_whichever_way_they_come(model_server, llm, oddity, calls):
    model_server.will("calls", calls=calls, oddity=oddity)

    assert stream(llm) == ("", calls, None)


def test_tools_are_sent_as_the_protocol_has_them(model_server, llm):
    stream(llm, tools=[LIST])

    described = {"name": "memory_list", "description": "Lists facts.", "parameters": LIST.parameters}
    assert model_server.requests[0]["tools"] == [{"type": "function", "function": described}]


def test_nothing_of_tools_is_sent_without_any(model_server, llm):
    model_server.will("reply", text='{"name": "memory_save", "arguments": {}}')

    assert stream(llm, tools=[]) == ('{"name": "memory_save", "arguments": {}}', [], None)
    assert "tools" not in model_server.requests[0]


def test_a_text_before_calls_is_shown(model_server, llm):
    model_server.will("calls", text="One moment.", calls=[("memory_save", MOVED)])

    assert stream(llm) == ("One moment.", [("memory_save", MOVED)], None)


def test_usage_is_the_last_piece(model_server, llm):
    model_server.will("calls", text="Hm.", calls=[("memory_save", MOVED)])

    async def read():
        async with aclosing(llm.stream(ASKED, origin=Origin(), tools=TOOLS)) as pieces:
            return [type(piece).__name__ async for piece in pieces]

    assert async_to_sync(read)() == ["str", "ToolCall", "Usage"]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "registry.ollama.ai/library/tiny does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice'),
        (500, "tools param requires --jinja flag"),
        (500, "Function calling is not enabled for this model."),
        (404, "No endpoints found that support tool use."),
    ],
)
def test_a_server_that_refuses_tools_says_so_and_is_remembered(model_server, llm, status, message):
    model_server.will("status", status=status, message=message)

    said, calls, error = stream(llm)

    assert (said, calls, type(error), str(error)) == ("", [], ToolsRefusedError, f"The model server takes no tools ({status}).")  # fmt: skip
    assert (error.transient, llm.takes_tools) == (False, False)


def test_a_template_that_fails_in_the_stream_is_a_refusal(model_server, llm):
    model_server.will("jinja_chunk", after=0)

    assert (type(stream(llm)[2]), llm.takes_tools) == (ToolsRefusedError, False)


@pytest.mark.parametrize(
    ("behaviour", "tools"),
    [
        ({"kind": "status", "status": 400, "message": "The model is not known."}, TOOLS),
        ({"kind": "status", "status": 500, "message": "Out of memory."}, TOOLS),
        ({"kind": "status", "status": 401, "message": "This key may not use tools."}, TOOLS),
        ({"kind": "status", "status": 429, "message": "Too many function calls."}, TOOLS),
        ({"kind": "status", "status": 400, "message": "tools are unknown"}, []),
        ({"kind": "jinja_chunk", "after": 2}, TOOLS),
        ({"kind": "error_chunk", "after": 0}, TOOLS),
    ],
    ids=["another 400", "another 500", "401", "429", "none were sent", "after text", "another chunk"],
)
def test_other_errors_are_no_refusal(model_server, llm, behaviour, tools):
    model_server.script.append(behaviour)

    assert (type(stream(llm, tools)[2]), llm.takes_tools) == (ModelUnavailableError, True)


def test_where_tools_are_on_a_refusal_is_the_servers_error(model_server, llm):
    always = OpenAIServer(replace(llm.connection, tools="on"))
    model_server.will("status", status=400, message="no tools here")

    assert str(stream(always)[2]) == "The model server did not accept the request (400)."
    assert always.takes_tools


def test_where_tools_are_off_none_are_taken(llm):
    assert OpenAIServer(replace(llm.connection, tools="off")).takes_tools is False


def pass_through(*pieces):
    text_filter = TextCallFilter(TOOLS)
    shown = [text_filter.add(piece) for piece in pieces]
    rest, calls = text_filter.finish()
    return shown, rest, [(call.name, call.parse_arguments()) for call in calls]


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["Oh, ", "a cat."], ["Oh, ", "a cat."]),
        (["<", "3 ", "you"], ["", "<3 ", "you"]),
        (["{", '"name": "Sam"}'], ["", '{"name": "Sam"}']),
        (['{"name": "memory', "less", '"}'], ["", '{"name": "memoryless', '"}']),
        (["\n", "Oh."], ["", "\nOh."]),
        (["Oh, <", "b>a cat"], ["Oh, ", "<b>a cat"]),
        (["It is <tool_call>", " or so"], ["It is ", "<tool_call> or so"]),
    ],
)
def test_a_text_is_held_back_only_while_it_may_be_a_call(pieces, shown):
    assert pass_through(*pieces) == (shown, "", [])


@pytest.mark.parametrize("text", ["{", "<tool", '{"name": "memory', " "])
def test_a_reply_that_ends_before_it_is_clear_is_text(text):
    assert pass_through(text) == ([""], text, [])


@pytest.mark.parametrize(
    ("text", "rest", "calls"),
    [
        ('{"name": "memory_list", "parameters": {}}', "", [("memory_list", {})]),
        ('{ "name":"memory_list","arguments":"{}"}', "", [("memory_list", {})]),
        ('{"type": "function", "name": "memory_list", "parameters": {}}', "", [("memory_list", {})]),
        ('<tool_call>{"name": "memory_list"}</tool_call>\nSo:', "So:", [("memory_list", {})]),
        ('{"name": "memory_save", "arguments": {"content": "She', "", [("memory_save", None)]),
        ('<tool_call>{"name": "memory_list"}</tool_call><tool_call>{"name', "", [("memory_list", {}), ("", None)]),
        ("<tool_call>memory_list()</tool_call>", "", [("memory_list", {})]),
        (
            'memory_save(content="She said (so)", slot=None)\n\nOh.',
            "Oh.",
            [("memory_save", {"content": "She said (so)", "slot": None})],
        ),
        ("<memory_save>She is ill</memory_save>\nOh.", "Oh.", [("memory_save", {"content": "She is ill"})]),
        ("[memory_save: She is ill]\n\nOh.", "Oh.", [("memory_save", {"content": "She is ill"})]),
        ("memory_save(content=ill", "", [("memory_save", None)]),
        ('```json\n{"tool": "memory_list", "parameters": {}}\n```\nSo:', "So:", [("memory_list", {})]),
        ('<function=memory_save>{"content": "Ill"}</function>\nSo:', "So:", [("memory_save", {"content": "Ill"})]),
        ('[{"type": "function", "function": {"name": "memory_list"}}]', "", [("memory_list", {})]),
        ("✿FUNCTION✿: memory_list\n✿ARGS✿: {}\n✿RESULT✿: ok\n✿RETURN✿: So:", "So:", [("memory_list", {})]),
    ],
    ids=[
        "parameters",
        "arguments as text",
        "with a type",
        "text behind",
        "cut off",
        "the second cut off",
        "in code",
        "with text behind",
        "in its own tag",
        "with a colon",
        "in code, cut off",
        "fenced",
        "naming tag",
        "in a list",
        "between flowers",
    ],
)
def test_no_text_of_a_call_is_shown(text, rest, calls):
    assert pass_through(*text) == ([""] * len(text), rest, calls)


def test_a_call_behind_text_is_read_where_it_has_its_tag():
    assert pass_through("Oh. <tool", '_call>\n{"name": "memory_list"}', "</tool_call>") == (
        ["Oh. ", "", ""],
        "",
        [("memory_list", {})],
    )
    assert pass_through("Oh. <tool") == (["Oh. "], "<tool", [])


def test_calls_that_begin_a_line_are_read():
    said = 'Oh.\n\n```json\n{"tool": "memory_list"}\n```\nSo:\nmemory_list()\nYes.'

    assert pass_through(said) == (["Oh.\n"], "So:\nYes.", [("memory_list", {}), ("memory_list", {})])
    assert pass_through('Oh.\nAction: memory_save\nAction Input: {"content": "Ill"}')[2] == [
        ("memory_save", {"content": "Ill"})
    ]
    assert pass_through('[TOOL_CALLS] [{"name": "memory_list", "arguments": {}}]')[1:] == ("", [("memory_list", {})])
    for other in ('So:\n```json\n{"name": "get_weather"}\n```', "Use memory_save() for\nmemory_save_all()."):
        shown, rest, calls = pass_through(other)
        assert ("".join(shown) + rest, calls) == (other, [])


def gather(*pieces):
    gatherer = CallGatherer()
    for index, id, name, arguments in pieces:
        gatherer.add(CallPiece.model_validate({"index": index, "id": id, "function": {"name": name, "arguments": arguments}}))  # fmt: skip
    return [(call.id, call.name, call.arguments) for call in gatherer.get_calls()]


@pytest.mark.parametrize(
    ("pieces", "calls"),
    [
        ([(0, "a", "x", '{"n'), (1, "b", "y", "{}"), (0, None, None, '": 1}')], [("a", "x", '{"n": 1}'), ("b", "y", "{}")]),
        ([(None, "a", "x", '{"n'), (None, "a", "x", '": 1}'), (None, "b", "x", "{}")], [("a", "x", '{"n": 1}'), ("b", "x", "{}")]),
        ([(None, "a", "x", '{"n'), (None, "b", None, '": 1}')], [("a", "x", '{"n": 1}')]),
        ([(None, None, "x", '{"n'), (None, None, "x", '": 1}'), (None, None, "x", "{}")], [("call_1", "x", '{"n": 1}'), ("call_2", "x", "{}")]),
        ([(None, None, "x", ""), (None, None, "y", "{}")], [("call_1", "x", ""), ("call_2", "y", "{}")]),
        ([(0, "same", "x", "{}"), (1, "same", "y", "{}")], [("same", "x", "{}"), ("call_2", "y", "{}")]),
        ([(0, None, None, '{"n": 1}')], [("call_1", "", '{"n": 1}')]),
        ([(0, "a", "x", {"n": 1})], [("a", "x", '{"n": 1}')]),
    ],
    ids=["interleaved", "by id", "a new id without a name", "by name", "by another name", "ids twice", "no name", "object"],
)  # fmt: skip
def test_pieces_are_put_together(pieces, calls):
    assert gather(*pieces) == calls


@pytest.mark.parametrize(
    ("arguments", "parsed"),
    [('{"a": 1}', {"a": 1}), ("", {}), ('{"a": 1,}', {"a": 1}), (" ", {}), ('"{\\"a\\": 1}"', {"a": 1}), ("[1]", None), ("{", None), ("1", None), ("[" * 100_000, None)],
    ids=["object", "empty", "comma", "blank", "encoded twice", "list", "broken", "number", "deep"],
)  # fmt: skip
def test_arguments_are_an_object_or_unreadable(arguments, parsed):
    assert ToolCall("a", "x", arguments).parse_arguments() == parsed


def test_the_next_call_is_told_what_was_called_and_what_came_of_it():
    broken = ToolCall("b", "memory_list", "{")

    assert build_call_message("Hm.", [ToolCall("a", "memory_save", '{"content":"é"}'), broken]) == {
        "role": "assistant",
        "content": "Hm.",
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "memory_save", "arguments": '{"content": "é"}'}},
            {"id": "b", "type": "function", "function": {"name": "memory_list", "arguments": "{}"}},
        ],
    }
    assert build_answer_message(broken, {"ok": False, "text": "é"}) == {
        "role": "tool",
        "content": '{"ok": false, "text": "é"}',
        "tool_call_id": "b",
    }


def test_tokens_of_tools_and_calls_are_estimated_where_the_server_counts_none(model_server, llm):
    model_server.will("no_usage", text="Fine.")
    model_server.will("no_usage", text="Fine.")

    async def read(tools):
        async with aclosing(llm.stream(ASKED, origin=Origin(), tools=tools)) as pieces:
            return [piece async for piece in pieces][-1]

    plain, with_tools = asyncio.run(read([])), asyncio.run(read(TOOLS))

    assert (plain, with_tools) == (Usage(8, 2), Usage(86, 2))
