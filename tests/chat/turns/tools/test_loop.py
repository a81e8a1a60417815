import asyncio

import pytest

from chat.turns.tools import loop
from chat.turns.tools.calls import ToolAnswer
from chat.turns.tools.definitions import LIST, SAVE
from chat.turns.tools.loop import StepReply, ToolLoop
from echovessel.llm.errors import BadAnswerError, EmptyAnswerError, ModelUnavailableError, ToolsRefusedError
from echovessel.llm.tools import ToolCall

PROMPT = [{"role": "system", "content": "You are Marian."}, {"role": "user", "content": "I moved to Leeds."}]
SAVED = ToolAnswer(ok=True, code="saved", text="12")
DOWN = ModelUnavailableError("The model server failed.", transient=False)


def call(number, *, name="memory_save", arguments=None):
    return ToolCall(f"id{number}", name, arguments or f'{{"content": "fact {number}"}}')


class Box:
    tools = (SAVE, LIST)

    def __init__(self, answer=SAVED):
        self.answer = answer
        self.calls = []

    async def execute(self, made):
        self.calls.append(made.id)
        return self.answer


def run(*steps, answer=SAVED):
    """What a model with these steps was asked, with how many tools, what was executed, and the error at the end."""
    box, asked, left = Box(answer), [], list(steps)

    async def ask(messages, tools):
        asked.append((list(messages), len(tools)))
        said = left.pop(0)
        if isinstance(said, Exception):
            raise said
        text, *calls = said if isinstance(said, tuple) else (said,)
        return StepReply(text, calls)

    error = None
    try:
        asyncio.run(ToolLoop(messages=PROMPT, toolbox=box, ask=ask).run())
    except BadAnswerError as raised:
        error = type(raised)
    assert left == []
    return asked, box.calls, error


def shape(asked):
    return [tools for _, tools in asked]


def test_a_reply_without_calls_is_one_call_of_the_model():
    asked, made, error = run("Hello.")

    assert (asked, made, error) == ([(PROMPT, 2)], [], None)


def test_a_model_reads_what_came_of_its_calls():
    asked, made, _ = run(("Hm.", call(1), call(2)), "Noted.")

    assert (shape(asked), made) == ([2, 2], ["id1", "id2"])
    [*prompt, called, first, second] = asked[1][0]
    assert (prompt, called["content"], [one["id"] for one in called["tool_calls"]]) == (PROMPT, "Hm.", ["id1", "id2"])
    assert first == {"role": "tool", "content": '{"ok": true, "code": "saved", "text": "12"}', "tool_call_id": "id1"}
    assert second["tool_call_id"] == "id2"


def test_a_model_that_calls_for_ever_is_asked_five_times_and_then_for_words_alone():
    asked, made, _ = run(*[("", call(number)) for number in range(5)], "Well then.")

    assert (shape(asked), len(made)) == ([2, 2, 2, 2, 2, 0], 5)
    [system, last] = asked[-1][0]
    assert (system, last["role"]) == (PROMPT[0], "user")
    answered = "\n".join(["memory_save: ok. 12"] * 5)
    assert last["content"] == f"I moved to Leeds.\n\n<notes>\n{loop.ANSWERED}\n{answered}\n</notes>"


def test_a_model_that_calls_for_ever_and_sessions_is_asked_no_more():
    asked, _, _ = run(("One moment.", call(0)), *[("", call(number)) for number in range(1, 5)])

    assert shape(asked) == [2] * 5


def test_where_nothing_is_said_in_the_end_there_is_no_reply():
    assert run(*[("", call(number)) for number in range(5)], EmptyAnswerError())[2] is EmptyAnswerError


def test_the_third_call_alike_ends_the_loop():
    alike = '{"content": "a", "facet": "about_us"}', '{"facet": "about_us", "content": "a"}'
    steps = [("", call(number, arguments=alike[number % 2])) for number in range(3)]

    asked, made, _ = run(*steps, "Well.")

    assert (shape(asked), made) == ([2, 2, 2, 0], ["id0", "id1"])


def test_the_third_call_alike_of_one_step_is_not_made_nor_the_next():
    asked, made, _ = run(("", *[call(1) for _ in range(3)], call(2)), "Well.")

    assert (shape(asked), made) == ([2, 0], ["id1", "id1"])


@pytest.mark.parametrize(("count", "asks"), [(2, [2, 2, 2]), (3, [2, 2, 2, 0])])
def test_the_third_call_with_bad_arguments_ends_the_loop(count, asks):
    bad = ToolAnswer(ok=False, code="invalid", text="content: Field required")

    asked, _, _ = run(*[("", call(number)) for number in range(count)], "Well.", answer=bad)

    assert shape(asked) == asks


@pytest.mark.parametrize(("characters", "asks"), [(15_900, [2, 2]), (16_000, [2, 0])])
def test_results_of_four_thousand_tokens_end_the_loop(characters, asks):
    long = ToolAnswer(ok=True, code="found", text="x" * characters)

    assert shape(run(("", call(1)), "Well.", answer=long)[0]) == asks


def test_after_a_minute_no_step_begins(monkeypatch):
    monkeypatch.setattr(loop, "LOOP_SECONDS", 0)

    asked, made, _ = run(("", call(1)), "Well.")

    assert (shape(asked), made) == ([2, 0], ["id1"])


def test_eight_calls_of_a_step_are_made_and_the_others_answered():
    asked, made, _ = run(("", *[call(number) for number in range(10)]), "Well.")

    assert made == [f"id{number}" for number in range(8)]
    answers = [message["content"] for message in asked[1][0] if message["role"] == "tool"]
    assert [answer.startswith('{"ok": false, "code": "unavailable"') for answer in answers] == [False] * 8 + [True] * 2


def test_a_server_that_refuses_tools_is_asked_without():
    asked, _, _ = run(ToolsRefusedError("400"), "Hello.")

    assert asked == [(PROMPT, 2), (PROMPT, 0)]


def test_a_server_that_refuses_the_messages_of_tools_is_told_in_words_what_was_done():
    asked, _, _ = run(("", call(1)), ToolsRefusedError("500"), "Noted.")

    assert shape(asked) == [2, 2, 0]
    assert [message["role"] for message in asked[2][0]] == ["system", "user"]
    assert "memory_save: ok. 12\n</notes>" in asked[2][0][1]["content"]


def test_a_reply_that_was_begun_ends_where_the_server_refuses_what_follows():
    assert shape(run(("Oh, Leeds.", call(1)), ToolsRefusedError("500"))[0]) == [2, 2]


def test_silence_after_calls_is_asked_about_once():
    assert shape(run(("", call(1)), EmptyAnswerError(), "Noted.")[0]) == [2, 2, 0]
    assert shape(run(("Oh.", call(1)), EmptyAnswerError())[0]) == [2, 2]


def test_silence_at_once_is_no_reply():
    assert run(EmptyAnswerError())[2] is EmptyAnswerError


def test_other_errors_end_the_reply():
    with pytest.raises(ModelUnavailableError):
        run(("", call(1)), DOWN)


@pytest.mark.parametrize(
    ("after", "text", "begun"),
    [
        ("One.", "Two", "\n\nTwo"),
        ("One.\n", " Two", "\nTwo"),
        ("One.\n\n", "Two", "Two"),
        ("One.\n\n\n", "\nTwo", "Two"),
        ("One.", " \n", ""),
    ],
)
def test_a_blank_line_is_between_two_steps(after, text, begun):
    assert loop.begin_step(text, after=after) == begun
